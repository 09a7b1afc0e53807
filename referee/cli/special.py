"""What is special about a game, for who is to join it and for who audits it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.cli.answer import Shown, Text
from referee.cli.look import picture_of
from referee.engine.text import count_of, listing
from referee.record.table.sitting import Sitting
from referee.record.table.special import OtherField, Special, special_of


def special(look: Sitting) -> Special:
    """What is special about a game."""
    return special_of(look.facts.game, look.facts.header, look.log.path)


def told_special(found: Special) -> Iterator[Text]:
    """The same in words."""
    if found.refused:
        yield Text(f"No game may begin so: {found.refused}.", "refused", indent=2)
    if found.options:
        told = [f"{one.name} is {one.value} (usually {one.usual})" for one in found.options]
        yield Text(f"Not as usual: {listing(told)}.", indent=2)
    for part in found.parts:
        differs = ", which differs in:" if part.differs else ", which says the same as the one that comes along."
        yield Text(f"A {part.name} of the players' own{differs}", indent=2)
        yield from (Text(one, indent=4, hanging=2) for one in part.differs)
        if part.more:
            yield Text(f"and {count_of(part.more, 'other place')}", indent=4)
    yield from (Text(_told_field(one), indent=2) for one in found.fields)
    if found.position:
        yield Text("It begins from a position of the players' own: referee show --at 0", indent=2)


def _told_field(field: OtherField) -> str:
    """One field in words; of one that has none, as the log has it."""
    match field.name:
        case "hints":
            return "Hints are allowed in it: everybody may ask what a bot would do."
        case "bots":
            pairs = msgspec.json.decode(field.value, type=dict[str, str]).items()
            return f"Bots play in it: {listing([f'{bot} plays {seat}' for seat, bot in pairs])}."
    return f"Not as usual: {field.name} is {field.value}."


def before_joining(look: Sitting) -> Iterator[Shown]:
    """The same with the version of the rules and a picture of where it begins, for who has not joined yet."""
    found = special(look)
    yield from told_special(found)
    begun, today = look.facts.header.rules, look.facts.game.rules_version
    if begun != today:
        versions = f"version {begun} of its rules; this referee plays version {today}"
        yield Text(f"It was begun by {versions}.", indent=2)
    if found.position:
        yield picture_of(look.then(0).through(None))
