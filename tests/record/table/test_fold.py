"""From entries to the state in force: takebacks, amendments, replay, and what they cost."""

from __future__ import annotations

import gc
import tracemalloc

import long_log
import msgspec
import pytest
from corrupt.book import chain
from logfiles import forge
from long_log import AT
from msgspec.structs import replace

from referee.engine.event import REFEREE
from referee.engine.registry import find_game
from referee.engine.secret import Secret
from referee.record.archive.audit import audit
from referee.record.log.entry import PlayEntry, encode_for_log
from referee.record.log.line_format import format_entry_line
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.agreement import (
    LinkedEntry,
    describe_missing_consents,
    describe_unknown_seat,
    explain_need_for_consent,
    find_irreversible_kind,
)
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.resign import resign
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.opening_logs import open_log, replay, start
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo

BOTH = ["red", "blue"]


MORE_TURNS = {"taken": {"red": 1, "blue": 1}}
"""Something of a position that can be amended without any trouble."""


def appended(session, kind, **fields):
    """The log with one more entry that the session itself would not make."""
    documents = [msgspec.json.decode(msgspec.json.encode(entry)) for entry in session.entries]
    entry = kind(n=0, prev="0" * 64, at=AT, **fields)
    documents.append(msgspec.json.decode(msgspec.json.encode(entry)))
    path = session.path.with_name("appended.jsonl")
    path.write_bytes(b"".join(chain(documents)))
    return path


# What a play says of its place


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"prev": "the line before"}, "not-an-entry"),
        ({"prev": "A" * 64}, "not-an-entry"),
        ({"prev": "a" * 64}, "bad-chain"),
        ({"by": "Red"}, "not-an-entry"),
        ({"by": ""}, "not-an-entry"),
        ({"at": "today"}, "not-an-entry"),
        ({"at": "2026-01-01 00:00:00Z"}, "not-an-entry"),
        ({"at": "2026-01-01T00:00:0\u0660Z"}, "not-an-entry"),
    ],
)
def test_hash_seat_and_time_of_a_play_are_looked_at(said, code, control):
    first, *others = control.path.read_bytes().splitlines(keepends=True)
    play = msgspec.json.decode(others.pop())["entry"]
    control.path.write_bytes(b"".join([first, *others, format_entry_line(encode_for_log({**play, **said}))]))
    control.path.with_name(control.path.name + ".head").unlink(missing_ok=True)
    assert audit(control.path).fault.code == code
    with pytest.raises(FaultError) as error:
        open_log(control.path)
    assert error.value.fault.code == code


# Takebacks


def test_own_actions_without_dice_are_taken_back_alone(control):
    before = control.moment().state
    control.do("2 turn ne")
    control.do("2 turn n")
    undo(control, 2)
    assert control.moment().state == before
    assert (control.entries[-1].to, control.entries[-1].by, control.entries[-1].agreed) == (2, "red", ())
    assert audit(control.path).fault is None


def test_what_was_taken_back_stays_in_the_log(control):
    control.do("2 turn ne")
    undo(control)
    assert [type(entry).__struct_config__.tag for entry in control.entries[2:]] == ["play", "play", "takeback"]
    assert control.path.read_bytes().count(b"\n") == 5


def test_dice_are_taken_back_only_by_agreement(control):
    with pytest.raises(NotAllowedError, match="needs blue to agree: dice were rolled in entry 2"):
        undo(control)
    undo(control, agreed=["blue"])
    assert control.moment().state == control.moment(1).state
    assert audit(control.path).fault is None


def test_another_seats_play_is_taken_back_only_by_agreement(control):
    control.do("2 turn ne")
    with pytest.raises(NotAllowedError, match="needs red to agree: entry 3 is red's"):
        undo(control, by="blue")
    undo(control, by="blue", agreed=["red"])
    assert audit(control.path).fault is None


def test_an_amended_position_is_taken_back_only_by_agreement(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    amend_position(control, position | MORE_TURNS, "checked", BOTH)
    with pytest.raises(NotAllowedError, match="all agreed on the position in entry"):
        undo(control, by="red")
    undo(control, by="red", agreed=["blue"])
    assert audit(control.path).fault is None


def test_a_note_does_not_stand_in_the_way(control):
    before = control.moment().state
    control.do("2 turn ne")
    record_note(control, "hm", by="blue")
    undo(control)
    assert control.moment().state == before
    assert audit(control.path).fault is None


def test_undo_counts_what_is_in_force(control):
    control.do("2 turn ne, 2 turn n, 6 turn ne")
    states = [control.moment(n).state for n in range(2, 6)]
    undo(control)
    undo(control)
    assert control.moment().state == states[1]
    undo(control)
    assert control.moment().state == states[0]
    assert [entry.to for entry in control.entries if isinstance(entry, TakebackEntry)] == [4, 3, 2]


@pytest.mark.parametrize("count", [0, -1, 3, 100])
def test_only_plays_that_are_there_are_taken_back(count, control):
    with pytest.raises(NotAllowedError, match="2 plays to take back"):
        undo(control, count, agreed=BOTH)


def line_of(*steps):
    line = None
    for n, by, bar in steps:
        line = LinkedEntry(n, by, bar, line)
    return line


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([(5, "red", None)], None),
        ([(4, "blue", None), (5, "red", None)], "entry 4 is blue's"),
        ([(3, "red", "rolled"), (4, "blue", None), (5, "red", None)], "entry 4 is blue's"),
        ([(4, "blue", None), (5, "red", "rolled")], "dice were rolled in entry 5"),
        ([(5, "red", "secret")], "entry 5 is a secret"),
        ([(5, "red", "told")], "entry 5 told a secret"),
        ([(5, "red", "settled")], "by the rules, entry 5 is final"),
        ([(5, "referee", "agreed")], "all agreed on the position in entry 5"),
    ],
)
def test_why_agreement_names_the_newest_reason(steps, why):
    then = line_of((0, "referee", None))
    line = then
    for n, by, bar in steps:
        line = LinkedEntry(n, by, bar, line)
    assert explain_need_for_consent(line, then, "red") == why
    assert explain_need_for_consent(line, then, "red", "secrets were revealed since") == "secrets were revealed since"


def test_who_leaves_the_line_of_play_needs_agreement():
    assert explain_need_for_consent(line_of((5, "red", None)), line_of((4, "red", None)), "red") is not None
    assert explain_need_for_consent(None, None, "red") is not None


def test_what_bars_a_takeback():
    """Secrets bar only where a game keeps some; then they come before dice."""
    play = PlayEntry(1, "0" * 64, "red", AT, None, (), (), None)
    assert find_irreversible_kind(play, secrets=False) is None
    assert find_irreversible_kind(replace(play, rolls=("a roll",)), secrets=True) == "rolled"
    hidden = replace(play, rolls=("a roll",), secret=Secret("red"))
    assert (find_irreversible_kind(hidden, secrets=True), find_irreversible_kind(hidden, secrets=False)) == (
        "secret",
        "rolled",
    )


def test_whose_agreement_is_missing():
    seats = ("red", "blue", "green")
    assert describe_missing_consents(seats, "red", ["blue", "green"], "it") is None
    assert describe_missing_consents(seats, "red", [], "it") == "it needs blue and green to agree"
    assert describe_missing_consents(seats, REFEREE, ["red", "blue"], "it") == "it needs green to agree"


def test_who_is_a_stranger():
    assert describe_unknown_seat(("red", "blue"), ["red", REFEREE]) is None
    assert "green" in describe_unknown_seat(("red", "blue"), ["red", "green"])


def test_an_abandoned_entry_can_be_gone_back_to_by_agreement(control):
    control.do("2 turn ne")
    abandoned = control.moment().state
    undo(control)
    path = appended(control, TakebackEntry, by="red", to=3, agreed=("blue",))
    again = open_log(path)
    assert again.moment().state == abandoned
    assert again.in_force() == [0, 1, 2, 3]
    assert audit(path).fault is None
    again.do("2 turn n")
    assert again.in_force() == [0, 1, 2, 3, 6]
    assert audit(path).fault is None


def test_nobody_goes_back_to_an_abandoned_entry_alone(control):
    control.do("2 turn ne")
    undo(control)
    control.do("6 go")
    fault = audit(appended(control, TakebackEntry, by="red", to=3, agreed=())).fault
    assert (fault.code, fault.n) == ("bad-agreement", 6)


def test_who_took_back_alone_brings_back_alone_and_nobody_else(control):
    control.do("2 turn ne")
    undo(control)
    assert audit(appended(control, TakebackEntry, by="red", to=3, agreed=())).fault is None
    assert audit(appended(control, TakebackEntry, by="blue", to=3, agreed=())).fault.code == "bad-agreement"


@pytest.mark.parametrize("to", [3, 4, 99])
def test_nobody_goes_back_to_the_future(to, control):
    path = appended(control, TakebackEntry, by="red", to=to, agreed=("blue",))
    with pytest.raises(FaultError, match="bad-takeback"):
        open_log(path)
    assert audit(path).fault.code == "bad-takeback"


def test_dice_are_never_thrown_again_after_a_takeback(solo):
    solo.do("throwoff")
    before = solo.moment().state
    for _ in range(6):
        solo.do("throw")
        undo(solo, agreed=BOTH)
        assert solo.moment().state == before
    rolls = [roll for entry in solo.entries if isinstance(entry, PlayEntry) for roll in entry.rolls]
    assert [roll.draw for roll in rolls] == list(range(7))
    assert len({roll.faces for roll in rolls[1:]}) > 1, "the same dice over and over"
    assert audit(solo.path).draws == 7
    assert open_log(solo.path).reducer.draws[None] == 7


def test_typed_dice_are_numbered_on_after_a_takeback(control):
    undo(control, agreed=BOTH)
    control.do("throw", faces=[2, 2, 6])
    throws = [entry for entry in control.entries if isinstance(entry, PlayEntry)][1:]
    assert throws[0].action == throws[1].action
    assert control.moment().state == control.moment(throws[0].n).state
    assert [throw.rolls[0].draw for throw in throws] == [1, 2]


# The line of play


def test_the_line_of_play_at_every_entry(control):
    control.do("2 turn ne")
    record_note(control, "a remark")
    undo(control)
    control.do("2 turn n")
    lines = [control.in_force(n) for n in range(7)]
    assert lines == [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 6]]
    assert control.in_force() == lines[-1]
    assert open_log(control.path).in_force() == lines[-1]


def test_the_line_goes_through_amendments(control):
    amend_position(
        control, msgspec.to_builtins(control.game.position_from(control.moment().state)) | MORE_TURNS, "checked", BOTH
    )
    control.do("2 turn ne")
    assert control.in_force() == [0, 1, 2, 3, 4]
    undo(control, 2, by="red", agreed=["blue"])
    assert control.in_force() == [0, 1, 2]


# Amendments


def test_an_amended_position_is_in_force(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    position["robots"] = ["R1 a3 N" if robot.startswith("R1") else robot for robot in position["robots"]]
    amend_position(control, position, "R1 was knocked over", BOTH)
    assert control.moment().state.cells["R1"] == "a3"
    assert open_log(control.path).moment().state == control.moment().state
    control.do("2 turn ne")
    assert audit(control.path).amendments[0].why == "R1 was knocked over"


def test_one_of_the_players_may_amend_if_the_others_agree(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    amend_position(control, position | MORE_TURNS, "checked", ["blue"], by="red")
    assert audit(control.path).fault is None
    with pytest.raises(NotAllowedError, match="needs blue to agree"):
        amend_position(control, position, "checked", ["red"], by="red")


# Replay


def rules_forbidden(monkeypatch):
    def run(*_):
        raise AssertionError("replay ran a rule")

    for name in ("check", "resolve", "legal"):
        monkeypatch.setattr(type(find_game("manoover")), name, run)


def regretted(session):
    record_note(session, "one more try")
    undo(session, 3, agreed=BOTH)
    return session


def test_replay_never_runs_the_rules(finished, monkeypatch):
    live = regretted(finished)
    rules_forbidden(monkeypatch)
    assert open_log(finished.path).moment().state == live.moment().state
    assert [known.truth for _, known in replay(finished.path)][-1] == live.moment().state
    with pytest.raises(AssertionError, match="ran a rule"):
        audit(finished.path)


def test_replay_equals_the_live_game_at_every_entry(finished):
    live = regretted(finished)
    again = open_log(finished.path)
    assert list(again.entries) == list(live.entries)
    for (entry, known), mine in zip(replay(finished.path), live.entries, strict=True):
        assert entry == mine
        assert known.truth == live.moment(mine.n).state == again.moment(mine.n).state


def test_a_log_looks_the_same_live_and_reopened(solo):
    again = open_log(solo.path)
    assert list(again.reducer.header.names.items()) == list(solo.reducer.header.names.items())
    assert (again.head, again.reducer.header) == (solo.head, solo.reducer.header)


def test_replay_gives_what_was_good_before_a_fault(control):
    control.do("2 turn ne")
    data = control.path.read_bytes().splitlines(keepends=True)
    data[3] = data[3].replace(b'"NE"', b'"SE"')
    control.path.write_bytes(b"".join(data))
    seen = []
    with pytest.raises(FaultError) as stopped:
        for entry, _ in replay(control.path):
            seen.append(entry.n)
    assert seen == [0, 1, 2]
    assert (stopped.value.fault.n, stopped.value.fault.offset) == (3, sum(map(len, data[:3])))


def test_a_moment_of_a_log_is_read_without_what_follows(control):
    state = control.moment().state
    control.do("2 turn ne")
    control.path.write_bytes(control.path.read_bytes()[:-50] + b"\n\n\n")
    part = open_log(control.path, upto=2)
    assert part.moment().state == state
    assert len(part.entries) == 3


# Memory


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    return [long_log.write_long_log(folder / f"{plays}.jsonl", plays) for plays in (300, 3_000)]


class Growth:
    """The most memory that was held at any of many moments, all that nobody holds any more being given back first."""

    def __init__(self):
        self.most = 0

    def __call__(self, n):
        if n % 150 == 0:
            gc.collect()
            self.most = max(self.most, tracemalloc.get_traced_memory()[0])


def held(run, path):
    growth = Growth()
    gc.collect()
    gc.freeze()  # what is there already need not be looked through again and again
    tracemalloc.start()
    try:
        run(path, growth)
        return growth.most
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def replayed(path, growth):
    for entry, _ in replay(path):
        growth(entry.n)
    assert entry.n >= 300


def audited(path, growth):
    report = audit(path, growth)
    assert (report.fault, report.plays >= 300) == (None, True)


@pytest.mark.parametrize("run", [replayed, audited])
def test_a_longer_log_takes_no_more_memory(run, logs, monkeypatch):
    monkeypatch.setattr("referee.record.archive.audit.ENTRIES_PER_PROGRESS_CALL", 150)
    for reading in ("log.reader", "table.prescan"):
        monkeypatch.setattr(f"referee.record.{reading}.BLOCK_BYTES", 16 * 1024)  # the short log has many blocks, too
    short, long = logs
    held(run, long)  # what is loaded and cached once, in caches that are bounded
    more = held(run, long) - held(run, short)
    read = long.stat().st_size - short.stat().st_size
    assert more < read / 4  # whoever keeps its entries or its states needs more than their bytes


@pytest.mark.parametrize("error", [AssertionError, ZeroDivisionError, RecursionError, KeyError, AttributeError])
def test_whatever_recorded_events_lead_to_is_the_fault_of_their_log(error, control, monkeypatch):
    def apply(self, state):
        raise error("nothing that a rule makes")

    monkeypatch.setattr("referee.games.manoover.throwing.DiceRolled.apply", apply)
    with pytest.raises(FaultError) as found:
        open_log(control.path)
    assert (found.value.fault.code, found.value.fault.n) == ("bad-event", 2)


def test_the_first_play_of_a_game_can_be_taken_back_alone(tmp_path):
    """Nothing was revealed, thrown or told before it."""
    session = start("mutants", tmp_path / "game.jsonl")
    session.do("wall A1-B1")
    undo(session, by="human")
    assert session.in_force() == [0]
    assert audit(session.path).fault is None


def test_an_empty_file_is_told_as_such(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.touch()
    fault = audit(path).fault
    assert (fault.code, fault.n, fault.offset, fault.cause) == ("empty", 0, 0, "the file is empty")


def test_nobody_gives_up_a_game_that_is_over(finished):
    before = finished.path.read_bytes()
    with pytest.raises(NotAllowedError, match="the game is over already"):
        resign(finished, "red")
    assert finished.path.read_bytes() == before


def begun_twice(entries):
    entries.insert(1, entries[0])


def with_options_that_rule_one_another_out(entries):
    entries[0]["options"].update(form="plus", edition="crash")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (begun_twice, ("bad-order", 1, "a game entry stands first and nowhere else")),
        (
            with_options_that_rule_one_another_out,
            ("bad-options", 0, "Crash! is a game for two on the standard board: form=base"),
        ),
    ],
)
def test_how_a_game_begins(control, change, found):
    forge(control.path, change)
    fault = audit(control.path).fault
    assert (fault.code, fault.n, fault.cause) == found
