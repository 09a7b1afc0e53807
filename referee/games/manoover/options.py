"""The options of Manoover: the choices of a group, and which of them do not go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.options import Option, Options
from referee.engine.rulebook import Refusal
from referee.engine.text import spell_number

HERE = Path(__file__).parent
SHIPPED = HERE / "shipped"
"""The folder of all board files that were ever shipped."""
HASHES = SHIPPED / "hashes.toml"
"""The hashes by which logs name the shipped files."""

SeatName = Annotated[str, Meta(pattern="^[a-z]{1,12}$")]
"""A seat as a player may name it."""

SEATS_BY_FORM: Mapping[str, tuple[Seat, ...]] = {
    "base": ("red", "blue"),
    "plus": ("red", "blue"),
    "three": ("red", "blue", "green"),
}

OPTIONS = (
    Option(
        "form",
        ("base", "plus", "three"),
        "two players with six robots; two with eight (Manoover Plus); three with six",
        "setup.1",
    ),
    Option(
        "edition",
        ("abbott", "kadon", "crash"),
        "a preset: kadon sets ties, crash sets order, rotation and start",
        "variant.kadon.2",
        presets={
            "kadon": {"ties": "last-to-play"},
            "crash": {"order": "auto-control", "rotation": "one-step", "start": "garage"},
        },
    ),
    Option(
        "order",
        ("control-auto", "alternate", "auto-control"),
        "order of the phases; alternate: first turn control only, then automatic before control",
        "turn.1",
    ),
    Option(
        "ties",
        ("draw", "last-to-play", "survivor"),
        "equal goals: a tie, a win for the player whose turn ended the game, or for the one who still has robots",
        "r.last-to-play",
        is_switchable=True,
    ),
    Option("rotation", ("any", "one-step"), "how far one die turns an arrow", "r.crash-rotation", is_switchable=True),
    Option(
        "start",
        ("border", "garage"),
        "where robots begin: on border cells, or in garages outside the board",
        "r.start-cells",
    ),
    Option(
        "goal-cells",
        ("second", "third"),
        "where goals lie: on the second or the third cell of the middle column",
        "r.goal-cells",
    ),
    Option(
        "numbering",
        ("left-to-right", "right-to-left"),
        "the order of robot numbers along the start line, as the owner sees it",
        "r.numbering",
    ),
    Option(
        "decline-die",
        ("allowed", "forbidden"),
        "may you end the control phase with dice unspent?",
        "r.decline",
        is_switchable=True,
    ),
    Option(
        "null-rotation",
        ("allowed", "refused"),
        "may you turn an arrow to where it already points?",
        "r.null-rotation",
        is_switchable=True,
    ),
    Option(
        "eliminated-goal",
        ("counts", "void"),
        "three players: does the goal of a player without robots still count?",
        "r.eliminated-goal",
        is_switchable=True,
    ),
    Option(
        "three-result",
        ("most-goals", "match-points"),
        "three players: most robots in the goal wins, or most match points",
        "r.three-winner",
        is_switchable=True,
    ),
    Option(
        "first",
        ("throw-off", "red", "blue", "green"),
        "who takes the first turn: roll for it, or name a seat",
        "setup.5",
    ),
)


def list_seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - their number is fixed
    """Returns the seats in playing order (setup.1, three.2). Nobody can play alone (r.solo)."""
    return SEATS_BY_FORM[options["form"]]


def find_shipped_board(options: Options) -> Path:
    """Returns the board file of a form (plus.1, three.1)."""
    return SHIPPED / f"{options['form']}.toml"


def list_shipped_boards() -> tuple[Path, ...]:
    """Returns the files of all shipped boards."""
    return tuple(find_shipped_board({"form": form}) for form in SEATS_BY_FORM)


def check_options(options: Options) -> Iterator[Refusal]:
    """Yields a refusal for every combination of options that breaks a rule.

    Every order and every tie rule may be combined with each other, and with every form (r.alt-kadon, r.plus-ties,
    r.crash-rest, plus.4, variant.alt.3).
    """
    form = options["form"]
    if options["start"] == "garage" and (form != "base" or options["order"] != "auto-control"):
        yield Refusal(
            "variant.crash.2", "garages need form=base and order=auto-control: the cars drive in before the first dice"
        )
    if options["edition"] == "crash" and form != "base":
        yield Refusal(
            "variant.crash.5",
            f"Crash! is a game for {spell_number(len(SEATS_BY_FORM['base']))} on the standard board: form=base",
        )
    if form == "three" and options["goal-cells"] != "second":
        yield Refusal("three.1", "the three-player board has its goals in one place only: goal-cells=second")
    if options["first"] != "throw-off" and options["first"] not in SEATS_BY_FORM[form]:
        yield Refusal("setup.1", f"{options['first']} does not play in form={form}")
