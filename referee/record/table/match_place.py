"""The place of a game in a match by mail, checked as far as the first entry of that game shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from referee.engine.options import OptionError
from referee.engine.registry import find_game

if TYPE_CHECKING:
    from referee.engine.options import Options
    from referee.record.log.entry import GameEntry, MatchPlace

MATCH_BY_MAIL_ONLY = "only a game by mail can name its match"


def format_terms(terms: Any) -> dict[str, str]:
    """Returns the terms of a match as players type them."""
    return {name: str(value) for name, value in asdict(terms).items()}


def parse_terms(game: str, options: Options, typed: dict[str, str]) -> Any:
    """Returns the terms of a match in the form that the game defines. `options` are those of its first game.

    Raises OptionError if the game is not played in matches, or if the terms are not spelled out in full.
    """
    rules = find_game(game).match_rules
    if rules is None:
        raise OptionError(f"{game} is not played in matches")
    terms = rules.parse_terms(options, typed)
    if format_terms(terms) != typed:
        raise OptionError("the terms of its match are not spelled out in full")
    return terms


def explain_unfit_place(header: GameEntry) -> str | None:
    """Returns, as a clause, why a game cannot have the place in a match that its first entry names.

    None if it can, or if it belongs to no match. Only the match itself shows whether a later game is the next one.
    """
    place = header.match
    if place is None:
        return None
    if header.position is not None:
        return "the games of a match begin as usual, not from a position"
    if find_game(header.game).match_rules is None:
        return f"{header.game} is not played in matches"
    if place.number > 1:
        return _explain_unfit_later_game(header, place)
    if place.first or place.after or place.keys:
        return "the first game of a match follows no other game"
    try:
        parse_terms(header.game, header.options, place.terms)
    except OptionError as error:
        return str(error)
    return None


def _explain_unfit_later_game(header: GameEntry, place: MatchPlace) -> str | None:
    """Returns a clause if a later game fails to name the games before it or the key of a seat. None if nothing is
    missing.
    """
    if place.first is None or place.after is None:
        return f"game {place.number} of a match has to name the games before it"
    return None if place.keys.keys() == header.names.keys() else "its match has to name the key of each seat"
