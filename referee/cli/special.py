"""What is special about a game, for who is to join it and for who audits it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cli.answer import Shown, Text
from referee.cli.look import Look
from referee.engine.text import count_of, listing
from referee.record.table.special import Special, special_of


def special(look: Look) -> Special:
    """What is special about a game."""
    return special_of(look.game, look.header, look.path)


def told_special(found: Special) -> Iterator[Text]:
    """The same in words."""
    if found.options:
        told = [f"{one.name} is {one.value} (usually {one.usual})" for one in found.options]
        yield Text(f"Not as usual: {listing(told)}.", indent=2)
    for part in found.parts:
        differs = ", which differs in:" if part.differs else ", which says the same as the one that comes along."
        yield Text(f"A {part.name} of the players' own{differs}", indent=2)
        yield from (Text(one, indent=4, hanging=2) for one in part.differs)
        if part.more:
            yield Text(f"and {count_of(part.more, 'other place')}", indent=4)
    if found.position:
        yield Text("It begins from a position of the players' own: referee show --at 0", indent=2)


def before_joining(look: Look) -> Iterator[Shown]:
    """The same with a picture of where it begins, for who has not joined yet."""
    found = special(look)
    yield from told_special(found)
    if found.position:
        yield look.then(0).through(None).picture()
