"""A hero's movement: MOVE, BREAK AWAY, and where the die lets him go (move.1 to move.13, breakaway.1 to
breakaway.5).
"""

from collections.abc import Iterator

from referee.engine.dice import Dice, Need
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.games.zombies import herding, horde_turn, reaching, sequence, tokens
from referee.games.zombies.board import Square, kings_moves
from referee.games.zombies.events import Moved, MoveRolled
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Go
from referee.games.zombies.timing import phase_of, verb


class Move(Action, frozen=True, tag="move"):
    """Throw the die of a MOVE (move.1); a zombie hero's move is his one action (zhero.move.1)."""

    says = "move"


class Break(Action, frozen=True, tag="break"):
    """Break away from adjacent zombies (breakaway.1)."""

    says = "break"


class GoTo(Action, frozen=True, tag="go"):
    """Say where the figure goes; on its own square it stays (move.2, move.3)."""

    says = "go {square}"
    square: Square


# The die


def _need(player: Player, *, fleeing: bool = False) -> Need:
    if fleeing:
        return Need(f"{player.hero.lower()} breaks away", 1, 6, rule="breakaway.2")
    return Need(f"{player.hero.lower()} moves", 1, 6, rule="zhero.move.1" if player.is_zombie else "move.1")


def duty(state: State, player: Player) -> tuple[Refusal, ...]:
    """Held cards are rolled for before the first action (turn.free.7, ruling.roll-duty)."""
    due = [card for card in player.burdens if card not in state.tested]
    if not due or state.phase != "start":
        return ()
    return (Refusal("turn.free.7", f"{player.hero} holds {due[0]} and has to roll for it first: test {due[0]}"),)


def _check_move(state: State, player: Player) -> Iterator[Refusal]:
    """A MOVE begins a sequence, and an engaged hero has none (turn.action.5, ruling.sequence-order, attack.2)."""
    if player.is_zombie:
        if not state.acts.none:
            yield Refusal("zhero.5", "a zombie hero has one action in a turn")
        return
    yield from duty(state, player)
    if state.acts.has_moved:
        yield Refusal("turn.action.1", f"{player.hero} has moved already")
    elif not state.acts.none:
        yield Refusal("turn.action.5", f"{player.hero} has attacked; no MOVE follows an ATTACK")
    elif state.is_engaged(player):
        yield Refusal("attack.2", f"{player.hero} is next to a zombie: attack, or break away")


def _check_break(state: State, player: Player) -> Iterator[Refusal]:
    """Only who is engaged breaks away, and not after an attack (breakaway.3)."""
    yield from duty(state, player)
    if state.acts.has_moved:
        rule = "breakaway.4" if state.acts.moved == "break" else "turn.action.1"
        yield Refusal(rule, f"{player.hero} has moved already")
    elif not state.acts.none:
        yield Refusal("breakaway.3", f"{player.hero} has attacked and cannot break away")
    elif not state.is_engaged(player):
        yield Refusal("breakaway.1", f"{player.hero} is next to no zombie")


def _move_offers(state: State, player: Player) -> Iterator[Choice]:
    if not any(_check_move(state, player)):
        yield Choice(Move, _need(player))


def _break_offers(state: State, player: Player) -> Iterator[Choice]:
    if not any(_check_break(state, player)):
        yield Choice(Break, _need(player, fleeing=True))


def _move(state: State, player: Player, _action: Move, dice: Dice) -> Script[State]:
    """The die, and what an ability adds, or the penalty of a zombie hero takes off (zhero.move.3,
    ruling.horde-penalty).
    """
    (die,) = dice.throw(_need(player))
    state = yield MoveRolled(player.hero, die, steps_with(state, player, die))
    yield from sequence.go_on(state)


def steps_with(state: State, player: Player, die: int) -> int:
    """The most squares of a MOVE: what an ability adds, or the penalty of a zombie hero takes off (zhero.move.3,
    ruling.horde-penalty).
    """
    if player.is_zombie:
        penalty: int = state.components.heroes[player.hero].penalty
        return max(0, die - penalty + horde_turn.haste(state, player))
    return die + state.ability_of(player).move


def _break(state: State, player: Player, _action: Break, dice: Dice) -> Script[State]:
    """One die less 1 is all the movement there is (breakaway.2, ruling.break-away-roll)."""
    (die,) = dice.throw(_need(player, fleeing=True))
    state = yield MoveRolled(player.hero, die, die - 1 + state.ability_of(player).break_away, fleeing=True)
    yield from sequence.go_on(state)


# Where to


def _go_offers(state: State, player: Player) -> Iterator[Choice]:
    yield Choice(GoTo, square=OneOf(state.board.names(_goals(state, player))))


def _goals(state: State, player: Player) -> int:
    task = state.task
    assert isinstance(task, Go)
    if player.is_zombie:
        return horde_turn.goals(state, player, task)
    return reaching.goals(state, player, task)


def _may_go(state: State, player: Player, action: GoTo) -> bool:
    task = state.task
    assert isinstance(task, Go)
    bit = state.board.bit.get(action.square, 0)
    if player.is_zombie:
        return bool(herding.goals(state, player, task.steps, among=bit))
    return bool(_goals(state, player) & bit)


def _go_reasons(state: State, player: Player, action: GoTo) -> Iterator[Refusal]:
    """The first thing in the way, in the rulebook's order."""
    task, square = state.task, action.square
    assert isinstance(task, Go)
    rules = (
        ("zhero.move.1", "zhero.move.4")
        if player.is_zombie
        else ("breakaway.2" if task.fleeing else "move.1", "move.2")
    )
    if square not in state.board.index:
        yield Refusal(rules[1], f"there is no square {square}")
    elif square[0] == player.at[0] and kings_moves(player.at, square) > task.steps:
        far, left = kings_moves(player.at, square), count_of(task.steps, "step")
        yield Refusal(rules[0], f"{square} is {far} squares away, and {player.hero} has {left}")
    elif not state.board.bit[square] & state.ground.floor:
        room = next((mark for mark, squares in state.board.rooms.items() if squares & state.board.bit[square]), None)
        yield Refusal("object.3" if room else "move.12", f"{square} is {'a locked room' if room else 'solid'}")
    elif state.board.bit[square] & state.barred:
        yield Refusal("tile.10", f"a blocking tile lies on {square}")
    elif not state.board.bit[square] & state.free:
        yield Refusal("move.7", f"{square} is occupied")
    elif player.is_zombie:
        yield from horde_turn.why_not(state, player, task, square)
    else:
        yield from reaching.why_not(state, player, task, square)


def _go(state: State, player: Player, action: GoTo, _dice: Dice) -> Script[State]:
    """Levels that are left lose their mutations; a token that was reached is drawn for (move.4, token.1)."""
    task, origin = state.task, player.at
    assert isinstance(task, Go)
    if player.is_zombie:
        yield from horde_turn.go(state, player, task, action.square)
        return
    state = yield Moved(player.hero, origin, action.square)
    if action.square[0] != origin[0]:
        state = yield from sequence.fade(state, origin[0])
    if action.square != origin:
        state = yield from tokens.reached(state, state.players[player.hero])
    yield from sequence.go_on(state)


def _late(state: State) -> Iterator[Refusal]:
    """What is said for a movement that was not rolled."""
    if phase_of(state) in ("start", "action", "horde"):
        yield Refusal("move.1", "the die is thrown first: move, or break")


def _break_late(state: State) -> Iterator[Refusal]:
    if state.phase == "horde":
        yield Refusal("zhero.6", "a zombie hero does not break away")


VERBS = (
    verb(
        Move,
        ("start", "action", "horde"),
        _move_offers,
        _move,
        rule="turn.action.2",
        reasons=lambda s, p, _: _check_move(s, p),
        allows=lambda s, p, _: not any(_check_move(s, p)),
    ),
    verb(
        Break,
        ("start", "action"),
        _break_offers,
        _break,
        rule="turn.action.4",
        reasons=lambda s, p, _: _check_break(s, p),
        late=_break_late,
    ),
    verb(GoTo, ("go",), _go_offers, _go, rule="move.2", reasons=_go_reasons, late=_late, allows=_may_go),
)
