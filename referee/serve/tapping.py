"""Saying something by taps: a tap is a word, and narrows the legal list until one thing is left that can be said.

    >>> tapped(game, view, legal, [Tap("R2")]).phrases        what is left, where that is little
    (('2 go N', True), ('2 turn NE', True), ('2 turn SE', True))
    >>> tapped(game, view, legal, [Tap("R2"), Tap("NE")]).says
    '2 turn NE'

Nothing here lists a legal list: slots are filled one by one, and what is offered next is what leaves a way to the end
(`referee.engine.draft`). No game has code for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import Struct

from referee.engine.draft import Draft, small
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Choice, Legal
from referee.engine.slots import Ordered, Subset, how_many
from referee.serve.things import Named

KIND, PHRASE = "type", "says"
"""What a tap names that fills no slot: a kind of action, or all that is said. No field of an action is called so."""
FEW = 12
"""So many things that can be said are offered whole."""
SEARCHED = 400
"""Actions that are looked through for these."""


class Tap(Struct, frozen=True, array_like=True):
    """Something that was tapped."""

    word: str
    of: str = ""
    """The slot that it fills; "type": it is a kind of action, "says": all that is said; empty: it is just a word, which
    means what it can mean.
    """


class Chip(Struct, frozen=True):
    """A word that can be tapped next."""

    tap: Tap
    words: str
    """What stands on it."""


class Group(Struct, frozen=True):
    """Words of which one, or some, are still to be said."""

    asks: str
    """What for, such as "units, 1..3 of them"."""
    chips: tuple[Chip, ...]


class Tapping:
    """What is left of a legal list after some taps."""

    def __init__(self, game: AnyGame, view: Any, drafts: Sequence[Draft], taps: Sequence[Tap] = ()) -> None:
        self.game, self.view = game, view
        self.drafts, self.taps = tuple(drafts), tuple(taps)

    # Going on

    def then(self, tap: Tap) -> Tapping | None:
        """The same after one tap more; None: nothing that may be done has to do with it."""
        drafts = tuple(self._narrowed(tap))
        return Tapping(self.game, self.view, drafts, (*self.taps, tap)) if drafts else None

    def meant(self, thing: Named) -> tuple[Tap, ...]:
        """What somebody may mean who touches a thing on the board: itself; else those that it stands for, as a stack
        does, its place, or who is there; several, where he has to say which.
        """
        for words in ((thing.names[:1]), thing.names[1:], (thing.place,)):
            found = tuple(tap for word in words if word and self._leads_on(tap := Tap(word)))
            if found:
                return found
        others = {small(one) for word in thing.words for one in self.game.stands_for(self.view, word.lower())}
        return tuple(Tap(word) for word in self.ahead if small(word) in others)

    def _leads_on(self, tap: Tap) -> bool:
        narrowed = tuple(self._narrowed(tap))
        return bool(narrowed) and narrowed != self.drafts

    def _narrowed(self, tap: Tap) -> Iterator[Draft]:
        if tap.of == KIND:
            return (draft for draft in self.drafts if draft.tag == tap.word)
        if tap.of == PHRASE:
            return self._saying(tap.word)
        if tap.of:
            return (one for draft in self.drafts if (one := draft.filled(tap.of, tap.word)))
        return self._by_word(tap.word)

    def _by_word(self, word: str) -> Iterator[Draft]:
        """As a player means a word: itself, as it is written, since a place and a piece may differ by that alone; where
        it is nothing here, the one thing that it stands for.
        """
        found = [one for draft in self.drafts if (one := draft.about(word))]
        if not found:
            others = dict.fromkeys(self.game.stands_for(self.view, word.lower()))
            ways = [way for it in others if (way := [one for draft in self.drafts if (one := draft.about(it, small))])]
            found = ways[0] if len(ways) == 1 else []
        return iter(found)

    def _saying(self, phrase: str) -> Iterator[Draft]:
        for draft in self.drafts:
            for action in draft.actions(SEARCHED):
                if self.game.format(action) == phrase:
                    yield draft.just(action)
                    return

    # What can be said

    @cached_property
    def action(self) -> Action | None:
        """What was said, if it is one thing from beginning to end; it may be possible to say more."""
        if len(self.kinds) != 1:
            return None
        said = dict.fromkeys(action for draft in self.drafts if (action := draft.action()) is not None)
        return next(iter(said)) if len(said) == 1 else None

    @property
    def says(self) -> str | None:
        """Its words."""
        return None if self.action is None else self.game.format(self.action)

    @cached_property
    def kinds(self) -> tuple[type[Action], ...]:
        """The kinds of actions that are left."""
        return tuple(dict.fromkeys(draft.choice.kind for draft in self.drafts))

    @cached_property
    def phrases(self) -> tuple[tuple[str, bool], ...]:
        """All that can be said, where that is little; and whether it goes without asking: it is nothing minor."""
        if not self._is_little:
            return ()
        left = {
            self.game.format(action): not draft.choice.minor
            for draft in self.drafts
            for action in islice(draft.actions(SEARCHED), FEW + 1)
        }
        first = sorted(left.items(), key=lambda phrase: not phrase[1])
        return tuple(first) if len(left) <= FEW else ()

    @cached_property
    def _is_little(self) -> bool:
        if len(self.drafts) > SEARCHED:
            return False
        total = 0
        for draft in self.drafts:
            total += draft.choice.count
            if total > SEARCHED:
                return False
        return True

    @property
    def line(self) -> str:
        """What was said so far, with a gap for what is open; empty while it may be anything."""
        if len(self.kinds) != 1:
            return ""
        (kind,) = self.kinds
        fields = {name: self._told(name) for name in self.drafts[0].choice.slots}
        return " ".join(kind.says.format(**fields).split())

    def _told(self, name: str) -> str:
        told = dict.fromkeys(draft.told(name) for draft in self.drafts)
        return next(iter(told)) if len(told) == 1 else "..."

    @property
    def said(self) -> tuple[str, ...]:
        """Each tap as a word."""
        return tuple(self._label(tap) for tap in self.taps)

    def _label(self, tap: Tap) -> str:
        if tap.of != KIND:
            return tap.word
        return next((_named(kind) for kind in self.kinds if _tag(kind) == tap.word), tap.word)

    # What can be tapped

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The words that lead on: first which kind of action it is, then slot by slot."""
        if len(self.kinds) > 1:
            return tuple(self._kinds())
        names = dict.fromkeys(name for draft in self.drafts[:1] for name in _in_order(draft.choice))
        return tuple(self._open(list(names)))

    def _kinds(self) -> Iterator[Group]:
        """What goes on with the game stands apart from what does not, such as to resign: nobody hits one for the
        other.
        """
        names = [_named(kind) for kind in self.kinds]
        main = {draft.choice.kind for draft in self.drafts if not draft.choice.minor}
        chips = {
            kind: Chip(Tap(_tag(kind), KIND), name if names.count(name) == 1 else _with_blanks(kind))
            for kind, name in zip(self.kinds, names, strict=True)
        }
        first = tuple(chip for kind, chip in chips.items() if kind in main)
        aside = tuple(chip for kind, chip in chips.items() if kind not in main)
        for asks, group in (("what", first), ("or" if first else "what", aside)):
            if group:
                yield Group(asks, group)

    def _open(self, names: Sequence[str]) -> Iterator[Group]:
        """A group for each slot that more can be said of, up to the first of which something has to be said."""
        for name in names:
            chips = tuple(self._chips(name))
            if chips:
                yield Group(self._asked(name), chips)
            if chips and not any(draft.may_stay(name) for draft in self.drafts):
                return

    def _chips(self, name: str) -> Iterator[Chip]:
        settled = {draft.settled(name) for draft in self.drafts}
        if len(settled) > 1 or None in settled:
            left = dict.fromkeys(word for draft in self.drafts for word in draft.next_words(name))
            yield from (Chip(Tap(word, name), word) for word in left)

    def _asked(self, name: str) -> str:
        slot = self.drafts[0].choice.slots[name]
        if not isinstance(slot, Subset | Ordered) or len(self.drafts) > 1:
            return name
        return f"{name}, {how_many(slot.least, slot.most)} of them"

    @cached_property
    def ahead(self) -> tuple[str, ...]:
        """The words that lead on from here: what to mark on a board."""
        words = (word for draft in self.drafts for name in draft.choice.slots for word in draft.next_words(name))
        return tuple(dict.fromkeys(word for several in words for word in several.split()))


class _Blanks(dict[str, str]):
    """Each field as a blank with its name."""

    def __missing__(self, name: str) -> str:
        return name.upper()


def tapped(game: AnyGame, view: Any, legal: Legal, taps: Iterable[Tap] = ()) -> Tapping:
    """A legal list of a seat that has this view after some taps. What has become nothing, as after somebody else has
    played, ends them: the taps before it stand.
    """
    now = Tapping(game, view, [Draft(choice) for choice in legal.choices])
    for tap in taps:
        after = now.then(tap)
        if after is None:
            return now
        now = after
    return now


def _named(kind: type[Action]) -> str:
    """A kind of action by the words of it that are always the same; where there are none, as in "t1 H09", by what the
    record calls it.
    """
    same = " ".join(part for part in kind.says.split() if "{" not in part) or kind.says.split("{")[0].strip()
    return same or _tag(kind).replace("-", " ")


def _with_blanks(kind: type[Action]) -> str:
    return " ".join(kind.says.format_map(_Blanks()).split())


def _tag(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


def _in_order(choice: Choice) -> list[str]:
    """Its slots as they are said."""
    return sorted(choice.slots, key=lambda name: choice.kind.says.find(f"{{{name}}}"))
