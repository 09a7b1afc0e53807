"""What could be said instead of an action that is refused: the piece that was named first, then where it was to go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from referee.engine.game import AnyGame
from referee.engine.legal import Action, Choice, Legal

SHOWN = 3
"""Remedies that are told."""
EACH, ENOUGH = 100, 500
"""Actions of a choice that are compared, and of all choices."""
ALIKE = 0.5
"""How much of two actions in words has to be the same, 0 to 1, that one is told before others that come first."""
_PLACE = re.compile(r"(\D+)(\d+)")


class _Wish(Struct, frozen=True):
    """What somebody wanted to do."""

    kind: type[Action]
    text: str
    pieces: tuple[str, ...]
    """The pieces that it names, in small letters."""
    others: tuple[str, ...]
    """All else that it names: mostly places."""


def remedies_for(game: AnyGame, view: Any, legal: Legal, action: Action) -> list[str]:
    """Returns up to three legal actions in words: what the named piece can do towards what was named, then what else it
    can do, then who else can do it, then anything. Giving up is no remedy.
    """
    wish = _wish_of(game, view, action)
    found = dict[str, None]()
    for rung in _rungs(game, view, without_giving_up(game, legal), wish):
        found |= dict.fromkeys(sorted(_texts(game, rung), key=_distance_from(wish)))
        if len(found) >= SHOWN:
            break
    return list(found)[:SHOWN]


def without_giving_up(game: AnyGame, legal: Legal) -> Legal:
    """Returns what is legal but for giving the game up."""
    return Legal(choice for choice in legal.choices if not game.verbs.of(choice.kind).gives_up)


def _wish_of(game: AnyGame, view: Any, action: Action) -> _Wish:
    values = (getattr(action, name) for name in action.__struct_fields__)
    words = [str(word).lower() for value in values for word in (value if isinstance(value, tuple) else (value,))]
    known = {piece.lower() for piece in game.pieces(view)}
    pieces = tuple(word for word in words if word in known)
    return _Wish(type(action), game.format(action), pieces, tuple(word for word in words if word not in known))


def _rungs(game: AnyGame, view: Any, legal: Legal, wish: _Wish) -> Iterator[Iterable[Choice]]:
    """Yields ever more of what is legal, the nearest to the wish first."""

    def about(legal: Legal, words: Sequence[str]) -> Legal:
        for word in words:
            narrowed = game.filter(legal, [word], view)
            legal = narrowed if narrowed.choices else legal
        return legal

    same = Legal(choice for choice in legal.choices if choice.kind is wish.kind)
    of_piece, of_kind = about(legal, wish.pieces), about(same, wish.others)
    if wish.pieces and of_piece is not legal:
        yield about(of_piece, wish.others).choices
        yield of_piece.choices
    yield of_kind.choices
    yield about(legal, wish.others).choices
    yield legal.choices


def _texts(game: AnyGame, choices: Iterable[Choice]) -> list[str]:
    """The actions of some choices in words, a part of each where they are many."""
    actions = chain.from_iterable(islice(choice, EACH) for choice in choices)
    return [game.format(action) for action in islice(actions, ENOUGH)]


def _distance_from(wish: _Wish) -> Callable[[str], tuple[float, ...]]:
    """Tells how far an action in words is from a wish: pieces first, then other words, places by column and row."""
    likeness = SequenceMatcher(b=wish.text)

    def distance(text: str) -> tuple[float, ...]:
        words = [word for word in text.lower().split() if word not in wish.pieces]
        likeness.set_seq1(text)
        lost = sum(piece not in text.lower().split() for piece in wish.pieces)
        elsewhere = sum(other not in words for other in wish.others)
        alike = likeness.ratio()
        return (lost, elsewhere, min(_steps(wish.others, words), default=0), -alike if alike >= ALIKE else 0)

    return distance


def _steps(wanted: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    """How many columns and rows lie between a place that is wanted and one that is named."""
    ends = [found for word in wanted if (found := _PLACE.fullmatch(word))]
    for found in filter(None, map(_PLACE.fullmatch, words)):
        for end in ends:
            if found[1][:-1] == end[1][:-1]:
                yield abs(ord(found[1][-1]) - ord(end[1][-1])) + abs(int(found[2]) - int(end[2]))
