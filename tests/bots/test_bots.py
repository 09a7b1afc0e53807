"""Bots: what they are given, and what they choose."""

import pickle
import time
from os import environ
from random import Random
from subprocess import run
from sys import executable

import pytest
from msgspec.structs import replace

import referee
from referee.bots import playout, strong_bot
from referee.bots.bot import BotError, Observation, UnknownBotError
from referee.bots.ranking import PairingResult, list_pairings, make_match_ups, play_pairing, play_pairings
from referee.bots.roster import choose_action, find_bot, list_bot_names
from referee.bots.steady_bot import choose_steady_action
from referee.bots.strong_bot import search_actions
from referee.engine.plugin_errors import GameError
from referee.record.archive.process_pool import WorkerDiedError, start_workers

SEED = "4" * 64
GAMES = ("manoover", "mutants", "sheboygan", "zombies")
SECRETS = [("mutants", {"hidden-movement": "yes"}), ("sheboygan", {})]


def seen(game, seed=0, seconds=0.02):
    return Observation(game.game, game.view(game.to_act), game.to_act, Random(seed), seconds)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("bot", ["random", "steady"])
def test_a_game_goes_on(name, bot):
    game = referee.table(name, seed=SEED)
    for number in range(60):
        if game.result:
            break
        assert game.do(choose_action(bot, find_bot(bot), seen(game, number))).rolls is not None


@pytest.mark.parametrize("name", GAMES)
def test_the_strong_one_chooses_what_is_legal(name):
    game = referee.table(name, seed=SEED)
    while book := strong_bot.find_book_action(seen(game)):
        game.do(book)
    for number in range(8):
        game.do(choose_action("strong", find_bot("strong"), seen(game, number)))


def test_the_strong_one_plays_by_the_book_without_a_thought(monkeypatch):
    game = referee.table("mutants", seed=SEED)
    monkeypatch.setattr(strong_bot, "rate_actions", lambda _: pytest.fail("it thinks"))
    book = game.game.recommend_opening(game.view("human"), "human")
    assert search_actions(seen(game)).chosen == book is not None


def test_an_opening_that_is_not_legal_is_the_fault_of_the_game(monkeypatch):
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    done = game.game.parse("done", game.state, "red")
    monkeypatch.setattr(type(game.game), "recommend_opening", lambda *_: done)
    with pytest.raises(
        GameError, match=r"the game manoover is faulty at recommend_opening: 'done' is not legal \(dice\.1: "
    ):
        choose_action("strong", find_bot("strong"), seen(game))


@pytest.mark.parametrize(("name", "options"), SECRETS)
@pytest.mark.parametrize(("bot", "every"), [("random", 1), ("steady", 30), ("strong", 60)])
def test_no_bot_knows_what_its_seat_does_not(name, options, bot, every):
    """Of two truths that a seat cannot tell apart a bot makes the same; `bot_twins.py` tries many."""
    game, random, tried = referee.table(name, options, seed=SEED), Random(1), 0
    for number in range(150):
        if game.result:
            break
        other = game.guess(game.to_act, f"{number:064x}")
        if number % every == 0 and game.state != other.state:
            same = [find_bot(bot).choose(replace(seen(one, number), playouts=3)) for one in (game, other)]
            assert same[0] == same[1]
            tried += 1
        game.do(game.legal().pick(random))
    assert tried >= 20 // every


@pytest.mark.parametrize("name", GAMES)
def test_what_goes_to_another_process_holds_nothing_that_was_worked_out(name):
    """That could grow while it is sent, and could then not be read."""
    game, random = referee.table(name, seed=SEED), Random(1)
    view = game.view(game.to_act)
    before = pickle.dumps(view)
    for _ in range(30):
        game.game.worth(game.view(game.to_act), game.to_act)
        game.do(game.legal().pick(random))
    assert pickle.dumps(view) == before
    assert pickle.loads(before) == view


@pytest.mark.parametrize("name", GAMES)
def test_worth_lies_between_lost_and_won(name):
    game, random = referee.table(name, seed=SEED), Random(1)
    for _ in range(200):
        if game.result:
            break
        assert all(-1 <= game.game.worth(game.view(seat), seat) <= 1 for seat in game.seats)
        game.do(game.legal().pick(random))


def test_a_search_says_how_sure_it_is():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    found = search_actions(replace(seen(game), playouts=60)).searched
    assert found[0].worth >= found[-1].worth
    assert sum(one.playout_count for one in found) > 10
    assert all(one.standard_error > 0 for one in found)


def test_so_many_playouts_choose_the_same_on_every_machine():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    one, other = (search_actions(replace(seen(game), playouts=30)).searched for _ in range(2))
    assert [(each.action, each.values) for each in one] == [(each.action, each.values) for each in other]
    assert 0 < sum(each.playout_count for each in one) <= 30


def test_no_more_actions_are_searched_than_get_enough_playouts(monkeypatch):
    monkeypatch.setattr(strong_bot, "play_out_once", lambda *_: 0.0)
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    counts = [
        one.playout_count
        for one in search_actions(replace(seen(game), playouts=3 * strong_bot.FEWEST_PLAYOUTS)).searched
    ]
    assert counts == [strong_bot.FEWEST_PLAYOUTS] * 3 + [0] * (len(counts) - 3)
    assert len(counts) > 3


def test_where_a_playout_takes_long_two_actions_are_searched(monkeypatch):
    def slow(*_):
        time.sleep(0.1)
        return 0.0

    monkeypatch.setattr(strong_bot, "play_out_once", slow)
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    assert len([one for one in search_actions(seen(game, seconds=1)).searched if one.playout_count]) == 2


def test_the_first_playouts_of_all_actions_meet_the_same_luck(monkeypatch):
    luck = []

    def heard(_game, _view, _seat, action, random, _until):
        luck.append((action, random.random()))
        return 0.0

    monkeypatch.setattr(strong_bot, "play_out_once", heard)
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    found = search_actions(replace(seen(game), playouts=60)).searched
    own = [[number for action, number in luck if action == one.action] for one in found]
    assert len(own) > 1
    assert all(numbers[0] == own[0][0] for numbers in own)


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_compared_at_the_end_of_a_turn(name, monkeypatch):
    ended = []

    def heard(game, state, _seat):
        ended.append(state)
        return 0.0

    monkeypatch.setattr(playout, "rate_position", heard)
    game = referee.table(name, seed=SEED)
    for number in range(40):
        game.do(choose_steady_action(seen(game, number)))
    at = seen(game)
    for action in {game.legal().pick(Random(number)) for number in range(4)}:
        playout.play_out_once(at.game, at.view, at.seat, action, Random(1), playout.find_last_playout_turn(at, action))
    assert ended
    assert all(game.game.outcome(state) or game.game.get_turn_number(state) > game.turn for state in ended)


def test_playouts_that_all_came_out_alike_say_how_few_they_were():
    found = strong_bot.SearchedAction(None)
    assert found.standard_error == 1
    found.values += [0.5] * 8
    assert found.standard_error == 2 / 8
    found.values[0] = -0.5
    assert found.standard_error == pytest.approx(0.125)


def test_what_steady_does_stays_unless_something_is_better_beyond_luck(monkeypatch):
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    own = strong_bot._list_promising_actions(seen(game))[0].action
    for more, kept in ((-0.1, True), (0.5, False)):

        def worth(_game, _view, _seat, action, random, _until, more=more):
            return random.gauss(0, 0.1) if action == own else random.uniform(-1, 1) + more

        monkeypatch.setattr(strong_bot, "play_out_once", worth)
        assert (search_actions(replace(seen(game), playouts=600)).chosen == own) is kept


def test_of_long_lists_the_same_few_are_looked_at_in_every_process():
    def draws(hashing):
        code = f"""
import referee
from random import Random
from referee.bots.steady_bot import list_candidate_actions
game = referee.table("mutants", seed={SEED!r})
print(*map(game.text, list_candidate_actions(game.legal(), Random(1))), sep="; ")
"""
        asked = {**environ, "PYTHONHASHSEED": hashing}
        return run([executable, "-c", code], env=asked, capture_output=True, text=True, check=True).stdout

    one, other = draws("1"), draws("2")
    assert len(one.split(";")) > 1
    assert one == other


def test_it_tells_how_far_it_is():
    game, told = referee.table("manoover", {"first": "red"}, seed=SEED), []
    game.do("throw")
    search_actions(replace(seen(game, seconds=0.05), tell=told.append))
    assert told == pytest.approx([0], abs=0.5)


@pytest.mark.parametrize(("name", "options"), [("manoover", {"first": "red"}), *SECRETS])
def test_others_work_for_it_and_what_they_find_counts(name, options, monkeypatch):
    game = referee.table(name, options, seed=SEED)
    game.do(game.legal().pick(Random(1)))
    monkeypatch.setattr(strong_bot, "count_cores", lambda: 2)
    with start_workers(1) as executor:
        asked = replace(seen(game, seconds=0.3), executor=executor)
        found = strong_bot._list_promising_actions(asked)
        (helper,) = strong_bot._start_helpers(asked, found, 1, 60.0)
        assert all(helper.result())
        assert search_actions(asked)


def test_where_nobody_can_help_it_thinks_alone():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")
    assert (
        sum(one.playout_count for one in search_actions(replace(seen(game, seconds=1), executor=Dead())).searched) > 0
    )


class Dead:
    """An executor whose workers die."""

    def submit(self, *_):
        from concurrent.futures import Future

        future = Future()
        future.set_exception(WorkerDiedError("signal 9"))
        return future


@pytest.mark.parametrize("work", ["play_out_once", "rate_actions"])
def test_ctrl_c_makes_it_answer_at_once_or_stops_it(monkeypatch, work):
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    game.do("throw")

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(strong_bot, work, stopped)
    asked = seen(game, seconds=60)
    assert search_actions(replace(asked, hurries=True)).chosen in asked.legal
    with pytest.raises(KeyboardInterrupt):
        search_actions(asked)


class Broken:
    def choose(self, seen):
        raise RuntimeError("out of ideas")


class Cheat:
    def choose(self, seen):
        return seen.game.parse("done", seen.view, seen.seat)


def test_a_bot_that_breaks_is_named():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    with pytest.raises(BotError, match=r"the bot mine has failed at test_bots\.py:\d+ \(RuntimeError: out of ideas\)"):
        choose_action("mine", Broken(), seen(game))
    with pytest.raises(BotError, match="the bot mine has chosen an illegal action: done"):
        choose_action("mine", Cheat(), seen(game))


def test_unknown_bots_are_told_with_those_there_are():
    with pytest.raises(UnknownBotError, match="there are random, steady and strong"):
        find_bot("clever")
    with pytest.raises(UnknownBotError, match="did you mean 'strong'"):
        find_bot("strnog")
    assert list_bot_names()[:3] == ["random", "steady", "strong"]


def test_each_plays_each_on_the_same_dice_from_both_sides():
    games = list(list_pairings("manoover", {"first": "red"}, ["random", "steady"], 2, 0.1))
    assert [(game.first, game.second) for game in games[:2]] == [("random", "steady"), ("steady", "random")]
    assert games[0].seed == games[1].seed != games[2].seed


def test_the_same_seed_gives_the_same_result():
    game = next(list_pairings("manoover", {}, ["random", "steady"], 1, 0.1))
    assert play_pairing(game) == play_pairing(game)


def test_few_games_that_all_came_out_alike_are_no_certainty():
    games = list(list_pairings("manoover", {}, ["random", "steady"], 4, 0.1))
    found = make_match_ups(PairingResult(game, float(game.first == "steady"), 50) for game in games)
    assert (found[0].score, found[0].error) == (0.0, 0.25)


def test_the_steady_one_beats_chance():
    found = make_match_ups(play_pairings(list_pairings("manoover", {}, ["random", "steady"], 30, 0.1)))
    assert found[0].one == "random"
    assert found[0].score + found[0].error < 0.5
