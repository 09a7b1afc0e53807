"""The options of Zombie Mutation: ways to play, and rulings about which groups of players differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.engine.event import Seat
from referee.engine.options import Option, Options
from referee.engine.rulebook import Refusal
from referee.engine.text import spell_number

HERE = Path(__file__).parent
SHIPPED = HERE / "shipped"
"""The folder of all files that ever shipped with the game."""
HASHES = SHIPPED / "hashes.toml"
"""The table of the hashes by which logs name these files."""
SEATS: tuple[Seat, ...] = ("red", "blue", "green", "orange")
"""The seats round the table, clockwise: blue sits to the left of red (ruling.turn-order)."""

OPTIONS = (
    Option(
        "players",
        ("2", "1", "3", "4"),
        "how many play; one plays solo",
        "setup.10",
        presets={"1": {"mode": "solo"}},
    ),
    Option("mode", ("versus", "solo", "teams"), "each against all, alone, or two teams", "ruling.mode-choice"),
    Option(
        "start",
        ("opposite", "same"),
        "heroes start in opposite buildings in turn, or all in the building of the first",
        "ruling.start-place",
    ),
    Option(
        "helipad",
        ("hospital-roof", "street"),
        "on the roof of the Hospital, or for a shorter game in the Street",
        "ruling.helipad-place",
    ),
    Option(
        "stop-at-zombie",
        ("yes", "no"),
        "whether zombies stop a hero without stealth",
        "ruling.stop-at-zombie",
        is_switchable=True,
    ),
    Option(
        "break-away-stop",
        ("new-only", "none", "all"),
        "which zombies stop a hero who breaks away: those not next to the hero before, none, or all",
        "ruling.break-away-stop",
        is_switchable=True,
    ),
    Option(
        "three-sides",
        ("orthogonal", "zombies-only"),
        "what closes a side of a hero: zombies, walls and figures alike, or zombies only",
        "ruling.three-sides",
        is_switchable=True,
    ),
    Option(
        "infected-sides",
        ("no", "yes"),
        "whether turned survivors leave a side of a hero open",
        "ruling.infected-sides",
        is_switchable=True,
    ),
    Option(
        "zombie-horde-sight",
        ("yes", "no"),
        "whether hordes of the zombie deck are placed in sight of the player who drew them",
        "ruling.zombie-horde-sight",
        is_switchable=True,
    ),
    Option(
        "zombie-step-choice",
        ("token-owner", "long-axis", "compass"),
        "equally good steps: the player whose turn it is chooses, the larger difference counts, or N before E, S and W",
        "ruling.zombie-step-choice",
        is_switchable=True,
    ),
    Option(
        "mutation-end",
        ("last-player-leaves", "last-hero-leaves", "stays"),
        "when a mutation ends: no player is left on its level, no hero is, or never",
        "ruling.mutation-end",
        is_switchable=True,
    ),
    Option(
        "heal-amount",
        ("on-card", "one", "full"),
        "what a health card restores: its number, 1, or everything",
        "ruling.heal-amount",
        is_switchable=True,
    ),
    Option(
        "hero-attacks-hero",
        ("versus-only", "never"),
        "whether heroes may attack other players' heroes in versus",
        "ruling.hero-attacks-hero",
        is_switchable=True,
    ),
    Option(
        "stealth-vs-zombie-hero",
        ("protects", "no-effect"),
        "whether stealth protects from zombie heroes and their hordes",
        "ruling.stealth-zhero",
        is_switchable=True,
    ),
    Option(
        "stealth-rescue",
        ("no", "yes"),
        "whether a stealthed hero may roll for rescue next to a zombie",
        "ruling.stealth-rescue",
        is_switchable=True,
    ),
    Option(
        "zhero-loot",
        ("killer", "any-hero"),
        "who may take the cards of a killed zombie hero",
        "ruling.zhero-loot",
        is_switchable=True,
    ),
)


def find_shipped_board(options: Options) -> Path:  # noqa: ARG001 - all options are played in one city
    """Returns the path of the reconstructed city."""
    return SHIPPED / "city.toml"


def find_shipped_components(options: Options) -> Path:  # noqa: ARG001 - all options are played with the same cards
    """Returns the path of the reconstructed cards and figures."""
    return SHIPPED / "components.toml"


def list_seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - the option says how many
    """Returns the seats of a game, one to four (mode.solo.1, mode.versus.1, mode.teams.1)."""
    return SEATS[: int(options["players"])]


def derive_options_from_names(names: tuple[str, ...]) -> Options:
    """Returns the options for players with these names; empty if there are no players or too many.

    One player alone plays solo (mode.solo.1).
    """
    return {"players": str(len(names))} if 0 < len(names) <= len(SEATS) else {}


def check_options(options: Options) -> Iterator[Refusal]:
    """Yields refusals of options that do not go together.

    One plays alone; two to four play against each other or in teams (setup.10).
    """
    players, mode = options["players"], options["mode"]
    if mode == "solo" and players != "1":
        yield Refusal("setup.10", f"solo is for one player, not {players}")
    if mode != "solo" and players == "1":
        yield Refusal("setup.10", f"one plays solo; {mode} is for more, up to {spell_number(len(SEATS))}")
    if mode == "teams" and options["start"] == "same":
        yield Refusal("mode.teams.1", "teams start in opposite buildings")
