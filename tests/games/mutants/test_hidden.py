"""The laws of Hidden Movement, on random games: what is told is all that a spectator sees, and nobody learns more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from playing import BOARD, GAME, play_on, positions, random_action, random_options
from support import Bench

from referee.engine.adjudicate import Played, adjudicate, fold
from referee.engine.game import REFEREE
from referee.games.mutants.actions import Pursue, Ready, Retreat
from referee.games.mutants.board import is_square
from referee.games.mutants.hidden import SECRET_ACTIONS, told_of
from referee.games.mutants.setting_up import wall_doors
from referee.games.mutants.state import other_side

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=6, deadline=None)
SOME = settings(max_examples=4, deadline=None)
KINDS = [
    {"scenario": scenario, "bugging_out": bugging_out, "wall_reveal": reveal}
    for scenario in ("basic", "alternate")
    for bugging_out in ("no", "yes")
    for reveal in ("either-room", "on-contact")
]
KIND = st.sampled_from(KINDS)
EACH_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind.values()))


def hidden_options(seed: int, kind: dict[str, str]) -> dict[str, str]:
    return random_options(Random(seed), hidden_movement="yes", **kind)


def hidden_games(seed: int, kind: dict[str, str]) -> Iterator[tuple[Any, Any, Played]]:
    """Two random games with Hidden Movement: one from its beginning, one from the thick of it."""
    options = hidden_options(seed, kind)
    yield from positions(seed, options)
    yield from play_on(crowded(Random(seed), options), seed)


def crowded(random: Random, options: dict[str, str]) -> Any:
    """A position with much contact: everybody is anywhere, and half of the doors are smashed."""
    alternate = options["scenario"] == "alternate"
    units: dict[str, list[str]] = {}
    for unit in BOARD.units.values():
        if random.random() < 0.8:
            rooms = BOARD.rooms if random.random() < 0.7 or unit.side == "human" else BOARD.squares
            place = random.choice([room for room in rooms if room != BOARD.tech or unit.kind != "janibot"])
            units.setdefault(place, []).append(unit.id)
    walls = random_walls(random, options)
    position = {
        "phase": "mutant-combat",
        "turn": random.randint(5, 9),
        "units": {place: " ".join(names) for place, names in units.items()},
        "walls": walls,
        "smashed": [door for door in BOARD.ends if door not in walls and random.random() < 0.5],
        "pool": "rest" if alternate else "",
        "told": {
            "humans": [unit for unit, it in BOARD.units.items() if it.side == "human" and is_in(units, unit)][::3]
        },
        "captive": alternate and any("penny" in names and is_guarded(names) for names in units.values()),
    }
    decoded = msgspec.convert(position, GAME.position)
    assert not list(GAME.check_position(decoded, options, BOARD))
    return GAME.place(decoded, options, BOARD)


def random_walls(random: Random, options: dict[str, str]) -> list[str]:
    """As many Walls as may be placed, anywhere."""
    state = GAME.setup(options, BOARD)
    while doors := wall_doors(state):
        state = replace(state, walls=state.walls | {random.choice(doors)})
    return sorted(state.walls)


def is_in(units: dict[str, list[str]], unit: str) -> bool:
    return any(unit in names for names in units.values())


def is_guarded(names: list[str]) -> bool:
    return any(BOARD.side_of(unit) == "mutant" for unit in names)


def open_events(state: Any, action: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    """The events of a play that everybody may see."""
    disclosed = GAME.disclose(state, action, events)
    return events if disclosed is None else disclosed


@EACH_KIND
@SOME
@given(seed=SEEDS)
def test_the_public_view_follows_from_what_was_told(kind, seed):
    public = None
    for state, action, played in hidden_games(seed, kind):
        if public is None or public.outcome:
            public = GAME.view(state, None)
        assert public == GAME.view(state, None)
        assert public.standing == GAME.view(state, None).standing
        public = GAME.view(fold(public, open_events(state, action, played.events)), None)
        assert list(public.at) == list(GAME.view(played.state, None).at) or played.state.outcome
        assert played.state.outcome or played.state.told == told_of(played.state)
        assert public.outcome == played.state.outcome


@FEW
@given(SEEDS, KIND)
def test_a_view_of_a_view_is_no_more(seed, kind):
    for state, _, _ in hidden_games(seed, kind):
        spectator = GAME.view(state, None)
        assert GAME.view(spectator, None) == spectator
        assert GAME.view(state, REFEREE) is state
        for seat in ("human", "mutant"):
            own = GAME.view(state, seat)
            assert GAME.view(own, seat) == own
            assert GAME.view(own, None) == spectator
            assert GAME.view(GAME.view(spectator, seat), None) == spectator


@FEW
@given(SEEDS, KIND)
def test_a_play_in_the_open_names_nobody_out_of_sight(seed, kind):
    for state, action, played in hidden_games(seed, kind):
        if played.state.outcome:
            continue
        seen = {*GAME.view(state, None).at, *GAME.view(played.state, None).at}
        for event in open_events(state, action, played.events):
            rested = getattr(event, "rested", ())
            assert named_in(event) - set(rested) <= seen, (action, event)
            assert not getattr(event, "upturned", ())
            assert not is_square(getattr(event, "to", None) or BOARD.tech)


def named_in(event: Any) -> set[str]:
    """Units whose names stand anywhere in an event."""
    values = " ".join(map(str, msgspec.to_builtins(event).values()))
    return set(re.findall("[a-z]+[0-9]*", values)) & BOARD.units.keys()


@FEW
@given(SEEDS, KIND)
def test_an_action_is_legal_exactly_when_no_rule_known_forbids_it(seed, kind):
    random = Random(seed)
    for state, played, _ in hidden_games(seed, kind):
        mover = GAME.to_act(state)
        legal = {seat: GAME.legal(state, seat) for seat in ("human", "mutant")}
        assert played in legal[mover]
        for _ in range(5):
            action, by = random_action(random, state, legal[mover]), random.choice(("human", "mutant"))
            assert (action in legal[by]) == (not list(GAME.check(state, by, action))), (state.phase, by, action)


@FEW
@given(SEEDS, KIND)
def test_a_position_tells_all_of_the_truth(seed, kind):
    for state, _, _ in hidden_games(seed, kind):
        if random_pick(state):
            position = GAME.position_of(state)
            options = {name.replace("_", "-"): value for name, value in msgspec.structs.asdict(state.options).items()}
            assert not list(GAME.check_position(position, options, BOARD))
            read = msgspec.json.decode(msgspec.json.encode(position), type=GAME.position)
            assert GAME.place(read, options, BOARD) == state


@FEW
@given(SEEDS, KIND)
def test_words_mean_the_same_in_every_view(seed, kind):
    for state, action, _ in hidden_games(seed, kind):
        seat = GAME.to_act(state)
        assert GAME.parse(GAME.format(action), GAME.view(state, seat), seat) == action
        assert GAME.parse(GAME.format(action), GAME.view(state, None), seat) == action


STANDINGS = {
    "human": "Door-Smashing Step; 2 Human-side units on the board; somebody of the Human side in E6; Mutants in E7",
    "mutant": "Door-Smashing Step; 3 Mutants on the board; somebody of the Human side in E6; Mutants in E7",
    None: "Door-Smashing Step; somebody of the Human side in E6; Mutants in E7",
    REFEREE: "Door-Smashing Step; 2 Human-side units and 3 Mutants on the board; as things stand: draw",
}


@pytest.mark.parametrize("seat", STANDINGS)
def test_where_the_game_stands_is_told_as_far_as_a_seat_may_know(seat):
    bench = Bench(GAME)
    position = {
        "units": {"D4": "prof", "E6": "buck", "E7": "n1 n2", "xS4": "l1"},
        "smashed": ["E6-E7"],
        "told": {"sighted": ["E6"]},
    }
    state = bench.place(position, hidden_movement="yes")
    assert GAME.standing(GAME.view(state, seat)) == STANDINGS[seat]


def test_the_board_is_bare_for_those_who_know_nothing():
    state = Bench(GAME).start(hidden_movement="yes")
    assert GAME.standing(GAME.view(state, None)) == "Human set-up"
    assert GAME.view(state, "human").unplaced("human") == state.unplaced("human")
    assert GAME.view(state, "mutant").unplaced("human") == ()


def test_without_hidden_movement_a_view_is_the_state():
    state = Bench(GAME).start()
    assert all(GAME.view(state, seat) is state for seat in ("human", "mutant", None, REFEREE))
    assert not GAME.keeps_secrets(Bench(GAME).options())
    assert GAME.keeps_secrets(Bench(GAME).options(hidden_movement="yes"))


def random_pick(state: Any) -> bool:
    """One state in four, always the same ones."""
    return Random(str(state.at)).random() < 0.25


# Nobody learns what he may not know: two truths with the same view cannot be told apart


def twin(random: Random, state: Any, seat: str) -> Any:
    """Another truth that looks the same to a seat and to spectators: the enemy's secrets are others."""
    other = other_side(seat)
    public = GAME.view(state, None)
    hidden = [unit for unit in state.at if BOARD.side_of(unit) == other and unit not in public.at]
    places = [state.at[unit] for unit in hidden]
    random.shuffle(places)
    at = {**state.at, **dict(zip(hidden, places, strict=True))}
    if other == "human":
        return replace(state, at=at, walls=other_walls(random, state), moved=other_marks(random, state, hidden))
    for unit in (unit for unit in hidden if is_square(at[unit])):
        at[unit] = random.choice(BOARD.squares)
    return replace(
        state,
        at=at,
        moved=other_marks(random, state, hidden),
        used=frozenset(random.sample(hidden, len(hidden) // 2)),
        failed=frozenset(),
        attempted=state.attempted & set(state.told.walls),
        opened=frozenset(),
        pool=state.pool[::-1],
    )


def other_walls(random: Random, state: Any) -> frozenset[str]:
    """The Walls that were not shown, in other doors in which nobody would have seen them."""
    hidden = state.walls.difference(state.told.walls)
    free = [
        door
        for door in BOARD.wallable
        if door not in state.smashed | state.attempted and set(BOARD.ends[door]).isdisjoint(state.told.rooms)
    ]
    return frozenset(state.told.walls).union(random.sample(free, min(len(free), len(hidden))))


def other_marks(random: Random, state: Any, hidden: list[str]) -> dict[str, str]:
    kept = {unit: place for unit, place in state.moved.items() if unit not in hidden}
    return kept | {unit: random.choice(BOARD.rooms) for unit in hidden if random.random() < 0.3}


def all_that_is_seen(state: Any, seat: str | None, said: list[Any]) -> list[Any]:
    """All that a seat can get to see of a state."""
    view = GAME.view(state, seat)
    legal = GAME.legal(state, seat) if seat else ()
    refusals = [tuple(GAME.check(state, seat, action)) for action in said] if seat else []
    position = msgspec.json.encode(GAME.position_of(view))
    return [view, list(view.at), repr(legal), refusals, position, GAME.standing(view), GAME.draw(view)]


@FEW
@given(SEEDS, KIND)
def test_nobody_learns_what_he_may_not_know(seed, kind):
    random = Random(seed)
    for state, _, _ in hidden_games(seed, kind):
        if not random_pick(state):
            continue
        legal = GAME.legal(state, GAME.to_act(state))
        for seat in ("human", "mutant"):
            other = twin(random, state, seat)
            said = [random_action(random, state, legal) for _ in range(10)]
            for viewer in (seat, None):
                assert all_that_is_seen(other, viewer, said) == all_that_is_seen(state, viewer, said)


@FEW
@given(SEEDS, KIND)
def test_what_follows_in_the_open_depends_on_no_secret(seed, kind):
    random = Random(seed)
    for state, action, played in hidden_games(seed, kind):
        in_contact = isinstance(action, Ready | Retreat | Pursue)
        if type(action) in SECRET_ACTIONS or in_contact or played.state.outcome:
            continue
        for seat in ("human", "mutant"):
            other = twin(random, state, seat)
            source = RecordedFaces(played.rolls)
            verdict = adjudicate(GAME, other, GAME.to_act(other), action, source)
            assert isinstance(verdict, Played)
            assert verdict.events == played.events


class RecordedFaces:
    """The same faces again."""

    def __init__(self, rolls: tuple[Any, ...]) -> None:
        self.rolls = list(rolls)

    def draw(self, need: Any) -> Any:
        roll = self.rolls.pop(0)
        assert (roll.purpose, roll.sides, len(roll.faces)) == (need.purpose, need.sides, need.count)
        return roll
