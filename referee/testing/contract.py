"""Laws about a game's code and files, which need no random games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_args

import msgspec

from referee.engine.component import BoardError, read_toml
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.palette import COLOURS
from referee.engine.position import decode_position
from referee.engine.registry import GAME_NAME_PATTERN
from referee.engine.scene import OVERLAYS
from referee.gate import make_json_decoder
from referee.record.log.entry import make_entry_types
from referee.testing import citations

UNKNOWN_FIELD = "zq-unknown"
"""A field that no file has."""
SEAT_PATTERN = "[a-z][a-z0-9-]{0,23}"


def check_game_attributes(game: AnyGame) -> Iterator[str]:
    """Checks a game's name, seats, colours, overlays, files and types."""
    if not re.fullmatch(GAME_NAME_PATTERN, game.name):
        yield f"{game.name!r} cannot be the name of a game"
    yield from _check_seats(game)
    if set(game.overlays) - set(OVERLAYS):
        yield f"{game.overlays} are not all overlays: {OVERLAYS}"
    for component in game.components:
        for path in component.others():
            read_toml(path)
    yield from _check_types(game)


def _check_seats(game: AnyGame) -> Iterator[str]:
    """Checks that seats have names and colours, and that keepers of secrets are seats."""
    options = fill_options(game, {})
    seats = game.seats(options)
    if not 1 <= len(seats) <= 8 or not all(re.fullmatch(SEAT_PATTERN, seat) for seat in seats):
        yield f"the seats {seats} must be one to eight words of small letters"
    colours = game.colours(seats)
    if set(seats) - colours.keys() or not set(colours.values()) <= set(COLOURS):
        yield f"not every seat has a colour of the palette: {colours}"
    if not set(game.list_secret_keepers(options)) <= set(seats):
        yield "somebody keeps secrets who has no seat"


def check_versions(game: AnyGame) -> Iterator[str]:
    """Checks everything that a game says about versions: their changes, options and upcasts, and older rules."""
    yield from _check_each_version(game)
    yield from _check_options(game)
    yield from _check_upcasts(game)
    yield from _check_kept_rules(game)


def _check_each_version(game: AnyGame) -> Iterator[str]:
    """Checks that each version after the first is described, with rules that exist."""
    told = [version.number for version in game.versions]
    due = list(range(2, game.rules_version + 1))
    if [number for number in told if number > 1] != due:
        yield f"its versions tell of {told}; its rules are version {game.rules_version}, so they have to tell of {due}"
    for version in game.versions:
        for rule in set(version.rules) - game.rulebook.rules.keys() - game.rulebook.rulings.keys():
            yield f"version {version.number} names {rule!r}, which no rule is called"


def _check_options(game: AnyGame) -> Iterator[str]:
    """Checks that options name their version and offer no value that is gone."""
    for option in game.options:
        if not 1 <= option.since <= game.rules_version:
            yield f"the option {option.name} is there since rules {option.since}, which are no version"
        if set(option.values) & set(option.gone):
            yield f"the option {option.name} offers a value that is gone"


def _check_upcasts(game: AnyGame) -> Iterator[str]:
    """Checks that each upcast leads to a version of the game. An upcast of an action or event must name it by
    its tag.
    """
    for step in game.upcasts:
        if step.kind == "entry" or not 1 <= step.to <= game.rules_version:
            yield f"an upcast of {step.kind} {step.tag} to version {step.to} belongs to no version of this game"
        if bool(step.tag) != (step.kind in ("action", "event")):
            yield f"an upcast to version {step.to} lifts {step.kind} {step.tag!r}: actions and events alone have a tag"


def _check_kept_rules(game: AnyGame) -> Iterator[str]:
    """Checks that `find_older_rules` returns rules of the version that it is asked for."""
    for rules in range(1, game.rules_version):
        kept = game.find_older_rules(rules)
        if kept is not None and kept is not game and kept.rules_version != rules:
            yield f"find_older_rules({rules}) is the game under rules {kept.rules_version}"


def _check_types(game: AnyGame) -> Iterator[str]:
    """Checks that the types of entries can be decoded, and that the words of each action name all its fields."""
    make_json_decoder(make_entry_types(game), lambda _type, _value: None)
    for kind in get_args(game.action_types) or (game.action_types,):
        fields = set(re.findall(r"{(\w+)}", kind.says))
        if fields != set(kind.__struct_fields__):
            yield f"{kind.says!r} does not name the fields of {kind.__name__}, which are {kind.__struct_fields__}"


def check_unknown_fields(game: AnyGame) -> Iterator[str]:
    """Checks that files and positions are refused if they hold something that their types do not know."""
    options = fill_options(game, {})
    for part in game.components:
        for where, changed in _add_unknown_fields(read_toml(part.shipped(options))):
            with suppress(BoardError):
                part.read(changed)
                yield f"the file {part.name} may hold {UNKNOWN_FIELD!r} in {where or 'its outermost table'}"
    board = game.build_board({part.name: read_toml(part.shipped(options)) for part in game.components}, options)
    position = msgspec.to_builtins(game.typical_position(options, board))
    for where, changed in _add_unknown_fields(position):
        with suppress(msgspec.ValidationError):
            decode_position(game, changed)
            yield f"a position may hold {UNKNOWN_FIELD!r} in {where or 'its outermost table'}"


def _add_unknown_fields(document: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yields copies of a document in which one table has an unknown field, each with the path of that table.

    Every table gets the field in one copy. Of the tables in a list, only the first does.
    """
    if isinstance(document, dict):
        yield where, {**document, UNKNOWN_FIELD: [[{}]]}
        for key, value in document.items():
            for inner, changed in _add_unknown_fields(value, f"{where}.{key}".lstrip(".")):
                yield inner, {**document, key: changed}
    elif isinstance(document, list | tuple) and document:
        for inner, changed in _add_unknown_fields(document[0], where):
            yield inner, [changed, *document[1:]]


def check_cited_rule_ids(game: AnyGame) -> Iterator[str]:
    """Checks that options, rulings and code cite rules that exist.

    Ids that are put together at run time are checked in random games (`rule_laws.check_citations`).
    """
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
    yield from citations.find_unknown_rule_ids(game)


def check_typical_position(game: AnyGame) -> Iterator[str]:
    """Checks that the typical position breaks no rule."""
    options = fill_options(game, {})
    board = game.build_board({part.name: read_toml(part.shipped(options)) for part in game.components}, options)
    refusal = next(game.check_position(game.typical_position(options, board), options, board), None)
    if refusal:
        yield f"its typical position is refused ({refusal.rule}: {refusal.because})"
