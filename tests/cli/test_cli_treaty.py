"""One treaty: what a player accepts with one yes is told in the same words by each command that asks for it."""

from __future__ import annotations

import pytest
from penfriends import read_words, rested, seated

HINTS = "Hints are allowed: every player may ask what a bot would do."
OPTION = "House option: first is red (default: throw-off)."


@pytest.fixture
def invited(pair):
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo --hints --option first=red")
    mail = anna.mails()
    return anna, bo, mail


def test_each_command_tells_what_holds(invited):
    anna, bo, mail = invited
    for told in (bo.gets(mail, "-n"), bo.gets(mail), bo("mail"), bo.does("join Bo"), bo("audit")):
        assert (HINTS in read_words(told), OPTION in read_words(told)) == (True, True), told.shown
    assert anna.gets(bo.mails()).code == 0
    assert HINTS not in read_words(bo("mail")), "it is told to people who can still say no, and in every audit"


def test_a_page_tells_what_holds(invited):
    anna, bo, mail = invited
    bo.gets(mail)
    bo.does("join Bo")
    anna.gets(bo.mails())
    anna.does("log -o page.html")
    page = (anna.folder / "page.html").read_text()
    assert HINTS in page
    assert OPTION in page
    assert "The page shows exactly this log" in read_words(anna("audit page.html"))


def test_a_usual_game_has_nothing_to_tell_on_its_page(pair):
    anna, bo = pair
    seated(anna, bo)
    anna.does("log -o page.html")
    assert '<ul id="treaty">' not in (anna.folder / "page.html").read_text()


def test_whoever_joins_a_game_hears_of_the_rolls_that_it_has_dropped(pair, people):
    """Even if no branch has dropped them: here the two have agreed to it."""
    human, mutant, guest = people("human"), people("mutant"), people("guest")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1", "undo")
    human.gets(mutant.mails())
    told = read_words(human.does("mail agree"))
    assert "never made: roll 0, which waits; human may already know its dice" in told, "with the yes itself"
    mail = human.mails("--from 0")
    dropped = "Roll 0, which mutant began in entry"
    for answer in (guest.gets(mail), guest("mail"), guest.does("join human --as Dee"), guest("audit")):
        assert dropped in read_words(answer), answer.shown
    assert read_words(guest("mail")).count(dropped) == 1
