"""Cards that must be rolled for: infected survivors and the horde cards of the action deck (survivor.2, horde.1)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.target_number import ONLY_READ, Target
from referee.games.zombies.components import CardId, CardIds, HeroId, ZombieLevel
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.spawning import PlaceZombiesTask
from referee.games.zombies.state import State, TwoFaces, add_cards, remove_cards
from referee.games.zombies.tasks import HordeSizeTask, TasksAdded, TestCardTask

# What happens


class CardTested(Event, frozen=True, tag="tested"):
    """Two dice were rolled for an infected survivor or a horde card (survivor.2, horde.1)."""

    hero: HeroId
    card: CardId
    faces: TwoFaces

    def tell(self) -> str:
        """Tells the dice, and whether they set the card off."""
        one, other = self.faces
        return f"{self.hero} rolls for {self.card}, {one} {other}: {'doubles!' if one == other else 'no doubles.'}"

    def apply(self, state: State) -> State:
        """Ends the task of rolling for a card that was just drawn. A held card has no such task."""
        return state.remove_first_task() if isinstance(state.task, TestCardTask) else state


class BurdenPassed(Event, frozen=True, tag="burden-passed"):
    """A card that must be rolled for goes to the next hero on the left (horde.6, survivor.4)."""

    told = "{card} goes on to {to}."
    hero: HeroId
    card: CardId
    to: HeroId

    def apply(self, state: State) -> State:
        """Moves the card to the other hero."""
        giver, taker = state.players[self.hero], state.players[self.to]
        state = state.change_player(self.hero, burdens=remove_cards(giver.burdens, self.card))
        return state.change_player(self.to, burdens=add_cards(taker.burdens, self.card))


class BurdenKept(Event, frozen=True, tag="burden-kept"):
    """A card stays, since there is nobody to pass it to. It is rolled for again next turn (ruling.pass-solo)."""

    told = "{card} stays with {hero} and is rolled for next turn."
    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """Notes that the card was rolled for in this turn."""
        return replace(state, tested=add_cards(state.tested, self.card))


class BurdenDiscarded(Event, frozen=True, tag="burden-done"):
    """A card that must be rolled for is discarded, usually after doubles (horde.8, survivor.3)."""

    told = "Discard {card}."
    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """Discards the card."""
        burdens = remove_cards(state.players[self.hero].burdens, self.card)
        return state.change_player(self.hero, burdens=burdens).add_discards(self.card)


class SurvivorsTurned(Event, frozen=True, tag="survivors-turned"):
    """All survivors of a hero turn into zombies (survivor.3)."""

    told = "{hero}'s survivors turn: discard {cards}."
    hero: HeroId
    cards: CardIds

    def apply(self, state: State) -> State:
        """Discards the survivors. Their zombies are placed next."""
        return state.change_player(self.hero, survivors=(), spent=()).add_discards(*self.cards)


class HordeSizeRolled(Event, frozen=True, tag="horde-counted"):
    """The number of zombies in a horde was rolled (horde.3, card.zombie.7)."""

    hero: HeroId
    level: ZombieLevel
    faces: TwoFaces
    place: PlaceZombiesTask

    def tell(self) -> str:
        """Tells how many zombies there are, and who places them."""
        one, other = self.faces
        return f"A horde, {one} {other}: {self.hero} places {one + other} level {self.level} zombies."

    def apply(self, state: State) -> State:
        """Replaces the task of rolling by the task of placing the zombies."""
        return replace(state, agenda=(self.place, *state.agenda[1:]))


# Rolling for a card


def refuse_before_card_rolls(state: State, player: Player) -> tuple[Refusal, ...]:
    """Returns a refusal if the player has to roll for a held card first; empty otherwise.

    See turn.free.7 and ruling.roll-duty.
    """
    if not player.burdens or state.phase != "start":
        return ()
    card = next((card for card in player.burdens if card not in state.tested), None)
    if card is None:
        return ()
    return (Refusal("turn.free.7", f"{player.hero} holds {card} and has to roll for it first: test {card}"),)


class TestCard(Action, frozen=True, tag="test"):
    """Roll two dice for an infected survivor or a horde card; doubles set it off (survivor.3, horde.2)."""

    says = "test {card}"
    card: CardId


class DetermineHordeSize(Action, frozen=True, tag="count"):
    """Roll two dice for the size of a horde (horde.3, card.zombie.7)."""

    says = "count"


def _list_cards_to_test(state: State, player: Player) -> tuple[str, ...]:
    """Returns the cards to roll for: the card just drawn, or all held cards not rolled for in this turn (horde.7)."""
    if isinstance(state.task, TestCardTask):
        return (state.task.card,)
    return tuple(dict.fromkeys(card for card in player.burdens if card not in state.tested))


def _make_need(card: str) -> Need:
    aim = Target(of="alike", does="sets it off", good_for="zombies")
    return Need(f"doubles for {card}", 2, 6, aims=(aim,), rule="turn.free.7")


def _offer_test(state: State, player: Player) -> Iterator[Choice]:
    for card in _list_cards_to_test(state, player):
        yield Choice(TestCard, _make_need(card), card=card)


def _check_test(state: State, player: Player, action: TestCard) -> Iterator[Refusal]:
    if action.card in state.tested:
        yield Refusal("turn.free.7", f"{action.card} was rolled for in this turn")
    else:
        yield Refusal("turn.free.7", f"{player.hero} does not hold {action.card} as a card to be rolled for")


def _test_card(state: State, player: Player, action: TestCard, dice: Dice) -> Script[State]:
    """Rolls for a card. Without doubles the card goes to the next hero on the left; in solo it stays
    (horde.6, survivor.4, ruling.pass-solo).
    """
    one, other = dice.throw(_make_need(action.card))
    state = yield CardTested(player.hero, action.card, (one, other))
    if one == other:
        state = yield from _set_card_off(state, player.hero, action.card)
    else:
        state = yield from _pass_card_on(state, player, action.card)
    return state


def _pass_card_on(state: State, player: Player, card: str) -> Script[State]:
    """Passes a card to the next hero on the left (ruling.horde-card-holder).

    It goes round until somebody rolls doubles (horde.8, survivor.5). If there is no other hero, a hero keeps it, and a
    zombie hero discards it.
    """
    heir = state.find_hero_on_left(player.hero)
    if heir:
        return (yield BurdenPassed(player.hero, card, heir.hero))
    if player.is_zombie:
        return (yield BurdenDiscarded(player.hero, card))
    return (yield BurdenKept(player.hero, card))


def _set_card_off(state: State, hero: str, card: str) -> Script[State]:
    state = yield BurdenDiscarded(hero, card)
    found = state.get_card(card)
    if found.kind == "infected":
        return (yield from _turn_survivors(state, hero))
    return (yield TasksAdded((HordeSizeTask(by=hero, level=found.level or 1, distance=found.distance),)))


def _turn_survivors(state: State, hero: str) -> Script[State]:
    """Turns all survivors of a hero into zombies next to them (survivor.3).

    The infected card becomes no zombie (ruling.infected-itself). Without survivors nothing happens
    (ruling.infected-empty).
    """
    player = state.players[hero]
    if not player.survivors:
        return state
    state = yield SurvivorsTurned(hero, player.survivors)
    count = len(player.survivors)
    return (yield TasksAdded((PlaceZombiesTask(by=hero, level=1, count=count, how="turned", at=player.at),)))


def _read_test(reader: Reader) -> TestCard:
    """Reads the card to roll for. It may be left out if there is only one."""
    player = reader.speaker
    untested = _list_cards_to_test(reader.state, player) if player else ()
    return TestCard(reader.read_card() if reader.words or len(untested) != 1 else untested[0])


# The size of a horde


HORDE_SIZE_NEED = Need("zombies of the horde", 2, 6, aims=ONLY_READ, rule="horde.3")


def _offer_count(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(DetermineHordeSize, HORDE_SIZE_NEED)


def _count_horde(state: State, player: Player, _action: DetermineHordeSize, dice: Dice) -> Script[State]:
    """Rolls the number of zombies in a horde, which are placed at a distance from the player.

    They move in the next zombie phase (ruling.zombie-horde-move).
    """
    task = state.get_first_task(HordeSizeTask)
    one, other = dice.throw(HORDE_SIZE_NEED)
    place = PlaceZombiesTask(
        by=player.hero,
        level=task.level,
        count=one + other,
        how="horde",
        at=player.at,
        distance=task.distance,
        in_sight=task.in_sight,
    )
    return (yield HordeSizeRolled(player.hero, task.level, (one, other), place))


VERBS = (
    make_verb(
        TestCard, ("test", "start"), _offer_test, _test_card, rule="turn.free.7", check=_check_test, read=_read_test
    ),
    make_verb(DetermineHordeSize, ("count",), _offer_count, _count_horde, rule="horde.3"),
)
