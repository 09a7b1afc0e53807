"""Health cards, which a hero may use at any time except while being attacked (supply.health.1).

Also the seats that may act out of turn.
"""

from collections.abc import Iterator
from typing import Any

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.games.zombies.biting import list_seats_that_may_roll_bite
from referee.games.zombies.components import CardId, HeroId
from referee.games.zombies.free_actions import refuse_card_not_in_hand
from referee.games.zombies.order_of_play import has_hero, make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import EventNumber, State
from referee.games.zombies.tasks import TASK_PHASES, BiteTask, ShieldTask


class Healed(Event, frozen=True, tag="healed"):
    """A health card was used (supply.health.1)."""

    told = "{hero} uses {card}: health {health}."
    hero: HeroId
    card: CardId
    health: EventNumber
    """The health after the card was used."""

    def apply(self, state: State) -> State:
        """Sets the health and uses up the card."""
        return state.change_player(self.hero, health=self.health).use_card(self.hero, self.card)


class HealWithCard(Action, frozen=True, tag="heal"):
    """Use a health card, in anybody's turn (supply.health.1)."""

    says = "heal {card}"
    card: CardId


def is_being_attacked(state: State, player: Player) -> bool:
    """True if attacks on a player are being rolled: from the first to the last of them (ruling.heal-window)."""
    tasks = [task for task in state.agenda if isinstance(task, BiteTask)]
    attacked = any(hero == player.hero for task in tasks for _, hero in task.attacks)
    return attacked or any(isinstance(task, ShieldTask) and task.by == player.hero for task in state.agenda)


def can_heal(state: State, seat: Seat) -> bool:
    """True if a seat could use a health card now. Being engaged does not matter (supply.health.2)."""
    player = state.players_by_seat.get(seat)
    return (
        player is not None and not any(_check_heal(state, player)) and bool(state.list_usable_cards(player, "health"))
    )


def _check_heal(state: State, player: Player) -> Iterator[Refusal]:
    """Yields a refusal if a player cannot use a health card (supply.health.4, ruling.heal-max).

    That is so on the red heart, at full health, while being attacked, and for a player without a hero on the board.
    """
    full = state.components.heroes[player.hero].health
    if player.is_zombie or not player.at:
        yield Refusal("zhero.3", f"{player.hero} is not a hero in play and cannot use cards")
    elif not player.health:
        yield Refusal("supply.health.4", f"{player.hero} is on the red heart and can no longer heal")
    elif player.health >= full:
        yield Refusal("supply.health.1", f"{player.hero} has full health")
    elif is_being_attacked(state, player):
        yield Refusal("supply.health.1", f"{player.hero} is being attacked")


def _offer_heal(state: State, player: Player) -> Iterator[Choice]:
    cards = state.list_usable_cards(player, "health")
    if cards and state.due and not any(_check_heal(state, player)):
        yield Choice(HealWithCard, minor=player.seat != state.due.seat, card=OneOf(cards))


def _check_heal_card(state: State, player: Player, action: HealWithCard) -> Iterator[Refusal]:
    yield from _check_heal(state, player)
    if not player.is_zombie:
        yield from refuse_card_not_in_hand(state, player, action.card, "health", "supply.2")


def _heal_player(state: State, player: Player, action: HealWithCard, _dice: Dice) -> Script[State]:
    """Restores what the card and the special ability give, up to full health (ruling.heal-amount).

    The player decides when to use the card (supply.health.6).
    """
    full = state.components.heroes[player.hero].health
    amount = {"on-card": state.get_card(action.card).heal, "one": 1, "full": full}[state.options["heal-amount"]]
    health = min(full, player.health + amount + state.find_ability(player).heal)
    yield Healed(player.hero, action.card, health)


HEALTH_CARD_PHASES = ("start", "action", "horde", *TASK_PHASES)
"""The phases in which health cards may be used."""


def list_out_of_turn_seats(state: State) -> tuple[Seat, ...]:
    """Returns the seats that may use a health card now (supply.health.1) or roll attacks on others (zombie.attack.5).

    The result is empty after the game, and while heroes are chosen and placed.
    """
    if state.outcome or not state.players or state.phase in ("pick", "put"):
        return ()
    rolling = list_seats_that_may_roll_bite(state)
    return tuple(seat for seat in state.order if seat in rolling or can_heal(state, seat))


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        HealWithCard,
        HEALTH_CARD_PHASES,
        _offer_heal,
        _heal_player,
        rule="supply.health.1",
        check=_check_heal_card,
        may=has_hero,
    ),
)
