"""The second law of a treaty: each thing that changes for a player is named before their yes.

Each row types a deed, reads the words with which the others are asked, lets all agree, and compares the game before and
after it.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields, replace
from penfriends import rested, seated
from support import FIXTURES

from referee.cli.treaty_text import list_treaty_lines
from referee.engine.dice_mode import MailDice
from referee.engine.plugin_errors import GameError
from referee.engine.position_diff import list_manual_changes
from referee.engine.registry import find_game, game_names
from referee.record.archive.roll_account import list_game_rolls
from referee.record.log.entry import Director, GameEntry, MatchPlace, PlayEntry, _list_classes_in_deeds
from referee.record.log.log_errors import LogError
from referee.record.log.offer import Offer
from referee.record.table.opening_logs import open_log, start
from referee.record.table.public_facts import PublicFacts
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import Treaty
from referee.record.table.unusual_settings import find_unusual_settings

COMPARED = {
    "options": "each option",
    "names": "each player",
    "bots": "each bot",
    "empty_seats": "a player who has left",
    "outcome": "the end",
    "ended": "the end",
}
FOLLOWS = {
    **dict.fromkeys(("to_act", "asked_seat", "turn"), "follows from the entries that count"),
    **dict.fromkeys(("game", "header", "seats", "keepers", "dice", "first_names"), "stays as long as the game"),
    **dict.fromkeys(("vault_seats", "is_partly_known"), "is about this computer"),
}


def test_every_public_fact_is_compared_or_follows():
    """A new fact is to be put here, and told."""
    assert set(PublicFacts.__struct_fields__) == COMPARED.keys() | FOLLOWS.keys()


def words(answer: Any) -> str:
    return " ".join(answer.shown.split())


def state(log: Any) -> dict[str, Any]:
    """Returns everything that a player may have to agree to, by its name."""
    session = open_log(log)
    look = SeatView(session)
    facts, protocol = look.facts, look.protocol
    found: dict[str, Any] = {f"option {name}": value for name, value in facts.options.items()}
    found |= {f"player {seat}": "nobody" if seat in facts.empty_seats else facts.names[seat] for seat in facts.seats}
    found |= {f"bot {seat}": facts.bots.get(seat) for seat in facts.seats}
    found |= {"end": facts.outcome.because if facts.outcome else None, "rules": session.reducer.rules}
    found |= {"pause": session.public.paused_until}
    found |= {f"entry {n}": True for n in look.log.entries_in_force if isinstance(session.entries[n], PlayEntry)}
    found |= {f"secrets {seat}": count for seat, count in look.log.sealed_counts.items()}
    if protocol:
        found |= {f"key {seat}": protocol.find_signing_key(seat) for seat in protocol.seats}
        found |= {f"roll {roll.number}": "dropped" for roll in protocol.dropped_rolls}
    return found


def phrase(name: str, before: Any, after: Any) -> str:
    """Returns a pattern for the words that name a change."""
    kind, _, which = name.partition(" ")
    match kind:
        case "option":
            return rf"\b{re.escape(which)} is {re.escape(after)}\b"
        case "player" | "bot":
            return rf"\b{re.escape(str(after or before))}\b"
        case "end":
            return re.escape(after or "no longer counts")
        case "rules":
            return rf"\brules {after}\b"
        case "pause":
            return re.escape(after)
        case "entry":
            return rf"(no longer counts|the dice|the move): {which}\b" if before else rf"counts again: {which}\b"
        case "secrets":
            return "open to everyone from then on"
        case "key":
            return rf"another key|the new key|plays {which}\b"
        case "roll":
            return rf"never made: roll {which}\b"
    raise AssertionError(name)


def check_named(told: str, before_log: Any, log: Any, before: dict[str, Any], count: int) -> set[str]:
    """Checks that each change is named in the words told. Returns the kinds of the changes."""
    after = state(log)
    changed = {
        name: (before.get(name), after.get(name))
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    changed = {
        name: pair for name, pair in changed.items() if not (name.startswith("entry") and int(name[6:]) >= count)
    }
    for name, pair in changed.items():
        assert re.search(phrase(name, *pair), told), f"{name}: {pair} is not in: {told}"
    for change in list_manual_changes(before_log, SeatView(open_log(log)).sight.movable_pieces):
        assert all(piece in told for piece in change.pieces), f"{change} is not in: {told}"
    return {name.partition(" ")[0] for name in changed}


# At a table: a command without the others' consent asks for it

SEED = "3" * 64
MANOOVER = f"new manoover --option first=red --seats Ann,Bo --seed {SEED}"
HIDDEN = f"new mutants --option hidden-movement=yes --seed {SEED}"
MOVES = ("roll", "done!", "roll")
ROWS = {
    "takeback": (MANOOVER, MOVES, "undo 3", {"entry"}),
    "corrected dice": ("new manoover --dice table --option first=red", ("roll 2 2 6",), "correct 1 2 6 6", {"entry"}),
    "amend": (MANOOVER, MOVES, "fix R1 d5 NE --why cat", set()),
    "settled": (MANOOVER, MOVES, "finish draw", {"end"}),
    "settled for one": (MANOOVER, MOVES, "finish Bo", {"end"}),
    "leaves": ("new manoover --option form=three --seats Ann,Bo,Cy", (), "leaves Bo", {"player"}),
    "leaves to a bot": (
        "new manoover --option form=three --seats Ann,Bo,Cy",
        (),
        "leaves Bo --bot random",
        {"bot", "player"},
    ),
    "sits": (MANOOVER, (*MOVES, "leaves Bo --agreed-by all"), "sits blue Dee", {"player"}),
    "switch": (MANOOVER, MOVES, "switch ties=survivor", {"option"}),
    "switch two": (MANOOVER, MOVES, "switch ties=survivor null-rotation=refused", {"option"}),
    "reveal": (HIDDEN, ("rest --by human", "ready --by human"), "reveal", {"secrets"}),
}
"""For each deed: how the game begins, what is played, the deed, and the kinds of the changes that it must bring."""


@pytest.mark.parametrize("name", ROWS)
def test_at_a_table_every_change_is_named_before_all_agree(cli, place, name):
    begins, plays, deed, kinds = ROWS[name]
    assert cli(f"{begins} -o game.jsonl").code == 0
    for line in plays:
        answer = cli(line)
        assert answer.code == 0, answer.shown
    log = place / "game.jsonl"
    before, counters, count = state(log), SeatView(open_log(log)).sight.movable_pieces, len(open_log(log).entries)
    asked = cli(deed)
    assert log.read_bytes().count(b"\n") == count, f"nobody was asked: {asked.shown}"
    done = cli(f"{deed} --agreed-by all")
    assert done.code == 0, done.shown
    assert check_named(words(asked), counters, log, before, count) >= kinds


def test_an_upgrade_names_the_rules(cli, place):
    archived = next((FIXTURES / "archive" / "1-1" / "logs").glob("mutants-*.jsonl"))
    log = place / "game.jsonl"
    log.write_bytes(archived.read_bytes())
    before, counters, count = state(log), SeatView(open_log(log)).sight.movable_pieces, len(open_log(log).entries)
    asked = cli("-g game.jsonl upgrade")
    done = cli("-g game.jsonl upgrade --agreed-by all")
    assert done.code == 0, done.shown
    assert check_named(words(asked), counters, log, before, count) >= {"rules"}


# By mail: the other player reads the offer

MAIL_ROWS = {
    "takeback": ("undo 2", {"entry"}),
    "amend": ('amend R1 d5 NE --why "B4 was on c5"', set()),
    "settled": ("finish draw", {"end"}),
    "pause": ("pause 2026-12-24", {"pause"}),
    "switch": ("switch ties=survivor", {"option"}),
}
"""Offers of a player with the pen."""


@pytest.mark.parametrize("name", MAIL_ROWS)
def test_by_mail_every_change_is_named_before_the_yes(pair, name):
    anna, bo = pair
    deed, kinds = MAIL_ROWS[name]
    seated(anna, bo, options="--option first=red --pace 14")
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", deed)
    _check_mail(anna, bo, kinds)


@pytest.mark.parametrize(
    ("deed", "kinds"),
    [("finish draw", {"end"}), ("resign", {"end"}), ("pause 2026-12-24", {"pause"}), ("undo 2", {"entry"})],
)
def test_the_same_is_named_if_the_offer_comes_beside_the_log(people, deed, kinds):
    human, mutant = people("human"), people("mutant")
    rested(human, mutant, "--pace 14")
    human.does(deed)
    _check_mail(human, mutant, kinds)


def _check_mail(asker, other, kinds):
    """Sends what was offered; the other player reads it, and agrees."""
    told = words(other.gets(asker.mails())) + words(other("mail"))
    session = open_log(other.log)
    before, counters = state(other.log), SeatView(session).sight.movable_pieces
    other.does("mail agree")
    assert check_named(told, counters, other.log, before, len(session.entries)) >= kinds


# A first mail

GAMES = [name for name in game_names() if name in ("manoover", "mutants", "sheboygan", "zombies")]
VALUES = [
    (game, option.name, value)
    for game in GAMES
    for option in find_game(game).options
    for value in option.values
    if value != option.default
]


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_a_first_mail_names_each_option_that_is_not_the_default(tmp_path, game, option, value):
    try:
        session = start(game, tmp_path / "game.jsonl", options={option: value}, dice=MailDice())
    except (LogError, GameError, ValueError):
        pytest.skip("this value needs others, or plays alone")
    found = find_unusual_settings(session.game, session.reducer.header, session.path)
    assert any(
        re.search(phrase(f"option {option}", "", value), line) for line in list_treaty_lines(Treaty(settings=found))
    )


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO0196Vm8pfBEAk06MGpUqyandT2BfArcRm9tHpM2wX9"
FIELDS = {
    "options": (None, "each option, above"),
    "bots": ({"blue": "random"}, "random plays blue"),
    "hints": (True, "Hints are allowed"),
    "pace": (9, "A turn may take 9 days"),
    "match": (MatchPlace(1, {"target": "9"}), "first game of a match with the terms target 9"),
    "director": (Director("Dee", KEY, settles=True), "and may do nothing else"),
    "by": ("red", "by is"),
    "program": (None, "has no effect on the game"),
}
"""Each field of a first entry that may differ from the usual, with such a value and the words that tell it."""


def test_every_field_with_a_default_is_told():
    told = {field.name for field in fields(GameEntry) if field.default is not NODEFAULT}
    told |= {field.name for field in fields(GameEntry) if field.default_factory is not NODEFAULT}
    assert told - {"at"} == FIELDS.keys() - {"options", "by"}


@pytest.mark.parametrize("field", [name for name, (value, _) in FIELDS.items() if value is not None])
def test_a_first_mail_names_each_unusual_field(tmp_path, field):
    session = start("manoover", tmp_path / "game.jsonl", dice=MailDice())
    value, words_told = FIELDS[field]
    header = replace(session.reducer.header, **{field: value})
    found = find_unusual_settings(session.game, header, session.path)
    assert any(words_told in line for line in list_treaty_lines(Treaty(settings=found)))


# Completeness

OFFERS = {
    "TakebackOffer": "takeback",
    "CorrectDiceOffer": "corrected dice",
    "CorrectPlayOffer": "corrected dice, whose words it shares",
    "AmendOffer": "amend",
    "AmendPiecesOffer": "amend",
    "AgreedEndOffer": "settled",
    "ResignOffer": "resign",
    "RevealOffer": "reveal",
    "RejoinOffer": "test_a_new_key_is_named",
    "LeaveOffer": "leaves",
    "SitOffer": "sits",
    "PauseOffer": "pause",
    "SwitchOffer": "switch",
    "UpgradeOffer": "test_an_upgrade_names_the_rules",
    "WithdrawOffer": "nobody has to agree",
}
"""For each offer, the row or the test that tries it."""


def test_every_offer_has_a_row():
    """Another deed is to be put into a table above."""
    assert {offer.__name__ for offer in _list_classes_in_deeds(Offer)} == OFFERS.keys()


@pytest.mark.parametrize("at", [1, 2, 4, 6, 8, 10])
def test_a_branch_names_every_entry_and_roll_that_goes(pair, at):
    anna, bo = pair
    seated(anna, bo, options="--option first=red")
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "done!")
    bo.gets(anna.mails())
    bo.does("done!")
    anna.gets(bo.mails())
    left = bo.log
    assert at < len(open_log(left).entries)
    anna.does(f"branch again --at {at}", "join Anna")
    told = words(bo.gets(anna.mails()))
    (branch,) = (log for log in bo.folder.glob("logs/*.jsonl") if log != left)
    before, after = state(left), state(branch)
    gone = [name for name in before if name.startswith("entry") and name not in after]
    assert all(re.search(phrase(name, True, None), told) for name in gone), told
    rolls = [roll for roll in list_game_rolls(branch, [left]) if roll.log == left.name]
    assert all(f"Roll {roll.number} of {left.name}, which {roll.by} began" in told for roll in rolls)
    assert (gone or rolls) or "everything still counts" in told


def test_a_new_key_is_named(people):
    human, mutant, other = people("human"), people("mutant"), people("other")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1")
    other.gets(mutant.mails("--from 0"))
    for how in ("--lost-key", "--as Dee"):
        asked = people(f"asks {how}")
        asked.gets(mutant.mails("--from 0"))
        asked.does(f"join human {how}")
    told = words(mutant.gets(asked.mails()))
    before, counters, count = state(mutant.log), SeatView(open_log(mutant.log)).sight.movable_pieces, 0
    mutant.does("mail agree")
    asked.gets(mutant.mails())
    assert check_named(told, counters, asked.log, before, count) >= {"key", "player", "roll"}
