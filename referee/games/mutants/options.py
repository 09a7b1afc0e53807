"""The options of Attack of the Mutants: the Optional Rules (OPT.I-a, OPT.I-c), and rulings on which groups differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.engine.event import Seat
from referee.engine.options import Option, Options
from referee.engine.rulebook import Refusal

HERE = Path(__file__).parent
SHIPPED = HERE / "shipped"
"""The folder of all files that were ever shipped."""
HASHES = SHIPPED / "hashes.toml"
"""The hashes by which logs name the shipped files."""
SEATS: tuple[Seat, ...] = ("human", "mutant")
"""The two seats (INTRO.II). The Turn Record Track is in front of the Human player's seat (II.A-e)."""

OPTIONS = (
    Option(
        "scenario",
        ("basic", "alternate"),
        "ten Turns around the Tech Room, or fifteen with Mutants coming out of it",
        "OPT.VI.A-a",
    ),
    Option("help-humans", ("no", "yes"), "the Human player gets three more Walls", "OPT.II.A"),
    Option("help-mutants", ("no", "yes"), "every Janibot has Hit Number 2", "OPT.II.B", is_switchable=True),
    Option(
        "overwhelming-odds",
        ("no", "yes"),
        "a side with many more units subtracts 1 from its dice",
        "OPT.III.A-a",
        is_switchable=True,
    ),
    Option(
        "bugging-out",
        ("no", "yes"),
        "the outnumbered side may retreat, and the other may pursue",
        "OPT.IV.A-a",
        is_switchable=True,
    ),
    Option("hidden-movement", ("no", "yes"), "players note in secret where units and Walls are", "OPT.V.A"),
    Option("sides", ("settled", "roll"), "who takes which side: settled before, or by a roll of dice", "II.A-a"),
    Option(
        "corner-squares", ("no", "yes"), "may Mutants go round the corners of the building?", "M2", is_switchable=True
    ),
    Option(
        "wall-adjacent",
        ("chain", "line", "same-room"),
        "when three Walls are adjacent: linked at their ends, in one line, or on doors of one room",
        "M5",
    ),
    Option("wall-count", ("up-to", "exactly"), "must the Human player use all Walls?", "M6"),
    Option(
        "wall-reveal",
        ("either-room", "on-contact"),
        "with hidden-movement: a Wall is shown to Mutants in either of its rooms, or only when they try its door",
        "M23",
    ),
    Option(
        "answers",
        ("at-once", "by-step"),
        "with hidden-movement: the Human player tells what Mutants find at once, or when their Step ends",
        "M68",
    ),
    Option(
        "smash-table",
        ("board", "never-certain", "by-twos"),
        "the lost Smashed Door Table: as in the board file 2 3 4 5 6, or 2 3 4 5 5, or 1 3 5 6 6",
        "M26",
        is_switchable=True,
    ),
    Option(
        "opener-side",
        ("far", "either", "both"),
        "an opened door lets others into the opener's room, lets both groups pass, or needs openers on both sides",
        "M30",
        is_switchable=True,
    ),
    Option(
        "smash-sides",
        ("add", "one-side"),
        "do Mutants on both sides of a door smash together?",
        "M33",
        is_switchable=True,
    ),
    Option(
        "odds-floor", ("none", "six-misses"), "with a modifier: does a natural 6 still miss?", "M42", is_switchable=True
    ),
    Option(
        "captive-move-cost",
        ("counts", "separate"),
        "Mutants move Penny and she is freed in the same Turn: has she used her move?",
        "M52",
        is_switchable=True,
    ),
    Option(
        "retreat-exit",
        ("counts", "not"),
        "does retreating out of the building count as leaving it?",
        "M56",
        is_switchable=True,
    ),
    Option(
        "exited-mutants",
        ("active", "inert"),
        "may Mutants still act after they have left the building?",
        "M57",
        is_switchable=True,
    ),
)


def list_seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - always these two
    """Returns the seats of the Human and the Mutant player (INTRO.II)."""
    return SEATS


def list_keepers(options: Options) -> tuple[Seat, ...]:
    """Returns the seats that keep secret notes: both with Hidden Movement (OPT.V.A), else none."""
    return SEATS if options["hidden-movement"] == "yes" else ()


def find_shipped_board(options: Options) -> Path:  # noqa: ARG001 - all options are played on one board
    """Returns the board file of the Science Building (M1)."""
    return SHIPPED / "science-building.toml"


def check_options(options: Options) -> Iterator[Refusal]:
    """Yields refusals about options that need other options.

    All Optional Rules can be combined with each other (OPT.I-a, OPT.II, M63).
    """
    if options["wall-reveal"] != "either-room" and options["hidden-movement"] == "no":
        yield Refusal("M23", "wall-reveal needs hidden-movement=yes")
    if options["answers"] != "at-once" and options["hidden-movement"] == "no":
        yield Refusal("M68", "answers needs hidden-movement=yes")
    if options["retreat-exit"] != "counts" and (options["scenario"], options["bugging-out"]) != ("alternate", "yes"):
        yield Refusal("M56", "retreat-exit needs scenario=alternate and bugging-out=yes")
    if options["scenario"] == "basic":
        for name, rule in (("captive-move-cost", "M52"), ("exited-mutants", "M57")):
            if options[name] not in ("counts", "active"):
                yield Refusal(rule, f"{name} needs scenario=alternate")
