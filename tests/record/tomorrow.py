"""A game as it will be some day: the race of the examples with one thing changed, found in its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

from third_party import EXAMPLES

IMPORT = (
    "from referee.engine import (",
    "from referee.engine import Option, RulesVersion, Upcast\nfrom referee.engine import (",
)
NAME = '    name = "race"\n'
FIELD = '    told = "{seat} may run {squares}."\n    seat: Seat\n    squares: int\n'
SAFE = "    elif to in state.lanes.safe"
NEWS = "    rules_version = 2\n    versions = (RulesVersion(2, {change!r}, {rules!r}),)\n"
"""The version number and its line, which every intended change comes with."""

OPTION = [
    (
        NAME,
        NAME
        + NEWS.format(change="a clock may be used", rules=())
        + '    options = (Option("clock", ("no", "yes"), "a clock", "turn", since=2),)\n',
    )
]
"""The change that adds an option."""
LIFT = 'Upcast("event", 2, "the die is named", lambda event: {"die": 4, **event}, "thrown", {lower})'
MORE = [
    (FIELD, FIELD + "    die: int\n"),
    ("yield DieThrown(seat, dice.throw(RUN_ROLL)[0])", "yield DieThrown(seat, dice.throw(RUN_ROLL)[0], 4)"),
    ("class Race(", f"UPCASTS = ({LIFT},)\n\n\nclass Race("),
    (NAME, NAME + NEWS.format(change="the die is named", rules=()) + "    upcasts = UPCASTS\n"),
]
"""The change that adds a field to an event, with or without a way back."""
WITH_WAY_BACK = 'lambda event: {name: value for name, value in event.items() if name != "die"}'
NO_ONE = '    elif not action.square and state.thrown < 2:\n        yield Refusal("home", "nobody starts with a 1")\n'
STRICTER = [
    (SAFE, NO_ONE + SAFE),
    (NAME, NAME + NEWS.format(change="nobody starts with a 1", rules=("home",))),
]
"""The change that adds a rule."""


def field(*, way_back: bool) -> list[tuple[str, str]]:
    """Returns the changes that add a field to an event."""
    lower = WITH_WAY_BACK if way_back else "None"
    return [(old, new.replace("{lower}", lower)) for old, new in MORE]


@contextmanager
def race_of_tomorrow(folder: Path, changes: list[tuple[str, str]], board: str = "") -> Iterator[None]:
    """Makes the race with these changes in its code, and with lines before its board. It is known during the block."""
    home = folder / "tomorrow"
    copytree(EXAMPLES["race"], home, dirs_exist_ok=True)
    code, lanes = home / "race" / "__init__.py", home / "race" / "lanes.toml"
    text = code.read_text("utf-8")
    for old, new in [IMPORT, *changes]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    code.write_text(text, "utf-8")
    lanes.write_text(board + lanes.read_text("utf-8"), "utf-8")
    with found_in(home):
        yield


@contextmanager
def found_in(home: Path) -> Iterator[None]:
    """Makes the race in a folder known during the block, and no other."""
    ours = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "race"}
    for name in ours:
        del sys.modules[name]
    point = EntryPoint("race", "race:GAME", "referee.games")
    with (
        patch.object(sys, "path", [str(home), *sys.path]),
        patch("referee.engine.registry._find_entry_points", lambda: [point]),
    ):
        import_module("race")
        yield
    for name in [name for name in sys.modules if name.split(".")[0] == "race"]:
        del sys.modules[name]
    sys.modules.update(ours)
