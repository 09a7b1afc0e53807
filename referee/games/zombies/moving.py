"""Movement: MOVE, BREAK AWAY, and the squares to which the die lets a figure go (move.1 to move.13, breakaway.1 to
breakaway.5).
"""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.caching import cache_latest
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import OneOf
from referee.engine.target_number import ONLY_READ
from referee.engine.text import count_of
from referee.games.zombies import horde_movement, horde_turn, tokens, turns
from referee.games.zombies.board import Square, measure_kings_moves
from referee.games.zombies.burdens import refuse_before_card_rolls
from referee.games.zombies.components import HeroId
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import EventNumber, Face, State
from referee.games.zombies.tasks import GoTask
from referee.games.zombies.tokens import find_stopping_stars, find_tokens_to_draw_for

# What happens


class MoveRolled(Event, frozen=True, tag="move-rolled"):
    """A die was rolled for movement (move.1, breakaway.2, zhero.move.1)."""

    hero: HeroId
    die: Face
    steps: EventNumber
    fleeing: bool = False

    def tell(self) -> str:
        """Tells how far the figure may go."""
        how = "breaks away" if self.fleeing else "moves"
        return f"{self.hero} {how}, {self.die}: up to {count_of(self.steps, 'square')}."

    def apply(self, state: State) -> State:
        """Counts the movement, and adds the task of saying where the figure goes."""
        state = state.record_action(self.hero, moved="break" if self.fleeing else "move")
        return replace(state, agenda=(GoTask(by=self.hero, steps=self.steps, fleeing=self.fleeing), *state.agenda))


class FigureMoved(Event, frozen=True, tag="moved"):
    """A figure has moved."""

    hero: HeroId
    origin: Square
    to: Square

    def tell(self) -> str:
        """Tells where the figure goes, or that it stays."""
        if self.origin == self.to:
            return f"{self.hero} stays on {self.to}."
        return f"Move {self.hero} from {self.origin} to {self.to}."

    def apply(self, state: State) -> State:
        """Puts the figure on the square and ends the task of going there."""
        return state.remove_first_task().change_player(self.hero, at=self.to)


# The words


class Move(Action, frozen=True, tag="move"):
    """Roll the die of a MOVE (move.1); a zombie hero's move is their one action (zhero.move.1)."""

    says = "move"


class BreakAway(Action, frozen=True, tag="break"):
    """Break away from adjacent zombies (breakaway.1)."""

    says = "break"


class GoTo(Action, frozen=True, tag="go"):
    """Say where the figure goes; on its own square it stays (move.2, move.3)."""

    says = "go {square}"
    square: Square


# The die


def _make_need(player: Player, *, fleeing: bool = False) -> Need:
    if fleeing:
        return Need(f"{player.hero.lower()} breaks away", 1, 6, aims=ONLY_READ, rule="breakaway.2")
    return Need(
        f"{player.hero.lower()} moves", 1, 6, aims=ONLY_READ, rule="zhero.move.1" if player.is_zombie else "move.1"
    )


def _check_move(state: State, player: Player) -> Iterator[Refusal]:
    """Yields why a player may not MOVE.

    A hero must first roll for cards that need it. A MOVE has to be the first action of a sequence, and an engaged hero
    may not MOVE at all (turn.action.5, ruling.sequence-order, attack.2). A zombie hero is never refused, since a MOVE
    is their one action (zhero.5).
    """
    if player.is_zombie:
        return
    yield from refuse_before_card_rolls(state, player)
    if state.acts.has_moved:
        yield Refusal("turn.action.1", f"{player.hero} has moved already")
    elif not state.acts.is_empty:
        yield Refusal("turn.action.5", f"{player.hero} has attacked; no MOVE follows an ATTACK")
    elif state.is_engaged(player):
        yield Refusal("attack.2", f"{player.hero} is next to a zombie: attack, or break away")


def _check_break(state: State, player: Player) -> Iterator[Refusal]:
    """Yields why a hero may not break away.

    The hero is not engaged, has moved or attacked, or must first roll for cards (breakaway.3).
    """
    yield from refuse_before_card_rolls(state, player)
    if state.acts.has_moved:
        rule = "breakaway.4" if state.acts.moved == "break" else "turn.action.1"
        yield Refusal(rule, f"{player.hero} has moved already")
    elif not state.acts.is_empty:
        yield Refusal("breakaway.3", f"{player.hero} has attacked and cannot break away")
    elif not state.is_engaged(player):
        yield Refusal("breakaway.1", f"{player.hero} is next to no zombie")


def _offer_move(state: State, player: Player) -> Iterator[Choice]:
    if not any(_check_move(state, player)):
        yield Choice(Move, _make_need(player))


def _offer_break(state: State, player: Player) -> Iterator[Choice]:
    if not any(_check_break(state, player)):
        yield Choice(BreakAway, _make_need(player, fleeing=True))


def _roll_move(state: State, player: Player, _action: Move, dice: Dice) -> Script[State]:
    (die,) = dice.throw(_make_need(player))
    return (yield MoveRolled(player.hero, die, compute_move_range(state, player, die)))


def compute_move_range(state: State, player: Player, die: int) -> int:
    """Returns the most squares of a MOVE with this die.

    The ability of a hero adds to the die. For a zombie hero, speed mutations add to it and the penalty is taken off;
    the result is at least 0 (zhero.move.3, ruling.horde-penalty).
    """
    if player.is_zombie:
        penalty: int = state.components.heroes[player.hero].penalty
        return max(0, die - penalty + horde_turn.count_extra_steps(state, player))
    return die + state.find_ability(player).move


def _break_away(state: State, player: Player, _action: BreakAway, dice: Dice) -> Script[State]:
    """Rolls one die for a hero who breaks away.

    The hero may go as many squares as the die shows, less 1, plus what an ability adds (breakaway.2,
    ruling.break-away-roll).
    """
    (die,) = dice.throw(_make_need(player, fleeing=True))
    return (yield MoveRolled(player.hero, die, die - 1 + state.find_ability(player).break_away, fleeing=True))


# How far a hero gets


def find_zombies_stopping_hero(state: State, player: Player, task: GoTask) -> int:
    """Returns the squares of zombies and zombie heroes next to which a hero has to stop (move.10).

    Those next to the hero's present square do not count (ruling.stop-at-zombie). For a hero who breaks away, the option
    `break-away-stop` may count all of them or none (ruling.break-away-stop). There are none under stealth (move.9), or
    if the option `stop-at-zombie` is "no".
    """
    if state.is_stealthed(player) or state.options["stop-at-zombie"] == "no":
        return 0
    rule = state.options["break-away-stop"]
    if task.fleeing and rule != "new-only":
        return state.threat_squares if rule == "all" else 0
    return state.threat_squares & ~state.find_threats_near(player.at)


def find_hero_stop_squares(state: State, player: Player, task: GoTask) -> int:
    """Returns the squares on which a hero has to stop: on or next to tokens, stars and zombies that stop them (move.4,
    move.8, move.11).
    """
    tokens = 0 if state.is_stealthed(player) else find_tokens_to_draw_for(state, player)
    halting = tokens | find_stopping_stars(state, player) | find_zombies_stopping_hero(state, player, task)
    return state.ground.find_adjacent_squares(halting) | halting


def find_squares_passable_for_heroes(state: State) -> int:
    """Returns the squares that a hero can pass: open ones without a blocking tile, even those with a figure (move.6,
    move.12, tile.10).
    """
    return state.ground.open_squares & ~state.tile_squares


def find_squares_one_hero_step_from(state: State, squares: int) -> int:
    """Returns the squares one step from a set, over stairs and placed ropes too (move.2, move.12, ruling.level-links,
    rope.5).

    Squares that cannot be entered are included. Only heroes step so: zombie heroes do not climb ropes (rope.3).
    """
    return state.ground.find_adjacent_squares(squares) | _find_squares_climbed_to(state, squares)


def _find_squares_climbed_to(state: State, squares: int) -> int:
    """Returns the other ends of stairs and placed ropes that have an end on these squares."""
    found = state.board.find_other_stair_ends(squares)
    for symbol in state.ropes:
        landing = state.board.rope_landings[symbol]
        if state.board.square_bits[symbol] & squares:
            found |= state.board.square_bits[landing]
        if state.board.square_bits[landing] & squares:
            found |= state.board.square_bits[symbol]
    return found


@cache_latest
def find_hero_goals(state: State, player: Player, task: GoTask) -> int:
    """Returns the squares on which a hero's move may end, their own one included (move.3).

    A step to an occupied square where they would have to stop is not allowed (move.13, ruling.occupied-stop). The
    result is kept, since the list of actions and the check both need it.
    """
    start = state.board.square_bits[player.at]
    return (
        _find_squares_within(state, start, find_hero_stop_squares(state, player, task), task.steps)
        & state.empty_squares
    ) | start


def _find_squares_within(state: State, start: int, stop_squares: int, steps: int) -> int:
    """Returns the squares that a hero can get to in at most `steps` steps, the square `start` included.

    The hero has to stop on squares of `stop_squares`, and cannot enter those that are occupied. A hero who climbs may
    go on past a figure at the other end, and need not stop there (ruling.stair-past).
    """
    entered = find_squares_passable_for_heroes(state)
    occupied = entered & ~state.empty_squares
    found = fresh = start
    for _ in range(steps):
        past = _find_squares_climbed_to(state, fresh) & entered & ~found & occupied
        fresh = (find_squares_one_hero_step_from(state, fresh) & entered & ~found & ~(stop_squares & occupied)) | past
        found |= fresh
        fresh &= ~stop_squares | past
        if not fresh:
            break
    return found


def _refuse_square(state: State, player: Player, task: GoTask, square: str) -> Iterator[Refusal]:
    """Yields a refusal of a free square that a hero cannot reach, with the rule that keeps the hero from it.

    It is the rule of the first kind of stop without which the hero would get there. If only several kinds together keep
    the hero away, it is the general rule of stopping. Otherwise the square is too far away, or behind a wall.
    """
    start, bit = state.board.square_bits[player.at], state.board.square_bits[square]
    near_token = state.ground.find_adjacent_squares(find_tokens_to_draw_for(state, player)) | find_tokens_to_draw_for(
        state, player
    )
    near_star = state.ground.find_adjacent_squares(find_stopping_stars(state, player)) | find_stopping_stars(
        state, player
    )
    zombies = find_zombies_stopping_hero(state, player, task)
    near_zombie = state.ground.find_adjacent_squares(zombies) | zombies
    stop_squares = find_hero_stop_squares(state, player, task)
    if _find_squares_within(state, start, stop_squares & state.empty_squares, task.steps) & bit:
        yield Refusal("move.13", f"on the way to {square} {player.hero} would have to stop where somebody stands")
        return
    for rule, freed, what in (
        ("breakaway.5" if task.fleeing else "move.4", near_token, "a token"),
        ("move.11", near_star, "a bonus star"),
        ("move.10", near_zombie, "a zombie"),
    ):
        if _find_squares_within(state, start, stop_squares & ~freed, task.steps) & bit:
            yield Refusal(rule, f"{player.hero} has to stop next to {what} before {square}")
            return
    if _find_squares_within(state, start, 0, task.steps) & bit:
        yield Refusal("move.4", f"{player.hero} has to stop before {square}")
    else:
        far = "breakaway.2" if task.fleeing else "move.1"
        walled = _find_squares_within(state, start, 0, 400) & bit
        yield Refusal(far if walled else "move.12", f"no way leads to {square}{f' in {task.steps}' if walled else ''}")


# Where to


def _offer_go(state: State, player: Player) -> Iterator[Choice]:
    yield Choice(GoTo, square=OneOf(state.board.list_squares(_find_goals(state, player))))


def _find_goals(state: State, player: Player) -> int:
    task = state.get_first_task(GoTask)
    if player.is_zombie:
        return horde_movement.find_zombie_hero_goals(state, player, task.steps)
    return find_hero_goals(state, player, task)


def _can_go(state: State, player: Player, action: GoTo) -> bool:
    task = state.get_first_task(GoTask)
    bit = state.board.square_bits.get(action.square, 0)
    if player.is_zombie:
        return bool(bit) and horde_movement.find_move_with_horde(state, player, task.steps, action.square) is not None
    return bool(_find_goals(state, player) & bit)


def _check_go(state: State, player: Player, action: GoTo) -> Iterator[Refusal]:
    """Yields a refusal for the first thing that keeps the figure from the square."""
    task, square = state.get_first_task(GoTask), action.square
    rules = (
        ("zhero.move.1", "zhero.move.4")
        if player.is_zombie
        else ("breakaway.2" if task.fleeing else "move.1", "move.2")
    )
    if square not in state.board.square_numbers:
        yield Refusal(rules[1], f"there is no square {square}")
    elif square[0] == player.at[0] and measure_kings_moves(player.at, square) > task.steps:
        price = Price(measure_kings_moves(player.at, square), task.steps, "step", player.hero)
        yield refuse_price(rules[0], price, f"{square} is too far")
    elif not state.board.square_bits[square] & state.ground.open_squares:
        room = next(
            (
                mark
                for mark, squares in state.board.squares_by_room.items()
                if squares & state.board.square_bits[square]
            ),
            None,
        )
        yield Refusal("object.3" if room else "move.12", f"{square} is {'a locked room' if room else 'solid'}")
    elif state.board.square_bits[square] & state.tile_squares:
        yield Refusal("tile.10", f"a blocking tile lies on {square}")
    elif not state.board.square_bits[square] & state.empty_squares and _is_near(state, player, task, square):
        yield Refusal("move.7", f"{square} is occupied")
    elif player.is_zombie:
        yield from horde_turn.refuse_zombie_hero_goal(state, player, task, square)
    else:
        yield from _refuse_square(state, player, task, square)


def _is_near(state: State, player: Player, task: GoTask, square: str) -> bool:
    """True if the figure would get to the square if nobody stood in the way and nothing stopped it."""
    return bool(
        _find_squares_within(state, state.board.square_bits[player.at], 0, task.steps) & state.board.square_bits[square]
    )


def _go_to_square(state: State, player: Player, action: GoTo, _dice: Dice) -> Script[State]:
    """Moves the figure, and after a zombie hero also the horde.

    Mutations may end on a level that the figure has left. If the figure has reached a token, a draw for the token
    becomes due (move.4, token.1).
    """
    task, origin, square = state.get_first_task(GoTask), player.at, action.square
    course = horde_movement.find_move_with_horde(state, player, task.steps, square) if player.horde else None
    state = yield FigureMoved(player.hero, origin, square)
    if course:
        state = yield from horde_turn.move_horde(state, player.hero, course)
    if square[0] != origin[0]:
        state = yield from turns.end_mutations_left_behind(state, origin[0])
    if square != origin:
        state = yield from tokens.add_tasks_after_move(state, state.players[player.hero])
    return (yield from horde_turn.add_change_followers_task(state, player.hero, course)) if course else state


def _refuse_late(state: State) -> Iterator[Refusal]:
    """Yields a refusal of `go` before a die was rolled: which die to roll, or why the player cannot move."""
    player = state.current_player
    if state.task or state.phase not in ("start", "action", "horde"):
        return
    if player.is_zombie:
        yield Refusal("zhero.move.1", "roll for your move first; type: move")
    elif not any(_check_break(state, player)):
        yield Refusal("breakaway.2", "roll to break away first; type: break")
    elif barred := next(_check_move(state, player), None):
        yield barred
    else:
        yield Refusal("move.1", "roll for your move first; type: move")


def _refuse_late_break(state: State) -> Iterator[Refusal]:
    if state.phase == "horde":
        yield Refusal("zhero.6", "a zombie hero does not break away")


VERBS = (
    make_verb(
        Move,
        ("start", "action", "horde"),
        _offer_move,
        _roll_move,
        check=lambda state, player, _: _check_move(state, player),
    ),
    make_verb(
        BreakAway,
        ("start", "action"),
        _offer_break,
        _break_away,
        check=lambda state, player, _: _check_break(state, player),
        late=_refuse_late_break,
    ),
    make_verb(
        GoTo,
        ("go",),
        _offer_go,
        _go_to_square,
        rule="move.2",
        check=_check_go,
        late=_refuse_late,
        allows=_can_go,
        carries=True,
    ),
)
