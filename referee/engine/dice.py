"""Dice: typed in by players, or derived byte for byte from a seed (`refdice/1`); always recorded.

A *draw* is one throw asked for by the rules, of any number of dice. Draws are numbered through a log from 0 and
a number is never used twice, so taking back a throw never lets anybody throw the same dice again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import gcd
from typing import Annotated, Literal, NamedTuple, Protocol

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.keyed import Keyed
from referee.engine.text import count_of, in_runs, listing, match_word

MAX_SIDES = 2**20
"""Largest die the recorder takes; far above any deck or table of the games."""
MAX_DICE = 256
"""Most dice in one draw."""

FEW = 6
"""So many names of what can be drawn are listed."""

Sides = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
Face = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
SeedHex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as lower-case hex")]


class TableDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode", tag="table"):
    """Dice thrown on a real table and typed in as they fall."""


class OpenDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode", tag="open"):
    """Dice derived from a seed that stands in the log: anyone can check them, and anyone can look ahead."""

    seed: SeedHex


class PactDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode", tag="pact"):
    """Dice that all seats throw together, each from a chain of its own (`chain`): nobody can foresee or choose them."""


DiceMode = TableDice | OpenDice | PactDice


Origin = Literal["table", "open", "sealed", "lots", "pact"]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
SeatName = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,23}$")]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One draw as it stands in the log."""

    draw: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """Number of this draw, from 0: in its log, or, if it was made in secret, among those of the seat that made it."""
    purpose: Annotated[str, Meta(min_length=1, max_length=120)]
    """What the dice decide, in the rules' words."""
    sides: Sides
    faces: Annotated[tuple[Face, ...], Meta(max_length=MAX_DICE)]
    origin: Origin
    """Where the faces come from: typed in, derived from the log's seed, from a seed that a seat keeps secret, from what
    all seats gave together, or, for lots where dice are typed in, from the seed that is the first draw of their play.
    """
    each: Annotated[tuple[Name, ...], Meta(max_length=MAX_DICE)]
    """What each die was thrown for, where that differs: "r1", "A03"; else none."""
    names: Annotated[tuple[Name, ...], Meta(max_length=MAX_DICE)]
    """What was drawn with each die, where its faces stand for something: a card, a counter; else none."""
    to: SeatName | None
    """Who alone sees it; None: everybody."""


Typed = int | str
"""What is typed for a die: the number that it shows, or the name of what was drawn."""


class Aim(Struct, frozen=True, omit_defaults=True):
    """What dice can show, and what that does: "3 or less smashes the door"."""

    least: int = 1
    """The lowest number that does it."""
    most: int = MAX_SIDES
    """The highest; 0: no die can."""
    does: str = ""
    """What it does, beginning with a verb: "hits n1"; "" where the purpose of the throw says it already."""
    whose: str = ""
    """Only the dice that `Need.each` says are thrown for this one; "": any die of the throw."""
    of: Literal["each", "sum", "alike"] = "each"
    """What is looked at: each die by itself, all dice added up, or whether all show the same."""
    good_for: str = ""
    """Whose luck it is, where that is not who throws: a seat, or somebody whom nobody plays, such as a neutral army."""

    def __str__(self) -> str:
        return f"{self.whose} {self.number}".strip()

    @property
    def number(self) -> str:
        """The number needed, as a person says it."""
        if self.of == "alike":
            return "all the same"
        added = " added up" if self.of == "sum" else ""
        if self.least > self.most:
            return "no number"
        if self.least == self.most:
            return f"{self.least}{added}"
        if self.most >= MAX_SIDES:
            return f"{self.least} or more{added}"
        return f"{self.most} or less{added}" if self.least <= 1 else f"{self.least} to {self.most}{added}"

    def is_hit(self, *faces: int) -> bool:
        """Whether a die that shows this does it, or all dice of the throw together."""
        if self.of == "alike":
            return len(set(faces)) == 1
        return self.least <= sum(faces) <= self.most


class Chance(NamedTuple):
    """How many of all equally likely throws do something."""

    ways: int
    of: int

    def __str__(self) -> str:
        return f"{self.ways} in {self.of} ({100 * self.ways / self.of:.3g} %)"

    @property
    def part(self) -> float:
        """The same as a number from 0 to 1."""
        return self.ways / self.of

    @property
    def short(self) -> str:
        """The same where there is little room: "1/3"."""
        common = gcd(self.ways, self.of)
        return f"{self.ways // common}/{self.of // common}" if 0 < self.ways < self.of else f"{self.ways // self.of}"


ONLY_READ: tuple[Aim, ...] = ()
"""The aims of dice that are only read: how far somebody walks, which card is drawn. Nothing of them counts as luck."""


class _Asked(Struct, frozen=True, omit_defaults=True):
    """What is thrown."""

    purpose: str
    count: int
    sides: int
    names: tuple[str, ...] = ()
    """What each face stands for; none for dice."""
    each: tuple[str, ...] = ()
    """What each die is thrown for, where that differs."""
    throwers: tuple[str, ...] = ()
    """Who throws each die, where `each` does not say what it is for: the first is red's, the second blue's."""
    to: str | None = None
    """The seat that alone sees the dice; None: everybody."""
    lots: bool = False
    """Whether this is no throw of people at a table: lots, such as a place at random for each of eighty units. They are
    drawn from a seed also where dice are typed in.
    """
    rule: str = ""
    """The rule that says how many dice are thrown, and which: cited to who types others."""


class Need(_Asked, frozen=True, omit_defaults=True, kw_only=True):
    """Dice that somebody has to throw now, or something that has to be drawn blindly, which is a die with a name for
    each face. What it takes to succeed is in `aims`, which nobody who writes rules can forget to say.
    """

    aims: tuple[Aim, ...]
    """The numbers needed, and what they do; `ONLY_READ` where no number is better than another. They are for people:
    what happens, the rules decide.
    """

    def __str__(self) -> str:
        if self.names or self.lots:
            return self.purpose
        each = f": {', '.join(self.each)}" if self.each else ""
        return f"{self.count}d{self.sides} ({self.purpose}{each})"

    def face_of(self, typed: Typed) -> int:
        """The face that was typed: its number, its name, or the beginning of one name only, in any case; DiceError for
        others.
        """
        face = typed if isinstance(typed, int) else self._named(typed)
        if not 1 <= face <= self.sides:
            raise DiceError(f"a die with {self.sides} sides cannot show {face} ({self._cited})")
        return face

    def _named(self, typed: str) -> int:
        names = [name.lower() for name in self.names]
        name = match_word(typed.lower(), tuple(dict.fromkeys(names)))
        if name is None:
            if self.names:
                there = f"there is {listing(self.left_to_draw)}"
                raise NotThereError(f"{typed!r} cannot be drawn ({self._cited}); {there}")
            raise DiceError(f"{typed!r} is no face of a die; dice are typed like 3,6")
        return names.index(name) + 1

    @property
    def told_apart(self) -> tuple[str, ...]:
        """By what people tell its dice apart: what each is for, or who throws it; none, if they are all alike."""
        return self.each or self.throwers

    @property
    def drawn_from(self) -> str:
        """What can be drawn, as a person asks for it: each name where there are few, else the last for example."""
        names = list(dict.fromkeys(self.names))
        return listing(names, "or") if len(names) <= FEW else f"such as {names[-1]}"

    @property
    def left_to_draw(self) -> list[str]:
        """Each name that can be drawn, rows of numbered ones as such: "n1..n9"."""
        return in_runs(dict.fromkeys(self.names))

    @property
    def _cited(self) -> str:
        return f"{self.purpose}; {self.rule}" if self.rule else self.purpose

    def aims_of(self, die: int) -> Iterator[Aim]:
        """What this die of the throw, counted from 0, can do by itself."""
        thrown_for = self.each[die] if self.each else ""
        return (aim for aim in self.aims if aim.of == "each" and aim.whose in ("", thrown_for))

    def chance(self, aim: Aim) -> Chance:
        """How likely an aim of this throw is: of each of its dice, or of all together."""
        if aim.of == "each":
            return Chance(sum(map(aim.is_hit, range(1, self.sides + 1))), self.sides)
        if aim.of == "alike":
            return Chance(self.sides, self.sides**self.count)
        ways, faces = {0: 1}, range(1, self.sides + 1)
        for _ in range(self.count):
            totals = range(max(ways) + self.sides + 1)
            ways = {total: sum(ways.get(total - face, 0) for face in faces) for total in totals}
        return Chance(sum(many for total, many in ways.items() if aim.is_hit(total)), self.sides**self.count)


class DiceError(ValueError):
    """Faces that cannot be what was thrown. The message is one sentence for the player."""


class NotThereError(DiceError):
    """What was typed is not among what can be drawn."""


class DiceNeededError(DiceError):
    """The rules ask for dice that nobody has typed in yet: `need` says which, `typed` how many of them were typed."""

    def __init__(self, need: Need, typed: int = 0) -> None:
        dice = f"{count_of(need.count, 'die', 'dice')} with {need.sides} sides wanted"
        wanted = f"a name wanted, {need.drawn_from}" if need.names else dice
        got = f", {count_of(typed, 'face')} typed" if typed else ""
        super().__init__(f"{wanted}{got}: {need.purpose}{f' ({need.rule})' if need.rule else ''}")
        self.need, self.typed = need, typed


LOTS = "the seed of the lots"
"""The purpose of a draw that is the seed of those after it: 32 bytes, each as a die with 256 faces, a byte and one."""


Fresh = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee."""


class Source(Protocol):
    """Where faces come from."""

    def seed_lots(self, to: str | None) -> Roll | None:
        """Return the seed of the lots that are drawn next, which only this seat sees; None where they need none, or
        have it. DiceError as below.
        """

    def draw(self, need: Need) -> Roll:
        """Return the next draw; raises DiceError when it cannot."""


class Dice:
    """What rule code throws: hands over faces wherever they come from, and remembers them for the record."""

    __slots__ = ("_hidden", "_seat", "_source", "rolls", "unseen")

    def __init__(self, source: Source, seat: str = "", *, hidden: bool = False) -> None:
        """Dice for `seat`; hidden: it throws all of them in secret."""
        self._source = source
        self._seat = seat
        self._hidden = hidden
        self.rolls: list[Roll] = []
        self.unseen = False
        """Whether some were thrown that only the seat sees."""

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        names: tuple[str, ...] = (),
        each: tuple[str, ...] = (),
        *,
        unseen: bool = False,
    ) -> tuple[int, ...]:
        """Throw `count` dice with `sides` faces, only to be read; `purpose` says in the rules' words what they decide.

        `names` are what the faces stand for where something is drawn, `each` what each die is thrown for; `unseen`:
        only who throws sees them.
        """
        return self.throw(Need(purpose, count, sides, names, each, aims=ONLY_READ), unseen=unseen)

    def throw(self, need: Need, *, unseen: bool = False) -> tuple[int, ...]:
        """Throw what is needed: the same `Need` that a legal list tells; who sees it is settled here."""
        if unseen or self._hidden:
            need, self.unseen = replace(need, to=self._seat), True
        seed = self._source.seed_lots(need.to) if need.lots else None
        roll = self._source.draw(need)
        self.rolls += [seed, roll] if seed else [roll]
        return roll.faces

    def draw(self, among: tuple[str, ...], purpose: str, *, unseen: bool = False, lots: bool = False) -> str:
        """Draw one of these names blindly: a die with a face for each. Where there is only one, no die is thrown.

        `lots`: as in `Need`.
        """
        if len(among) == 1:
            return among[0]
        return among[self.throw(Need(purpose, 1, len(among), among, lots=lots, aims=ONLY_READ), unseen=unseen)[0] - 1]


Draws = Mapping[str | None, int]
"""Draws made so far, taken back or not: those that everybody sees under None, those of a seat in secret under its name.

They are numbered apart, so that who sees the open ones can check them.
"""


class _Counter:
    """Numbers draws."""

    __slots__ = ("draws",)

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        """Draws made so far; those of an action that is refused or awaits something never count."""

    def seed_lots(self, to: str | None) -> Roll | None:  # noqa: ARG002 - lots come from where dice come from
        """None: lots need no seed of their own."""
        return None

    def _derived(self, seed: bytes, need: Need, origin: Origin) -> Roll:
        """The next draw as a seed gives it."""
        key = draw_key(seed, self.draws.get(need.to, 0))
        return self._rolled(need, tuple(derive_faces(key, (need.sides,) * need.count)), origin)

    def _rolled(self, need: Need, faces: tuple[int, ...], origin: Origin) -> Roll:
        number = self.draws.get(need.to, 0)
        self.draws = {**self.draws, need.to: number + 1}
        names = tuple(need.names[face - 1] for face in faces) if need.names else ()
        return Roll(number, need.purpose, need.sides, faces, origin, need.each, names, need.to)


class TypedSource(_Counter):
    """Faces typed in by the players, taken in the order in which the rules ask for them. Lots come from a seed."""

    def __init__(self, faces: Iterable[Typed], draws: Draws | None = None, fresh: Fresh | None = None) -> None:
        """`fresh` makes the seed of lots once some are drawn; None: they are awaited like dice."""
        super().__init__(draws or {})
        self._faces = list(faces)
        self._fresh, self._lots = fresh, b""

    def seed_lots(self, to: str | None) -> Roll | None:
        """The seed, once."""
        if self._lots or self._fresh is None:
            return None
        self._lots = self._fresh(32)
        return self._rolled(Need(LOTS, 32, 256, to=to, aims=ONLY_READ), tuple(byte + 1 for byte in self._lots), "lots")

    def draw(self, need: Need) -> Roll:
        """Take the next faces; DiceNeededError when too few are left, DiceError when one is not on such a die."""
        if need.lots and self._lots:
            return self._derived(self._lots, need, "lots")
        faces = tuple(map(need.face_of, self._faces[: need.count]))
        if len(faces) < need.count:
            raise DiceNeededError(need, len(faces))
        self._faces = self._faces[need.count :]
        return self._rolled(need, faces, "table")

    @property
    def left_over(self) -> Sequence[Typed]:
        """Faces typed in that no rule asked for."""
        return self._faces


class OpenSource(_Counter):
    """Faces derived from seeds: the one in the log, and for what a seat throws in secret the one that it has sealed."""

    __slots__ = ("_seeds",)

    def __init__(self, seeds: Mapping[str | None, str], draws: Draws | None = None) -> None:
        """`seeds` as hex, the log's under None."""
        super().__init__(draws or {})
        self._seeds = seeds

    def draw(self, need: Need) -> Roll:
        """Derive the next draw; DiceError when the seat that throws in secret has sealed no seed."""
        if need.to not in self._seeds:
            raise DiceError(f"{need.to} has sealed no seed for dice thrown in secret")
        return self._derived(bytes.fromhex(self._seeds[need.to]), need, "sealed" if need.to else "open")


class CastSource(_Counter):
    """Faces of a cast, which all seats have thrown together: its dice are counted through all draws made from it."""

    __slots__ = ("_keys", "thrown")

    def __init__(self, keys: Mapping[str | None, bytes], thrown: Draws, draws: Draws) -> None:
        """`keys`: the key of dice that everybody sees under None, of a seat's secret ones under its name; empty while
        somebody has not thrown yet. `thrown`: how many dice were taken from each so far.
        """
        super().__init__(draws)
        self._keys = keys
        self.thrown = thrown
        """Dice taken so far, under the same names."""

    def draw(self, need: Need) -> Roll:
        """Take the next dice of the cast; DiceNeededError while it is not complete."""
        if need.to not in self._keys:
            raise DiceNeededError(need)
        first = self.thrown.get(need.to, 0)
        self.thrown = {**self.thrown, need.to: first + need.count}
        faces = tuple(derive_faces(self._keys[need.to], (need.sides,) * need.count, first))
        return self._rolled(need, faces, "pact")


class RecordedSource(_Counter):
    """Faces read back from a log, for judging again what was typed in at a table, and lots that were drawn there."""

    __slots__ = ("_lots", "_rolls")

    def __init__(self, rolls: Iterable[Roll], draws: Draws | None = None) -> None:
        super().__init__(draws or {})
        self._rolls = list(rolls)
        self._lots = b""

    def seed_lots(self, to: str | None) -> Roll | None:
        """The seed that was recorded, if it is there: names of lots may also have been typed in."""
        roll = next((roll for roll in self._rolls if roll.to == to), None)
        if self._lots or roll is None or roll.purpose != LOTS:
            return None
        self._rolls.remove(roll)
        due = self._rolled(Need(LOTS, 32, 256, to=to, aims=ONLY_READ), roll.faces, "lots")
        if roll != due or len(roll.faces) != 32 or max(roll.faces) > 256:
            raise DiceError("the seed of the lots is not 32 bytes, or not in its place")
        self._lots = bytes(face - 1 for face in roll.faces)
        return due

    def draw(self, need: Need) -> Roll:
        """Hand back the next recorded draw that the same people see; DiceError when it is not what is asked for."""
        at = next((at for at, roll in enumerate(self._rolls) if roll.to == need.to), None)
        if at is None:
            raise DiceError(f"no dice are recorded for {need}")
        roll = self._rolls.pop(at)
        if (roll.purpose, len(roll.faces), roll.sides) != (need.purpose, need.count, need.sides):
            recorded = Need(roll.purpose, len(roll.faces), roll.sides, aims=ONLY_READ)
            raise DiceError(f"the rules ask for {need}, but the log holds {recorded}")
        if any(face > roll.sides for face in roll.faces):
            raise DiceError(f"a die with {roll.sides} sides cannot show {max(roll.faces)}")
        due = self._due(need, roll)
        if (roll.draw, roll.origin) != (due.draw, due.origin):
            due_from = "lots" if due.origin == "lots" else "the table"
            raise DiceError(f"draw {due.draw} is due from {due_from}, not draw {roll.draw} of {roll.origin}")
        if roll.faces != due.faces:
            shown, told = (" ".join(map(str, one.faces)) for one in (due, roll))
            raise DiceError(f"draw {due.draw} of this seed shows {shown}, but {told} is recorded")
        return due

    def _due(self, need: Need, roll: Roll) -> Roll:
        """The roll as it has to be: typed in as recorded, or as lots what their seed gives."""
        if need.lots and self._lots:
            return self._derived(self._lots, need, "lots")
        return self._rolled(need, roll.faces, "table")


def draw_key(seed: bytes, draw: int) -> bytes:
    """Key K of a draw in open mode (`refdice/1`): 32 bytes from the 32-byte seed and the number of the draw."""
    number = sha256(b"refdice/1/draw\n" + draw.to_bytes(4, "big")).digest()
    return _seeded(seed).digest(b"refdice/1/key\n" + number)


_seeded = lru_cache(maxsize=16)(Keyed)  # a game throws all its dice from one seed, or from one for each seat


def derive_faces(key: bytes, sides: Sequence[int], first: int = 0) -> Iterator[int]:
    """Faces 1..n for each die in `sides` from the key of a draw. Unbiased: words past the limit are skipped.

    `first` is the number of the first of these dice among those of one key.
    """
    keyed = Keyed(key)
    for index, faces in enumerate(sides, first):
        yield _face(keyed, index, faces)


def _face(key: Keyed, index: int, sides: int) -> int:
    width, limit = _words(sides)
    die = b"refdice/1/die\n" + index.to_bytes(4, "big")
    for block in range(2**32):
        data = key.digest(die + block.to_bytes(4, "big"))
        for at in range(0, len(data) - width + 1, width):
            word = int.from_bytes(data[at : at + width], "big")
            if word < limit:
                return 1 + word % sides
    raise AssertionError("2**32 blocks without a usable word")


@lru_cache(maxsize=64)
def _words(sides: int) -> tuple[int, int]:
    """The bytes of a word for a die, and the limit from which on words are skipped."""
    width = 1
    while 256**width < sides:
        width += 1
    return width, 256**width // sides * sides
