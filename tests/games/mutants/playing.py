"""Random play for the laws: games, positions on the way, and actions that may or may not be legal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.game import view_for
from referee.engine.legal import LegalActions
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game
from referee.games.mutants.board import Board

GAME = find_game("mutants")
BOARD: Board = Bench(GAME).board(fill_options(GAME, {}))
EVERY_RULE = {"help-humans": "yes", "help-mutants": "yes", "overwhelming-odds": "yes", "bugging-out": "yes"}
LONGEST = 3_000
"""Actions in which any random game must have ended."""


def random_options(random: Random, **fixed: str) -> dict[str, str]:
    """Options that go together, some of them fixed beforehand."""
    given = {option.name: random.choice(option.values) for option in GAME.options}
    given |= {name.replace("_", "-"): value for name, value in fixed.items()}
    if given["hidden-movement"] == "no":
        given |= {"wall-reveal": "either-room", "answers": "at-once"}
    if given["scenario"] == "basic":
        given |= {"captive-move-cost": "counts", "exited-mutants": "active", "retreat-exit": "counts"}
    elif given["bugging-out"] == "no":
        given["retreat-exit"] = "counts"
    assert not list(GAME.check_options(fill_options(GAME, given)))
    return fill_options(GAME, given)


def positions(seed: int, options: dict[str, str] | None = None) -> Iterator[tuple[Any, Any, LegalVerdict]]:
    """A random game: each state, the action played in it, and what came of it."""
    random = Random(seed)
    yield from play_on(GAME.setup(options or random_options(random), BOARD), seed)


def play_on(state: Any, seed: int) -> Iterator[tuple[Any, Any, LegalVerdict]]:
    """Random play from a state to the end of the game."""
    random = Random(seed)
    source = SeededSource({seat: f"{seed + at:064x}" for at, seat in enumerate((None, "human", "mutant"))})
    for _ in range(LONGEST):
        seat = GAME.to_act(state)
        if seat is None:
            return
        action = GAME.legal(view_for(GAME, state, seat), seat).pick(random)
        verdict = adjudicate(GAME, state, seat, action, source)
        assert isinstance(verdict, LegalVerdict), verdict
        yield state, action, verdict
        state = verdict.state
    raise AssertionError("a random game does not end")


def random_action(random: Random, state: Any, legal: LegalActions) -> Any:
    """Anything that somebody could say here: half of it near what is legal, half of it far from it."""
    kind = random.choice(get_args(GAME.action_types))
    if random.random() < 0.5:
        action = legal.pick(random)
        name = random.choice(action.__struct_fields__) if action.__struct_fields__ else None
        fields = {field: getattr(action, field) for field in action.__struct_fields__}
        return type(action)(**fields | ({name: _value(random, name, state)} if name else {}))
    return kind(**{name: _value(random, name, state) for name in kind.__struct_fields__})


def _value(random: Random, name: str, state: Any) -> Any:
    if name == "units":
        return _units(random, state)
    if name == "what":
        return tuple(random.sample([*BOARD.units, *BOARD.door_ends, *BOARD.rooms], random.choice((0, 1, 2))))
    if name == "doors":
        return tuple(random.sample([*BOARD.door_ends, *sorted(state.walls)], random.choice((0, 0, 1, 2))))
    if name == "door":
        return random.choice([*BOARD.door_ends, "A1-C1", "xN1-xN2", "A1-G7"])
    if name == "about":
        return random.choice([*BOARD.door_ends, *BOARD.places, "A1-C1", "I9"])
    if name == "side":
        return random.choice(("human", "mutant"))
    return random.choice([*BOARD.places, "off", "I9"])


def _units(random: Random, state: Any) -> tuple[str, ...]:
    """Units of one place, of its neighbours, or of anywhere, now and then one that does not exist, twice, or in
    disorder.
    """
    place = random.choice([*state.units_by_place, BOARD.tech_room])
    crowd = [*state.units_by_place.get(place, ())]
    if random.random() < 0.3:
        crowd += [unit for beside in BOARD.neighbours[place] for unit in state.units_by_place.get(beside, ())]
    if not crowd or random.random() < 0.2:
        crowd = [*BOARD.units, "w1"]
    units = random.sample(crowd, min(len(crowd), random.choice((0, 1, 1, 1, 2, 2, 3, 5))))
    return tuple(units) if random.random() < 0.3 else BOARD.sort_units(units)
