"""The rule index and the code fit together: nothing is cited that is not indexed."""

import re

from cases import sources_of

from referee.engine.registry import find_game

GAME = find_game("mutants")
RULES, RULINGS = GAME.rulebook.rules, GAME.rulebook.rulings
ID = re.compile(
    r"\b(?:(?:INTRO|OPT)\.)?(?:VIII|VII|VI|IV|V|III|II|I)(?:\.[A-Z0-9a-z]+)*(?:\.NOTE)?(?:-[a-g])?\b|\bM[0-9]+\b"
)


def test_the_code_cites_nothing_else():
    cited = {id_ for id_ in ID.findall(sources_of("mutants")) if "." in id_ or "-" in id_ or id_[0] == "M"}
    sections = {id_.rpartition("-")[0] for id_ in RULES} | {"II.A", "II.B", "IV.A", "IV.B", "IV.C", "IV.B.2", "IV.B.3"}
    parents = {".".join(id_.split(".")[:n]) for id_ in RULES for n in range(1, 6)}
    assert cited <= RULES.keys() | RULINGS.keys() | sections | parents


def test_the_index_is_complete():
    assert (len(RULES), len(RULINGS)) == (222, 68)
