"""The laws that every game must obey: on our games, on the example of another's, and on games that break them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ambush import GAME as AMBUSH
from ambush import Ambush, Fight, Hide, Lose
from race import GAME as RACE
from referee.engine.legal import Choice, Legal, OneOf
from referee.engine.options import Option
from referee.engine.registry import UnknownGameError, find_game
from referee.engine.ruling import Refusal
from referee.testing import laws, obey

GAMES = (find_game("manoover"), find_game("mutants"), find_game("sheboygan"), find_game("zombies"), RACE, AMBUSH)
ALL = [pytest.param(law, id=f"{game.name}: {law}") for game in GAMES for law in laws(game)]


@pytest.mark.parametrize("law", ALL)
def test_law(law):
    law()


# Games that break a law, and what they are told


class Longer(Ambush):
    def legal(self, view, seat):
        return Legal((*super().legal(view, seat).choices, Choice(Fight)))


class Shorter(Ambush):
    def legal(self, view, seat):
        legal = super().legal(view, seat)
        return Legal([Choice(Hide, cove="reef")]) if Hide(cove="reef") in legal else legal


class Twice(Ambush):
    def legal(self, view, seat):
        return Legal(super().legal(view, seat).choices * 2)


class Stuck(Ambush):
    def legal(self, view, seat):
        return super().legal(view, seat) if view.night < 2 else Legal()


class Asking(Ambush):
    def asks(self, state):
        return state.phase in ("answer", "lose")


class Forgetful(Ambush):
    def position_of(self, state):
        return replace(super().position_of(state), gold=(3, 3))


class Silent(Ambush):
    def tell(self, event):
        return ""


class Mumbling(Ambush):
    def format(self, action):
        return super().format(action).replace("reef", "cave")


class Lawless(Ambush):
    def check(self, view, seat, action):
        return (Refusal("7.7", refusal.because) for refusal in super().check(view, seat, action))


class Optional(Ambush):
    options = (*Ambush.options, Option("weather", ("fair", "foul"), "what the weather is", "7.8"))


class Glass(Ambush):
    """Everybody sees everything."""

    def view(self, state, seat):
        return state


class Whispering(Ambush):
    """Whose turn it is tells what a chest is in."""

    def turn_of(self, state):
        return 1 + len(state.chests["red"].value) if state.chests["red"].known else 1


class Carved(Ambush):
    """A view gives away the first letter of the cove."""

    def view(self, state, seat):
        return replace(super().view(state, seat), raided=state.raided + state.chests["red"].value[:1])

    def turn_of(self, state):
        return 1


class Boasting(Ambush):
    """What follows from a secret is said to be evident."""

    def resolve(self, view, seat, action, dice):
        if isinstance(action, Lose) and not view.chests[seat].known:
            action = Lose(what="gold" if action.what == "pirates" else "pirates")
        return super().resolve(view, seat, action, dice)


BROKEN = {
    Longer: "an action is legal exactly when no rule forbids it",
    Shorter: "an action is legal exactly when no rule forbids it",
    Twice: "lists are counted rightly, in a stable order, without duplicates",
    Stuck: "nobody is stuck before the end",
    Asking: "nobody is stuck before the end",
    Forgetful: "a position is the state",
    Silent: "everything can be told and shown",
    Mumbling: "what is written is read back",
    Lawless: "every refusal cites a rule that exists",
    Optional: "every id that is cited exists",
    Glass: "a view of a view is no more",
    Whispering: "what everybody may ask has one answer in every view",
    Carved: "nobody learns what he may not know",
    Boasting: "what everybody can tell has happened",
}


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_a_game_that_breaks_a_law_is_told_which(kind):
    (law,) = [law for law in laws(kind()) if str(law) == BROKEN[kind]]
    with pytest.raises(AssertionError, match=f"ambush breaks the law '{BROKEN[kind]}'") as told:
        law()
    assert "Error:" not in str(told.value) or kind is Asking


def test_a_breach_is_told_so_that_it_can_be_repeated():
    with pytest.raises(AssertionError) as told:
        obey(Longer(), seed=5)
    with pytest.raises(AssertionError) as again:
        obey(Longer(), seed=5)
    assert str(told.value) == str(again.value)
    assert "in game 0 of seed 5" in str(told.value)
    assert "says 'fight': it is Refused(refusals=(Refusal(rule='time'" in str(told.value)


def test_a_game_that_is_not_installed_is_tried_all_the_same():
    with pytest.raises(UnknownGameError):
        find_game("ambush")
    obey(AMBUSH)


def test_a_game_without_an_end_is_found():
    with pytest.raises(AssertionError, match=r"'random games end' in game 0 .*: after 5 actions it goes on still"):
        obey(AMBUSH, longest=5)


def test_every_value_of_every_option_is_tried():
    for game in GAMES:
        played = laws(game)[0].trial.plays
        for option in game.options:
            assert {play.options[option.name] for play in played} == set(option.values)


def test_a_law_reads_as_a_sentence():
    assert {"random games end", "a log audits clean"} <= set(map(str, laws(AMBUSH)))
    assert OneOf(tuple(map(str, laws(AMBUSH)))).values == tuple(dict.fromkeys(map(str, laws(AMBUSH))))
