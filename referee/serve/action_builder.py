"""Builds an action from taps: each tap is a word and narrows the legal actions, until one is left.

    >>> apply_taps(game, view, legal, [Tap("R2")]).remaining_texts  # few are left
    (('2 go N', True), ('2 turn NE', True), ('2 turn SE', True))
    >>> apply_taps(game, view, legal, [Tap("R2"), Tap("NE")]).action_text
    '2 turn NE'

Legal actions are not listed one by one here. Slots are filled in turn, and only words that can lead to a legal action
are offered (`referee.engine.partial_action`). Games need no code for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import Struct

from referee.engine.choice import Action, Choice, find_action_tag
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.partial_action import PartialAction, format_in_lower_case
from referee.engine.slots import Ordered, Subset, format_range
from referee.serve.hit_targets import HitTarget

KIND_SLOT, PHRASE_SLOT = "type", "says"
"""The slot names of a tap that fills no slot: a kind of action, or a whole action. No field of an action has these
names.
"""
MAX_WHOLE_ACTIONS = 12
"""The most actions that are offered whole."""
MAX_SEARCHED_ACTIONS = 400
"""The most legal actions that are looked through for the actions that are offered whole."""


class Tap(Struct, frozen=True, array_like=True):
    """One tap on a button or on the board."""

    word: str
    slot: str = ""
    """The slot that the word fills; "type" for a kind of action, "says" for a whole action. "" for a word from the
    board, which may fill any slot.
    """


class ActionButton(Struct, frozen=True):
    """A button for the next tap."""

    tap: Tap
    words: str
    """The text on the button."""


class ButtonGroup(Struct, frozen=True):
    """Buttons from which the player has to choose, for one slot or for the kind of action."""

    question: str
    """The question to the player, such as "units, 1..3 of them"."""
    buttons: tuple[ActionButton, ...]


class ActionBuilder:
    """The legal actions that are left after some taps."""

    def __init__(self, game: AnyGame, view: Any, drafts: Sequence[PartialAction], taps: Sequence[Tap] = ()) -> None:
        self.game, self.view = game, view
        self.drafts, self.taps = tuple(drafts), tuple(taps)

    # The next tap

    def apply_tap(self, tap: Tap) -> ActionBuilder | None:
        """Returns the builder after one more tap; None if no legal action continues with that tap."""
        drafts = tuple(self._narrow_drafts(tap))
        return ActionBuilder(self.game, self.view, drafts, (*self.taps, tap)) if drafts else None

    def find_possible_taps(self, target: HitTarget) -> tuple[Tap, ...]:
        """Returns the possible meanings of a touch on the board, as taps; several if the player has to choose.

        Tries in turn the thing's own name, the pieces of a stack, the thing's place, and other words for these names.
        Stops at the first of these steps with a word that an action needs. Returns () if no action needs any word.
        """
        for words in ((target.names[:1]), target.names[1:], (target.place,)):
            found = tuple(tap for word in words if word and self._changes_anything(tap := Tap(word)))
            if found:
                return found
        others = {
            format_in_lower_case(one) for word in target.words for one in self.game.expand_word(self.view, word.lower())
        }
        return tuple(Tap(word) for word in self.highlighted_words if format_in_lower_case(word) in others)

    def _changes_anything(self, tap: Tap) -> bool:
        narrowed = tuple(self._narrow_drafts(tap))
        return bool(narrowed) and narrowed != self.drafts

    def _narrow_drafts(self, tap: Tap) -> Iterator[PartialAction]:
        if tap.slot == KIND_SLOT:
            return (draft for draft in self.drafts if draft.tag == tap.word)
        if tap.slot == PHRASE_SLOT:
            return self._narrow_by_phrase(tap.word)
        if tap.slot:
            return (one for draft in self.drafts if (one := draft.fill_slot(tap.slot, tap.word)))
        return self._narrow_by_word(tap.word)

    def _narrow_by_word(self, word: str) -> Iterator[PartialAction]:
        """Yields the drafts that a word narrows. Its case counts, because a place and a piece may differ in case alone.

        If there are none, the word's synonyms are tried; they count only if exactly one of them narrows drafts.
        """
        found = [one for draft in self.drafts if (one := draft.narrow_by_word(word))]
        if not found:
            others = dict.fromkeys(self.game.expand_word(self.view, word.lower()))
            ways = [
                way
                for synonym in others
                if (
                    way := [
                        one for draft in self.drafts if (one := draft.narrow_by_word(synonym, format_in_lower_case))
                    ]
                )
            ]
            found = ways[0] if len(ways) == 1 else []
        return iter(found)

    def _narrow_by_phrase(self, phrase: str) -> Iterator[PartialAction]:
        for draft in self.drafts:
            for action in draft.list_actions(MAX_SEARCHED_ACTIONS):
                if self.game.format(action) == phrase:
                    yield draft.narrow_to_action(action)
                    return

    # The action so far

    @cached_property
    def action(self) -> Action | None:
        """The action, if the taps make exactly one without further words; None otherwise. More words may be added."""
        if len(self.action_kinds) != 1:
            return None
        actions = dict.fromkeys(action for draft in self.drafts if (action := draft.make_action()) is not None)
        return next(iter(actions)) if len(actions) == 1 else None

    @property
    def action_text(self) -> str | None:
        """The words of `action`; None if it is None."""
        return None if self.action is None else self.game.format(self.action)

    @cached_property
    def action_kinds(self) -> tuple[type[Action], ...]:
        """The kinds of actions that are left."""
        return tuple(dict.fromkeys(draft.choice.kind for draft in self.drafts))

    @cached_property
    def remaining_texts(self) -> tuple[tuple[str, bool], ...]:
        """The text of each action that is left, with True, or with False for a minor action such as resigning.

        Empty if more than `MAX_WHOLE_ACTIONS` are left.
        """
        if not self._is_short_list:
            return ()
        left = {
            self.game.format(action): not draft.choice.minor
            for draft in self.drafts
            for action in islice(draft.list_actions(MAX_SEARCHED_ACTIONS), MAX_WHOLE_ACTIONS + 1)
        }
        first = sorted(left.items(), key=lambda phrase: not phrase[1])
        return tuple(first) if len(left) <= MAX_WHOLE_ACTIONS else ()

    @cached_property
    def _is_short_list(self) -> bool:
        if len(self.drafts) > MAX_SEARCHED_ACTIONS:
            return False
        total = 0
        for draft in self.drafts:
            total += draft.choice.count
            if total > MAX_SEARCHED_ACTIONS:
                return False
        return True

    @property
    def text_so_far(self) -> str:
        """The action in words, with "..." for open slots; "" while several kinds of action are possible."""
        if len(self.action_kinds) != 1:
            return ""
        (kind,) = self.action_kinds
        fields = {name: self._describe_slot(name) for name in self.drafts[0].choice.slots}
        return " ".join(kind.says.format(**fields).split())

    def _describe_slot(self, name: str) -> str:
        texts = dict.fromkeys(draft.describe_slot(name) for draft in self.drafts)
        return next(iter(texts)) if len(texts) == 1 else "..."

    @property
    def tapped_words(self) -> tuple[str, ...]:
        """The word of each tap."""
        return tuple(self._describe_tap(tap) for tap in self.taps)

    def _describe_tap(self, tap: Tap) -> str:
        if tap.slot != KIND_SLOT:
            return tap.word
        return next((_describe_kind(kind) for kind in self.action_kinds if find_action_tag(kind) == tap.word), tap.word)

    # The buttons

    @cached_property
    def button_groups(self) -> tuple[ButtonGroup, ...]:
        """The next buttons: first the kind of action, then slot by slot."""
        if len(self.action_kinds) > 1:
            return tuple(self._group_kinds())
        names = dict.fromkeys(name for draft in self.drafts[:1] for name in _sort_slots(draft.choice))
        return tuple(self._group_open_slots(list(names)))

    def _group_kinds(self) -> Iterator[ButtonGroup]:
        """Yields the kinds of action in two groups: those that advance the game, and minor ones such as resigning.

        The groups stand apart, so that nobody taps a minor action by mistake.
        """
        names = [_describe_kind(kind) for kind in self.action_kinds]
        main = {draft.choice.kind for draft in self.drafts if not draft.choice.minor}
        chips = {
            kind: ActionButton(
                Tap(find_action_tag(kind), KIND_SLOT), name if names.count(name) == 1 else _describe_with_blanks(kind)
            )
            for kind, name in zip(self.action_kinds, names, strict=True)
        }
        first = tuple(chip for kind, chip in chips.items() if kind in main)
        aside = tuple(chip for kind, chip in chips.items() if kind not in main)
        for asks, group in (("what", first), ("or" if first else "what", aside)):
            if group:
                yield ButtonGroup(asks, group)

    def _group_open_slots(self, names: Sequence[str]) -> Iterator[ButtonGroup]:
        """Yields a group for each open slot, up to the first that must be filled."""
        for name in names:
            chips = tuple(self._make_buttons(name))
            if chips:
                yield ButtonGroup(self._make_question(name), chips)
            if chips and not any(draft.has_default_value(name) for draft in self.drafts):
                return

    def _make_buttons(self, name: str) -> Iterator[ActionButton]:
        settled = {draft.find_only_value(name) for draft in self.drafts}
        if len(settled) > 1 or None in settled:
            left = dict.fromkeys(word for draft in self.drafts for word in draft.list_next_words(name))
            yield from (ActionButton(Tap(word, name), word) for word in left)

    def _make_question(self, name: str) -> str:
        slot = self.drafts[0].choice.slots[name]
        if not isinstance(slot, Subset | Ordered) or len(self.drafts) > 1:
            return name
        return f"{name}, {format_range(slot.least, slot.most)} of them"

    @cached_property
    def highlighted_words(self) -> tuple[str, ...]:
        """The words that may come next, to be marked on a board."""
        words = (word for draft in self.drafts for name in draft.choice.slots for word in draft.list_next_words(name))
        return tuple(dict.fromkeys(word for several in words for word in several.split()))


class _Blanks(dict[str, str]):
    """A mapping that gives each field its own name in capitals, as a blank to fill in."""

    def __missing__(self, name: str) -> str:
        return name.upper()


def apply_taps(game: AnyGame, view: Any, legal: LegalActions, taps: Iterable[Tap] = ()) -> ActionBuilder:
    """Returns the builder for a seat's legal actions after some taps.

    The first tap that leads to no action is dropped with all later ones, for instance after another player moved.
    """
    now = ActionBuilder(game, view, [PartialAction(choice) for choice in legal.choices])
    for tap in taps:
        after = now.apply_tap(tap)
        if after is None:
            return now
        now = after
    return now


def _describe_kind(kind: type[Action]) -> str:
    """Returns the fixed words of a kind of action; its tag if there are none, as in "t1 H09"."""
    same = " ".join(part for part in kind.says.split() if "{" not in part) or kind.says.split("{")[0].strip()
    return same or find_action_tag(kind).replace("-", " ")


def _describe_with_blanks(kind: type[Action]) -> str:
    return " ".join(kind.says.format_map(_Blanks()).split())


def _sort_slots(choice: Choice) -> list[str]:
    """Returns the slots in the order in which they are said."""
    return sorted(choice.slots, key=lambda name: choice.kind.says.find(f"{{{name}}}"))
