"""What a player may say in Manoover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from referee.engine.legal import Action

Compass = Annotated[str, Meta(pattern="^(N|NE|E|SE|S|SW|W|NW)$")]
"""A direction somebody may name. E and W are no directions of this board; saying them is refused, not misread."""

Robot = Annotated[str, Meta(pattern="^([A-Z]?[1-9])$")]
"""A robot as said: the number on a die for one's own ("5"), with its letter for another player's ("B5")."""

SeatName = Annotated[str, Meta(pattern="^[a-z]{1,12}$")]


class ThrowOff(Action, frozen=True, tag="throw-off"):
    """Each of these seats throws one die for the first turn (setup.5)."""

    seats: Annotated[tuple[SeatName, ...], Meta(max_length=3)]


class Throw(Action, frozen=True, tag="throw"):
    """Throw all dice: the control phase begins (dice.1)."""


class Rethrow(Action, frozen=True, tag="rethrow"):
    """Throw the picked-up dice a second time (dice.5)."""


class Turn(Action, frozen=True, tag="turn"):
    """Spend a die on turning the arrow of the robot it names (control.4)."""

    robot: Robot
    toward: Compass


class Go(Action, frozen=True, tag="go"):
    """Spend a die on moving the robot it names one cell along its arrow (control.5)."""

    robot: Robot
    toward: Compass
    """The arrow's direction, which the player may leave unsaid."""


class Done(Action, frozen=True, tag="done"):
    """End the control phase and leave the other dice unspent (r.decline)."""


class Auto(Action, frozen=True, tag="auto"):
    """Play the automatic phase, or what is left of it (auto.1)."""


class AutoOne(Action, frozen=True, tag="auto-one"):
    """Make the automatic move of one robot, the next by number (auto.3)."""

    robot: Robot
    toward: Compass
    """The arrow's direction, which the player may leave unsaid."""


class Skip(Action, frozen=True, tag="skip"):
    """Ask to leave out a robot's automatic move. Players ask; it is never legal (auto.2)."""

    robot: Robot


ManooverAction = ThrowOff | Throw | Rethrow | Turn | Go | Done | Auto | AutoOne | Skip

PHRASES: Mapping[type[Action], str] = {
    ThrowOff: "throwoff {seats}",
    Throw: "throw",
    Rethrow: "rethrow",
    Turn: "{robot} turn {toward}",
    Go: "{robot} go {toward}",
    Done: "done",
    Auto: "auto",
    AutoOne: "auto {robot} {toward}",
    Skip: "skip {robot}",
}
"""The canonical words of each action."""

EXAMPLES = ("throw", "2 turn ne", "6 go", "6 go, 2 turn n, auto")
