"""The state of a game in words, in the view of a seat: whose turn it is, the board, and what to type next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from referee.cli.answer import Answer, AnswerLine, NextStep, StateLine, Text
from referee.engine.event import Seat
from referee.engine.text import begin_sentence, count_of

if TYPE_CHECKING:
    from referee.cli.screen import Screen
    from referee.engine.legal import LegalActions
    from referee.engine.scene import Scene
    from referee.record.table.public_facts import PublicFacts
    from referee.record.table.seat_view import SeatView

TOO_TALL = "The board is too tall for this window. To see it: referee show"
MANY_ACTIONS = 1_000_000
MAX_RECENT_MOVES = 8
"""The number of recent moves among which the last change of the board is searched for."""


def open_views_before_and_after(look: SeatView) -> tuple[SeatView, SeatView]:
    """Returns the game before something was recorded and the game now, in a view that the next reader may see.

    `look` is the game before. The view is that of `look`, or public if a player with other knowledge now moves here.
    """
    now, facts = look.at_present(), look.facts
    mover = now.facts.to_act
    passes = look.protocol is None and mover in now.facts.playable_seats and facts.may_see_differently(look.eyes, mover)
    return (look.with_eyes(None), now.with_eyes(None)) if passes else (look, now)


def describe_turn(facts: PublicFacts) -> str:
    """Returns the turn and the player to move in words, or "game over"."""
    seat = facts.to_act
    return "game over" if seat is None else f"turn {facts.turn}, {facts.format_seat(seat)}"


def make_heading(look: SeatView) -> str:
    """Returns the first line of an answer: game, log, turn, player to move and dice mode."""
    facts, path = look.facts, look.log.path
    name = path.stem if path else "standard input"
    at = "" if look.at is None else f", at entry {look.at}"
    return f"{facts.game.name} {name}{at}, {describe_turn(facts)} ({facts.header.dice.heading_text})"


# Who plays


def list_bot_seats(look: SeatView) -> Mapping[Seat, str]:
    """Returns the seats that bots play, each with its bot's name.

    By mail there are no bots, whatever a log says: no program speaks for anybody there.
    """
    return look.facts.bots if look.protocol is None else {}


def find_bot_to_act(look: SeatView) -> str | None:
    """Returns the bot that plays the seat to move; None if a person does or the game is over."""
    return list_bot_seats(look).get(look.facts.to_act or "")


def list_human_seats(look: SeatView) -> tuple[Seat, ...]:
    """Returns the seats that people can play here."""
    bots = list_bot_seats(look)
    return tuple(seat for seat in look.facts.playable_seats if seat not in bots)


# The board


def make_current_picture(look: SeatView) -> Scene:
    """Returns the board as a scene, with a heading that says whose turn it is."""
    facts = look.facts
    seat = facts.to_act
    whose = "game over" if seat is None else f"turn {facts.turn}: {facts.format_seat(seat)} to move"
    return replace(look.sight.draw_picture(), heading=begin_sentence(whose), to_move=seat)


def make_picture_if_it_fits(look: SeatView, screen: Screen) -> AnswerLine:
    """Returns the board, or a line that says how to see it if the screen is too low for it."""
    board = make_current_picture(look)
    return board if screen.has_room_for(board) else Text(TOO_TALL, indent=2)


def make_picture_with_changes(look: SeatView) -> Scene:
    """Returns the board with the changes since the last move that changed anything, if that move is recent."""
    from referee.engine.scene_diff import add_trails

    scene, unsaid = make_current_picture(look), set(look.log.trailing_automatic_entries)
    said = [n for n in look.log.entries_in_force if n not in unsaid]
    for n in said[-2 : -2 - MAX_RECENT_MOVES : -1]:
        since = add_trails(make_current_picture(look.at_entry(n)), scene)
        if any(page.trails for page in since.pages):
            return since
    return scene


# The state of the game


def describe_summary(look: SeatView) -> list[AnswerLine]:
    """Returns the heading, and below it a line with the status and the score of the game."""
    eyes = f", as {look.eyes or 'a spectator'} sees it" if look.facts.keepers else ""
    return [make_heading(look) + eyes, Text(look.sight.status, indent=2)]


def describe_state(look: SeatView) -> StateLine:
    """Returns the state of the game, in parts."""
    return StateLine(describe_turn(look.facts), tuple(look.sight.status.split("; ")))


def describe_present_state(look: SeatView, known: str = "") -> list[AnswerLine]:
    """Returns the present state of the game after something was recorded, and what to type next.

    `known` is the turn with its player, as in `describe_turn`, if the answer has named it already.
    """
    state = describe_state(look)
    return [replace(state, whose="") if state.whose == known else state, *describe_next_step(look)]


def describe_next_step(look: SeatView) -> list[AnswerLine]:
    """Returns the line that says what to type next; by mail, with open rolls and offers above it. [] if all is done.

    It shows another player's moves only in a game without secrets. By mail, a line about an own offer that has lapsed
    stands first. In a game by mail with a pace, lines about the waiting time stand below.
    """
    steps = _describe_next_steps(look)
    if look.at is not None or look.protocol is None:
        return steps
    from referee.cli.mail.lapsed_offer_text import describe_unsent_lapse

    steps = [*describe_unsent_lapse(look, look.protocol), *steps]
    if not look.facts.header.pace:
        return steps
    from referee.cli.mail.pace_text import describe_wait  # few games have a pace
    from referee.mail.seats import find_own_seat

    return [*steps, *describe_wait(look, find_own_seat(look.protocol))]


def _describe_next_steps(look: SeatView) -> list[AnswerLine]:
    """Returns the same lines as `describe_next_step`, without those about the waiting time."""
    facts, protocol = look.facts, look.protocol
    mover = facts.to_act
    if protocol is not None and look.at is None:
        from referee.cli.mail.next_step import describe_next_mail_step, describe_pending_offers, describe_waiting_roll

        waiting = describe_next_mail_step(look, protocol)
        if waiting:
            above = [*describe_waiting_roll(look, protocol), *describe_pending_offers(look, protocol)]
            return [*above, NextStep(f"Next: {waiting}", indent=2)]
    if mover is None:
        return []
    if bot := find_bot_to_act(look):
        what = f"{bot} plays {mover}; to let the bot move: referee do"
    elif facts.asked_seat:
        what = describe_needed_answer(look, mover)
    elif facts.keepers and not look.sight.sees_secrets_of(mover):
        what = f"{facts.format_seat(mover)} moves; to list the legal moves: {format_legal_command(look)}"
    else:
        what = _describe_hint(look, look.with_eyes(mover).sight.legal)
    if mover in facts.empty_seats and look.at is None:
        from referee.cli.departure_choices import describe_departure_choices  # few seats are left

        return [*describe_departure_choices(look, mover), NextStep(f"Or:   {what}", indent=2)]
    return [NextStep(f"Next: {what}", indent=2)]


def describe_needed_answer(look: SeatView, seat: Seat) -> str:
    """Returns a clause that says that a seat must give a forced answer, and how.

    For a past moment, the clause says only that the seat had to answer.
    """
    facts = look.facts
    if look.at is not None:
        return f"{facts.format_seat(seat)} had to answer first"
    how = "; type: referee answer" if seat in facts.vault_seats else "; send them the log; they type: referee answer"
    return f"{facts.format_seat(seat)} has to answer first{how}"


def needs_named_view(look: SeatView) -> bool:
    """True if somebody must name a view first, since the legal moves tell secrets that are known here.

    False by mail, where all sit at computers of their own.
    """
    facts = look.facts
    return look.protocol is None and facts.to_act in facts.keepers and facts.to_act in facts.vault_seats


def format_legal_command(look: SeatView) -> str:
    """Returns the command that lists the moves of the seat to act."""
    return f"referee legal --by {look.facts.to_act}" if needs_named_view(look) else "referee legal"


def _describe_hint(look: SeatView, legal: LegalActions) -> str:
    facts, throw = look.facts, legal.awaited_roll
    if throw:
        typed = facts.dice.is_typed
        return f"referee roll   ({throw.need})" if not typed else f"roll {throw.need}, then type: referee roll FACES"
    only = legal.only_action()
    if only is not None:
        return f"referee {facts.game.format(only)}"
    return f"{format_legal_command(look)} lists {format_action_count(legal.count)}"


def suggest_own_view(look: SeatView, command: str) -> Iterator[Text]:
    """Yields the command that shows the player at this computer their own secrets.

    Yields nothing if several players are here, or if the view is not the public one.

    Secrets are never shown unasked, so the player has to name the view with `--by`.
    """
    people = list_human_seats(look)
    own = [seat for seat in people if seat in look.facts.vault_seats]
    if look.eyes is None and len(own) == 1 and (look.protocol or len(people) == 1):
        yield Text(f"Your own view: referee {command} --by {own[0]}", indent=2, hanging=4)


def answer_with_summary(look: SeatView, *first: AnswerLine) -> Answer:
    """Returns an answer with the given lines first, then the state of the game and what to type next."""
    return Answer(
        [*first, *describe_summary(look), *suggest_own_view(look, "status"), *describe_next_step(look)],
        lambda: collect_summary_facts(look),
    )


def collect_summary_facts(look: SeatView) -> dict[str, Any]:
    """Returns the state of the game as facts for programs."""
    facts, log = look.facts, look.log
    return {
        "game": facts.game.name,
        "log": str(log.path) if log.path else "-",
        "entry": log.entry_number,
        "head": log.head_hash,
        "turn": facts.turn,
        "to_act": facts.to_act,
        "answer_due": facts.asked_seat,
        "seen_by": look.eyes,
        "dice": facts.header.dice,
        "status": look.sight.status,
        "outcome": facts.outcome,
        "options": facts.options,
        "position": look.sight.position,
    }


def format_action_count(actions: int) -> str:
    """Returns a number of actions in words; from `MANY_ACTIONS` on, no figure."""
    return count_of(actions, "action") if actions < MANY_ACTIONS else "more actions than anyone can count"
