"""The comparison of quick lists with slow definitions: faults are found, made small, and told as commands."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from race import GAME as RACE
from race import MoveRunner, Race
from referee.engine.choice import find_action_tag
from referee.engine.registry import find_game
from referee.games.manoover import pushing
from referee.games.mutants import resolving
from referee.games.sheboygan import wind
from referee.testing import Definition, obey
from referee.testing import comparison as comparison_module
from referee.testing import definitions as definitions_module
from referee.testing.compare import load_definitions, main
from referee.testing.comparison import Comparison, Situation, make_brief_document
from referee.testing.trial import Trial

HERE = Path(__file__).parent
RACE_BOARD = Trial(RACE, 0, 0, 1).make_random_game(0).board
LONGEST = 20_000
FAULTS = {
    "manoover": ("go", pushing, "find_push_chain", lambda right: lambda state, robot: right(state, robot)[:1]),
    "mutants": ("resolve", resolving, "_find_hit_number", lambda right: lambda *given: right(*given) - 1),
    "sheboygan": ("wind", wind, "LONE_FIRE_FACE", lambda right: right + 1),
}
"""For each game, a kind of action and a fault in the quick code for it."""


def meant(game, word):
    return next(each for each in definitions(game).MEANS if find_action_tag(each.kind) == word)


def definitions(game):
    (path,) = (HERE / game).glob("*_definitions.py")
    return load_definitions(str(path))


def first_finding(game, definition, own=(), states=1_000):
    comparison = Comparison(Trial(game, 0, 0, LONGEST), [definition], own)
    return next(comparison.find_differences(definition, states, 60), None)


@pytest.mark.parametrize("game", FAULTS)
def test_a_fault_in_quick_code_is_found(game, monkeypatch):
    word, module, name, spoil = FAULTS[game]
    monkeypatch.setattr(module, name, spoil(getattr(module, name)))
    monkeypatch.setattr(comparison_module, "SHRINK_SECONDS", 0.5)
    assert first_finding(find_game(game), meant(game, word))


# A wrong definition of a small game


def everywhere(state, seat):
    """Every runner may run, whatever stands where he comes to."""
    return (MoveRunner(square) for square in set(state.list_runners(seat)))


def nowhere(state, seat):
    return iter(())


def stays(state, seat, action, faces):
    return {"red": state.red, "blue": state.blue}


@pytest.mark.parametrize(
    ("definition", "told"),
    [
        (Definition(MoveRunner, "run", everywhere), "is allowed by run, and not listed"),
        (Definition(MoveRunner, "run", nowhere), "is listed, and not allowed by run"),
        (Definition(MoveRunner, "run", allows=lambda *_: False), "is not allowed by run, and listed and not refused"),
        (
            Definition(MoveRunner, "run", allows=lambda *_: True, tries=lambda *_: [MoveRunner(19)]),
            "is allowed by run, and not listed and refused by",
        ),
        (Definition(MoveRunner, "run", leads_to=stays), "leads to"),
    ],
)
def test_a_difference_is_told(definition, told):
    assert told in str(first_finding(RACE, definition))


def test_an_error_is_told_with_its_state(monkeypatch):
    monkeypatch.setattr(Race, "legal", lambda game, view, seat: {}[view.thrown])
    definition = Definition(MoveRunner, "run", everywhere)
    comparison = Comparison(Trial(RACE, 0, 0, LONGEST), [definition])
    reached = Situation(RACE.state_from(RACE.position(thrown=2), {}, RACE_BOARD), {}, RACE_BOARD, {})
    finding = comparison.shrink(definition, reached)
    assert re.search(r"red's list cannot be compared \(.*KeyError: 2\)", str(finding))  # blamed on the game, if fenced
    assert str(finding).endswith("referee legal")


def test_the_example_of_a_definition_gives_what_it_shows():
    assert doctest.testmod(definitions_module).failed == 0


def test_a_law_is_broken_by_a_difference_and_by_a_rule_that_does_not_exist():
    with pytest.raises(AssertionError, match=r"race breaks the law 'run means what run says': .*'run "):
        obey(RACE, means=[Definition(MoveRunner, "run", nowhere)])
    with pytest.raises(AssertionError, match=r"there is no rule runn; did you mean run\?"):
        obey(RACE, means=[Definition(MoveRunner, "runn", everywhere)])


def test_a_difference_is_made_small():
    situation = first_finding(
        find_game("manoover"), Definition(meant("manoover", "go").kind, "control.5", nowhere)
    ).situation
    assert len(situation.state.cells) < len(situation.board.robots) / 2


def test_a_state_that_is_too_big_is_left_out():
    definition = Definition(MoveRunner, "run", nowhere, fits=lambda state, seat: False)
    comparison = Comparison(Trial(RACE, 0, 0, LONGEST), [definition])
    assert not list(comparison.find_differences(definition, 50, 1))
    assert comparison.counts.total() == 0
    with pytest.raises(AssertionError, match="nothing is compared"):
        obey(RACE, means=[definition])


def test_states_of_every_kind_are_compared():
    game, file = find_game("sheboygan"), definitions("sheboygan")
    definition = meant("sheboygan", "web")
    comparison = Comparison(Trial(game, 0, 0, LONGEST), [definition], file.OWN)
    assert not list(comparison.find_differences(definition, 400, 60))
    assert set(comparison.counts) == {"reached", "disturbed", "thinned out", "own board"}
    assert min(comparison.counts.values()) > 5


@pytest.mark.parametrize("own", [False, True])
def test_the_commands_of_a_difference_show_it(own, tmp_path):
    file = definitions("manoover")
    definition = Definition(meant("manoover", "go").kind, "control.5", nowhere)
    game = find_game("manoover")
    comparison = Comparison(Trial(game, 0, 0, LONGEST), [definition], file.OWN if own else ())
    finding = next(
        found for found in comparison.find_differences(definition, 1_000, 60) if bool(found.situation.own) == own
    )
    program = f'referee() {{ "{sys.executable}" -m referee "$@"; }}'
    told = subprocess.run(
        ["sh", "-c", f"{program}\n{finding.commands}"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"LEGAL  {game.format(finding.difference.action)}" in told.stdout


def test_a_brief_document_means_the_same_state():
    game = find_game("mutants")
    for spot in Trial(game, 0, 0, LONGEST).random_games[0].spots[40:400:40]:
        situation = Situation(spot.state, spot.play.options, spot.play.board, {})
        document = make_brief_document(game, situation)
        assert len(document) <= len(game.position.__struct_fields__) / 2


def test_the_program_counts_states_and_prints_differences(tmp_path, capsys):
    file = tmp_path / "wrong_definitions.py"
    file.write_text(
        "from referee.games.manoover.control_phase import MoveRobot\n"
        "from referee.testing import Definition\n"
        "MEANS = (Definition(MoveRobot, 'control.5', lambda state, seat: ()),)\n"
    )
    assert main(["manoover", str(HERE / "manoover" / "manoover_definitions.py"), "--states", "40", "--only", "go"]) == 0
    assert capsys.readouterr().out.startswith("go means what control.5 says: 40 states (")
    assert main(["manoover", str(file), "--states", "40"]) == 1
    assert "referee why '" in capsys.readouterr().out
