"""The format as a stranger reads it: a verifier made from the chapter `format` alone finds what the program finds."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from shutil import copyfile

import make_corrupt
import pytest
from logfiles import forge
from played_by_mail import handed_over, played, quickly, revealed
from players import exchanged, seated
from support import FIXTURES, ROOT

from referee.engine.dice_mode import TableDice
from referee.record.archive.audit import audit
from referee.record.log.entry import AnswerEntry, PlayEntry
from referee.record.table.deeds.leaves import leave_seat
from referee.record.table.deeds.resign import resign
from referee.record.table.deeds.reveal import RevealEntry, reveal_secrets
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.deeds.sits import sit_down
from referee.record.table.deeds.switch import switch_game_options
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.undo_redo import undo

HERE = Path(__file__).parent
GOOD = sorted([*FIXTURES.glob("*/games/*.jsonl"), *(ROOT / "logs").glob("*.jsonl")])
BY_MAIL = FIXTURES / "manoover" / "games" / "15-by-mail.jsonl"
CHAPTERS = tomllib.loads((make_corrupt.FOLDER / "faults.toml").read_text("utf-8"))
FAULTS = {name: due for chapter in CHAPTERS.values() for name, due in chapter.items()}
NEEDS_RULES = {
    name for group in tomllib.loads((HERE / "needs_rules.toml").read_text("utf-8")).values() for name in group
}
RULED = {"illegal-action", "wrong-events", "bad-options", "bad-position", "bad-event", "unknown-game"}
"""Faults that only the rules of a game tell."""
DEEP = {name for name in make_corrupt.LARGE if re.fullmatch("brackets-.*-in-a-.*|secret-of-10-.*", name)}
"""What is too deep or too long for a reveal may be told where it was sealed, too."""


def dice_in(path):
    """How many dice a log holds, those of plays in secret included, by their origin."""
    return sum((Counter({roll.origin: len(roll.faces)}) for roll in rolls_in(path)), Counter())


def rolls_in(path):
    return [roll for entry in open_log(path).entries if isinstance(entry, PlayEntry) for roll in entry.known_rolls]


def reveals_in(path):
    return sum(isinstance(entry, RevealEntry) for entry in open_log(path).entries)


def test_it_takes_nothing_from_elsewhere():
    modules = {path.name for path in HERE.glob("*.mjs")}
    for path in HERE.glob("*.mjs"):
        taken = re.findall(r'from "([^"]+)"', path.read_text("utf-8"))
        assert {name for name in taken if not name.startswith("node:")} <= {f"./{name}" for name in modules}


def test_it_agrees_on_every_vector(node):
    (told,) = node("vectors.mjs", FIXTURES / "format-vectors.json")
    assert told["wrong"] == 0
    assert told["tried"] >= 120


def test_it_finds_every_shipped_log_whole(verified):
    for path, found in zip(GOOD, verified(*GOOD), strict=True):
        dice = dice_in(path)
        assert (found["fault"], found["entries"]) == (None, audit(path).entries), path
        assert (found["typed"], found["dice"]) == (dice.pop("table", 0), dice.total()), path
        assert (found["unknown"], found["shut"], found["opened"]) == (0, 0, reveals_in(path)), path


def test_what_it_finds_of_a_bad_log_is_what_the_program_finds(verified, tmp_path):
    paths = {name: make_corrupt.FOLDER / f"{name}.jsonl" for name in make_corrupt.SMALL}
    for name, make in make_corrupt.LARGE.items():
        paths[name] = tmp_path / f"{name}.jsonl"
        paths[name].write_bytes(make())
    found = dict(zip(paths, verified(*paths.values()), strict=True))
    told = {name: (one["fault"] is not None, one["entries"]) for name, one in found.items()}
    due = {name: (bool(FAULTS[name]["fault"]), FAULTS[name]["entry"]) for name in paths}
    other = {name for name in paths if told[name] != due[name]}
    assert {name for name in other - DEEP if FAULTS[name]["fault"] not in RULED} == NEEDS_RULES
    assert [name for name in other - DEEP if told[name][0] and told[name][1] < due[name][1]] == []
    assert all(told[name][0] for name in DEEP)


def test_it_finds_any_byte_that_is_another(verified, tmp_path):
    """A bit of a signed log is turned over: the same entry is named as by the program."""
    data, random, paths, due = BY_MAIL.read_bytes(), Random(1), [], []
    for number in range(60):
        at = random.randrange(len(data))
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_bytes(data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :])
        due.append(audit(paths[-1]).fault)
    for path, fault, found in zip(paths, due, verified(*paths), strict=True):
        assert (fault is None) == (found["fault"] is None), path
        assert fault is None or fault.n == found["entries"], path


@pytest.mark.parametrize("options", [{}, {"hidden-movement": "yes"}], ids=["open", "secret"])
def test_lots_of_a_table_follow_from_their_seed(verified, tmp_path, options):
    session = start("mutants", tmp_path / "lots.jsonl", dice=TableDice(), options=options)
    session.do("random, ready, random, ready")
    if options:
        reveal_secrets(session, by="human", agreed=["mutant"])
    (found,), seeds = verified(session.path), 2 * 32
    assert (found["fault"], found["dice"]) == (None, dice_in(session.path)["lots"] - seeds)
    assert found["dice"] > 50
    if not options:
        forge(session.path, swap_lots)
        assert verified(session.path)[0]["entries"] == audit(session.path).fault.n


def swap_lots(entries):
    """Two places of a set-up at random change hands."""
    rolls = next(entry["rolls"] for entry in entries if len(entry.get("rolls", ())) > 2)
    one = rolls[1]
    other = next(roll for roll in rolls[2:] if roll["faces"] != one["faces"])
    one["faces"], other["faces"] = other["faces"], one["faces"]


@pytest.mark.parametrize(
    ("game", "seats", "options", "rolls"),
    [
        ("mutants", ("human", "mutant"), {"hidden-movement": "yes"}, True),
        ("sheboygan", ("human", "monster"), {"countermix": "unknown"}, False),
    ],
)
def test_secret_dice_by_mail_follow_from_both_chains(verified, tmp_path, game, seats, options, rolls):
    players = seated(tmp_path, *seats, game=game, options=options, derivation=1 if game == "mutants" else 2)
    played(players, partial(quickly, 3), Random(1))
    shut = verified(players[0].log)[0]
    assert (shut["fault"], shut["opened"], shut["shut"] > 0) == (None, 0, True)
    for player in players:
        if list(player.log.parent.rglob("*.vault")):
            if not player.desk.has_pen:
                handed_over(player, players)
            revealed(player, *(stranger for stranger in players if stranger is not player))
    (found,) = verified(players[0].log)
    assert (found["fault"], found["shut"], found["unknown"]) == (None, 0, 0)
    assert found["dice"] == dice_in(players[0].log).total()
    assert found["signed"] > 5
    assert any(roll.to for roll in rolls_in(players[0].log)) == rolls


@pytest.mark.parametrize("derivation", [1, 2])
def test_parts_of_a_throw_are_signed_for_it(verified, tmp_path, derivation):
    players = seated(tmp_path, "red", "blue", "green", game="zombies", options={"players": "3"}, derivation=derivation)
    exchanged(players, Random(7), rounds=6)
    entries = open_log(players[0].log).entries
    (found,) = verified(players[0].log)
    assert (found["fault"], found["dice"]) == (None, dice_in(players[0].log).total())
    assert any(isinstance(entry, AnswerEntry) and entry.signature for entry in entries)


def test_dice_that_no_time_changes_are_found_good(verified):
    (found,) = verified(ROOT / "tests" / "mail" / "timeless.jsonl")
    assert (found["fault"], found["unknown"], found["dice"]) == (
        None,
        0,
        dice_in(ROOT / "tests" / "mail" / "timeless.jsonl").total(),
    )


def test_another_key_on_the_word_of_others_is_found_good(verified):
    (found,) = verified(ROOT / "tests" / "mail" / "rejoined.jsonl")
    assert (found["fault"], found["entries"], found["signed"]) == (None, 25, 6)


def test_a_player_who_takes_a_seat_by_mail_has_the_signatures_of_all_others(verified, tmp_path):
    """The signatures hold for this name alone."""
    good = HERE.parent.parent / "mail" / "succeeded.jsonl"
    other, alone = tmp_path / "other.jsonl", tmp_path / "alone.jsonl"
    for path, change in ((other, {"name": "Eve"}), (alone, {"warrant": None})):
        path.write_bytes(good.read_bytes())
        forge(path, lambda entries, change=change: entries[join_of_dee(entries)].update(change))
    found = verified(good, other, alone)
    assert [one["fault"] is None for one in found] == [audit(path).fault is None for path in (good, other, alone)]
    assert [one["fault"] is None for one in found] == [True, False, False]
    assert [one["entries"] for one in found[1:]] == [audit(path).fault.n for path in (other, alone)]


def test_a_ruling_has_the_signatures_of_the_director_and_of_all_others(verified, tmp_path):
    good = tmp_path / "good.jsonl"
    copyfile(HERE.parent.parent / "mail" / "ruled.jsonl", good)
    wrong = {
        "without-the-others": lambda entries: ruling_in(entries).pop("consents"),
        "twice": lambda entries: ruling_in(entries)["consents"].append(ruling_in(entries)["consents"][0]),
        "by-somebody-else": lambda entries: ruling_in(entries)["consents"][0].update(by="blue"),
        "forged": lambda entries: ruling_in(entries)["consents"][0].update(signature=ruling_in(entries)["signature"]),
        "another-end": lambda entries: ruling_in(entries)["offer"].update(winners=["green"]),
        "another-seat": lambda entries: ruling_in(entries).update(seat="green"),
        "no-director": lambda entries: entries[0].pop("director"),
        "no-pace": lambda entries: entries[0].pop("pace"),
        "who-only-looks-on": lambda entries: entries[0]["director"].pop("settles"),
    }
    _compare_verdicts(verified, good, wrong)


def ruling_in(entries):
    return next(entry for entry in entries if entry["type"] == "ruling")


def join_of_dee(entries):
    return next(n for n, entry in enumerate(entries) if entry.get("name") == "Dee")


def test_a_branch_goes_on_with_the_numbers_of_its_parent(verified, tmp_path):
    log = open_log(FIXTURES / "manoover" / "games" / "01-base.jsonl", upto=40)
    other = branch(log, "what-if", path=tmp_path / "other.jsonl")
    random = Random(1)
    while other.moment().to_act:
        other.play(other.legal().pick(random))
    (found,) = verified(other.path)
    assert (found["fault"], found["dice"]) == (None, dice_in(other.path).total())


def test_options_in_force_are_followed(verified, tmp_path):
    """An option is switched, taken back and switched again; then the same log with something wrong in each place."""
    seats = ("red", "blue")
    session = start("manoover", tmp_path / "good.jsonl")
    switch_game_options(session, {"ties": "survivor"}, seats)
    undo(session, agreed=seats)
    switch_game_options(session, {"ties": "survivor", "null-rotation": "refused"}, seats)
    end_by_agreement(session, [], seats)
    wrong = {
        "alone": lambda entries: entries[1].update(agreed=["red"]),
        "no-option": lambda entries: entries[3].update(options={"sky": "blue"}),
        "the-same": lambda entries: entries[3].update(options={"ties": "draw"}),
        "twice": lambda entries: entries.insert(4, entries[3]),
        "nothing": lambda entries: entries[3].update(options={}),
        "after-the-end": lambda entries: entries.append(entries[1]),
        "old-format": lambda entries: entries[0].update(format=1),
    }
    _compare_verdicts(verified, session.path, wrong)


def test_who_sits_where_is_followed_and_asked(verified, tmp_path):
    """People come and go, one takeback among it; then the same log with something wrong in each place."""
    three = ("red", "blue", "green")
    session = start("zombies", tmp_path / "good.jsonl", options={"players": "3"}, bots={"green": "steady"})
    leave_seat(session, "blue", agreed=three)
    leave_seat(session, "red", "random", three)
    undo(session, agreed=three)
    sit_down(session, "green", "Cem", three)
    resign(session, "red", ["green"])
    wrong = {
        "alone": lambda entries: entries[1].update(agreed=["red"]),
        "left-twice": lambda entries: entries.insert(2, entries[1]),
        "no-seat": lambda entries: entries[4].update(seat="yellow"),
        "taken": lambda entries: entries[4].update(seat="red"),
        "without-asking": lambda entries: entries[4].update(agreed=["red"]),
        "by-the-referee": lambda entries: entries[1].update(by="referee"),
        "no-name": lambda entries: entries[4].update(name=" "),
        "after-the-end": lambda entries: entries.append(entries[1] | {"by": "red"}),
        "old-format": lambda entries: entries[0].update(format=1),
    }
    _compare_verdicts(verified, session.path, wrong)


def _compare_verdicts(verified, good, wrong):
    """Lets both verifiers judge a good log, and a copy of it with each wrong change."""
    paths = [good]
    for name, change in wrong.items():
        paths.append(good.parent / f"{name}.jsonl")
        paths[-1].write_bytes(good.read_bytes())
        forge(paths[-1], change)
    for path, found in zip(paths, verified(*paths), strict=True):
        fault = audit(path).fault
        assert (path == good) == (fault is None) == (found["fault"] is None), (path, fault, found)
        assert fault is None or fault.n == found["entries"], path
