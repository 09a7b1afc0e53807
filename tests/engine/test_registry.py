"""Finding games, and telling whose fault it is when one is wrong."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from referee.engine import registry
from referee.engine.foreign_code import make_loading_boundary
from referee.engine.plugin_errors import GameError
from referee.engine.registry import UnknownGameError, find_game, game_names, register_for_now


@pytest.fixture
def declared(monkeypatch, tmp_path):
    """Have a game declared, as `code` in a package of its own."""

    def declare(code, name="faulty"):
        (tmp_path / "faulty_game.py").write_text(code, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(__import__("sys").modules, "faulty_game", raising=False)
        point = EntryPoint(name, "faulty_game:GAME", "referee.games")
        monkeypatch.setattr(registry, "_find_entry_points", lambda: [point])

    return declare


def test_games_that_come_along_are_found():
    assert find_game("manoover").name == "manoover"
    assert {"manoover", "mutants"} <= set(game_names())


def test_a_game_of_a_third_party_is_found_by_its_entry_point(ambush):
    assert find_game("ambush") is ambush.GAME
    assert game_names() == ["ambush"]


def test_a_game_that_is_lent_is_found_until_it_is_given_back(ambush):
    ours = find_game("manoover")
    others = type("Others", (type(ambush.GAME),), {"name": "others"})()
    instead = type("Instead", (type(ours),), {})()
    with register_for_now(others), register_for_now(instead):
        assert find_game("others") is others
        assert find_game("manoover") is instead
        assert "others" in game_names()
    assert find_game("manoover") is ours
    assert "others" not in game_names()


@pytest.mark.parametrize("name", ["chess", "manover", "Manoover"])
def test_a_game_that_is_not_installed(name):
    with pytest.raises(UnknownGameError, match=f"no game '{name}' is installed"):
        find_game(name)


@pytest.mark.parametrize("name", ["../manoover", "", "a b", "manoover.board", "x" * 40, "1st"])
def test_what_is_no_name_is_not_even_looked_for(name):
    with pytest.raises(UnknownGameError, match="word in lower-case letters"):
        find_game(name)


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import no_such_thing", "ModuleNotFoundError"),
        ("GAME = 1 / 0", "ZeroDivisionError"),
        ("", "AttributeError"),
        ("GAME = 7", "it is of type int, not a Game"),
        ("from referee.games.manoover import GAME", "calls itself 'manoover'"),
    ],
)
def test_a_faulty_game_is_blamed_by_name(declared, code, what):
    declared(code)
    with pytest.raises(GameError, match=what) as caught:
        find_game("faulty")
    assert caught.value.name == "faulty"
    assert "the game faulty is faulty at" in str(caught.value)


def test_the_place_of_a_fault_is_told(declared):
    declared("\n\nGAME = 1 / 0")
    with pytest.raises(GameError) as caught:
        find_game("faulty")
    assert caught.value.place == "faulty_game.py:3"


def test_a_faulty_game_does_not_stop_the_others(declared):
    declared("GAME = 1 / 0")
    assert game_names() == ["faulty"]
    assert find_game("manoover").name == "manoover"


def test_blame_is_laid_once():
    with pytest.raises(GameError) as caught, make_loading_boundary("outer"), make_loading_boundary("inner"):
        raise ValueError("wrong")
    assert caught.value.name == "inner"
