"""The laws that every game must obey: on our games, on the example of another's, and on games that break them."""

from __future__ import annotations

from pathlib import Path

import pytest
import test_race
from msgspec import field
from msgspec.structs import replace

from ambush import GAME as AMBUSH
from ambush import Ambush, Fight, HideChest, Lose, Raid
from race import GAME as RACE
from race import RUN_ROLL, MoveRunner, Race, State, ThrowDie
from referee.engine import (
    Choice,
    Event,
    Game,
    LegalActions,
    MessageEvent,
    Obligation,
    OneOf,
    Option,
    Order,
    Refusal,
    SecretEvent,
)
from referee.engine.registry import UnknownGameError, find_game
from referee.engine.text import NotUnderstoodError
from referee.testing import laws, obey
from referee.testing.compare import load_definitions

GAMES = (find_game("manoover"), find_game("mutants"), find_game("sheboygan"), find_game("zombies"), RACE, AMBUSH)
LONGEST = 20_000
"""Actions in which a random game ends: zombie heroes who wander about at random seldom meet the last hero."""
FILES = {path.parent.name: str(path) for path in Path(__file__).parent.glob("*/*_definitions.py")}
"""The slow definitions of each game of ours."""
CLAIMS = {path.parent.name: str(path) for path in Path(__file__).parent.glob("*/*_claims.py")}
"""The conditions under which refusals of each game of ours may cite rules."""


def meant(game):
    """The arguments with which a game is compared with its definitions and claims."""
    file = load_definitions(FILES[game.name]) if game.name in FILES else test_race if game is RACE else None
    claims = {"cites": load_definitions(CLAIMS[game.name]).CITES} if game.name in CLAIMS else {}
    return {"means": file.MEANS, "own": getattr(file, "OWN", ()), **claims} if file else {}


ALL = [
    pytest.param(law, id=f"{game.name}: {law}") for game in GAMES for law in laws(game, longest=LONGEST, **meant(game))
]


@pytest.fixture(scope="module")
def played():
    """The trial whose games are kept: they are big, and are let go when another game is tried."""
    return []


@pytest.mark.parametrize("law", ALL)
def test_law(law, played):
    while played and played[-1] is not law.trial:
        vars(played.pop()).pop("random_games", None)
    played[:] = [law.trial]
    law()


# Games that break a law, and what they are told


class Longer(Ambush):
    def legal(self, view, seat):
        return LegalActions((*super().legal(view, seat).choices, Choice(Fight)))


class Shorter(Ambush):
    def legal(self, view, seat):
        legal = super().legal(view, seat)
        return LegalActions([Choice(HideChest, cove="reef")]) if HideChest(cove="reef") in legal else legal


class Twice(Ambush):
    def legal(self, view, seat):
        return LegalActions(super().legal(view, seat).choices * 2)


class Stuck(Ambush):
    def legal(self, view, seat):
        return super().legal(view, seat) if view.night < 2 else LegalActions()


class Asking(Ambush):
    def awaits_answer(self, state):
        return state.phase in ("answer", "lose")


class Forgetful(Ambush):
    def position_from(self, state):
        return replace(super().position_from(state), gold=(3, 3))


class Spilling(Forgetful):
    """A changed amount of gold is lost, too."""


class Silent(Ambush):
    def tell(self, event):
        return ""


class Mumbling(Ambush):
    def format(self, action):
        return super().format(action).replace("reef", "cave")


class Nameless(Ambush):
    """A line has a gap."""

    def status(self, view):
        return f"{super().status(view)} Next: {None}."


class Backward(Ambush):
    """Turns are counted down."""

    def get_turn_number(self, state):
        return 1000 - super().get_turn_number(state)


class Misplacing(Ambush):
    """An error is shown where there is no text."""

    def parse(self, text, view, seat):
        try:
            return super().parse(text, view, seat)
        except NotUnderstoodError as error:
            raise NotUnderstoodError(text, error.at + 100, 1, error.expected) from None


class Unfindable(Ambush):
    """A verb finds nothing."""

    def filter(self, legal, words, view):
        return LegalActions([choice for choice in super().filter(legal, words, view).choices if "hide" not in words])


class LaxPosition(Ambush.position, frozen=True, forbid_unknown_fields=False):
    """Anything may stand in it."""


class Lax(Ambush):
    position = LaxPosition


class Lawless(Ambush):
    def check(self, view, seat, action):
        return (Refusal("7.7", refusal.because) for refusal in super().check(view, seat, action))


class Optional(Ambush):
    options = (*Ambush.options, Option("weather", ("fair", "foul"), "what the weather is", "7.8"))


class Forbidding(Race):
    """It takes for impossible what play reaches."""

    @property
    def invariants(self):
        return (lambda state: iter([Refusal("pass", "nobody throws a three")] if state.thrown == 3 else []),)


class Misciting(Race):
    """It never comes to what an unknown rule says."""

    order = Order(
        lambda state: Obligation("red", "throw", "7.9", "red throws") if state.thrown > 4 else Race.order.due(state)
    )


class Loaded(Race):
    """Two dice are announced, one is thrown."""

    def legal(self, view, seat):
        legal = super().legal(view, seat)
        return LegalActions([Choice(ThrowDie, replace(RUN_ROLL, count=2))]) if legal.awaited_roll else legal


class Glass(Ambush):
    """Everybody sees everything."""

    def view(self, state, seat):
        return state


class Whispering(Ambush):
    """Whose turn it is tells what a chest is in."""

    def get_turn_number(self, state):
        return 1 + len(state.chests["red"].value) if state.chests["red"].known else 1


class Carved(Ambush):
    """A view gives away the first letter of the cove."""

    def view(self, state, seat):
        return replace(super().view(state, seat), raided=state.raided + state.chests["red"].value[:1])

    def get_turn_number(self, state):
        return 1


class Guessless(Ambush):
    """Secrets are kept, but nobody says what they might be."""

    guess = Game.guess


class Incurious(Ambush):
    """What is not known is left open."""

    def guess(self, view, seat, random):
        return view


class Forgetting(Ambush):
    """Who guesses forgets what he knows."""

    def guess(self, view, seat, random):
        return super().guess(self.view(view, None), None, random)


class Suspicious(Race):
    """Nobody keeps secrets, and still something else is believed."""

    def guess(self, view, seat, random):
        return replace(view, mover="blue")


class Despairing(Ambush):
    """What is guessed leads nowhere."""

    def guess(self, view, seat, random):
        chests = {one: chest.with_guess("nowhere") for one, chest in view.chests.items()}
        return replace(super().guess(view, seat, random), chests=chests)

    def legal(self, view, seat):
        lost = any(chest.known and chest.value == "nowhere" for chest in view.chests.values())
        return LegalActions() if lost else super().legal(view, seat)


class Boasting(Ambush):
    """What follows from a secret is said to be evident."""

    def resolve(self, view, seat, action, dice):
        if isinstance(action, Lose) and not view.chests[seat].known:
            action = Lose(what="gold" if action.what == "pirates" else "pirates")
        return super().resolve(view, seat, action, dice)


class Unhidden(Ambush):
    """That a chest is hidden is no secret deed: cove and dice stand in the open log."""

    def is_secret(self, view, action):
        return False


class Unsealed(Unhidden):
    """The same, and nothing of it is seen by its owner alone."""

    def resolve(self, view, seat, action, dice):
        for event in super().resolve(view, seat, action, dice):
            yield event.event if isinstance(event, SecretEvent) else event


class Counted(MessageEvent, frozen=True, tag="counted"):
    """Tells how many were sent out."""

    told = "{pirates} land."
    pirates: int


class Tattling(Ambush):
    """A number that is kept secret is told, and no event says that it tells."""

    event_types = Ambush().event_types | Counted

    def resolve(self, view, seat, action, dice):
        yield from super().resolve(view, seat, action, dice)
        if isinstance(action, Raid):
            yield Counted(action.pirates.value)


class Leaked(Counted, frozen=True, tag="leaked"):
    """Tells how many pirates went, and says that it tells."""

    tells = True


class Blabbing(Ambush):
    """A number that is kept secret is told, and the views of the others do not know it afterwards."""

    event_types = Ambush().event_types | Leaked

    def resolve(self, view, seat, action, dice):
        yield from super().resolve(view, seat, action, dice)
        if isinstance(action, Raid):
            yield Leaked(action.pirates.value)


class Rethrowing(Race):
    """Whoever throws a one throws once more, and nobody has said so."""

    def resolve(self, view, seat, action, dice):
        yield from super().resolve(view, seat, action, dice)
        if isinstance(action, ThrowDie) and dice.rolls[0].faces == (1,):
            dice.throw(RUN_ROLL)


class Generous(Race):
    """Whoever says where no runner stands is not told."""

    def check(self, view, seat, action):
        return (refusal for refusal in super().check(view, seat, action) if "no runner" not in refusal.because)


class Fragile(Race):
    """There is no answer about squares where no runner stands."""

    def check(self, view, seat, action):
        if isinstance(action, MoveRunner) and action.square not in view.list_runners(seat):
            raise KeyError(action.square)
        return super().check(view, seat, action)


class Narrow(Race):
    """Of several runners that may run, only one is listed."""

    def legal(self, view, seat):
        legal = super().legal(view, seat)
        return LegalActions([Choice(MoveRunner, square=OneOf((next(iter(legal)).square,)))]) if view.thrown else legal


class Noted(Event, frozen=True, tag="noted"):
    """Adds a word to the list of the state in which it happens."""

    told = "Noted."
    word: str

    def apply(self, state):
        state.words.append(self.word)
        return state


class Noting(State, frozen=True, kw_only=True):
    """A state with a list that can be changed."""

    words: list[str] = field(default_factory=list)


class Scribbling(Race):
    """What happens is added to the state before it."""

    event_types = RACE.event_types | Noted

    def setup(self, options, board):
        return Noting(lanes=board)

    def resolve(self, view, seat, action, dice):
        yield from super().resolve(view, seat, action, dice)
        yield Noted(action.says)


class Dated(MessageEvent, frozen=True, tag="dated"):
    """Tells how many games were begun before."""

    told = "Game {number}."
    number: int


class Aging(Race):
    """What happens depends on how many games were begun."""

    event_types = RACE.event_types | Dated
    begun = 0

    def setup(self, options, board):
        self.begun += 1
        return super().setup(options, board)

    def resolve(self, view, seat, action, dice):
        yield from super().resolve(view, seat, action, dice)
        yield Dated(self.begun)


class Drifting(Ambush):
    """Only a chest that is carried is hidden in secret; where one drifts stands in the open log."""

    def is_secret(self, view, action):
        return super().is_secret(view, action) and action.cove != "adrift"


class Mishearing(Ambush):
    """One phrase of many is read as another."""

    def parse(self, text, view, seat):
        return super().parse(text.lower().replace("lagoon", "reef"), view, seat)


BROKEN = {
    Longer: "an action is legal exactly when no rule forbids it",
    Shorter: "an action is legal exactly when no rule forbids it",
    Twice: "lists have the right count, a stable order and no duplicates",
    Stuck: "nobody is stuck before the end",
    Asking: "a seat is to move until the game ends",
    Forgetful: "a position and its state turn into each other",
    Spilling: "a changed position is refused or can be played on",
    Forbidding: "every invariant holds in every state that play reaches",
    Silent: "every event has a line and every view a picture",
    Lax: "files and positions with unknown fields are refused",
    Nameless: "no line shows a missing value such as None",
    Backward: "every query of the game has a result",
    Misplacing: "errors in typed words name their place",
    Unfindable: "a filter finds each action by its words",
    Mumbling: "the words of an action can be read back",
    Lawless: "every refusal cites a rule that exists",
    Optional: "every cited rule id exists",
    Misciting: "every cited rule id exists",
    Loaded: "an action rolls the dice that it announces",
    Glass: "a view of a view is the same view",
    Whispering: "public facts are the same in every view",
    Carved: "nobody learns what they may not know",
    Guessless: "a guess fits what its seat knows",
    Incurious: "a guess fits what its seat knows",
    Forgetting: "a guess fits what its seat knows",
    Suspicious: "a guess fits what its seat knows",
    Despairing: "a guess can be played on",
    Boasting: "events that the public predicts happen",
    Unhidden: "secrets do not follow from what others see",
    Unsealed: "secrets do not follow from what others see",
    Tattling: "an event that tells a secret says so",
    Blabbing: "a view knows what an event told its viewer",
    Rethrowing: "no play rolls twice for the same purpose",
    Narrow: "the first levels of play keep to the rules",
    Scribbling: "the first levels of play keep to the rules",
    Drifting: "secrets do not follow from what others see",
    Mishearing: "the words of an action can be read back",
    Generous: "nearly correct phrases are legal or refused by a rule",
    Fragile: "nearly correct phrases are legal or refused by a rule",
}


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_a_game_that_breaks_a_law_is_told_which(kind):
    (law,) = [law for law in laws(kind()) if str(law) == BROKEN[kind]]
    with pytest.raises(AssertionError, match=f"{kind.name} breaks the law '{BROKEN[kind]}'") as told:
        law()
    assert "Error:" not in str(told.value) or kind in (Asking, Fragile)


def test_a_breach_is_told_so_that_it_can_be_repeated():
    with pytest.raises(AssertionError) as told:
        obey(Longer(), seed=5)
    with pytest.raises(AssertionError) as again:
        obey(Longer(), seed=5)
    assert str(told.value) == str(again.value)
    assert "in game 0 of seed 5" in str(told.value)
    assert "says 'fight': it is IllegalVerdict(refusals=(Refusal(rule='time'" in str(told.value)


def test_what_depends_on_anything_but_state_and_dice_is_found():
    with pytest.raises(AssertionError, match=r"'every legal action can be played' .* had another result"):
        obey(Aging())


def test_few_choices_are_tried_more_than_once():
    spot = next(laws(AMBUSH)[0].trial.sample_spots())
    assert len(spot.sample_actions(spot.legal["red"])) > len(spot.legal["red"].choices) == 1


def test_a_game_that_is_not_installed_is_tried_all_the_same():
    with pytest.raises(UnknownGameError):
        find_game("ambush")
    obey(AMBUSH)


def test_a_game_without_an_end_is_found():
    with pytest.raises(AssertionError, match=r"'random games end' in game 0 .*: after 5 actions it still goes on"):
        obey(AMBUSH, longest=5)


def test_every_value_of_every_option_is_tried():
    for game in GAMES:
        played = laws(game)[0].trial.random_games
        for option in game.options:
            assert {play.options[option.name] for play in played} == set(option.values)


def test_a_law_reads_as_a_sentence():
    assert {"random games end", "a log audits clean"} <= set(map(str, laws(AMBUSH)))
    assert OneOf(tuple(map(str, laws(AMBUSH)))).values == tuple(dict.fromkeys(map(str, laws(AMBUSH))))
