"""The options of Sheboygan: scenarios, and rulings on which groups differ."""

from __future__ import annotations

from pathlib import Path

from referee.engine.event import Seat
from referee.engine.options import Option, Options
from referee.games.sheboygan.scenarios import SCENARIOS

HERE = Path(__file__).parent
HUMAN: Seat = "human"
CREATURE: Seat = "monster"
SEATS: tuple[Seat, ...] = (HUMAN, CREATURE)

OPTIONS = (
    Option("scenario", tuple(SCENARIOS), "points, victory level, abilities, helicopters, growth", "14.22a"),
    Option(
        "retreat-result",
        ("loss-and-retreat", "retreat-only", "attacker-loses"),
        "an r with a number: a loss and a retreat; a retreat only; a loss for attackers alone",
        "C2",
    ),
    Option("growth", ("per-unit", "per-attack"), "City Eating: a point for each unit destroyed, or each attack", "C5"),
    Option(
        "losses-score",
        ("all", "no-suicide", "by-monster"),
        "units that score: all that are lost; all but suicides; those that the monster destroys itself",
        "C6",
    ),
    Option("dead-monster", ("compared", "loses"), "a monster that dies: points are compared, or it loses", "C8"),
    Option(
        "mixed-attack",
        ("adjacent-suffer", "all-suffer"),
        "an attack by near and far units: the near alone suffer, or all",
        "C14",
    ),
    Option("ford-exit", ("other-bank", "either-bank", "any-land"), "where infantry comes out of a river", "C20"),
    Option("monster-in-tunnel", ("yes", "no"), "whether a monster may walk through the tunnel", "C22"),
    Option("doubtful-links", ("not-adjacent", "adjacent"), "nine pairs of boxes that hardly touch", "C39"),
    Option("retreat-under-flier", ("destroyed", "neighbour"), "units below a flier that must retreat", "C46"),
    Option("helicopter-in-flames", ("lost", "safe"), "a helicopter above flames at the end of its move", "C56"),
    Option("countermix", ("unknown", "reported"), "no limit to units bought, or the largest numbers reported", "C71"),
)


def seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - always these two
    """The two players, in the order in which they set up."""
    return SEATS


def shipped_board(options: Options) -> Path:  # noqa: ARG001 - there is one map
    """The map."""
    return HERE / "sheboygan.toml"


def shipped_tables(options: Options) -> Path:  # noqa: ARG001 - there is one set
    """The charts and tables."""
    return HERE / "tables.toml"
