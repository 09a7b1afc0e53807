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


def versioned(game: AnyGame) -> Iterator[str]:
    """Every version of the rules says what it changed, and what came along later says since when."""
    told = [version.number for version in game.versions]
    due = list(range(2, game.rules_version + 1))
    if [number for number in told if number > 1] != due:
        yield f"its versions tell of {told}; its rules are version {game.rules_version}, so they have to tell of {due}"
    for version in game.versions:
        for rule in set(version.rules) - game.rulebook.rules.keys() - game.rulebook.rulings.keys():
            yield f"version {version.number} names {rule!r}, which no rule is called"
    for option in game.options:
        if not 1 <= option.since <= game.rules_version:
            yield f"the option {option.name} is there since rules {option.since}, which are no version"
        if set(option.values) & set(option.gone):
            yield f"the option {option.name} offers a value that is gone"
    for step in game.upcasts:
        if step.kind == "entry" or not 1 <= step.to <= game.rules_version:
            yield f"an upcast of {step.kind} {step.tag} to version {step.to} belongs to no version of this game"
        if bool(step.tag) != (step.kind in ("action", "event")):
            yield f"an upcast to version {step.to} lifts {step.kind} {step.tag!r}: actions and events alone have a tag"
    for rules in range(1, game.rules_version):
        kept = game.under(rules)
        if kept is not None and kept is not game and kept.rules_version != rules:
            yield f"under({rules}) is the game under rules {kept.rules_version}"


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
