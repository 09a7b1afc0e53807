"""What is asked about before it is recorded: actions left over, and zombies that would come to stand beside oneself."""

import pytest
from support import Bench

from referee.engine.registry import find_game

GAME = find_game("zombies")
HEROES = {"LEE": {"seat": "red", "at": "Sd9"}, "JAK": {"seat": "blue", "at": "Sp9"}}
BESIDE = {"phase": "action", "players": HEROES, "zombies": {"l1": "Se9"}}
HORDE = {
    "turn": "blue",
    "phase": "horde",
    "players": {"LEE": HEROES["LEE"], "AUG": {"seat": "blue", "at": "Se9", "zombie": True}},
}
RINGED = {
    "players": {"LEE": {"seat": "red", "at": "Sf9"}, "JAK": HEROES["JAK"]},
    "phase": "action",
    "acts": {"moved": "move"},
    "agenda": [{"task": "place", "by": "LEE", "level": 1, "count": 5, "how": "spawn", "at": "Sg10"}],
}


@pytest.mark.parametrize(
    ("position", "seat", "text", "asked"),
    [
        ({"phase": "action", "players": HEROES}, "red", "done", "LEE has neither moved nor attacked"),
        (BESIDE, "red", "done", "LEE could attack Se9"),
        (BESIDE, "red", "hit Se9 fists", None),
        (HORDE, "blue", "done", "AUG could attack LEE"),
        (RINGED, "red", "place rest", "1 zombie would stand next to LEE"),
        ({**RINGED, "agenda": [{**RINGED["agenda"][0], "count": 4}]}, "red", "place rest", None),
    ],
)
def test_what_may_have_been_overlooked_is_asked_about(position, seat, text, asked):
    state = Bench(GAME).place(position)
    assert GAME.caution(state, seat, GAME.parse(text, state, seat)) == asked
