"""Sources of dice: typed faces, seeds, rolls that all seats make together, and rolls read back from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from referee.engine.dice import DiceError, DiceNeededError, Need, Origin, Roll, TypedDie
from referee.engine.dice_derivation import derive_draw_key, derive_faces
from referee.engine.target_number import ONLY_READ

LOT_SEED_PURPOSE = "the seed of the lots"
"""The purpose of the draw that records the seed of lots: 32 dice with 256 faces, each showing a byte plus one."""
SEED_BYTES = 32
"""The length of a seed, in bytes."""


MakeRandomBytes = Callable[[int], bytes]
"""A function that returns as many bytes as it is asked for. Nobody can foresee them."""


DrawCounts = Mapping[str | None, int]
"""The numbers of draws made so far, including those taken back.

Open draws are under None, secret ones under their seat. They are counted separately, so that people who see only open
draws can check their numbers.
"""


def _make_seed_need(to: str | None) -> Need:
    """Returns the need for the draw that records the seed of lots. Only the seat `to` sees it; None means everybody."""
    return Need(LOT_SEED_PURPOSE, SEED_BYTES, 256, to=to, aims=ONLY_READ)


class _Counter:
    """A base class of sources, which numbers their draws."""

    __slots__ = ("draws",)

    def __init__(self, draws: DrawCounts) -> None:
        self.draws = draws
        """The numbers of draws, with those from this source. A caller keeps them only if the action is played."""

    def draw_lot_seed(self, to: str | None) -> Roll | None:  # noqa: ARG002 - lots come from the same place as dice
        """Returns None: lots need no seed of their own."""
        return None

    def _derive_roll(self, seed: bytes, need: Need, origin: Origin) -> Roll:
        """Returns the next draw, derived from a seed."""
        key = derive_draw_key(seed, self.draws.get(need.to, 0))
        return self._make_roll(need, tuple(derive_faces(key, (need.sides,) * need.count)), origin)

    def _make_roll(self, need: Need, faces: tuple[int, ...], origin: Origin) -> Roll:
        number = self.draws.get(need.to, 0)
        self.draws = {**self.draws, need.to: number + 1}
        names = tuple(need.names[face - 1] for face in faces) if need.names else ()
        return Roll(number, need.purpose, need.sides, faces, origin, need.each, names, need.to)


class TypedSource(_Counter):
    """Faces that players type, in the order in which the rules ask for them. Lots come from a seed."""

    def __init__(
        self, faces: Iterable[TypedDie], draws: DrawCounts | None = None, fresh: MakeRandomBytes | None = None
    ) -> None:
        """Stores the typed faces, and the numbers of the draws made before.

        `fresh` makes the seed when lots are drawn. Without `fresh`, players have to type lots, too.
        """
        super().__init__(draws or {})
        self._faces = list(faces)
        self._fresh, self._lots = fresh, b""

    def draw_lot_seed(self, to: str | None) -> Roll | None:
        """Returns the roll that records a fresh seed, the first time that lots are drawn.

        Returns None later, or if players type lots.
        """
        if self._lots or self._fresh is None:
            return None
        self._lots = self._fresh(SEED_BYTES)
        return self._make_roll(_make_seed_need(to), tuple(byte + 1 for byte in self._lots), "lots")

    def draw(self, need: Need) -> Roll:
        """Returns the roll with the next faces.

        Raises DiceNeededError if too few faces are left, and DiceError if a die of this kind does not have the face.
        """
        if need.lots and self._lots:
            return self._derive_roll(self._lots, need, "lots")
        faces = tuple(map(need.parse_face, self._faces[: need.count]))
        if len(faces) < need.count:
            raise DiceNeededError(need, len(faces))
        self._faces = self._faces[need.count :]
        return self._make_roll(need, faces, "table")

    @property
    def unused_faces(self) -> Sequence[TypedDie]:
        """The typed faces that no rule asked for."""
        return self._faces


class SeededSource(_Counter):
    """Faces derived from seeds.

    Open dice come from the seed in the log, secret ones from the seed that their seat has sealed.
    """

    __slots__ = ("_seeds",)

    def __init__(self, seeds: Mapping[str | None, str], draws: DrawCounts | None = None) -> None:
        """Stores the seeds, as hex; the log's own seed is under None."""
        super().__init__(draws or {})
        self._seeds = seeds

    def draw(self, need: Need) -> Roll:
        """Derives the next draw. Raises DiceError if a seat rolls in secret and has sealed no seed."""
        if need.to not in self._seeds:
            raise DiceError(f"{need.to} has sealed no seed for dice rolled in secret")
        return self._derive_roll(bytes.fromhex(self._seeds[need.to]), need, "sealed" if need.to else "open")


class JointRollSource(_Counter):
    """Faces of a roll that all seats make together. The dice are numbered in one sequence, over all its draws."""

    __slots__ = ("_keys", "thrown")

    def __init__(self, keys: Mapping[str | None, bytes], thrown: DrawCounts, draws: DrawCounts) -> None:
        """Stores the keys, the number of dice taken from each key so far, and the numbers of draws made so far.

        The key of open dice is under None, that of a seat's secret dice under its name. There are no keys while the
        share of a seat is missing.
        """
        super().__init__(draws)
        self._keys = keys
        self.thrown = thrown
        """The number of dice taken so far, under the same names as the keys."""

    def draw(self, need: Need) -> Roll:
        """Takes the next dice of the roll. Raises DiceNeededError until all seats have given their shares."""
        if need.to not in self._keys:
            raise DiceNeededError(need)
        first = self.thrown.get(need.to, 0)
        self.thrown = {**self.thrown, need.to: first + need.count}
        faces = tuple(derive_faces(self._keys[need.to], (need.sides,) * need.count, first))
        return self._make_roll(need, faces, "pact")


class RecordedSource(_Counter):
    """Faces read back from a log, to judge a game with typed dice again. Its lots are derived again from their seed."""

    __slots__ = ("_lots", "_rolls")

    def __init__(self, rolls: Iterable[Roll], draws: DrawCounts | None = None) -> None:
        super().__init__(draws or {})
        self._rolls = list(rolls)
        self._lots = b""

    def draw_lot_seed(self, to: str | None) -> Roll | None:
        """Returns the roll that records the seed of lots; None if lots were typed, or if the seed was read before.

        Raises DiceError if the seed is not 32 bytes, or is in the wrong place.
        """
        roll = next((roll for roll in self._rolls if roll.to == to), None)
        if self._lots or roll is None or roll.purpose != LOT_SEED_PURPOSE:
            return None
        self._rolls.remove(roll)
        need = _make_seed_need(to)
        due = self._make_roll(need, roll.faces, "lots")
        if roll != due or len(roll.faces) != SEED_BYTES or max(roll.faces) > need.sides:
            raise DiceError("the seed of the lots is not 32 bytes, or is in the wrong place")
        self._lots = bytes(face - 1 for face in roll.faces)
        return due

    def draw(self, need: Need) -> Roll:
        """Returns the next recorded draw with the same viewers: the seat `need.to`, or everybody.

        Raises DiceError if it is not the draw that is needed.
        """
        at = next((at for at, roll in enumerate(self._rolls) if roll.to == need.to), None)
        if at is None:
            raise DiceError(f"no dice are recorded for {need}")
        roll = self._rolls.pop(at)
        if (roll.purpose, len(roll.faces), roll.sides) != (need.purpose, need.count, need.sides):
            recorded = Need(roll.purpose, len(roll.faces), roll.sides, aims=ONLY_READ)
            raise DiceError(f"the rules ask for {need}, but the log holds {recorded}")
        if any(face > roll.sides for face in roll.faces):
            raise DiceError(f"a die with {roll.sides} sides cannot show {max(roll.faces)}")
        due = self._derive_expected_roll(need, roll)
        if (roll.draw, roll.origin) != (due.draw, due.origin):
            due_from = "lots" if due.origin == "lots" else "the table"
            found = f"the log has roll {roll.draw} of {roll.origin}"
            raise DiceError(f"the next roll must be roll {due.draw} from {due_from}, but {found}")
        if roll.faces != due.faces:
            shown, in_log = (" ".join(map(str, one.faces)) for one in (due, roll))
            raise DiceError(f"draw {due.draw} of this seed shows {shown}, but {in_log} is recorded")
        return due

    def _derive_expected_roll(self, need: Need, roll: Roll) -> Roll:
        """Returns the roll as it must be: as recorded if it was typed, or derived from the seed if it is a lot."""
        if need.lots and self._lots:
            return self._derive_roll(self._lots, need, "lots")
        return self._make_roll(need, roll.faces, "table")
