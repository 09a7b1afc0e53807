"""Laws of a game as it stands, before anybody plays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from referee.engine.choosing import settle_options
from referee.engine.component import read_toml
from referee.engine.game import AnyGame
from referee.engine.palette import COLOURS
from referee.engine.registry import GAME_NAME
from referee.engine.scene import OVERLAYS
from referee.record.log.entry import entry_types
from referee.testing import cited

SEAT = "[a-z][a-z0-9-]{0,23}"


def sound(game: AnyGame) -> Iterator[str]:
    """What a game must have for anybody to play it."""
    if not re.fullmatch(GAME_NAME, game.name):
        yield f"{game.name!r} is no name of a game"
    options = settle_options(game, {})
    seats = game.seats(options)
    if not 1 <= len(seats) <= 8 or not all(re.fullmatch(SEAT, seat) for seat in seats):
        yield f"{seats} are no seats: one to eight words of small letters"
    colours = game.colours(seats)
    if set(seats) - colours.keys() or not set(colours.values()) <= set(COLOURS):
        yield f"not every seat has a colour of the palette: {colours}"
    if not set(game.keepers(options)) <= set(seats):
        yield "somebody keeps secrets who has no seat"
    if set(game.overlays) - set(OVERLAYS):
        yield f"{game.overlays} are not all overlays: {OVERLAYS}"
    for component in game.components:
        for path in component.others():
            read_toml(path)
    yield from _types(game)


def _types(game: AnyGame) -> Iterator[str]:
    import msgspec

    msgspec.json.Decoder(entry_types(game), dec_hook=lambda _type, _value: None)
    for kind in get_args(game.actions) or (game.actions,):
        fields = set(re.findall(r"{(\w+)}", kind.says))
        if fields != set(kind.__struct_fields__):
            yield f"{kind.says!r} does not name the fields of {kind.__name__}, which are {kind.__struct_fields__}"


def cites(game: AnyGame) -> Iterator[str]:
    """Ids of options and rulings, and those that code names; what it puts together is looked at where it is met."""
    book = game.rulebook
    ids: set[Any] = {*book.rules, *book.rulings}
    for option in game.options:
        if option.rule not in ids:
            yield f"the option {option.name} switches {option.rule!r}, which no rule or ruling is called"
    names = {option.name for option in game.options}
    for ruling in book.rulings.values():
        for id_ in {ruling.rule, *ruling.also} - book.rules.keys():
            yield f"the ruling {ruling.id} is about {id_!r}, which no rule is called"
        if ruling.option is not None and ruling.option not in names:
            yield f"the ruling {ruling.id} is switched by {ruling.option!r}, which no option is called"
    yield from cited.unknown(game)


def startable(game: AnyGame) -> Iterator[str]:
    """The position to begin typing from breaks no rule."""
    options = settle_options(game, {})
    board = game.build({part.name: read_toml(part.shipped(options)) for part in game.components}, options)
    refusal = next(game.check_position(game.typical(options, board), options, board), None)
    if refusal:
        yield f"its typical position is refused ({refusal.rule}: {refusal.because})"
