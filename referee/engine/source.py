"""Where the faces of dice come from: typed in, derived from seeds, thrown by all together, or read back from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from referee.engine.aim import ONLY_READ
from referee.engine.dice import DiceError, DiceNeededError, Need, Origin, Roll, Typed
from referee.engine.refdice import derive_faces, draw_key

LOTS = "the seed of the lots"
"""The purpose of a draw that is the seed of those after it: 32 bytes, each as a die with 256 faces, a byte and one."""
SEED = 32
"""Bytes of that seed."""


Fresh = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee."""


Draws = Mapping[str | None, int]
"""Draws made so far, taken back or not: those that everybody sees under None, those of a seat in secret under its name.

They are numbered apart, so that who sees the open ones can check them.
"""


def _seed_for(to: str | None) -> Need:
    """The draw of the seed of lots, which this seat alone sees; None: everybody."""
    return Need(LOTS, SEED, 256, to=to, aims=ONLY_READ)


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
        self._lots = self._fresh(SEED)
        return self._rolled(_seed_for(to), tuple(byte + 1 for byte in self._lots), "lots")

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
        need = _seed_for(to)
        due = self._rolled(need, roll.faces, "lots")
        if roll != due or len(roll.faces) != SEED or max(roll.faces) > need.sides:
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
