"""Three finished games for people to look at, and for the audit: `python tests/games/mutants/sample_games.py`.

Both players follow simple habits: Mutants smash and move towards the Tech Room, or out of it in the Alternate
Scenario; Humans fall back on it. They leave their dice to a seed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

from referee.record.table.deeds.reveal import reveal_secrets

sys.path.insert(0, str(Path(__file__).parents[1]))

from written import write_sample

from referee.engine.slots import Subset
from referee.games.mutants.board import find_column_and_row, is_square
from referee.games.mutants.bugging_out import DeclinePursuit, Retreat
from referee.games.mutants.doors import OpenDoor, SmashDoor
from referee.games.mutants.engaging import LayOutUnits, PairOffUnits
from referee.games.mutants.moving import MoveUnits
from referee.games.mutants.set_up_completion import PutRestAtRandom
from referee.record.table.session import Session

GAMES = Path(__file__).parents[3] / "fixtures" / "mutants" / "games"
SAMPLES = {
    "basic": {},
    "all-options": {
        "help-humans": "yes",
        "help-mutants": "yes",
        "overwhelming-odds": "yes",
        "bugging-out": "yes",
        "hidden-movement": "yes",
        "sides": "roll",
    },
    "alternate": {"scenario": "alternate", "overwhelming-odds": "yes", "bugging-out": "yes"},
}


def play(session: Session, random: Random) -> None:
    """Play a game to its end."""
    while session.moment().to_act:
        session.play(chosen(session, random))
    if session.reducer.keepers:
        reveal_secrets(session)


def chosen(session: Session, random: Random) -> Any:
    """What the player on turn does by habit, as far as he can see."""
    state, legal = session.moment().view(session.moment().to_act), session.legal()
    choices = [choice for choice in legal.choices if not choice.minor]
    kinds = {choice.kind for choice in choices}
    if PutRestAtRandom in kinds:
        return PutRestAtRandom()
    if kinds & {LayOutUnits, PairOffUnits}:
        retreat = [choice for choice in choices if choice.kind is Retreat]
        if retreat and random.random() < 0.5:
            return random.choice(retreat).pick(random)
        return session.game.parse(
            "lay auto" if LayOutUnits in kinds else "pair auto", state, session.moment().to_act or ""
        )
    if DeclinePursuit in kinds:
        return legal.pick(random)
    useful = [
        choice for choice in choices if choice.kind in (SmashDoor, MoveUnits, OpenDoor) and is_useful(state, choice)
    ]
    if useful:
        return all_of(random.choice(useful))
    return choices[-1].pick(random)


def is_useful(state: Any, choice: Any) -> bool:
    """Whether an action brings somebody nearer to where his side wants to be."""
    outward = state.is_alternate_scenario and state.phase != "human-move"
    if choice.kind is not MoveUnits:
        return True
    (to,) = choice.slots["to"]
    unit = next(iter(choice.slots["units"]))[0]
    nearer = distance(state, to) - distance(state, state.at[unit])
    return nearer > 0 if outward else nearer < 0


def distance(state: Any, place: str) -> int:
    """Rooms from the Tech Room."""
    if is_square(place):
        return 1 + min(distance(state, other) for other in state.find_neighbours(place) if not is_square(other))
    (x1, y1), (x2, y2) = find_column_and_row(place), find_column_and_row(state.board.tech_room)
    return abs(x1 - x2) + abs(y1 - y2)


def all_of(choice: Any) -> Any:
    """The action of a choice with as many units as can take part."""
    slots = choice.slots
    groups = {name: slots[name].values[: slots[name].most] for name in slots if isinstance(slots[name], Subset)}
    return choice.kind(**{name: groups.get(name) or next(iter(slot)) for name, slot in slots.items()})


def write_all() -> None:
    """Write the sample games anew."""
    for number, (name, options) in enumerate(SAMPLES.items(), 1):
        write_sample(GAMES / f"{name}.jsonl", "mutants", options, number, number, play)


if __name__ == "__main__":
    write_all()
