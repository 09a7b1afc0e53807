"""The rule index, the code and the cases fit together: nothing is cited that is not indexed, nothing left out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.engine.game import find_game

GAME = find_game("mutants")
HOME = Path(__file__).parents[3]
CODE = "\n".join(path.read_text("utf-8") for path in sorted((HOME / "referee/games/mutants").glob("*.py")))
CASES = [
    case
    for path in sorted((HOME / "fixtures/mutants/cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
]
RULES, RULINGS = GAME.rulebook.rules, GAME.rulebook.rulings
ID = re.compile(
    r"\b(?:(?:INTRO|OPT)\.)?(?:VIII|VII|VI|IV|V|III|II|I)(?:\.[A-Z0-9a-z]+)*(?:\.NOTE)?(?:-[a-g])?\b|\bM[0-9]+\b"
)


def is_hidden(id_: str) -> bool:
    """What only Hidden Movement needs; that option is not built yet."""
    return id_.startswith("OPT.V.") or id_ in ("M23", "M58", "M59")


def shown(accepting: bool) -> set[str]:
    """Ids that some case shows."""
    chosen = [case for case in CASES if ("refused" not in case) == accepting]
    return {id_ for case in chosen for id_ in (case["rule"], *case.get("also", ()))}


def is_cited(id_: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(id_)}(?![\w-]|\.\w)", CODE) is not None


WANTED = [id_ for id_ in (*RULES, *RULINGS) if not is_hidden(id_)]


@pytest.mark.parametrize("id_", WANTED)
def test_every_rule_and_ruling_is_cited_by_the_code(id_):
    assert is_cited(id_)


def test_the_code_cites_nothing_else():
    cited = {id_ for id_ in ID.findall(CODE) if "." in id_ or "-" in id_ or id_[0] == "M"}
    sections = {id_.rpartition("-")[0] for id_ in RULES} | {"II.A", "II.B", "IV.A", "IV.B", "IV.C", "IV.B.2", "IV.B.3"}
    parents = {".".join(id_.split(".")[:n]) for id_ in RULES for n in range(1, 6)}
    assert cited <= RULES.keys() | RULINGS.keys() | sections | parents


def test_every_rule_has_an_accepting_case():
    assert sorted(set(WANTED) & RULES.keys() - shown(accepting=True)) == []


def test_every_rule_that_forbids_has_a_refusing_case():
    forbidding = {id_ for id_ in WANTED if id_ in RULES and RULES[id_].forbids}
    assert sorted(forbidding - shown(accepting=False)) == []


def test_every_ruling_has_a_case():
    assert sorted(set(WANTED) & RULINGS.keys() - shown(True) - shown(False)) == []


def test_cases_name_rules_that_exist():
    assert shown(True) | shown(False) <= RULES.keys() | RULINGS.keys()


def test_the_index_is_complete():
    assert (len(RULES), len(RULINGS)) == (222, 64)
