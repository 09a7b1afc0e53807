"""Dice modes: the ways in which a game gets its dice.

A mode answers every question that depends on where dice come from, so other code never asks which mode a game has. To
add a mode, write a class that answers everything in `BaseDiceMode`, and name it in `DiceMode` and `DICE_MODES`. If its
rolls have an origin of their own, add that to `Origin` in `dice`.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Self

from msgspec import Meta, Struct

from referee.engine.dice import DiceError, SeedHex, Source
from referee.engine.dice_source import SEED_BYTES, DrawCounts, MakeRandomBytes, SeededSource

LATEST_DERIVATION = 2
"""The number of the way in which new games by mail derive joint rolls; `MailDice.derivation` explains each number."""
MAIL_SHEET_LINE = "# Played by mail: all seats rolled these dice together."
"""The line below the dice of a game by mail, in a sheet."""


class DiceSources(Struct, frozen=True, gc=False):
    """The sources of dice that a game has at one moment. A mode uses one of them, or makes its own from the seeds."""

    draws: DrawCounts
    """The numbers of draws made so far."""
    seeds: Mapping[str | None, str]
    """The seeds that are known here, as hex.

    The seed of open dice is under None, a seat's secret seed under that seat.
    """
    make_typed_source: Callable[[], Source]
    """Makes the source of typed dice: those typed now, or those typed earlier when a log is judged again."""
    make_joint_source: Callable[[], Source]
    """Makes the source of a roll that all seats make together. It gives dice once every seat has given its share."""


class BaseDiceMode(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode"):
    """The base class of all dice modes, with the questions that each mode answers.

    Only `ignores_opening_time` has a default answer. A subclass that lacks another answer raises TypeError when it is
    defined.
    """

    def __init_subclass__(cls) -> None:
        """Checks that a new mode answers everything. Raises TypeError if it does not."""
        silent = [name for name in vars(BaseDiceMode) if getattr(getattr(cls, name), "__isabstractmethod__", False)]
        if silent:
            raise TypeError(f"{cls.__name__} lacks: {', '.join(silent)}")

    @property
    def name(self) -> str:
        """The mode's name, as logs and options have it."""
        return find_mode_name(type(self))

    @property
    @abstractmethod
    def heading_text(self) -> str:
        """The origin of the dice in a few words, for the heading of every answer."""

    @property
    @abstractmethod
    def why_untyped(self) -> str:
        """The reason why nobody types dice, as a clause. It is "" if people roll real dice and type the results."""

    @property
    def is_typed(self) -> bool:
        """True if people roll real dice and type the results."""
        return not self.why_untyped

    @property
    @abstractmethod
    def is_foreseeable(self) -> bool:
        """True if all open dice can be computed in advance. A sheet then does not have to list them."""

    @property
    @abstractmethod
    def is_joint(self) -> bool:
        """True if all seats roll together by mail.

        Each seat then joins by itself, and declares before a roll what the roll is for.
        """

    @property
    def ignores_opening_time(self) -> bool:
        """True if there are joint rolls, and the time of the entry that opens one has no effect on its dice."""
        return False

    @property
    @abstractmethod
    def seals_seeds(self) -> bool:
        """True if a seat that rolls in secret has to commit to a seed when it joins."""

    @property
    @abstractmethod
    def seeds(self) -> Mapping[str | None, str]:
        """The seeds that everybody knows from the beginning, keyed as in `DiceSources`."""

    @property
    @abstractmethod
    def draw_error_suffix(self) -> str:
        """The words after the number of a draw, in the error about a log that holds other dice than those expected."""

    @abstractmethod
    def make_dice_source(self, sources: DiceSources) -> Source:
        """Returns the source of an action's dice. Play and audit both use it."""

    @abstractmethod
    def make_next_mode(self, random: MakeRandomBytes) -> Self:
        """Returns the mode for the next game of a match.

        It is the same kind of mode, with a fresh seed if it has one.
        """

    @classmethod
    @abstractmethod
    def from_seed(cls, seed: str | None, random: MakeRandomBytes) -> Self:
        """Returns the mode that a player has chosen for a game, with or without a seed.

        Raises DiceError if the mode takes no seed, or if the seed is malformed.
        """

    @property
    @abstractmethod
    def sheet_lines(self) -> tuple[str, ...]:
        """The words after "dice" in a sheet, followed by the lines below them."""

    @classmethod
    @abstractmethod
    def parse(cls, words: str) -> Self | None:
        """Returns the mode that the words after "dice" in a sheet describe; None if they describe another mode."""

    @property
    @abstractmethod
    def sheet_form(self) -> str:
        """The form of the words after "dice" in a sheet, as errors show it; "" if no sheet ever names this mode."""


class _Seedless:
    """The answers that modes without a seed share."""

    __slots__ = ()

    def make_next_mode(self, random: MakeRandomBytes) -> Self:  # noqa: ARG002 - nothing has to be drawn anew
        """Returns the same mode."""
        return self

    @classmethod
    def from_seed(cls, seed: str | None, random: MakeRandomBytes) -> Self:  # noqa: ARG003 - nothing has to be drawn
        """Returns the mode. Raises DiceError if a seed is given."""
        if seed is not None:
            raise DiceError("a seed is for open dice only")
        return cls()


class TableDice(_Seedless, BaseDiceMode, frozen=True, tag="table"):
    """Dice that people roll at a real table; they type the results."""

    heading_text: ClassVar[str] = "table dice"
    why_untyped: ClassVar[str] = ""
    is_foreseeable: ClassVar[bool] = False
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = False
    seeds: ClassVar[Mapping[str | None, str]] = {}
    draw_error_suffix: ClassVar[str] = " of this seed"  # only lots have a seed; all other dice are as they were typed
    sheet_lines: ClassVar[tuple[str, ...]] = ("table",)
    sheet_form: ClassVar[str] = "table"

    def make_dice_source(self, sources: DiceSources) -> Source:
        """Returns the typed dice."""
        return sources.make_typed_source()

    @classmethod
    def parse(cls, words: str) -> Self | None:
        """Returns the mode if the words are its name alone; otherwise None."""
        return cls() if words == cls.sheet_form else None


class OpenDice(BaseDiceMode, frozen=True, tag="open"):
    """Dice derived from a seed in the log. Anyone can check them, and anyone can look ahead."""

    seed: SeedHex
    """The seed of all dice that everybody sees."""

    heading_text: ClassVar[str] = "open dice"
    why_untyped: ClassVar[str] = "this game's dice come from the seed in its log, so they cannot be typed"
    is_foreseeable: ClassVar[bool] = True
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = True
    draw_error_suffix: ClassVar[str] = " of this seed"
    sheet_form: ClassVar[str] = f"open with a seed of {2 * SEED_BYTES} hex digits"

    @property
    def seeds(self) -> Mapping[str | None, str]:
        """The seed in the log."""
        return {None: self.seed}

    def make_dice_source(self, sources: DiceSources) -> Source:
        """Returns the dice that the seeds give."""
        return SeededSource(sources.seeds, sources.draws)

    def make_next_mode(self, random: MakeRandomBytes) -> Self:
        """Returns the mode with a fresh seed."""
        return self.from_seed(None, random)

    @classmethod
    def from_seed(cls, seed: str | None, random: MakeRandomBytes) -> Self:
        """Returns the mode with this seed, in any case of letters, or with a fresh one.

        Raises DiceError if the seed is malformed.
        """
        found = random(SEED_BYTES).hex() if seed is None else seed.lower()
        if not _is_seed(found):
            raise DiceError(f"a seed is {2 * SEED_BYTES} hex digits")
        return cls(found)

    @property
    def sheet_lines(self) -> tuple[str, ...]:
        """The seed, from which all dice follow."""
        return (f"open {self.seed}",)

    @classmethod
    def parse(cls, words: str) -> Self | None:
        """Returns the mode if the words are its name and a seed; otherwise None."""
        name, _, seed = words.partition(" ")
        return cls(seed) if name == find_mode_name(cls) and _is_seed(seed) else None


class MailDice(_Seedless, BaseDiceMode, frozen=True, tag="pact", omit_defaults=True):
    """Dice that all seats roll together, from their hash chains. Nobody can foresee or choose the results."""

    derivation: Annotated[int, Meta(ge=1, le=LATEST_DERIVATION)] = 1
    """The derivation of joint rolls. 1: from the hash of the entry that opened the roll, with its time; older logs
    leave this out. 2: from what that entry says, without its time and its place.
    """

    heading_text: ClassVar[str] = "by mail"
    why_untyped: ClassVar[str] = "in this game all players roll the dice together, so they cannot be typed"
    is_foreseeable: ClassVar[bool] = False
    is_joint: ClassVar[bool] = True
    seals_seeds: ClassVar[bool] = True
    seeds: ClassVar[Mapping[str | None, str]] = {}
    draw_error_suffix: ClassVar[str] = ""
    sheet_lines: ClassVar[tuple[str, ...]] = (*TableDice.sheet_lines, MAIL_SHEET_LINE)
    sheet_form: ClassVar[str] = ""

    @property
    def ignores_opening_time(self) -> bool:
        """True if the time of the entry that opens a joint roll has no effect on its dice."""
        return self.derivation > 1

    def make_dice_source(self, sources: DiceSources) -> Source:
        """Returns the dice of the roll that is being made."""
        return sources.make_joint_source()

    @classmethod
    def parse(cls, words: str) -> Self | None:  # noqa: ARG003
        """Returns None: a sheet lists these dice as if they had been typed."""
        return None


DiceMode = TableDice | OpenDice | MailDice


def find_mode_name(kind: type[BaseDiceMode]) -> str:
    """Returns the name of a mode, as logs and options have it."""
    return str(kind.__struct_config__.tag)


DICE_MODES: Mapping[str, type[DiceMode]] = {
    find_mode_name(TableDice): TableDice,
    find_mode_name(OpenDice): OpenDice,
    find_mode_name(MailDice): MailDice,
}
"""All modes by name."""
DEFAULT_MODE = OpenDice
"""The mode of a game for which nobody chooses one."""
CHOOSABLE_MODES = {name: kind for name, kind in DICE_MODES.items() if not kind.is_joint}
"""The modes that can be chosen by name. Games by mail begin in another way."""


def parse_dice_mode(words: str) -> DiceMode:
    """Returns the mode that the words after "dice" in a sheet describe. Raises DiceError if they describe none."""
    for kind in DICE_MODES.values():
        found: DiceMode | None = kind.parse(words)
        if found is not None:
            return found
    forms = ", or ".join(kind.sheet_form for kind in DICE_MODES.values() if kind.sheet_form)
    raise DiceError(f"after the word dice, write {forms}")


def _is_seed(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", text) is not None
