"""Games of all kinds at the command line: faulty ones, parts of a board, names of games in common rooms."""

from __future__ import annotations

import re

import pytest
from support import PACKAGE
from third_party import installed

from referee.engine.registry import find_game, game_names
from referee.engine.scene import NoPlaceError


class Faulty:
    """The entry point of a game that cannot be imported."""

    name, value = "faulty", "faulty:GAME"

    def load(self):
        raise ImportError("no such thing")


class Good(Faulty):
    name, value = "manoover", "referee.games.manoover:GAME"


@pytest.fixture
def one_is_faulty(monkeypatch):
    monkeypatch.setattr("referee.engine.registry._find_entry_points", lambda: [Faulty(), Good()])


def test_a_faulty_game_keeps_no_other_from_being_listed(cli, one_is_faulty):
    answer = cli("games")
    assert answer.code == 0
    assert re.search(r"faulty  is faulty at test_cli_games.py:\d+: ImportError: no such thing", answer.out)
    assert "manoover  Manoover" in answer.out
    faulty, good = cli("--json games").facts
    assert faulty["faulty"]["what"] == "ImportError: no such thing"
    assert good["components"] == {"board": ["base", "plus", "three"]}


@pytest.mark.parametrize("words", ["games faulty", "new faulty", "rules --of faulty"])
def test_a_faulty_game_is_told_as_its_own_fault(cli, one_is_faulty, words):
    answer = cli(words)
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.startswith("The game faulty is faulty at test_cli_games.py:")


def test_a_bug_in_a_game_names_game_and_place(cli, place, monkeypatch):
    with installed() as ambush:
        cli("new ambush -o one.jsonl")
        monkeypatch.setattr(ambush, "rank_seats", lambda *_: 1 // 0)
        monkeypatch.setattr(ambush.Ambush, "status", ambush.Ambush.outcome)
        answer = cli("show")
    assert answer.code == 3
    assert re.match(r"The game ambush is faulty at __init__.py:\d+: ", answer.err)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("show a1 -r 1", 0),
        ("show A1 --radius 0", 0),
        ("show nowhere", 2),
        ("show --page cellar", 2),
        ("show a1 -r x", 2),
        ("show a1 -r -1", 2),
    ],
)
def test_a_part_of_the_board(cli, control, words, code):
    answer = cli(words)
    assert answer.code == code, answer.shown
    if not code:
        assert len(answer.out.splitlines()) < len(cli("show").out.splitlines())
        assert cli(f"--json {words}").facts["shown"]


def test_nothing_is_written_over_a_file(cli, control, place):
    (place / "now.json").write_text("mine")
    answer = cli("show --as position -o now.json")
    assert answer.code == 1
    assert (place / "now.json").read_text() == "mine"


def test_no_common_room_names_a_game():
    names = re.compile("|".join(rf"\b{name}\b" for name in game_names()))
    common = [path for path in PACKAGE.rglob("*.py") if "games" not in path.relative_to(PACKAGE).parts]
    assert common
    assert not [path for path in common if names.search(path.read_text("utf-8"))]


@pytest.fixture
def far_seeing(monkeypatch):
    """A game that tells what is in sight of a place."""

    def list_overlay_places(self, view, name, of):
        if of.lower() != "b3":
            raise NoPlaceError(f"the board has no {of}")
        return ("c3", "d3")

    game = type(find_game("manoover"))
    monkeypatch.setattr(game, "overlays", ("sight",))
    monkeypatch.setattr(game, "list_overlay_places", list_overlay_places)


def test_what_is_in_sight_is_marked(cli, far_seeing):
    cli("new manoover -o one.jsonl")
    answer = cli("show --sight b3")
    assert answer.code == 0, answer.err
    assert "Seen from b3: c3 and d3." in answer.out
    assert "Seen from b3: c3 and d3." in cli("show --as words --sight B3").out.replace("B3", "b3")
    facts = cli("--json show --sight b3").facts
    assert facts["marked"] == {"sight": {"of": "b3", "places": ["c3", "d3"]}}


def test_what_cannot_be_marked_is_told(cli, far_seeing):
    cli("new manoover -o one.jsonl")
    assert cli("show --sight z9").code == 2
    assert "The board has no z9." in cli("show --sight z9").err
    assert cli("show --reach 2").code == 2
    assert "Manoover cannot show reach." in cli("show --reach 2").err
