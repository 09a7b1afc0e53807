"""Three finished games for people to look at, and for the audit: `python tests/games/zombies/zombie_samples.py`.

Heroes follow simple habits: they fight what is next to them, gather survivors, and go to the helipad when they have
enough; zombie heroes go for the nearest hero. They leave their dice to a seed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from written import write_sample

from referee.engine.choice import find_action_tag
from referee.games.zombies.moving import find_squares_one_hero_step_from, find_squares_passable_for_heroes
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.tokens import find_tokens_to_draw_for
from referee.games.zombies.victory import find_helipad_squares
from referee.record.table.session import Session

GAMES = Path(__file__).parents[3] / "fixtures" / "zombies" / "games"
SAMPLES: dict[str, tuple[dict[str, str], int]] = {
    "solo": ({"players": "1", "mode": "solo", "helipad": "street"}, 1),
    "versus": ({"players": "2"}, 15),
    "teams": ({"players": "4", "mode": "teams"}, 2),
}
"""Options and seed of each."""
ENOUGH = 4
"""Survivors with which a hero goes to the helipad."""
HABITS = ("place-rest", "rescue", "heal", "attack", "shoot", "hit", "key", "rope", "tile")
"""Tags of actions that are always done when they can be, the first of them first."""


def play(session: Session, random: Random) -> None:
    """Play a game to its end."""
    while session.moment().to_act:
        session.play(chosen(session, random))


def chosen(session: Session, random: Random) -> Any:
    """What the player on turn does by habit."""
    state, legal = session.moment().state, session.legal()
    by_tag: dict[str, Any] = {}
    for choice in legal.choices:
        by_tag.setdefault(find_action_tag(choice.kind), choice)
    if "pick-zombie" in by_tag and len(state.players) == 1 and state.options["mode"] == "versus":
        return by_tag["pick-zombie"].pick(random)
    if "go" in by_tag:
        return nearest(state, by_tag["go"])
    for tag in HABITS:
        if tag in by_tag and not (tag == "tile" and random.random() < 0.5):
            return by_tag[tag].pick(random)
    if "move" in by_tag and (state.current_player.is_zombie or not on_goal(state)):
        return by_tag["move"].pick(random)
    for tag in ("done", "hold"):
        if tag in by_tag:
            return by_tag[tag].pick(random)
    return legal.pick(random)


def on_goal(state: State) -> bool:
    """Whether a hero stands where he wants to be."""
    me = state.current_player
    return not me.is_zombie and bool(state.board.square_bits[me.at] & goals(state, me))


def goals(state: State, player: Player) -> int:
    """Where a figure wants to be."""
    if player.is_zombie:
        return state.ground.find_adjacent_squares(state.hero_squares)
    tokens = find_tokens_to_draw_for(state, player) & state.ground.open_squares
    if len(player.survivors) >= ENOUGH or not tokens:
        return find_helipad_squares(state)
    return state.ground.find_adjacent_squares(tokens) | tokens


def nearest(state: State, choice: Any) -> Any:
    """The move that ends nearest to a goal, counted over open squares; on it the one that comes first."""
    squares = choice.slots["square"].values
    fresh = found = goals(state, state.current_player) & find_squares_passable_for_heroes(state)
    while fresh:
        there = [square for square in squares if state.board.square_bits[square] & fresh]
        if there:
            return choice.kind(square=there[0])
        fresh = find_squares_one_hero_step_from(state, fresh) & find_squares_passable_for_heroes(state) & ~found
        found |= fresh
    return choice.kind(square=squares[0])


def write_all() -> None:
    """Write the sample games anew."""
    for name, (options, number) in SAMPLES.items():
        write_sample(GAMES / f"{name}.jsonl", "zombies", options, number, number, play)


if __name__ == "__main__":
    write_all()
