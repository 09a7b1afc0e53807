"""A wish: the pieces that a refused action names, its aim, and the actions that are near to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from typing import Any

from msgspec import Struct

from referee.engine.choice import Action, Choice
from referee.engine.game import AnyGame
from referee.engine.partial_action import PartialAction, format_in_lower_case

MAX_COMPARED_OF_CHOICE, MAX_COMPARED = 100, 500
"""The most actions that are compared, of each choice and of all choices."""
MAX_REPLACED_PIECES = 3
"""The most pieces of a wish that are put into another action."""
MAX_TRIED_CHOICES, MAX_TRIED_OF_CHOICE = 60, 100
"""The most choices that may be near to a wish and are looked at, and the most actions of each."""
MAX_TRIED_CHOICES_BRIEFLY, MAX_TRIED_OF_CHOICE_BRIEFLY = 4, 8
"""The values of `MAX_TRIED_CHOICES` and `MAX_TRIED_OF_CHOICE` where many states are looked at."""
_PLACE = re.compile(r"(\D+)(\d+)")
_BEGINS_WITH_PLACE = re.compile(r"[a-z]{1,3}\d{1,2}\b")
"""A place in lower case, at the beginning of the words that say where a piece is."""


class Wish(Struct, frozen=True):
    """An action that was refused, and what its player seems to have wanted."""

    action: Action
    pieces: tuple[str, ...]
    """The pieces that the action names, in small letters."""
    others: tuple[str, ...]
    """All other words that the action names, mostly places."""
    tells_seat: bool
    """True if the action names pieces, and everybody knows whose pieces they are."""
    is_there: bool
    """True if all pieces of the wish already stand at the place that the action names last."""

    @property
    def kind(self) -> type[Action]:
        """The kind of the action."""
        return type(self.action)

    def names_piece(self, action: Action) -> bool:
        """True if an action names a piece of the wish. If the wish names only other words, True for an action of the
        same kind.
        """
        if self.pieces:
            return not set(self.pieces).isdisjoint(list_action_words(action))
        return bool(self.others) and type(action) is self.kind

    def reaches_aim(self, action: Action) -> bool:
        """True if an action names all other words of the wish. False if there are none."""
        return bool(self.others) and set(self.others).issubset(list_action_words(action))

    def list_nearest_actions(self, choices: Iterable[Choice], *, briefly: bool = False) -> list[Action]:
        """Returns the actions that name a piece of the wish or reach its aim, the nearest first. Of very many, only
        some are looked at.

        `briefly` is True if only a few shall be looked at.
        """
        tried, each = (
            (MAX_TRIED_CHOICES_BRIEFLY, MAX_TRIED_OF_CHOICE_BRIEFLY)
            if briefly
            else (MAX_TRIED_CHOICES, MAX_TRIED_OF_CHOICE)
        )
        about = list(islice(self._list_related_choices(tuple(choices)), tried))
        free = [choice for choice in about if not choice.bounds]
        bounded = (
            [] if briefly else [choice for choice in about if choice.bounds][:MAX_TRIED_CHOICES_BRIEFLY]
        )  # they take long
        near = chain.from_iterable(
            self._list_near_actions(choice, MAX_TRIED_OF_CHOICE_BRIEFLY if choice.bounds else each)
            for choice in (*free, *bounded)
        )
        kept = (action for action in near if self.names_piece(action) or self.reaches_aim(action))
        return sorted(dict.fromkeys(islice(kept, MAX_COMPARED)), key=self.measure_distance)

    def _list_related_choices(self, choices: Sequence[Choice]) -> Iterator[Choice]:
        """Yields first the choices that can name a piece of the wish. Then yields the choices of the wished kind, and
        those that can name the other words of the wish.
        """
        of_piece = [bool(self.pieces) and choice.narrow(self.pieces) is not None for choice in choices]
        yield from compress(choices, of_piece)
        for choice, is_first in zip(choices, of_piece, strict=True):
            if not is_first and (choice.kind is self.kind or choice.narrow(self.others) is not None):
                yield choice

    def _list_near_actions(self, choice: Choice, each: int) -> Iterator[Action]:
        """Yields some actions of a choice, first the one that names the most words of the wish."""
        part = PartialAction(choice)
        for word in (*self.pieces[:MAX_REPLACED_PIECES], *self.others[-MAX_REPLACED_PIECES:]):
            part = _fill_word(part, word) or part
        whole = _complete_action(part)
        yield from () if whole is None else (whole,)
        yield from part.list_actions(each)

    def measure_distance(self, action: Action) -> tuple[float, ...]:
        """Returns the distance of an action from the wish, as numbers to sort by. Pieces count most, then the aim."""
        words = list_action_words(action)
        lost = sum(piece not in words for piece in self.pieces)
        elsewhere = sum(other not in words for other in self.others)
        far = min(_measure_distances(self.others, [word for word in words if word not in self.pieces]), default=0)
        return (not self.names_piece(action), lost, elsewhere, type(action) is not self.kind, far, len(words))


def find_wish(game: AnyGame, view: Any, action: Action) -> Wish:
    """Returns the wish behind an action. Its pieces are the words that this view knows as pieces.

    If the phrase of the action begins with a field, the value of that field is a piece, too.
    """
    told = ((piece.lower(), place.lower()) for piece, place in game.pieces(view).items())
    # Some games list squares as pieces, too. The words about a square tell what lies there, not a place.
    known = {piece: place for piece, place in told if _BEGINS_WITH_PLACE.match(place)}
    words, first = list_action_words(action), _find_subject(action)
    pieces = tuple(word for word in words if word in known or word == first)
    others = tuple(word for word in words if word not in pieces)
    is_there = bool(pieces and others) and all(known.get(piece, "").split()[:1] == [others[-1]] for piece in pieces)
    return Wish(action, pieces, others, bool(pieces) and all(piece in known for piece in pieces), is_there)


def _find_subject(action: Action) -> str | None:
    """Returns the word of the field with which the phrase begins; None if it begins with a verb."""
    field = re.match(r"\{(\w+)\}", action.says)
    return str(getattr(action, field[1])).lower() if field else None


def list_action_words(action: Action) -> tuple[str, ...]:
    """Returns the values of an action as lower-case words."""
    values = (getattr(action, name) for name in action.__struct_fields__)
    return tuple(str(word).lower() for value in values for word in (value if isinstance(value, tuple) else (value,)))


def _fill_word(part: PartialAction, word: str) -> PartialAction | None:
    """Returns an action filled in with a word; None if no slot takes it."""
    for name in part.choice.slots:
        filled = part.fill_slot(name, word, format_in_lower_case)
        if (
            filled is not None and part.find_only_value(name) is None
        ):  # asked last, because it counts the values of a slot
            return filled
    return None


def _complete_action(part: PartialAction) -> Action | None:
    """Returns the action with as few more values as possible, the first ones that fit; None if nothing fits."""
    for name in part.choice.slots:
        while not part.has_default_value(name):
            word = next(iter(part.list_next_words(name)), None)
            more = None if word is None else part.fill_slot(name, word)
            if more is None:
                return None
            part = more
    return part.make_action()


def _measure_distances(wanted: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    """Yields the distances, in columns and rows, between wanted places and named places."""
    ends = [found for word in wanted if (found := _PLACE.fullmatch(word))]
    for found in filter(None, map(_PLACE.fullmatch, words)):
        for end in ends:
            if found[1][:-1] == end[1][:-1]:
                yield abs(ord(found[1][-1]) - ord(end[1][-1])) + abs(int(found[2]) - int(end[2]))
