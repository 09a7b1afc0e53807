"""What things are and do is told by their names, in every game."""

import pytest
from support import Bench

from referee.engine.registry import find_game

TOLD = (
    ("manoover", "r1", "Robot R1 of red is on a1 and points N; one step leads to a2"),
    ("manoover", "1", "Robot R1 of red"),
    ("manoover", "d6", "d6 is red's goal"),
    ("manoover", "c3", "c3 is a cell: it is empty"),
    ("manoover", "arrow", "An arrow points to one of the six cells beside it"),
    ("manoover", "dice", "A die names your own robot"),
    ("manoover", "goals", "d6 is red's goal"),
    ("mutants", "b1", "b1: A Janibot fights on the Human side"),
    ("mutants", "penny", "Penny Applewhite: A Tech"),
    ("mutants", "leaders", "A Leader, a Mutant: it smashes no doors"),
    ("mutants", "c4", "A room, C4: doors lead to C3, B4, D4 and C5"),
    ("mutants", "xn4", "A square outside, xN4: doors lead to D1"),
    ("mutants", "c4d4", "C4-D4 is the door between C4 and D4: it is shut"),
    ("mutants", "wall", "A Wall blocks a door"),
    ("sheboygan", "h09", "Box H09, street: 1 Movement Point to enter"),
    ("sheboygan", "t1", "t1, a counter of tank"),
    ("sheboygan", "high", "A kind of box, high"),
    ("sheboygan", "jumping", "An ability of the monster, for 3 Initial Strength Points"),
    ("zombies", "pistol", "A card of the supply deck, ranged"),
    ("zombies", "rope", "A rope leads onto a roof"),
    ("zombies", "stairs", "A stair joins"),
    ("zombies", "tiles", "An action tile is drawn at a token"),
    ("zombies", "fast", "A special ability, fast-feet"),
    ("zombies", "sc7", "A square, Sc7, of the Street: floor."),
    ("zombies", "zombie-1", "A zombie of level 1, zombie-1: defense"),
    ("zombies", "crab-gait", "A card of the action deck, mutation"),
)


@pytest.mark.parametrize(("name", "word", "beginning"), TOLD, ids=[f"{name}-{word}" for name, word, _ in TOLD])
def test_a_thing_is_told_by_its_name_with_rules_that_there_are(name, word, beginning):
    game = find_game(name)
    bench = Bench(game)
    view = game.setup(bench.options(), bench.board(bench.options()))
    told = game.describe_thing(view, word)
    assert told[0].startswith(beginning)
    cited = game.rulebook.find_cited_ids(told[0])
    assert all(game.rulebook.find_text(rule) for rule in cited)
    assert game.describe_thing(view, "nothing-of-that-name") == ()


def test_a_door_tells_how_it_stands():
    game = find_game("mutants")
    state = Bench(game).place({"phase": "open", "units": {"C4": "n1", "xN4": "n2"}, "smashed": ["xN4-D1"]})
    assert "it is smashed, and Mutants pass it" in game.describe_thing(state, "xn4-d1")[0]
    assert "xN4-D1: it is smashed, and Mutants pass it (IV.B.2.f-c)." in game.describe_thing(state, "xn4")


def test_a_robot_that_would_leave_the_game_by_a_step():
    game = find_game("manoover")
    state = Bench(game).place({"turn": "red", "robots": ["R1 d5 N", "B1 g4 S", "R2 a1 S"], "off": "rest"})
    assert "one step leads to d6; R1 leaves the game" in game.describe_thing(state, "r1")[0]
    assert "one step leads over the edge; R2 leaves the game" in game.describe_thing(state, "r2")[0]
    assert game.describe_thing(state, "b2") == (
        "Robot B2 of blue is out of the game and never comes back (goal.8).",
        "b2 is a cell: it is empty (bump.1, bump.4).",
    )
