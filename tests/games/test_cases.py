import pytest
from case_runners import run_case
from cases import Case, cases_of, is_cited, sources_of
from support import FIXTURES, Bench

from referee.engine.registry import find_game

GAMES = sorted(path.parent.name for path in FIXTURES.glob("*/cases"))
ALL = [pytest.param(case, id=f"{game}-{case.name}") for game in GAMES for case in cases_of(game)]


@pytest.mark.parametrize("case", ALL)
def test_case(case):
    run_case(case)


WRONG = {
    'said "throwoff : 6 1"; wanted: refused under turn.1 "not yet"; got: legal': {
        "refused": "throwoff : 6 1",
        "because": "not yet",
    },
    'said "throw"; wanted: refused under turn.1; got: refused under setup.5 "nobody has the first turn yet': {
        "refused": "throw"
    },
    'said "throw"; wanted: legal; got: refused under setup.5 "nobody has the first turn yet': {
        "play": ["throw"],
        "tells": [],
    },
    "said \"throwoff : 6 1\"; wanted: told ['Red wins.']; got: told ['Roll for the first turn: red 6 and blue 1.',": {
        "play": ["throwoff : 6 1"],
        "tells": ["Red wins."],
    },
    "said \"throwoff : 6 1\"; wanted: to-act = 'blue'; got: 'red'": {
        "play": ["throwoff : 6 1"],
        "then": {"to-act": "blue"},
    },
    'said "dance"; wanted: no error; got: NotUnderstoodError: expected': {"play": ["dance"], "then": {}},
    "nothing was said; wanted: {'bonus': {}, 'opener': None, 'winner': 'blue'": {
        "games": [],
        "then": {"winner": "blue"},
    },
    "the case expects nothing": {"play": ["throwoff : 6 1"]},
}


@pytest.mark.parametrize("told", WRONG)
def test_a_wrong_case_tells_where_it_stands_and_what_was_said_wanted_and_came(told):
    case = Case("manoover", FIXTURES / "manoover" / "cases" / "made-up.toml", 12, {"rule": "turn.1", **WRONG[told]})
    with pytest.raises(AssertionError) as wrong:
        run_case(case)
    assert str(wrong.value).startswith(f"fixtures/manoover/cases/made-up.toml:12 (turn.1 {case.kind}): {told}")


def test_a_case_knows_its_line():
    for case in cases_of("zombies"):
        lines = case.path.read_text("utf-8").splitlines()
        assert lines[case.line - 1].startswith("[[case]]")
        assert f'rule = "{case.table["rule"]}"' in lines[case.line : case.line + 2]


def test_what_helpers_compare_is_told():
    with pytest.raises(AssertionError, match=r"assert not \[Refusal\(rule='three.1', because='the three-player board"):
        Bench(find_game("manoover")).start(form="three", goal_cells="third")


@pytest.fixture(params=GAMES)
def game(request):
    return find_game(request.param)


def shown(game, *, refusing):
    tables = [case.table for case in cases_of(game.name) if ("refused" in case.table) == refusing]
    return {id_ for table in tables for id_ in (table["rule"], *table.get("also", ()))}


def test_every_rule_has_an_accepting_case(game):
    assert game.rulebook.rules.keys() - shown(game, refusing=False) == set()


def test_every_rule_that_forbids_has_a_refusing_case(game):
    forbidding = {rule.id for rule in game.rulebook.rules.values() if rule.forbids}
    assert forbidding - shown(game, refusing=True) == set()


def test_cases_name_rules_that_exist(game):
    known = {*game.rulebook.rules, *game.rulebook.rulings}
    cited = {case.table["cites"] for case in cases_of(game.name) if "cites" in case.table}
    assert shown(game, refusing=True) | shown(game, refusing=False) | cited <= known


def test_every_rule_and_ruling_is_cited_by_code(game):
    code = sources_of(game.name)
    ids = [*game.rulebook.rules, *game.rulebook.rulings]
    assert {id_ for id_ in ids if not is_cited(id_, code)} == set()


def test_rulings_point_at_rules_and_options_that_exist(game):
    rules, options = set(game.rulebook.rules), {option.name for option in game.options}
    for ruling in game.rulebook.rulings.values():
        assert {ruling.rule, *ruling.also} <= rules, ruling.id
        assert ruling.option is None or ruling.option in options, ruling.id


def test_every_value_of_every_option_stands_in_a_case(game):
    named = {(name, value) for case in cases_of(game.name) for name, value in case.table.get("options", {}).items()}
    assert {(option.name, value) for option in game.options for value in option.values} - named == set()


def test_options_switch_rules_that_exist(game):
    assert {option.rule for option in game.options} <= {*game.rulebook.rules, *game.rulebook.rulings}
