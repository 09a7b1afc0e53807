"""Invariants of every position that play can reach, each with its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.engine.rulebook import Invariant, Refusal
from referee.games.zombies.ground import find_connected_squares
from referee.games.zombies.player import Player
from referee.games.zombies.state import MAX_HORDE_SIZE, SET_UP_PHASES, State
from referee.games.zombies.task_checks import can_be_due


def _check_figures(state: State) -> Iterator[Refusal]:
    """Checks that each figure stands alone on an open square, and not on a blocking tile.

    Checks too that there are enough zombie figures of each level.
    """
    figures = [player.at for player in state.players.values() if player.at]
    for square, count in Counter([*figures, *state.zombies]).items():
        if count > 1:
            yield Refusal("move.7", f"more than one figure stands on {square}")
        if not state.board.square_bits[square] & state.ground.open_squares:
            yield Refusal("move.12", f"{square} is solid; nobody can stand there")
        if square in state.tiles:
            yield Refusal("tile.10", f"a blocking tile lies on {square}, where somebody stands")
    for level in (1, 2, 3):
        if state.count_spare_zombies(level) < 0:
            yield Refusal(
                f"comp.zombies-{level}",
                f"there are only {state.components.figures_by_level[level]} zombies of level {level}",
            )


def _check_players(state: State) -> Iterator[Refusal]:
    for player in state.players.values():
        yield from _check_player(state, player)
    hordes = [square for player in state.players.values() for square in player.horde]
    if len(hordes) > len(set(hordes)):
        yield Refusal("zhero.horde.2", "a zombie belongs to more than one horde")


def _check_player(state: State, player: Player) -> Iterator[Refusal]:
    hero = state.components.heroes[player.hero]
    if player.health > (hero.zombie_health if player.is_zombie else hero.health):
        yield Refusal("setup.17", f"{player.hero} has no health {player.health}")
    if player.is_zombie and (player.survivors or player.tiles or player.stealth):
        yield Refusal("zhero.3", f"{player.hero} is a zombie hero: no survivors, no tiles, no stealth")
    if player.is_zombie and player.at and not player.health:
        yield Refusal("zhero.4", f"{player.hero} has no health and is off the board")
    if player.horde and not (player.is_zombie and player.at):
        yield Refusal("zhero.1", f"{player.hero} is not a zombie hero and has no horde")
    if len(player.horde) > MAX_HORDE_SIZE:
        yield Refusal(
            "zhero.horde.6",
            f"{player.hero}'s horde has {len(player.horde)} zombies; at most {MAX_HORDE_SIZE} are allowed",
        )
    for square in player.horde:
        if square not in state.zombies:
            yield Refusal("zhero.horde.1", f"no zombie stands on {square} for {player.hero}'s horde")
    if player.horde and player.is_zombie and player.at:
        hero, unit = state.board.square_bits[player.at], state.board.make_set((player.at, *player.horde))
        for square in state.board.list_squares(
            unit & ~find_connected_squares(state.ground.find_adjacent_squares_with_stairs, hero, unit)
        ):
            yield Refusal("zhero.horde.5", f"the zombie on {square} is cut off from {player.hero}, so it is free")
    for card, shots in player.shots.items():
        if card not in player.supplies or not 0 < shots < state.get_card(card).ammunition:
            yield Refusal("supply.ranged.3", f"{player.hero} cannot have fired {shots} shots with {card}")
    if not set(player.spent) <= set(player.survivors):
        yield Refusal("survivor.11", f"{player.hero} has used what survivors carried who are not there")


def _check_board(state: State) -> Iterator[Refusal]:
    if state.spare_tile_count < 0:
        yield Refusal("comp.blocking-tiles", f"there are only {state.components.blocking_tiles} blocking tiles")
    for square in (*state.tiles, *state.loose):
        if not state.board.square_bits[square] & state.ground.open_squares:
            yield Refusal("tile.1", f"{square} is solid; no tile can lie there")
    for square in state.used:
        if state.board.tokens.get(square, "star") == "star":
            yield Refusal("token.4", f"there is no token on {square}, so none can be used up")
    for square in state.stars:
        if state.board.tokens.get(square) != "star":
            yield Refusal("bonus.1", f"there is no bonus star on {square}")
    for symbol in state.ropes:
        if symbol not in state.board.rope_landings:
            yield Refusal("rope.2", f"there is no rope symbol on {symbol}")
    if len(state.opened) > len(set(state.opened)):
        yield Refusal("key.3", "a room is opened twice")


def _check_course(state: State) -> Iterator[Refusal]:
    if state.phase in SET_UP_PHASES:
        yield from _check_setting_up(state)
    else:
        yield from _check_turn(state)
        yield from _check_tasks(state)


def _check_setting_up(state: State) -> Iterator[Refusal]:
    if (
        state.agenda
        or not state.acts.is_empty
        or (state.phase != "put" and any(player.at for player in state.players.values()))
    ):
        yield Refusal("setup.15", "before the first turn nobody has done anything")
    if state.phase == "put" and len(state.players) != len(state.seats):
        yield Refusal("setup.13", "every player has chosen a hero before figures are put down")
    if state.phase == "pick" and len(state.players) >= len(state.seats):
        yield Refusal("setup.13", "every player has a hero already")
    if state.phase in ("fill", "first") and state.players:
        yield Refusal("setup.13", "heroes are chosen later")
    if state.phase != "first" and set(state.order) != set(state.seats):
        yield Refusal("setup.12", "every player has a place in the order")
    if state.mover not in state.order or (state.phase in ("pick", "put") and _is_not_next(state)):
        yield Refusal("setup.12", f"{state.mover} does not choose now")


def _is_not_next(state: State) -> bool:
    """True if the mover is not the next player to do their part of the set-up.

    The mover is next if all players before them have done their part, and nobody else has.
    """
    done = [
        seat in state.players_by_seat and (state.phase == "pick" or bool(state.players_by_seat[seat].at))
        for seat in state.order
    ]
    at = state.order.index(state.mover)
    return done != [True] * at + [False] * (len(done) - at)


def _check_turn(state: State) -> Iterator[Refusal]:
    """Checks that every player has a hero, who is on the board or was killed.

    Checks too that the phase fits the player whose turn it is.
    """
    if set(state.order) != set(state.seats) or len(state.players) != len(state.seats):
        yield Refusal("object.1", "every player has a hero, and a place in the order")
        return
    for player in state.players.values():
        if not player.at and not player.is_out_of_game:
            yield Refusal("setup.15", f"{player.hero} stands nowhere")
    if not state.heroes:
        yield Refusal("win.1", "no hero is left: the game is over")
    if state.current_player.is_out_of_game:
        yield Refusal("zhero.4", f"{state.current_player.hero} is out of the game and has no turn")
    elif (state.phase == "horde") != state.current_player.is_zombie:
        yield Refusal(
            "zhero.5",
            f"{state.current_player.hero} is {'a zombie hero' if state.current_player.is_zombie else 'a hero'}",
        )
    if state.phase == "start" and not state.acts.is_empty:
        yield Refusal("turn.free.1", "after an action the start of the turn is over")
    if state.phase == "horde" and not state.acts.is_empty and not state.agenda:
        yield Refusal("zhero.5", "after the zombie hero's one action their turn is over")


def _check_tasks(state: State) -> Iterator[Refusal]:
    for task in state.agenda:
        if task.by not in state.players or not state.players[task.by].at:
            yield Refusal("turn.1", f"{task.by} is not in play and can do nothing")
        elif not can_be_due(state, task):
            yield Refusal(
                "turn.1", f"what {task.by} would have to do cannot be done here: {task.__struct_config__.tag}"
            )


INVARIANTS: tuple[Invariant[State], ...] = (
    _check_figures,
    _check_players,
    _check_board,
    _check_course,
)
"""The facts about a position, in the order in which they are told."""
