"""Unusual settings of a game, for people who join or audit it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cli.answer import Shown, Text
from referee.cli.game_view import current_picture
from referee.engine.text import count_of, listing
from referee.gate import read_json
from referee.record.table.seat_view import SeatView
from referee.record.table.unusual_settings import UnusualField, UnusualSettings, find_unusual_settings


def unusual_settings(look: SeatView) -> UnusualSettings:
    """Returns the unusual settings of a game."""
    return find_unusual_settings(look.facts.game, look.facts.header, look.log.path)


def describe_unusual_settings(found: UnusualSettings) -> Iterator[Text]:
    """Yields the unusual settings in words."""
    if found.refused:
        yield Text(f"No game may begin like this: {found.refused}.", "refused", indent=2)
    if found.options:
        told = [f"{one.name} is {one.value} (default: {one.usual})" for one in found.options]
        yield Text(f"House {'option' if len(told) == 1 else 'options'}: {listing(told)}.", indent=2)
    for part in found.parts:
        differs = ", which differs in:" if part.differs else ", which says the same as the one of the game."
        yield Text(f"A {part.name} of the players' own{differs}", indent=2)
        yield from (Text(one, indent=4, hanging=2) for one in part.differs)
        if part.more:
            yield Text(f"and {count_of(part.more, 'other place')}", indent=4)
    yield from (Text(_field_text(one), indent=2) for one in found.fields)
    if found.position:
        yield Text("It begins from a position of the players' own: referee show --at 0", indent=2)


def _field_text(field: UnusualField) -> str:
    """Returns a sentence about an unusual field. An unknown field is shown as the log has it."""
    match field.name:
        case "hints":
            return "Hints are allowed: every player may ask what a bot would do."
        case "pace":
            return f"A turn may take {count_of(int(field.value), 'day')}. Nothing happens by itself when they are over."
        case "bots":
            pairs = read_json(field.value, dict[str, str]).items()
            return f"Bots play: {listing([f'{bot} plays {seat}' for seat, bot in pairs])}."
    return f"Unusual: {field.name} is {field.value}."


def describe_before_joining(look: SeatView) -> Iterator[Shown]:
    """Yields all that is unusual about a game, for somebody about to join: settings, older rules, the first board."""
    found, names = unusual_settings(look), look.facts.names
    for seat in look.to_join:
        if names[seat] != seat:
            yield Text(f"The seat {seat} is for {names[seat]}.", indent=2)
    yield from describe_unusual_settings(found)
    begun, today = look.facts.header.rules, look.facts.game.rules_version
    if begun != today:
        versions = f"version {begun} of its rules; this referee plays version {today}"
        yield Text(f"It was begun by {versions}.", indent=2)
    if found.position:
        yield current_picture(look.at_entry(0).with_eyes(None))
