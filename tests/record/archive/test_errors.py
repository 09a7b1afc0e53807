"""Errors: what one process has raised is told by another in the same words."""

import pickle
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from referee.bots.bot_child import BotFailedError
from referee.engine.dice import DiceNeededError, Need
from referee.engine.plugin_errors import GameError
from referee.engine.rulebook import NoRuleError
from referee.engine.secret import UnknownError
from referee.engine.target_number import ONLY_READ
from referee.engine.text import NotUnderstoodError
from referee.mail.ascii_armor import EnvelopeError
from referee.mail.packet_verifier import SeatClaimedError
from referee.record.log.log_errors import Fault, FaultError
from referee.record.log.safe_files import NoFileError
from referee.record.table.sheet import SheetError

ROOMS = ("engine", "record", "mail", "chances", "bots")
"""Whose errors come from work that other processes do."""
FAULT = Fault(3, 200, "hash", "it was changed")
ERRORS = (
    BotFailedError("mine.py:3", "KeyError: 'red'"),
    GameError("race", "race.py:3", "KeyError: 'red'"),
    NotUnderstoodError("go", 0, 2, "a robot", "b1"),
    NoRuleError("7.7", "rules.toml"),
    UnknownError("red"),
    DiceNeededError(Need(2, 6, "smash", "II.A", aims=ONLY_READ), 1),
    FaultError(FAULT),
    SeatClaimedError(FAULT, 4),
    EnvelopeError("changed"),
    NoFileError(Path("a.jsonl"), "this is not a file but a folder"),
    SheetError(3, "it goes back to line 4"),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_of_another_process_is_the_same_here(error):
    here = pickle.loads(pickle.dumps(error))
    assert type(here) is type(error)
    assert (str(here), vars(here)) == (str(error), vars(error))


def test_these_are_all_that_are_made_of_more_than_words():
    for room in ROOMS:
        package = import_module(f"referee.{room}")
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    made = {error for error in _errors(Exception) if error.__module__.startswith(tuple(f"referee.{r}." for r in ROOMS))}
    assert {error for error in made if "__init__" in vars(error)} == {type(error) for error in ERRORS}


def _errors(above):
    for error in above.__subclasses__():
        yield error
        yield from _errors(error)
