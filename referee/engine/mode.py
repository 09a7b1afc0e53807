"""Dice modes: where the dice of a game come from. What hangs on its mode, the mode answers; nobody asks which it is.

One more is a class here that answers all that `Mode` asks, and its name in `DiceMode`. Where its rolls have an origin
of their own, that stands in `dice`.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, Self, TypeVar

from msgspec import Struct

from referee.engine.dice import DiceError, SeedHex, Source
from referee.engine.source import SEED, Draws, Fresh, OpenSource

BY_MAIL = "# It was played by mail: these dice all have thrown together."
"""The line of a sheet below the dice of a game by mail."""


class Sources(Struct, frozen=True, gc=False):
    """Where dice can come from in a game as it stands: a mode takes one of these, or makes its own."""

    draws: Draws
    seeds: Mapping[str | None, str]
    """The seeds that are known here, as hex: the one of dice that everybody sees under None, others under their seat.
    """
    typed: Callable[[], Source]
    """Makes the source of what people type now, or, in a log that is judged again, of what they have typed."""
    together: Callable[[], Source]
    """Makes the source of a throw that all seats make together, which gives dice once all have."""


M = TypeVar("M", bound="Mode")


class Mode(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode"):
    """What every dice mode answers. Nothing is answered for it: a class that keeps silent is no mode."""

    def __init_subclass__(cls) -> None:
        """TypeError where something is not answered; types say so, too, where `MODES` are listed."""
        silent = [asked for asked in vars(Mode) if getattr(getattr(cls, asked), "__isabstractmethod__", False)]
        if silent:
            raise TypeError(f"{cls.__name__} does not say: {', '.join(silent)}")

    @property
    def name(self) -> str:
        """Its name, as logs and options have it."""
        return name_of(type(self))

    @property
    @abstractmethod
    def told(self) -> str:
        """Where dice come from, in the heading of every answer."""

    @property
    @abstractmethod
    def why_untyped(self) -> str:
        """Why nobody types faces, as a clause; "": people throw real dice, and type how they fell."""

    @property
    def is_typed(self) -> bool:
        """Whether people throw real dice, and type how they fell."""
        return not self.why_untyped

    @property
    @abstractmethod
    def is_foreseeable(self) -> bool:
        """Whether all open dice can be worked out before they fall, so that no sheet has to name them."""

    @property
    @abstractmethod
    def is_joint(self) -> bool:
        """Whether all seats throw together by mail: each joins by itself, and it is said first what a throw is for."""

    @property
    @abstractmethod
    def seals_seeds(self) -> bool:
        """Whether a seat that throws in secret seals where those dice come from when it joins."""

    @property
    @abstractmethod
    def seeds(self) -> Mapping[str | None, str]:
        """The seeds that everybody knows from the beginning, as in `Sources`."""

    @property
    @abstractmethod
    def drawn(self) -> str:
        """What follows the number of a draw where a log is found to hold other dice than those that are due."""

    @abstractmethod
    def source(self, sources: Sources) -> Source:
        """Where the dice of an action come from: when it is played, and again when it is judged from a log."""

    @abstractmethod
    def next(self, random: Fresh) -> Self:
        """The mode of the next game of a match: the same, with what must never come twice drawn anew."""

    @classmethod
    @abstractmethod
    def begun(cls, seed: str | None, random: Fresh) -> Self:
        """The mode as somebody chooses it for a game, with a seed or without; DiceError where that cannot be."""

    @property
    @abstractmethod
    def on_sheet(self) -> tuple[str, ...]:
        """What stands on a sheet after "dice", and the lines below it."""

    @classmethod
    @abstractmethod
    def parse(cls, words: str) -> Self | None:
        """Read what stands on a sheet after "dice"; None where it is another mode."""

    @property
    @abstractmethod
    def form(self) -> str:
        """How it is written on a sheet, in words; "": another mode is written for it."""


class TableDice(Mode, frozen=True, tag="table"):
    """Dice thrown on a real table and typed in as they fall."""

    told: ClassVar[str] = "table dice"
    why_untyped: ClassVar[str] = ""
    is_foreseeable: ClassVar[bool] = False
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = False
    seeds: ClassVar[Mapping[str | None, str]] = {}
    drawn: ClassVar[str] = " of this seed"  # of lots: all else is as it was typed
    on_sheet: ClassVar[tuple[str, ...]] = ("table",)
    form: ClassVar[str] = "table"

    def source(self, sources: Sources) -> Source:
        """What was typed."""
        return sources.typed()

    def next(self, random: Fresh) -> Self:  # noqa: ARG002
        """The same."""
        return self

    @classmethod
    def begun(cls, seed: str | None, random: Fresh) -> Self:  # noqa: ARG003
        """Nothing is to be said of it."""
        return _without_seed(cls, seed)

    @classmethod
    def parse(cls, words: str) -> Self | None:
        """Its name alone."""
        return cls() if words == cls.form else None


class OpenDice(Mode, frozen=True, tag="open"):
    """Dice derived from a seed that stands in the log: anyone can check them, and anyone can look ahead."""

    seed: SeedHex
    """The seed of all dice that everybody sees."""

    told: ClassVar[str] = "open dice"
    why_untyped: ClassVar[str] = "this game's dice come from the seed in its log; none can be typed in"
    is_foreseeable: ClassVar[bool] = True
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = True
    drawn: ClassVar[str] = " of this seed"
    form: ClassVar[str] = f"open with a seed of {2 * SEED} hex digits"

    @property
    def seeds(self) -> Mapping[str | None, str]:
        """The seed in the log."""
        return {None: self.seed}

    def source(self, sources: Sources) -> Source:
        """The seeds."""
        return OpenSource(sources.seeds, sources.draws)

    def next(self, random: Fresh) -> Self:
        """Another seed."""
        return self.begun(None, random)

    @classmethod
    def begun(cls, seed: str | None, random: Fresh) -> Self:
        """With this seed, in any case, or a fresh one."""
        found = random(SEED).hex() if seed is None else seed.lower()
        if not _is_seed(found):
            raise DiceError(f"a seed is {2 * SEED} hex digits")
        return cls(found)

    @property
    def on_sheet(self) -> tuple[str, ...]:
        """The seed, from which all dice follow."""
        return (f"open {self.seed}",)

    @classmethod
    def parse(cls, words: str) -> Self | None:
        """Its name and a seed."""
        name, _, seed = words.partition(" ")
        return cls(seed) if name == name_of(cls) and _is_seed(seed) else None


class PactDice(Mode, frozen=True, tag="pact"):
    """Dice that all seats throw together, each from a chain of its own (`chain`): nobody can foresee or choose them."""

    told: ClassVar[str] = "by mail"
    why_untyped: ClassVar[str] = "in this game all throw the dice together; none can be typed in"
    is_foreseeable: ClassVar[bool] = False
    is_joint: ClassVar[bool] = True
    seals_seeds: ClassVar[bool] = True
    seeds: ClassVar[Mapping[str | None, str]] = {}
    drawn: ClassVar[str] = ""
    on_sheet: ClassVar[tuple[str, ...]] = (*TableDice.on_sheet, BY_MAIL)
    form: ClassVar[str] = ""

    def source(self, sources: Sources) -> Source:
        """The throw that is being made."""
        return sources.together()

    def next(self, random: Fresh) -> Self:  # noqa: ARG002
        """The same: chains are of each game."""
        return self

    @classmethod
    def begun(cls, seed: str | None, random: Fresh) -> Self:  # noqa: ARG003
        """Nothing is to be said of it."""
        return _without_seed(cls, seed)

    @classmethod
    def parse(cls, words: str) -> Self | None:  # noqa: ARG003
        """None: its dice are written as if they had been typed."""
        return None


DiceMode = TableDice | OpenDice | PactDice


def name_of(kind: type[Mode]) -> str:
    """The name of a mode, as logs and options have it."""
    return str(kind.__struct_config__.tag)


MODES: Mapping[str, type[DiceMode]] = {
    name_of(TableDice): TableDice,
    name_of(OpenDice): OpenDice,
    name_of(PactDice): PactDice,
}
"""Every mode by its name."""
USUAL = OpenDice
"""The mode of a game for which nobody has said another."""
CHOSEN = {name: kind for name, kind in MODES.items() if not kind.is_joint}
"""Those that are chosen by name; games by mail are begun otherwise."""


def parse_mode(words: str) -> DiceMode:
    """The mode that stands on a sheet after "dice"; DiceError where it is none."""
    for kind in MODES.values():
        found: DiceMode | None = kind.parse(words)
        if found is not None:
            return found
    raise DiceError(f"dice are {', or '.join(kind.form for kind in MODES.values() if kind.form)}")


def _without_seed(kind: type[M], seed: str | None) -> M:
    """A mode that has none."""
    if seed is not None:
        raise DiceError("a seed is for open dice only")
    return kind()


def _is_seed(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * SEED}}}", text) is not None
