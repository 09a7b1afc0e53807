"""Which lines of a game nothing notices."""

from __future__ import annotations

import pytest
from table_of_others import install
from third_party import EXAMPLES

from referee.engine.registry import find_game
from referee.testing import mutate
from referee.testing.citations import find_unknown_rule_ids
from referee.testing.source_mutants import make_mutants

SOURCE = (EXAMPLES["race"] / "race" / "__init__.py").read_text("utf-8").splitlines()
WIDTH = f"__init__.py:{1 + next(at for at, line in enumerate(SOURCE) if 'Layout(20' in line)}: Race.draw: 20 -> 21"
"""A change that nothing notices."""


@pytest.fixture
def race(tmp_path, monkeypatch):
    """The game as it is installed, for processes of their own, too."""
    monkeypatch.syspath_prepend(install(tmp_path / "site", "race"))
    monkeypatch.syspath_prepend(EXAMPLES["race"])


def test_what_only_changes_a_sentence_is_no_change_of_rules(race):
    names = [str(change) for change in mutate.make_game_mutants("race")]
    assert WIDTH in names
    assert not [name for name in names if "how far to runx" in name or "back to the start.x" in name]
    assert not [name for name in names if "tag=" in name]


def test_what_plays_the_same_game_is_no_change_of_rules():
    source = "def is_on(a, b):\n    for _ in zip(a, b, strict=True):\n        return False\n    return True\n"
    names = [mutant.name for mutant in make_mutants(source)]
    assert {"is_on: strict=True -> strict=False", "is_on: return False -> return None"} <= {*names}
    assert [name for name in names if not mutate.EQUIVALENT_CHANGE.search(name)] == [
        "is_on: False -> True",
        "is_on: return True -> return None",
        "is_on: True -> False",
    ]


def test_the_lines_that_nothing_notices_are_printed(race, capsys):
    assert mutate.main(["race", "--only", "Race.draw: 20"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [WIDTH, "0 of 1 changes were noticed."]


def test_tests_of_ones_own_are_asked_too(race, tmp_path, capsys):
    test = tmp_path / "test_width.py"
    test.write_text(
        "from race import GAME, Lanes\n\n"
        "def test_width():\n"
        "    view = GAME.setup({}, Lanes('tiny', (), (), 1))\n"
        "    assert GAME.draw(view).pages[0].layouts[0].width == 20\n"
    )
    assert mutate.main(["race", "--only", "Race.draw: 20", "--tests", f"{test} -c /dev/null --rootdir {tmp_path}"]) == 0
    assert capsys.readouterr().out == "1 of 1 changes were noticed.\n"


def test_a_game_that_breaks_a_law_is_to_be_mended_first(race, tmp_path, capsys):
    test = tmp_path / "test_no.py"
    test.write_text("def test_no():\n    assert False\n")
    assert mutate.main(["race", "--tests", f"{test} -c /dev/null --rootdir {tmp_path}"]) == 1
    assert "mend that first: 1 failed" in capsys.readouterr().out


def test_laws_read_the_changed_source_and_not_the_file(race):
    changes = {str(change): change for change in mutate.make_game_mutants("race")}
    change = next(one for name, one in changes.items() if "_barred: 'end' -> 'endx'" in name)
    kept = change.module.__loader__
    try:
        task = mutate.ProcessTask("race", (), change.module.__name__, str(change.module.__file__), change.mutant.source)
        change.module.__loader__ = mutate._Changed(task)
        assert "'endx', which no rule or ruling is called" in next(find_unknown_rule_ids(find_game("race")))
    finally:
        change.module.__loader__ = kept
    assert not list(find_unknown_rule_ids(find_game("race")))
