"""A player's own orders in words: those that wait, and what was carried out when a mail came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cli.action_text import describe_played_actions
from referee.cli.answer import AnswerLine, Text
from referee.cli.mail.mail_entry_text import describe_declared_actions
from referee.engine.text import begin_sentence
from referee.mail.order_file import StoredOrders, read_stored_orders
from referee.mail.order_flow import OrdersResult
from referee.mail.order_lifecycle import explain_lapsed_orders
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.log_errors import KeyProblemError
from referee.record.table.seat_view import SeatView


def read_own_orders(look: SeatView) -> StoredOrders | None:
    """Returns the orders of the player here in a game by mail; None if they gave none.

    Raises KeyProblemError if the stored orders are damaged.
    """
    protocol = get_mail_protocol(look.session)
    seat = find_own_seat(protocol)
    stored = read_stored_orders(protocol.record_id) if seat else None
    return stored if stored and stored.seat == seat else None


def describe_orders(look: SeatView) -> Iterator[AnswerLine]:
    """Yields the orders of the player here, or the reason that they no longer count."""
    try:
        stored = read_own_orders(look)
    except KeyProblemError as error:
        yield Text(f"{begin_sentence(str(error))}.", "refused")
        return
    if stored is None:
        return
    why = explain_lapsed_orders(look.session, stored)
    if why:
        yield f"Your orders are withdrawn: {why}."
        return
    yield f"Your orders: {stored.text}"
    yield Text("Nobody else sees them. To forget them: referee mail orders --withdraw", indent=2)


def collect_orders_facts(look: SeatView) -> dict[str, Any]:
    """Returns the orders of the player here, for programs."""
    try:
        stored = read_own_orders(look)
    except KeyProblemError as error:
        return {"orders": {"damaged": str(error)}}
    if stored is None:
        return {"orders": None}
    why = explain_lapsed_orders(look.session, stored)
    return {"orders": {"text": stored.text, "seat": stored.seat, "carried_out": stored.count, "withdrawn": why}}


def describe_orders_result(look: SeatView, result: OrdersResult) -> Iterator[AnswerLine]:
    """Yields what the orders of the player here have done, and why they ended."""
    if result.recorded_actions or result.declared_actions:
        yield Text("By your orders:", "bold")
    if result.recorded_actions:
        yield from describe_played_actions(look, result.recorded_actions)[1:]
    if result.declared_actions:
        yield Text(f"Declared: {describe_declared_actions(look, result.declared_actions)}.", "bold", indent=2)
    if result.end_reason:
        yield Text(result.end_reason, "bold")


def collect_orders_result_facts(look: SeatView, result: OrdersResult) -> dict[str, Any]:
    """Returns what the orders of the player here have done, for programs."""
    made = [look.facts.game.format(said.action) for said in result.recorded_actions]
    declared = [look.facts.game.format(action) for action in result.declared_actions]
    return {"log": str(look.log.path), "made": made, "declared": declared, "ended": result.end_reason or None}
