"""What a player may say in Attack of the Mutants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from referee.engine.legal import Action

UnitName = Annotated[str, Meta(pattern="^[a-z]{1,8}[0-9]{0,2}$")]
"""A unit as said. Walls have names too (w1); ordering them about is refused, not misread."""
Units = Annotated[tuple[UnitName, ...], Meta(max_length=100)]
PlaceName = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9]|off)$")]
DoorSaid = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])-(x[NESW][1-9]|[A-I][1-9])$")]
Subject = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])(-(x[NESW][1-9]|[A-I][1-9]))?$")]
"""What is asked about: a room, a square or a door."""
SideName = Annotated[str, Meta(pattern="^(human|mutant)$")]


class RollSides(Action, frozen=True, tag="sides"):
    """Roll one die for each chair; the higher may choose its side (II.A-a)."""


class ChooseSide(Action, frozen=True, tag="choose"):
    """The player with the higher roll takes a side (II.A-c)."""

    side: SideName


class PlaceWall(Action, frozen=True, tag="wall"):
    """Put a Wall in a door (II.B.1.a-b)."""

    door: DoorSaid


class Put(Action, frozen=True, tag="put"):
    """Set up units in a room or Set Up square (II.B.1.b to II.B.2.c)."""

    units: Units
    place: PlaceName


class PutBoth(Action, frozen=True, tag="put-both"):
    """Set up a Guard with a Janibot in one room, or a Leader with other Mutants in one square."""

    chief: UnitName
    """The Guard or the Leader."""
    units: Units
    place: PlaceName


class PutRest(Action, frozen=True, tag="rest"):
    """Set up all that is left by a fixed policy: Human units close around the Tech Room, Mutants evenly."""


class PutRandom(Action, frozen=True, tag="random"):
    """Set up all that is left at random, Walls included; the dice are recorded."""


class Ready(Action, frozen=True, tag="ready"):
    """Declare one's set-up complete (III-a)."""


class Arrive(Action, frozen=True, tag="arrive"):
    """Roll for the Mutants that come into the Tech Room, and draw them (OPT.VI.A-c, OPT.VI.B-a)."""


class Smash(Action, frozen=True, tag="smash"):
    """Try to smash a door with these Mutants (IV.B.2.a-a)."""

    door: DoorSaid
    units: Units


class OpenDoor(Action, frozen=True, tag="open"):
    """Announce that these Mutants open a door for those on its other side (IV.B.3-b)."""

    door: DoorSaid
    units: Units


class Move(Action, frozen=True, tag="move"):
    """Move units together to a room or square next to where they stand (IV.A-a)."""

    units: Units
    along: Units
    """Who cannot go without them: Janibots (IV.C.2-a), the captive Penny (OPT.VI.C-d)."""
    to: PlaceName


class End(Action, frozen=True, tag="end"):
    """End the Step or Phase."""


class Fight(Action, frozen=True, tag="fight"):
    """Start the Combat in a room (V.B-a)."""

    room: PlaceName


class Lay(Action, frozen=True, tag="lay"):
    """Lay out units in one's Engaged boxes, from box 1 on (V.B.3-c)."""

    units: Units


class Pair(Action, frozen=True, tag="pair"):
    """Put units opposite the enemy's Engaged boxes, from box 1 on (V.B.3-d)."""

    units: Units


class Resolve(Action, frozen=True, tag="resolve"):
    """Roll for all pairs of the Round in the order of their boxes (V.C-b)."""


class Retreat(Action, frozen=True, tag="retreat"):
    """Bug out: leave the Combat for a room next to it (OPT.IV.A-a)."""

    units: Units
    along: Units
    to: PlaceName


class Pursue(Action, frozen=True, tag="pursue"):
    """Follow a side that has retreated completely (OPT.IV.A.1-a)."""

    units: Units
    along: Units


class Hold(Action, frozen=True, tag="hold"):
    """Do not follow."""


class Glow(Action, frozen=True, tag="glow"):
    """Roll one die for each Radioactive Mutant (VI-b)."""


class Record(Action, frozen=True, tag="record"):
    """Record the end of the Turn on the Turn Record Track (VII.A-b)."""


class Hide(Action, frozen=True, tag="hide"):
    """Take units off the gameboard and note them in secret again (OPT.V.C-e)."""

    units: Units


class Ask(Action, frozen=True, tag="ask"):
    """Ask what is in a room, a square or a door. Players ask; it is never legal (OPT.V.C-c, OPT.V.D-a, OPT.V.D-c)."""

    about: Subject


class Remove(Action, frozen=True, tag="remove"):
    """Ask to take units off the board. Players ask; it is never legal (IV.A.5-b)."""

    units: Units


MutantsAction = (
    RollSides
    | ChooseSide
    | PlaceWall
    | Put
    | PutBoth
    | PutRest
    | PutRandom
    | Ready
    | Arrive
    | Smash
    | OpenDoor
    | Move
    | End
    | Fight
    | Lay
    | Pair
    | Resolve
    | Retreat
    | Pursue
    | Hold
    | Glow
    | Record
    | Hide
    | Ask
    | Remove
)

PHRASES: Mapping[type[Action], str] = {
    RollSides: "sides",
    ChooseSide: "choose {side}",
    PlaceWall: "wall {door}",
    Put: "put {units} in {place}",
    PutBoth: "put {chief} {units} in {place}",
    PutRest: "rest",
    PutRandom: "random",
    Ready: "ready",
    Arrive: "arrive",
    Smash: "smash {door} {units}",
    OpenDoor: "open {door} {units}",
    Move: "move {units} {along} to {to}",
    End: "end",
    Fight: "fight {room}",
    Lay: "lay {units}",
    Pair: "pair {units}",
    Resolve: "resolve",
    Retreat: "retreat {units} {along} to {to}",
    Pursue: "pursue {units} {along}",
    Hold: "hold",
    Glow: "glow",
    Record: "record",
    Hide: "hide {units}",
    Ask: "ask {about}",
    Remove: "remove {units}",
}
"""The canonical words of each action."""

EXAMPLES = (
    "smash xN4-D1 n1 n2",
    "open C2-C3 n4",
    "move n1..n4 to D2",
    "move buck b1 b2 to C4",
    "fight C4, lay auto, pair auto, resolve",
)
