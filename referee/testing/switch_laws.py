"""The law of options that may be switched in mid-game, tried at one spot of a random game."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

from referee.engine.game import AnyGame, view_for
from referee.engine.option_resolution import list_possible_switches, switch_options
from referee.engine.options import Options
from referee.testing.further_play import find_obstacles_to_play
from referee.testing.trial import Spot

ACTIONS_AFTER_SWITCH = 12
"""The number of actions that are played after a switch."""


def pick_option_switch(game: AnyGame, now: Options, random: Random) -> dict[str, str]:
    """Returns a random switch of one option that the players may make; empty if there is none."""
    found = list(list_possible_switches(game, now))
    return dict([random.choice(found)]) if found else {}


def check_switches(spot: Spot) -> Iterator[str]:
    """Checks that the game goes on after a switch of an option, and that a switched view is a view of the new state."""
    game, now = spot.game, spot.play.options
    change = pick_option_switch(game, now, spot.random)
    if not change:
        return
    assert spot.legal  # lists under the old options are worked out first, so that kept values would be noticed
    after = switch_options(game, now, change)
    told = ", ".join(f"{name}={value}" for name, value in change.items())
    if game.seats(after) != game.seats(now) or game.list_secret_keepers(after) != game.list_secret_keepers(now):
        yield f"after {told} others sit there or keep secrets"
    if game.build_board(spot.play.trial.read_components(after), after) != spot.play.board:
        yield f"after {told} it is played on another board"
    state = game.under_options(spot.state, after)
    if game.under_options(state, now) != spot.state:
        yield f"after {told} and back it is another state"
    for viewer in spot.viewers:
        if game.under_options(spot.view(viewer), after) != view_for(game, state, viewer):
            yield f"after {told} {viewer or 'a spectator'} has another view than that of the state"
    for seat in filter(None, (game.to_act(state),)):
        listed = repr(game.legal(view_for(game, state, seat), seat))
        copy = deepcopy(state, {id(spot.play.board): spot.play.board})  # no value is kept for a copy
        if repr(game.legal(view_for(game, copy, seat), seat)) != listed:
            yield f"after {told} {seat}'s list is another when worked out afresh"
    for breach in find_obstacles_to_play(spot, state, ACTIONS_AFTER_SWITCH):
        yield f"after {told} {breach}"
