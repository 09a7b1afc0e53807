"""Options that the players switch in mid-game: each play is judged by those of its time, and takebacks go back."""

from __future__ import annotations

from random import Random

import pytest
from logfiles import forge

from referee.chances.stats import make_stats_row, map_logs
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.option_resolution import list_possible_switches
from referee.engine.options import OptionError
from referee.record.archive.audit import audit
from referee.record.archive.diff import compare_logs
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.correct import correct_play
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.deeds.switch import switch_game_options
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.sheet import format_sheet, parse_sheet
from referee.record.table.sheet_import import start_from_sheet
from referee.record.table.undo_redo import redo, undo

SEED = "5" * 64
BOTH = ("red", "blue")
REFUSED = {"null-rotation": "refused"}


@pytest.fixture
def two(path):
    """Two who play Manoover: red has thrown 2 2 6."""
    session = start("manoover", path, options={"first": "red"}, dice=TableDice())
    session.do("throw", faces=[2, 2, 6])
    return session


def rotation(session, at=None):
    return session.moment(at).facts.options["null-rotation"]


def test_all_must_agree(two):
    with pytest.raises(NotAgreedError, match="switching an option needs red and blue to agree"):
        switch_game_options(two, REFUSED)
    switch_game_options(two, REFUSED, BOTH)
    assert (rotation(two), two.moment().state.options["null-rotation"]) == ("refused", "refused")
    assert (rotation(open_log(two.path)), two.reducer.header.options["null-rotation"]) == ("refused", "allowed")


def test_plays_are_judged_by_the_options_of_their_time(two):
    two.do("2 turn n")
    assert two.moment(2).legal("red")
    switch_game_options(two, REFUSED, BOTH)
    assert two.do("6 turn n").refused
    two.do("6 go")
    report = audit(two.path)
    assert (report.fault, report.plays) == (None, 3)
    assert [(one.n, one.name, one.value) for one in report.option_changes] == [(3, "null-rotation", "refused")]


def test_an_audit_finds_a_play_that_the_options_of_its_time_forbid(two):
    two.do("2 turn n")
    switch_game_options(two, REFUSED, BOTH)

    def exchange(entries):
        entries[2], entries[3] = entries[3], entries[2]

    forge(two.path, exchange)
    fault = audit(two.path).fault
    assert (fault.n, fault.rule) == (3, "control.2")


def test_a_takeback_goes_back_over_a_switch(two):
    switch_game_options(two, REFUSED, BOTH)
    with pytest.raises(NotAgreedError, match="all agreed on other options in entry 2"):
        undo(two, by="red")
    undo(two, by="red", agreed=BOTH)
    assert (rotation(two), rotation(open_log(two.path))) == ("allowed", "allowed")
    redo(two, by="red", agreed=BOTH)
    assert (rotation(two), rotation(open_log(two.path)), audit(two.path).fault) == ("refused", "refused", None)


def test_branches_and_positions_have_the_options_of_their_place(two, tmp_path):
    switch_game_options(two, REFUSED, BOTH)
    assert rotation(branch(two, "before", 1, path=tmp_path / "before.jsonl")) == "allowed"
    after = branch(two, "after", 2, path=tmp_path / "after.jsonl")
    assert (rotation(after), audit(after.path).fault) == ("refused", None)


def test_two_logs_differ_where_one_was_switched(two, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_bytes(two.path.read_bytes())
    switch_game_options(two, REFUSED, BOTH)
    switch_game_options(open_log(other), {"ties": "survivor"}, BOTH)
    assert compare_logs(two.path, other).what == "play"


def test_a_sheet_has_the_switch(two, tmp_path):
    switch_game_options(two, REFUSED, BOTH)
    two.do("6 go")
    text = format_sheet(two.game, two.entries)
    assert '*switch, agreed red blue: {"null-rotation":"refused"}' in text
    again = start_from_sheet(parse_sheet(text), tmp_path / "again.jsonl")
    assert (rotation(again), compare_logs(two.path, again.path).what) == ("refused", "nothing")


def test_a_row_of_statistics_has_the_options_at_the_end(two):
    switch_game_options(two, REFUSED, BOTH)
    (found,) = map_logs([str(two.path)], make_stats_row)
    assert found.found.options["null-rotation"] == "refused"


def test_a_correction_does_not_cross_a_switch(two):
    two.do("2 turn ne")
    switch_game_options(two, REFUSED, BOTH)
    two.do("3 turn ne")
    with pytest.raises(NotAllowedError) as error:
        correct_play(two, 2, "2 turn se")
    assert str(error.value) == (
        "entry 3 came later, and the referee can repeat only moves. To go back to before entry 2: "
        "referee undo 2. Then make the right move, and repeat entry 3"
    )
    undo(two, 2, agreed=BOTH)
    two.do("2 turn se")
    assert audit(two.path).fault is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"form": "plus"}, r"option form can only be chosen before the game \(setup.1\)"),
        ({"null-rotation": "allowed"}, "option null-rotation is allowed already"),
        ({"null-rotation": "maybe"}, "option null-rotation can be allowed or refused, not 'maybe'"),
        ({"sky": "blue"}, "manoover has no option 'sky'"),
    ],
)
def test_what_cannot_be_switched(two, changes, why):
    with pytest.raises(OptionError, match=why):
        switch_game_options(two, changes, BOTH)
    assert len(two.entries) == 2


def test_nothing_is_switched_after_the_end_or_in_an_old_log(two, path, tmp_path):
    end_by_agreement(two, [], BOTH)
    with pytest.raises(NotAllowedError, match="the game is over already"):
        switch_game_options(two, REFUSED, BOTH)
    old = tmp_path / "old.jsonl"
    old.write_bytes(path.read_bytes())
    forge(old, lambda entries: (entries.pop(), entries[0].update(format=1)))
    with pytest.raises(NotAllowedError, match="to go on in a newer format: referee upgrade"):
        switch_game_options(open_log(old), REFUSED, BOTH)


def test_options_that_need_others_are_switched_together(path):
    session = start("mutants", path, options={"scenario": "alternate"}, dice=OpenDice(SEED))
    agreed = ("human", "mutant")
    with pytest.raises(OptionError, match=r"retreat-exit needs .* \(M56\)"):
        switch_game_options(session, {"retreat-exit": "not"}, agreed)
    switch_game_options(session, {"retreat-exit": "not", "bugging-out": "yes"}, agreed)
    assert audit(path).fault is None


@pytest.mark.parametrize("name", ["mutants", "sheboygan"])
def test_each_view_is_switched(path, tmp_path, name):
    """In a game with secrets a copy without vaults goes on under the new options, too."""
    options = {"hidden-movement": "yes"} if name == "mutants" else {}
    session, random = start(name, path, options=options, dice=OpenDice(SEED)), Random(1)
    for turn in range(60):
        session.play(session.legal().pick(random))
        if turn % 10 == 5:
            change = random.choice(list(list_possible_switches(session.game, session.moment().options)))
            switch_game_options(session, dict([change]), session.reducer.seats)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    keeper = session.moment().keepers[0]
    find_vault_path(copy, keeper).write_bytes(find_vault_path(path, keeper).read_bytes())
    part = open_log(copy)
    assert part.moment().facts.options == session.moment().facts.options
    assert part.moment().view(keeper) == session.moment().view(keeper)
    assert (audit(path).fault, audit(copy).fault) == (None, None)
