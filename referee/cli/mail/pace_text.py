"""The pace of a game by mail in words, and what the others may propose once the pace is over.

Nothing happens by itself, since no clock can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cli.answer import Text
from referee.cli.mail.awaited_seat import measure_wait_of_game
from referee.engine.event import Seat
from referee.record.table.seat_view import SeatView


def describe_wait(look: SeatView, own: Seat | None) -> Iterator[Text]:
    """Yields the wait in a game with a pace. Once the pace is over, yields what the others may propose, too.

    `own` is the seat at this computer.
    """
    wait = measure_wait_of_game(look.session)
    if wait is None:
        return
    yield Text(f"The game waits for {look.facts.format_seat(wait.seat)}: {wait.description}.", indent=2)
    if wait.is_over and wait.seat != own:
        yield Text("Nothing happens by itself. You may propose:", indent=2)
        yield Text("more time, if all agree: referee pause DATE", indent=4)
        director = look.facts.header.director
        if director and director.settles:
            yield Text(f"an end: referee finish, then send your mail to {director.name}, too", indent=4, hanging=4)
        yield Text(
            f"a friend in this seat; the friend types at home: referee join {wait.seat} --as NAME",
            indent=4,
            hanging=4,
        )
