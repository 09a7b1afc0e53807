"""The view of the game on a phone: whose move it is, the legal actions of its seat, missing dice, open proposals.

As JSON, beside the members of the answer to a request ("code", "lines", "doubt", "here", "wake"):

    {"on": 57, "turn": "turn 7, red", "stands": "...", "yours": true,
     "said": [["R2", "", "R2"], ...], "line": "2 go ...", "says": "2 go N" | null,
     "phrases": [["2 go N", true], ...], "groups": [{"asks": "what", "chips": [["go", "type", "go"], ...]}],
     "marks": [[0, "piece R2"], ...],
     "need": {"purpose", "count", "sides", "names", "each", "held", "words", "still", "told", "aims", "after"} | null,
     "bot": "steady plays blue" | null,
     "asks": [{"number", "words", "does", "mine", "waits", "missing"}],
     "deeds": ["undo", ...], "throws": [[12, "...", 3], ...], "winners": ["red", ..., "draw", "nobody"],
     "free": ["blue", ...], "bots": ["random", ...]}

"bot" is there while a bot is to move, which happens only after it was stopped or broke. A chip is a button: the tap
that it sends, then its label. "throws" holds entries with their number of dice. "free" holds the seats at which
somebody may sit down, and "bots" the bots that may. "after" is the last entry in force. A phone keeps typed dice until
it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.cli.answer import PendingAction
from referee.cli.dice_text import describe_roll
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import describe_turn, find_bot_to_act, make_current_picture
from referee.cli.missing_dice import describe_missing_faces as asked_for
from referee.cli.session.phone_consent import OpenPhoneProposal
from referee.engine.dice import Need
from referee.engine.legal import LegalActions
from referee.engine.option_resolution import list_possible_switches
from referee.engine.secret import UnknownError
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView
from referee.record.table.undo_redo import find_last_undoer
from referee.serve.action_builder import ActionBuilder, Tap, apply_taps
from referee.serve.hit_targets import HitTargets, TargetKey, find_hit_targets, find_target_keys_by_word

CORRECTABLE_ENTRIES = 12
"""The number of last entries in which a phone may correct a roll."""
PhoneFacts = dict[str, Any]


def make_phone_view(
    look: SeatView, taps: Sequence[Tap], pending: PendingAction | None, asking: OpenPhoneProposal, bots: Sequence[str]
) -> PhoneFacts:
    """Returns everything that the phone of a seat shows. `bots` are the names of all bots."""
    now = make_action_builder(look, taps)
    return {
        "on": look.log.entry_number,
        "turn": describe_turn(look.facts),
        "stands": look.sight.status,
        "yours": bool(find_legal_actions(look)),
        **_describe_builder(look, now),
        "need": _describe_need(look, pending),
        "bot": f"{find_bot_to_act(look)} plays {look.facts.to_act}" if find_bot_to_act(look) else None,
        "asks": list(asking.list_proposals(look)),
        **_describe_commands(look, bots),
    }


# The legal actions


def find_legal_actions(look: SeatView) -> LegalActions:
    """Returns the legal actions of the viewing seat.

    There are none after the end, for a spectator, while another seat has to answer, or if they depend on unknown
    secrets.
    """
    if look.facts.to_act is None or look.eyes is None or (look.facts.asked_seat and look.facts.asked_seat != look.eyes):
        return LegalActions()
    try:
        return look.facts.game.legal(look.sight.view, look.eyes)
    except UnknownError:
        return LegalActions()


def make_action_builder(look: SeatView, taps: Sequence[Tap]) -> ActionBuilder:
    """Returns the action builder after some taps. A roll of table dice is left out: it needs no tap."""
    legal = find_legal_actions(look)
    thrown = legal.awaited_roll if _is_typed(look, legal) else None
    left = LegalActions([choice for choice in legal.choices if choice is not thrown])
    return apply_taps(look.facts.game, look.sight.view, left, taps)


def find_touch_meanings(look: SeatView, taps: Sequence[Tap], thing: TargetKey) -> tuple[str, tuple[Tap, ...]]:
    """Returns the name of a thing on the board, and the taps that a touch of it may mean; () if it has no meaning."""
    named = _find_things(look).get(thing)
    if named is None:
        return "that", ()
    return named.names[0] if named.names else named.place, make_action_builder(look, taps).find_possible_taps(named)


def _find_things(look: SeatView) -> HitTargets:
    return find_hit_targets(make_current_picture(look))


def _describe_builder(look: SeatView, now: ActionBuilder) -> PhoneFacts:
    groups = [
        {"asks": group.question, "chips": [_make_chip(button.tap, button.words) for button in group.buttons]}
        for group in now.button_groups
    ]
    labels = zip(now.taps, now.tapped_words, strict=True)
    marks = (
        list(find_target_keys_by_word(look.facts.game, look.sight.view, _find_things(look), now.highlighted_words))
        if now.highlighted_words
        else []
    )
    return {
        "said": [_make_chip(tap, words) for tap, words in labels],
        "line": now.text_so_far,
        "says": now.action_text if now.taps else None,
        "phrases": now.remaining_texts,
        "groups": groups,
        "marks": marks,
    }


def _make_chip(tap: Tap, words: str) -> list[str]:
    return [tap.word, tap.slot, words]


# Dice


def _is_typed(look: SeatView, legal: LegalActions) -> bool:
    """True if the game waits for a roll of table dice."""
    throw = legal.awaited_roll
    return bool(throw and throw.need and not throw.need.lots) and look.facts.dice.is_typed


def _describe_need(look: SeatView, pending: PendingAction | None) -> PhoneFacts | None:
    if pending:
        return _describe_dice(look, pending.need, pending.held, pending.what)
    legal = find_legal_actions(look)
    throw = legal.awaited_roll
    return _describe_dice(look, throw.need, (), "") if throw and throw.need and _is_typed(look, legal) else None


def _describe_dice(look: SeatView, need: Need, faces: Sequence[str], action_text: str) -> PhoneFacts:
    return {
        "purpose": need.purpose,
        "count": need.count,
        "sides": need.sides,
        "names": list(dict.fromkeys(need.names)),
        "each": need.die_labels,
        "held": faces,
        "words": action_text,
        "still": asked_for(need, len(faces)),
        "told": f"{'Draw' if need.names else 'Roll'} {need}",
        "aims": list(describe_roll(need))[1:],
        "after": look.log.entries_in_force[-1],
    }


# Commands for everybody


def _describe_commands(look: SeatView, bots: Sequence[str]) -> PhoneFacts:
    over = look.facts.to_act is None
    commands = ["undo"] if look.log.last_spoken_entry is not None else []
    commands += ["redo"] if _was_undone(look) else []
    commands += ["correct"] if not look.protocol else []
    commands += [] if over else ["amend", "finish", "resign"]
    commands += [] if over or look.protocol else ["leaves"]
    commands += ["reveal"] if look.log.sealed_entries else []
    return {
        "deeds": commands,
        "throws": list(_list_rolls(look)) if look.facts.dice.is_typed else [],
        "moves": list(_list_moves(look)) if "correct" in commands else [],
        "switches": []
        if over
        else [f"{name}={value}" for name, value in list_possible_switches(look.facts.game, look.facts.options)],
        "winners": [] if over else [*look.facts.seats, "draw", "nobody"],
        **collect_seats_and_bots(look, bots),
    }


def collect_seats_and_bots(look: SeatView, bots: Sequence[str]) -> PhoneFacts:
    """Returns the seats at which somebody may sit down now, and the bots that may play on for a player.

    There are no seats and no bots after the end or in a game by mail, and no bots in a game with typed dice.
    """
    facts = look.facts
    if facts.to_act is None or look.protocol:
        return {"free": [], "bots": []}
    free = [seat for seat in facts.seats if seat in facts.empty_seats or seat in facts.bots]
    return {"free": free, "bots": [] if facts.dice.is_typed else list(bots)}


def _was_undone(look: SeatView) -> bool:
    try:
        return bool(find_last_undoer(look.session))
    except NotAllowedError:
        return False


def _list_moves(look: SeatView) -> Iterator[tuple[int, str]]:
    """Yields the latest moves in force that hold no dice, the latest first.

    Each move is given as the number of its entry, and a line about it. Moves that this seat may not see are left out.
    """
    for n in reversed(look.log.entries_in_force[-CORRECTABLE_ENTRIES:]):
        entry = look.log.entries[n]
        if isinstance(entry, PlayEntry) and entry.known_action is not None and not entry.rolls:
            yield n, describe_entry(look, entry)


def _list_rolls(look: SeatView) -> Iterator[tuple[int, str, int]]:
    """Yields the latest moves in force that hold dice, the latest first.

    Each move is given as the number of its entry, a line about it, and the number of its dice.
    """
    for n in reversed(look.log.entries_in_force[-CORRECTABLE_ENTRIES:]):
        entry = look.log.entries[n]
        if isinstance(entry, PlayEntry) and entry.rolls:
            yield n, describe_entry(look, entry), sum(len(roll.faces) for roll in entry.rolls)
