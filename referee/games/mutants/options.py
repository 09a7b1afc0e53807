"""The options of Attack of the Mutants: the Optional Rules (OPT.I-a, OPT.I-c), and rulings on which groups differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.engine.event import Seat
from referee.engine.options import Option, Options
from referee.engine.ruling import Refusal

HERE = Path(__file__).parent
SHIPPED = HERE / "shipped"
"""All files that ever came along."""
HASHES = SHIPPED / "hashes.toml"
"""By which hashes logs name them."""
SEATS: tuple[Seat, ...] = ("human", "mutant")
"""The two chairs (INTRO.II): the Human player's is the one with the Turn Record Track in front of it (II.A-e)."""

OPTIONS = (
    Option(
        "scenario",
        ("basic", "alternate"),
        "ten Turns around the Tech Room, or fifteen with Mutants coming out of it",
        "OPT.VI.A-a",
    ),
    Option("help-humans", ("no", "yes"), "three Walls more", "OPT.II.A"),
    Option("help-mutants", ("no", "yes"), "every Janibot has Hit Number 2", "OPT.II.B"),
    Option("overwhelming-odds", ("no", "yes"), "1 off the dice of a side with many more units", "OPT.III.A-a"),
    Option("bugging-out", ("no", "yes"), "the outnumbered side may retreat, and be pursued", "OPT.IV.A-a"),
    Option("hidden-movement", ("no", "yes"), "who stands where is noted in secret, and so are the Walls", "OPT.V.A"),
    Option("sides", ("settled", "roll"), "who takes which side: settled already, or by a roll of dice", "II.A-a"),
    Option("corner-squares", ("no", "yes"), "Mutants go round the corners of the building", "M2"),
    Option(
        "wall-adjacent",
        ("chain", "line", "same-room"),
        "when three Walls are adjacent: linked at their ends, in one line, or on doors of one room",
        "M5",
    ),
    Option("wall-count", ("up-to", "exactly"), "whether all Walls must be used", "M6"),
    Option(
        "wall-reveal",
        ("either-room", "on-contact"),
        "with hidden-movement: a Wall is shown to Mutants in either of its rooms, or only when they try its door",
        "M23",
    ),
    Option(
        "smash-table",
        ("board", "never-certain", "by-twos"),
        "the lost Smashed Door Table: as in the board file 2 3 4 5 6, or 2 3 4 5 5, or 1 3 5 6 6",
        "M26",
    ),
    Option(
        "opener-side",
        ("far", "either", "both"),
        "an opened door lets others into the opener's room, lets both groups pass, or needs openers on both sides",
        "M30",
    ),
    Option("smash-sides", ("add", "one-side"), "whether Mutants on both sides of a door smash together", "M33"),
    Option("odds-floor", ("none", "six-misses"), "with a modifier: whether a natural 6 still misses", "M42"),
    Option(
        "captive-move-cost",
        ("counts", "separate"),
        "Penny, moved by the Mutants and freed in the same Turn: whether she has used her move",
        "M52",
    ),
    Option("retreat-exit", ("counts", "not"), "whether retreating out of the building counts as leaving it", "M56"),
    Option("exited-mutants", ("active", "inert"), "what Mutants may do after they have left the building", "M57"),
)


def seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - always these two
    """The Human and the Mutant player (INTRO.II)."""
    return SEATS


def keepers(options: Options) -> tuple[Seat, ...]:
    """Both, where units and Walls are noted in secret (OPT.V.A)."""
    return SEATS if options["hidden-movement"] == "yes" else ()


def shipped_board(options: Options) -> Path:  # noqa: ARG001 - all options are played on one board
    """The Science Building (M1)."""
    return SHIPPED / "science-building.toml"


def check_options(options: Options) -> Iterator[Refusal]:
    """All Optional Rules go with one another (OPT.I-a), both balancing aids together too (OPT.II, M63)."""
    if options["wall-reveal"] != "either-room" and options["hidden-movement"] == "no":
        yield Refusal("M23", "wall-reveal needs hidden-movement=yes")
    if options["retreat-exit"] != "counts" and (options["scenario"], options["bugging-out"]) != ("alternate", "yes"):
        yield Refusal("M56", "retreat-exit needs scenario=alternate and bugging-out=yes")
    if options["scenario"] == "basic":
        for name, rule in (("captive-move-cost", "M52"), ("exited-mutants", "M57")):
            if options[name] not in ("counts", "active"):
                yield Refusal(rule, f"{name} needs scenario=alternate")
