"""Hidden Movement: who folds what he can open comes to his view, nobody learns more, and it can be played by mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from folders import Folder
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from playing import BOARD, GAME, random_action
from sample_options import EACH_KIND, KINDS, hidden_options
from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate, find_forced_answer
from referee.engine.dice_mode import OpenDice
from referee.engine.dice_source import SeededSource
from referee.engine.event import REFEREE
from referee.engine.game import view_for
from referee.engine.secret import hide_secrets_from
from referee.games.mutants.agreed_end import Stop
from referee.games.mutants.announcements import complete_told_facts
from referee.games.mutants.answers import AnswerQuestion
from referee.games.mutants.board import is_square
from referee.games.mutants.sequence import EndStep
from referee.games.mutants.set_up_completion import PutRestAtRandom
from referee.games.mutants.state import find_other_side
from referee.games.mutants.walls import list_doors_free_for_walls
from referee.record.archive.audit import audit
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.knowledge import Knowledge
from referee.record.table.opening_logs import join, start

SEATS = ("human", "mutant")
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=3, deadline=None)
LONGEST = 3_000
KIND = st.sampled_from(KINDS)


def hidden_game(seed: int, kind: dict[str, str]) -> Iterator[tuple[Any, str, Any, LegalVerdict]]:
    """A random game from the thick of it: each state, who does what, and what came of it."""
    random = Random(seed)
    state = crowded(random, hidden_options(random, kind))
    source = SeededSource({name: f"{seed + at:064x}" for at, name in enumerate((None, *SEATS))})
    for _ in range(LONGEST):
        seat = random.choice([GAME.to_act(state), *GAME.list_other_actors(state)])
        if seat is None:
            return
        action = chosen(random, GAME.view(state, seat), seat)
        verdict = adjudicate(GAME, state, seat, action, source)
        assert isinstance(verdict, LegalVerdict), verdict
        yield state, seat, action, verdict
        state = verdict.state
    raise AssertionError("a random game does not end")


def chosen(random: Random, view: Any, seat: str) -> Any:
    """Anything that is legal; what shortens the game or changes little only now and then."""
    choices = GAME.legal(view, seat).choices
    major = [choice for choice in choices if not choice.minor or random.random() < 0.02]
    return random.choice(major or choices).pick(random)


def crowded(random: Random, options: dict[str, str]) -> Any:
    """A position with much contact: everybody is anywhere, and half of the doors are smashed."""
    return GAME.state_from(crowded_position(random, options), options, BOARD)


def crowded_position(random: Random, options: dict[str, str]) -> Any:
    alternate = options["scenario"] == "alternate"
    units: dict[str, list[str]] = {}
    for unit in BOARD.units.values():
        if random.random() < 0.8:
            rooms = BOARD.rooms if random.random() < 0.7 or unit.side == "human" else BOARD.squares
            place = random.choice([room for room in rooms if room != BOARD.tech_room or unit.kind != "janibot"])
            units.setdefault(place, []).append(unit.id)
    walls = random_walls(random, options)
    position = {
        "phase": "mutant-combat",
        "turn": random.randint(5, 9),
        "units": {place: " ".join(names) for place, names in units.items()},
        "walls": walls,
        "smashed": [door for door in BOARD.door_ends if door not in walls and random.random() < 0.5],
        "pool": "rest" if alternate else "",
        "told": {
            "humans": [unit for unit, it in BOARD.units.items() if it.side == "human" and is_in(units, unit)][::3]
        },
        "captive": alternate and any("penny" in names and is_guarded(names) for names in units.values()),
    }
    decoded = msgspec.convert(position, GAME.position)
    assert not list(GAME.check_position(decoded, options, BOARD))
    return decoded


def random_walls(random: Random, options: dict[str, str]) -> list[str]:
    """As many Walls as may be placed, anywhere."""
    state = GAME.setup(options, BOARD)
    while doors := list_doors_free_for_walls(state):
        state = replace(state, walls=state.walls | {random.choice(doors)})
    return sorted(state.walls)


def is_in(units: dict[str, list[str]], unit: str) -> bool:
    return any(unit in names for names in units.values())


def is_guarded(names: list[str]) -> bool:
    return any(BOARD.find_side(unit) == "mutant" for unit in names)


# Who folds what he can open comes to his view


@EACH_KIND
@settings(max_examples=1, deadline=None)
@given(seed=SEEDS)
def test_who_folds_what_he_can_open_comes_to_his_view(kind, seed):
    known = None
    for state, seat, action, played in hidden_game(seed, kind):
        known = known or Knowledge(views={viewer: GAME.view(state, viewer) for viewer in (*SEATS, None)})
        own = adjudicate(GAME, known.views[seat], seat, action, Again(played.rolls))
        assert isinstance(own, LegalVerdict) and own.events == played.events
        known = known.apply_play(GAME, seat, played.events, played.open_events)
        for viewer, view in known.views.items():
            worked_out, kept = GAME.view(replace(played.state), viewer), GAME.view(played.state, viewer)
            assert view == worked_out == kept, (viewer, GAME.format(action))
            assert list(view.at) == list(worked_out.at) == list(kept.at)
            same = ("to_act", "list_other_actors", "awaits_answer", "get_turn_number", "outcome")
            assert all(getattr(GAME, ask)(view) == getattr(GAME, ask)(played.state) for ask in same)


class Again:
    """The same dice again."""

    def __init__(self, rolls: tuple[Any, ...]) -> None:
        self.rolls = list(rolls)

    def draw(self, need: Any) -> Any:
        roll = self.rolls.pop(0)
        assert (roll.purpose, roll.sides, len(roll.faces), roll.to) == (need.purpose, need.sides, need.count, need.to)
        return roll


@FEW
@given(SEEDS, KIND)
def test_what_is_told_is_what_must_have_been_told(seed, kind):
    for state, _, _, _ in hidden_game(seed, kind):
        assert state.told == complete_told_facts(state)


@FEW
@given(SEEDS, KIND)
def test_a_position_tells_all_of_the_truth(seed, kind):
    for state, _, _, _ in hidden_game(seed, kind):
        if state.asked or random_pick(state):
            position = GAME.position_from(state)
            assert not list(GAME.check_position(position, state.options, BOARD))
            read = msgspec.json.decode(msgspec.json.encode(position), type=GAME.position)
            assert GAME.state_from(read, state.options, BOARD) == state


@FEW
@given(SEEDS, KIND)
def test_a_question_has_one_answer_and_comes_first(seed, kind):
    random = Random(seed)
    for state, _, _, _ in hidden_game(seed, kind):
        if not state.asked:
            continue
        seat = GAME.to_act(state)
        view = GAME.view(state, seat)
        answer = find_forced_answer(GAME, view, seat)
        assert list(GAME.legal(view, seat)) == [answer]
        assert not GAME.legal(GAME.view(state, find_other_side(seat)), find_other_side(seat))
        for _ in range(5):
            said = random_action(random, state, GAME.legal(view, seat))
            assert bool(list(GAME.check(view, seat, said))) == (said != answer)


def random_pick(state: Any) -> bool:
    """One state in eight, always the same ones."""
    return Random(str(state.at)).random() < 0.125


# Nobody learns what he may not know: two truths with the same view cannot be told apart


@FEW
@given(SEEDS, KIND)
def test_a_play_in_the_open_names_nobody_out_of_sight(seed, kind):
    for state, _, action, played in hidden_game(seed, kind):
        if played.state.outcome or (played.state.asked and played.state.asked.ending):
            continue
        seen = {*GAME.view(state, None).at, *GAME.view(played.state, None).at}
        for event in hide_secrets_from(played.open_events, None):
            assert named_in(event) - {*getattr(event, "rested", ())} <= seen, (action, event)
            assert not getattr(event, "upturned", ())
            assert not is_square(getattr(event, "to", None) or BOARD.tech_room)


def named_in(event: Any) -> set[str]:
    """Units whose names stand anywhere in an event."""
    values = " ".join(map(str, msgspec.to_builtins(event, enc_hook=str).values()))
    return set(re.findall("[a-z]+[0-9]*", values)) & BOARD.units.keys()


@FEW
@given(SEEDS, KIND)
def test_nobody_learns_what_he_may_not_know(seed, kind):
    random = Random(seed)
    for state, mover, _, _ in hidden_game(seed, kind):
        if not random_pick(state) or state.asked:
            continue
        legal = GAME.legal(GAME.view(state, mover), mover)
        for seat in SEATS:
            other = twin(random, state, seat)
            said = [random_action(random, state, legal) for _ in range(10)]
            for viewer in (seat, None):
                assert all_that_is_seen(other, viewer, said) == all_that_is_seen(state, viewer, said)


def twin(random: Random, state: Any, seat: str) -> Any:
    """Another truth that looks the same to a seat and to spectators: the enemy's secrets are others."""
    other = find_other_side(seat)
    public = GAME.view(state, None)
    hidden = [unit for unit in state.at if BOARD.find_side(unit) == other and unit not in public.at]
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
    known = state.smashed | state.attempted | {*state.told.clear}
    free = [
        door
        for door in BOARD.doors_for_walls
        if door not in known and set(BOARD.door_ends[door]).isdisjoint(state.told.rooms)
    ]
    return frozenset(state.told.walls).union(random.sample(free, min(len(free), len(hidden))))


def other_marks(random: Random, state: Any, hidden: list[str]) -> dict[str, str]:
    kept = {unit: place for unit, place in state.moved.items() if unit not in hidden}
    return kept | {unit: random.choice(BOARD.rooms) for unit in hidden if random.random() < 0.3}


def all_that_is_seen(state: Any, seat: str | None, said: list[Any]) -> list[Any]:
    """All that a seat can get to see of a state."""
    view = GAME.view(state, seat)
    legal = GAME.legal(view, seat) if seat else ()
    refusals = [tuple(GAME.check(view, seat, action)) for action in said] if seat else []
    position = msgspec.json.encode(GAME.position_from(view))
    return [view, list(view.at), repr(legal), refusals, position, GAME.status(view), GAME.draw(view)]


# Where the game stands

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
    assert GAME.status(view_for(GAME, state, seat)) == STANDINGS[seat]


def test_what_is_asked_is_said_where_the_game_stands():
    position = {"units": {"E6": "buck", "E7": "n1"}, "smashed": ["E6-E7"], "asked": {"of": "human", "behind": ["E6"]}}
    state = Bench(GAME).place(position, hidden_movement="yes")
    assert "the human player tells whether somebody is in E6" in GAME.status(GAME.view(state, None))


def test_an_answer_of_another_program_names_each_unit_once():
    """Typed names are written once by the reader; a log may hold anything."""
    position = {"phase": "move", "units": {"E5": "n1 buck b1"}, "moved": {"n1": "E4"}}
    state = Bench(GAME).place(position | {"asked": {"of": "human", "rooms": ["E5"]}}, hidden_movement="yes")
    refused = {names: [one.rule for one in GAME.check(state, "human", AnswerQuestion(names))] for names in ANSWERS}
    assert refused == ANSWERS


ANSWERS = {
    ("buck", "b1"): [],
    ("buck", "buck", "b1"): ["INTRO.IV.A"],
    ("b1", "buck"): ["INTRO.IV.A"],
    ("buck",): ["OPT.V.C-d"],
    ("buck", "b1", "b2"): ["OPT.V.C-d"],
    ("b1", "b2"): ["OPT.V.C-d", "OPT.V.C-d"],
}
"""Names in an answer about a room that holds buck and b1, with the rules that refuse it."""


def test_the_board_is_bare_for_those_who_know_nothing():
    state = Bench(GAME).start(hidden_movement="yes")
    assert GAME.status(GAME.view(state, None)) == "Human set-up"
    assert GAME.view(state, "human").list_units_in_hand("human") == state.list_units_in_hand("human")
    assert GAME.view(state, "mutant").list_units_in_hand("human") == ()


def test_without_hidden_movement_a_view_is_the_state():
    state = Bench(GAME).start()
    assert all(GAME.view(state, seat) is state for seat in (*SEATS, None))
    assert not GAME.list_secret_keepers(Bench(GAME).options())
    assert GAME.list_secret_keepers(Bench(GAME).options(hidden_movement="yes")) == SEATS


# By mail: two folders, in each the vault of one player


def quickly(random: Random, seat: str, view: Any) -> Any:
    """Something legal, by which the game soon ends: it is stopped after a few Turns (M25)."""
    kinds = {choice.kind: choice for choice in GAME.legal(view, seat).choices}
    if view.turn > 3 and Stop in kinds:
        return Stop()
    if PutRestAtRandom in kinds:
        return PutRestAtRandom()
    return chosen(random, view, seat) if EndStep not in kinds or random.random() < 0.8 else EndStep()


@pytest.mark.parametrize("walls", ["either-room", "on-contact"])
@pytest.mark.parametrize("scenario", ["basic", "alternate"])
def test_a_game_is_played_by_mail(tmp_path, scenario, walls):
    random = Random(f"{scenario} {walls}")
    options = hidden_options(random, {"scenario": scenario, "wall_reveal": walls, "bugging_out": "yes"})
    human, mutant = folders = (Folder(tmp_path / "human", "human"), Folder(tmp_path / "mutant", "mutant"))
    dice = OpenDice(f"{random.getrandbits(256):064x}")
    start("mutants", human.log, options=options, dice=dice, sitting=("human",))
    human.copy_to(mutant)
    join(mutant.session, "mutant")
    mutant.copy_to(human)
    seat = human.session.moment().to_act
    while seat:
        own, other = folders if seat == "human" else folders[::-1]
        seat = own.play_on(partial(quickly, random, own.seat))
        own.send_to(other)
        assert all(folder.vaults() == [f"game.jsonl.{folder.seat}.vault"] for folder in folders)
    for own, other in (folders, folders[::-1]):
        assert {*audit(own.log).unjudged} == {other.seat}
        assert not own.session.moment().known.can_open_view_of(other.seat)
        assert own.session.moment().outcome == human.session.moment().outcome
    for own, other in (folders, folders[::-1]):
        reveal_secrets(own.session, by=own.seat)
        own.copy_to(other)
    assert human.log.read_bytes() == mutant.log.read_bytes()
    for folder in folders:
        report = audit(folder.log)
        assert (report.fault, report.unjudged, report.secrets) == (None, {}, 0)


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[3], KINDS[5], KINDS[6]], ids=lambda kind: "-".join(kind.values()))
def test_a_whole_game_is_clean_for_players_and_for_strangers(kind, tmp_path):
    """Each two of the options in all their combinations."""
    random = Random(str(kind))
    path, copy = tmp_path / "game.jsonl", tmp_path / "copy.jsonl"
    options = hidden_options(random, kind)
    session = start("mutants", path, options=options, dice=OpenDice(f"{random.getrandbits(256):064x}"))
    while seat := session.moment().to_act:
        session.play(chosen(random, session.moment().view(seat), seat))
    copy.write_bytes(path.read_bytes())
    stranger, player = audit(copy), audit(path)
    assert stranger.fault is None and player.fault is None
    assert player.unjudged == {} and {*stranger.unjudged} == {*SEATS}
    assert stranger.outcome == player.outcome == session.moment().outcome
    reveal_secrets(session)
    copy.write_bytes(path.read_bytes())
    assert audit(copy).unjudged == {}
