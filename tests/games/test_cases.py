import pytest
from cases import CaseRunner, MatchRunner, cases_of, is_cited, sources_of
from support import FIXTURES

from referee.engine.registry import find_game

GAMES = sorted(path.parent.name for path in FIXTURES.glob("*/cases"))
ALL = [pytest.param(game, case, id=f"{game}-{name}") for game in GAMES for name, case in cases_of(game)]


@pytest.mark.parametrize(("game", "case"), ALL)
def test_case(game, case):
    runner = MatchRunner if "games" in case else CaseRunner
    runner(game, case).run()


@pytest.fixture(params=GAMES)
def game(request):
    return find_game(request.param)


def shown(game, *, refusing):
    cases = [case for _, case in cases_of(game.name) if ("refused" in case) == refusing]
    return {id_ for case in cases for id_ in (case["rule"], *case.get("also", ()))}


def test_every_rule_has_an_accepting_case(game):
    assert game.rulebook.rules.keys() - shown(game, refusing=False) == set()


def test_every_rule_that_forbids_has_a_refusing_case(game):
    forbidding = {rule.id for rule in game.rulebook.rules.values() if rule.forbids}
    assert forbidding - shown(game, refusing=True) == set()


def test_cases_name_rules_that_exist(game):
    known = {*game.rulebook.rules, *game.rulebook.rulings}
    cited = {case["cites"] for _, case in cases_of(game.name) if "cites" in case}
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


def test_options_switch_rules_that_exist(game):
    assert {option.rule for option in game.options} <= {*game.rulebook.rules, *game.rulebook.rulings}
