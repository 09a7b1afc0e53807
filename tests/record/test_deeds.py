"""Deeds of the record: each is a file, and a new one and the command that says it are all that is written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import house
import pytest
from support import PACKAGE

from referee.engine.registry import find_game
from referee.record.log.entry import list_deed_types, make_entry_types
from referee.record.table.proposal import DescribedDeed, DescribedOffer

BELOW = ("log", "table")
"""Rooms of the record in which no deed is named, but in the files of deeds."""
DEED = '''"""Adjourning: the game rests by agreement, and all know until when."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats, Text
from referee.record.table.deed import ConsentNeed, SheetDeed
from referee.record.table.proposal import Proposal, DescribedOffer, DescribedDeed

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.session import Session
    from referee.record.table.seat_view import SeatView

DEED_NUMBER = 15


class AdjournOffer(DescribedOffer, frozen=True, tag="adjourn"):
    """To let the game rest."""

    until: Text

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append([(partial(AdjournEntry, by=REFEREE, until=self.until, agreed=(by, *agreed)), None)])

    def describe(self, look: "SeatView") -> str:
        """Returns what somebody offers."""
        return f"to adjourn until {self.until}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out nothing: the game stands as before."""
        return Proposal(by, self)


class AdjournEntry(DescribedDeed, frozen=True, tag="adjourn"):
    """The game rests."""

    is_made_by_table = True
    sheet_word = "adjourn: TEXT"

    until: Text
    agreed: AgreedSeats

    @property
    def required_offer(self) -> AdjournOffer:
        """What has to be offered."""
        return AdjournOffer(self.until)

    def apply(self, reducer: "ReducerState") -> None:
        """Nothing changes."""

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:
        """Returns what all others must agree to."""
        return ConsentNeed("to adjourn")

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:
        """Returns what stands on a sheet."""
        return f'adjourn{self.sheet_consent}: {{"until":"{self.until}"}}'

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft":
        """Returns what a line of a sheet records."""
        return partial(cls, by=said.by, until=said.read_document()["until"], agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:
        """Tells it in one line."""
        return f"adjourned until {self.until}, agreed by {listing(self.agreed)}"
'''
COMMAND = '''"""`referee adjourn`: let the game rest."""

from functools import partial

import typer

from referee.cli.answer import Answer
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.record_answer import answer_with_recorded_entry
from referee.cli.arguments import AgreedByOption
from referee.engine.event import REFEREE
from referee.record.table.deeds.adjourn import AdjournEntry


def adjourn(ctx: typer.Context, until: str, agreed: AgreedByOption = None) -> Answer:
    """Let the game rest."""
    look = ctx.obj.open_view_to_record("adjourn", offers=True)
    consent = list_consenting_seats(look, agreed)
    draft = partial(AdjournEntry, by=REFEREE, until=until, agreed=consent)
    typed = f"adjourn {until}"
    stopped = record_with_consent(ctx.obj, look, REFEREE, consent, typed, lambda: look.session.append([(draft, None)]))
    return stopped or answer_with_recorded_entry(look, "The game is adjourned.")
'''
ADDED = {"record/table/deeds/adjourn.py": DEED, "cli/commands/adjourn.py": COMMAND}
"""A deed as somebody adds it."""


# Nobody else names one


@pytest.mark.parametrize("deed", list_deed_types(), ids=lambda deed: deed.__name__)
def test_nobody_below_names_a_deed(deed):
    file = Path(sys.modules[deed.__module__].__file__)
    offer = deed.__name__.replace("Entry", "Offer")
    found = house.files_of_deed(PACKAGE.parent, "", deed.__name__, offer)
    below = [path for path in found for room in BELOW if path.is_relative_to(PACKAGE / "record" / room)]
    assert {path.relative_to(PACKAGE) for path in below} - {file.relative_to(PACKAGE)} == set()


@pytest.mark.parametrize("deed", list_deed_types(), ids=lambda deed: deed.__name__)
def test_every_deed_tells_itself(deed):
    assert issubclass(deed, DescribedDeed)
    assert deed in make_entry_types(find_game("manoover")).__args__


def test_a_deed_that_keeps_silent_is_none():
    with pytest.raises(TypeError, match=r"Silent lacks: apply, describe, find_consent_need, required_offer"):

        class Silent(DescribedDeed, frozen=True, tag="silent"):
            pass


def test_an_offer_that_keeps_silent_is_none():
    with pytest.raises(TypeError, match=r"Silent lacks: carry_out, describe, make_proposal"):

        class Silent(DescribedOffer, frozen=True, tag="silent"):
            pass


# One more


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("adjourned")


@pytest.fixture(scope="module")
def tree(folder):
    """The program with two files more."""
    copytree(PACKAGE, folder / "tree" / "referee", ignore=ignore_patterns("manual", "__pycache__"))
    for name, source in ADDED.items():
        (folder / "tree" / "referee" / name).write_text(source, "utf-8")
    return folder / "tree"


@pytest.fixture
def referee(folder, tree, tmp_path):
    """The command of that program, as somebody types it who has a home of his own."""

    def run(*words: str, home: str = "anna", code: int = 0) -> str:
        place = tmp_path / home
        place.mkdir(exist_ok=True)
        env = {**os.environ, "PYTHONPATH": str(tree), "HOME": str(place), "XDG_CONFIG_HOME": str(place)}
        command = [sys.executable, "-m", "referee", *words]
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return run


def test_one_more_deed_is_asked_for_recorded_told_and_audited(referee):
    referee("new", "manoover", "--seed", "00" * 32, "-o", "game.jsonl")
    referee("do", "throwoff, throw")
    asked = referee("adjourn", "Sunday", code=1)
    assert "to adjourn needs red and blue to agree" in asked
    assert "Once all agree, type: referee adjourn Sunday --agreed-by red,blue" in asked
    assert "The game is adjourned." in referee("adjourn", "Sunday", "--agreed-by", "all")
    assert "adjourned until Sunday, agreed by red and blue" in referee("log")
    assert referee("audit", "game.jsonl").startswith("CLEAN")
    assert "adjourn let the game rest" in " ".join(referee("help", "commands").split())


def test_one_more_deed_goes_through_a_sheet(referee):
    referee("new", "manoover", "--seed", "00" * 32, "-o", "game.jsonl")
    referee("adjourn", "Sunday", "--agreed-by", "all")
    referee("log", "--as", "words", "-o", "game.txt")
    referee("new", "--from", "game.txt", "-o", "again.jsonl")
    assert "adjourned until Sunday, agreed by red and blue" in referee("-g", "again.jsonl", "log")


def test_one_more_deed_is_offered_by_mail_and_done_once_agreed(referee, tmp_path):
    def sent(by: str, to: str) -> None:
        packet = referee("mail", "pack", home=by)
        (tmp_path / to).mkdir(exist_ok=True)
        (tmp_path / to / "mail").write_text(packet, "utf-8")

    referee("new", "manoover", "--mail", "red", "--seats", "Anna,Bo", "-o", "game.jsonl")
    sent("anna", "bo")
    referee("mail", "open", "mail", "-o", "game.jsonl", home="bo")
    referee("join", "blue", home="bo")
    sent("bo", "anna")
    referee("mail", "open", "mail")
    assert "You offer to adjourn until Sunday." in referee("adjourn", "Sunday")
    sent("anna", "bo")
    assert "to adjourn until Sunday" in referee("mail", "open", "mail", home="bo")
    referee("mail", "agree", home="bo")
    told = json.loads(referee("--json", "log", home="bo"))
    assert "adjourned until Sunday, agreed by red and blue" in [one["text"] for one in told]
    assert referee("audit", "game.jsonl", home="bo").startswith("CLEAN")
