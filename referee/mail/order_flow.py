"""Carrying out a player's own orders: the moves go the same way as typed ones, so they are judged and declared.

Orders that no longer fit are forgotten, with a sentence that says why. Then the game waits for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.engine.dice import DiceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, begin_sentence, split_phrases
from referee.mail.order_conditions import ConditionContext, OrdersError
from referee.mail.order_file import StoredOrders, read_stored_orders, store_orders
from referee.mail.order_lifecycle import explain_lapsed_orders, has_to_decide, make_stored_orders
from referee.mail.orders import (
    MoveLine,
    OrderCaseList,
    Orders,
    OrderStep,
    parse_orders,
    select_case_items,
)
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.table.play_repetition import describe_refusal_reasons
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.engine.choice import Action
    from referee.engine.event import Seat
    from referee.mail.mail_player import MailPlayer
    from referee.record.table.action_batch import ActionBatch
    from referee.record.table.moment import JudgedAction
    from referee.record.table.session import Session

MAX_TIMES_CARRIED_OUT = 50
"""The most times that one player's orders are carried out before the player must give them again."""
OrderItems = tuple[MoveLine | OrderCaseList, ...]


class OrdersResult(Struct, frozen=True):
    """The moves that a player's orders have made."""

    recorded_actions: tuple[JudgedAction, ...] = ()
    """The recorded moves, with everything that followed from them."""
    declared_actions: tuple[Action, ...] = ()
    """The actions that were declared; their dice fall once the others have given their shares."""
    end_reason: str = ""
    """The reason that the orders have ended, as a sentence; "" if they wait on or there are none."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to tell."""
        return not (self.recorded_actions or self.declared_actions or self.end_reason)


class _StopError(Exception):
    """Ends the orders; the text is a clause that says why."""


ORDER_ENDING_ERRORS = (_StopError, OrdersError, NotUnderstoodError, NotAllowedError, DiceError, UnknownError)
"""The errors that end orders, since their moves no longer fit."""


def carry_out_orders(desk: MailPlayer) -> OrdersResult:
    """Carries out the player's orders as far as they go now. Ends them if they have lapsed or do not fit.

    Nothing of a line is recorded if one of its moves is illegal.
    """
    done: list[JudgedAction] = []
    try:
        stored = read_stored_orders(desk.protocol.record_id)
    except KeyProblemError as error:
        return OrdersResult(end_reason=f"{begin_sentence(str(error))}.")
    while stored is not None:
        why = explain_lapsed_orders(desk.session, stored)
        if why:
            return _end(desk, done, f"Your orders are withdrawn: {why}.")
        if desk.session.moment().outcome:
            return _end(desk, done, "")
        if desk.seat != stored.seat or not has_to_decide(desk, stored.seat):
            return OrdersResult(tuple(done))
        try:
            orders, said, declared = _carry_out_next(desk, stored)
        except ORDER_ENDING_ERRORS as error:
            return _end(desk, done, f"Your orders have stopped: {str(error).rstrip('.')}. The game waits for you.")
        done += said
        stored = make_stored_orders(desk.session, stored.seat, orders, stored) if orders else None
        store_orders(desk.protocol.record_id, stored)
        if stored is None:
            return OrdersResult(tuple(done), declared, "" if declared else "All your orders are carried out.")
        if declared:
            return OrdersResult(tuple(done), declared)
    return OrdersResult(tuple(done))


def _end(desk: MailPlayer, done: Sequence[JudgedAction], ended: str) -> OrdersResult:
    store_orders(desk.protocol.record_id, None)
    return OrdersResult(tuple(done), end_reason=ended)


CarriedOutPart = tuple[Orders, list["JudgedAction"], tuple["Action", ...]]
"""The orders that are left, the recorded moves, and the declared actions."""


def _carry_out_next(desk: MailPlayer, stored: StoredOrders) -> CarriedOutPart:
    """Carries out the next part of orders that is due: a forced roll, or the next line of moves.

    Returns the orders that are left, the recorded actions and the declared ones. Raises _StopError if no condition
    holds, or if the orders were carried out MAX_TIMES_CARRIED_OUT times.
    """
    if stored.count >= MAX_TIMES_CARRIED_OUT:
        raise _StopError(f"they were carried out {MAX_TIMES_CARRIED_OUT} times already")
    roll = desk.session.moment().only_roll
    orders = parse_orders(stored.text)
    if roll is not None:
        return orders, desk.declare_actions([roll]), (roll,)
    line, orders = _find_next_line(desk.session, stored, orders)
    if line is None:
        raise _StopError("none of their conditions holds")
    left, said, declared = _make_moves(desk, line)
    return ((OrderStep((MoveLine(left),)), *orders) if left else orders), said, declared


def _find_next_line(session: Session, stored: StoredOrders, orders: Orders) -> tuple[str | None, Orders]:
    """Returns the line of moves that is due, and the orders after it. Steps whose condition does not hold are skipped.

    If no step is left, the line is None and the orders are empty.
    """
    context = ConditionContext(_find_last_roll(session, stored), lambda words: _can(session, stored.seat, words))
    while orders:
        step, *rest = orders
        item, *more = step.items
        items: OrderItems = tuple(more)
        again = (step,) if step.repeats else ()
        while isinstance(item, OrderCaseList):
            chosen = select_case_items(item, context)
            if not chosen:
                break
            item, *more = chosen
            items = tuple(more)
        else:
            return item.words, (*((OrderStep(items),) if items else ()), *again, *rest)
        orders = tuple(rest)
    return None, ()


def _find_last_roll(session: Session, stored: StoredOrders) -> tuple[str, ...] | None:
    """Returns the faces of the last roll of a seat since its orders were given; None if there is none."""
    for n in reversed(session.in_force()):
        entry = session.entries[n]
        if n <= stored.given:
            return None
        if isinstance(entry, PlayEntry) and entry.by == stored.seat and entry.known_rolls:
            return tuple(str(face) for roll in entry.known_rolls for face in roll.names or roll.faces)
    return None


def _can(session: Session, seat: Seat, words: str) -> bool:
    """True if the move in these words is legal now, whatever its dice show. Raises NotUnderstoodError."""
    moment = session.moment()
    return not moment.check(moment.read(words, seat).action, seat)


def _make_moves(desk: MailPlayer, words: str) -> tuple[str, list[JudgedAction], tuple[Action, ...]]:
    """Judges a line of moves and records it. Returns the moves left for later, the recorded and the declared actions.

    Raises _StopError if the line is refused, and the errors of `ActionBatch`. Then nothing is recorded.
    """
    line, later = _judge_words(desk, words)
    _check_line(line, desk.session.game.format)
    typed = _take_undeclared(line)
    if line.awaiting and line.awaiting.answer:
        later = [*_spell(desk, line.left), *later]
    elif not typed:
        line.add_forced_actions()
    desk.session.record(line.said)
    done = line.pop_recorded_actions()
    if not typed:
        return ", ".join(later), [*done, *desk.do_automatic_steps()], ()
    actions = desk.list_declarable_actions(typed)
    later = [*_spell(desk, typed[len(actions) :]), *later]
    return ", ".join(later), [*done, *desk.declare_actions(actions)], actions


def _judge_words(desk: MailPlayer, words: str) -> tuple[ActionBatch, list[str]]:
    """Judges a line of moves. Returns the judged line, and the moves that wait until its result is known."""
    line = _judge(desk, split_phrases(words) or [words])
    if not line.ends_early or line.pending is None:
        return line, []
    # with secrets, an action that reveals something ends its line
    first = [*(said.action for said in line.said if not said.forced), line.pending]
    return _judge(desk, first), _spell(desk, line.left[1:])


def _take_undeclared(line: ActionBatch) -> list[Action]:
    """Returns the actions of a line that have to be declared; [] if the line waits for no dice.

    An action whose only effect is a question is taken out of the line. It is declared twice, for the question and for
    what follows the answer, so that one mail carries both.
    """
    if line.awaiting:
        return [] if line.awaiting.answer else line.read_remaining_actions()
    if not (line.said and line.said[-1].is_question):
        return []
    last = line.said.pop()
    return [last.action, last.action, *line.read_remaining_actions()]


def _spell(desk: MailPlayer, parts: Iterable[str | Action]) -> list[str]:
    return [part if isinstance(part, str) else desk.session.game.format(part) for part in parts]


def _judge(desk: MailPlayer, phrases: Sequence[str | Action]) -> ActionBatch:
    """Judges a line as if its player typed it and meant it, and makes forced moves on the way."""
    look = SeatView(desk.session, desk.seat)
    return look.judge_line(phrases, make_forced=True, stop_before_news=bool(look.facts.keepers))


def _check_line(line: ActionBatch, spell: Callable[[Action], str]) -> None:
    """Raises _StopError if a move of a line is illegal."""
    if line.refused:
        refused = line.said[-1]
        raise _StopError(f"{spell(refused.action)} is not legal now: {describe_refusal_reasons(line)}")
