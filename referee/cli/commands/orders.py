"""`referee mail orders`: gives, shows and withdraws a player's orders for when they are away."""

from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.game_view import collect_summary_facts, describe_next_step, make_heading
from referee.cli.mail.next_step import make_mail_player
from referee.cli.mail.orders_text import collect_orders_facts, describe_orders
from referee.mail.order_conditions import OrdersError
from referee.mail.order_lifecycle import give_orders, withdraw_orders
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.log_errors import NotAllowedError

OrdersArgument = Annotated[
    list[str] | None, Argument(metavar="ORDERS...", help="Moves, with if, else, then and repeat.")
]
WithdrawOption = Annotated[bool, Option("--withdraw", help="Forget the orders.")]


def orders(ctx: typer.Context, words: OrdersArgument = None, withdraw: WithdrawOption = False) -> Answer:
    """Prepare moves for when you are away. Your own computer makes them when it opens the mail.

    They are a secret of yours, and no mail holds them. Any other move,
    offer, reply or undo of yours withdraws them. A note does not.

    \b
      referee mail orders "if 5: 5 go; else: done"
      referee mail orders "if can 6 go: 6 go then done"
      referee mail orders               show them
      referee mail orders --withdraw    forget them

    A condition is: faces of your last roll (5, or 5 5), sum 8+, sum 7-, can MOVE, any; also with not, and, or. "then"
    begins what comes next. "repeat if" goes on as long as its condition holds.
    """
    if words and withdraw:
        raise MisuseError("use only one of ORDERS and --withdraw")
    context: Context = ctx.obj
    look = context.open_view()
    get_mail_protocol(look.session)
    desk = make_mail_player(look.session)
    if withdraw:
        told = "Your orders are withdrawn." if withdraw_orders(desk) else "You have given no orders."
        return Answer([make_heading(look), told], lambda: collect_orders_facts(look))
    if words:
        _lay_down_orders(context, " ".join(words))
        now = look.at_present().with_eyes(find_own_seat(desk.protocol))
    else:
        now = look
    lines = list(describe_orders(now)) or ["You have given no orders."]
    return Answer(
        [make_heading(now), *lines, *describe_next_step(now)],
        lambda: collect_orders_facts(now) | {"after": collect_summary_facts(now)},
    )


def _lay_down_orders(context: Context, text: str) -> None:
    """Stores the player's orders, given as text.

    Raises MisuseError if the text cannot be read as orders, and NotAllowedError if orders may not be given.
    """
    if context.when is not None:
        raise NotAllowedError("orders are for future moves; leave out --at")
    desk = make_mail_player(context.open_view().session)
    try:
        give_orders(desk, text)
    except OrdersError as error:
        raise MisuseError(str(error)) from error
