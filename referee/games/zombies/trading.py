"""Trading, at the start of a turn and with a hero who is adjacent (turn.free.3, turn.free.4, supply.3)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import Between, Subset
from referee.engine.text import count_of, listing, spell_number
from referee.games.zombies.components import CardIds, HeroId
from referee.games.zombies.free_actions import make_free_action_check
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import MAX_CARRIED_TILES, Player
from referee.games.zombies.state import EventNumber, State, add_cards, remove_cards, remove_key
from referee.games.zombies.tasks import TasksAdded, TradeTask

# What happens


class TradeMade(Event, frozen=True, tag="traded"):
    """Two heroes have traded (turn.free.4)."""

    hero: HeroId
    """The player who offered the trade."""
    partner: HeroId
    give: CardIds
    take: CardIds
    tiles: EventNumber
    """Blocking tiles from hero to partner; negative for the other way."""

    def tell(self) -> str:
        """Tells who gives what."""
        giver = self.hero if self.tiles > 0 else self.partner
        gifts = (
            (self.hero, listing(self.give)),
            (self.partner, listing(self.take)),
            (giver, count_of(abs(self.tiles), "blocking tile") if self.tiles else ""),
        )
        return f"Traded: {', '.join(f'{who} gives {what}' for who, what in gifts if what) or 'tile for tile'}."

    def apply(self, state: State) -> State:
        """Exchanges cards and tiles. Shots fired and items used go with their cards."""
        state = _hand_over(state.remove_first_task(), self.hero, self.partner, self.give, self.tiles)
        return _hand_over(state, self.partner, self.hero, self.take, -self.tiles)


def _hand_over(state: State, giver: str, taker: str, cards: CardIds, tiles: int) -> State:
    for card in cards:
        one, other = state.players[giver], state.players[taker]
        where = "supplies" if state.get_card(card).deck == "supply" else "survivors"
        spent = add_cards(other.spent, card) if card in one.spent else other.spent
        shots = {**other.shots, card: one.shots[card]} if card in one.shots else other.shots
        state = state.change_player(
            giver, **{where: remove_cards(getattr(one, where), card)}, **_list_marks_without_card(one, card)
        )
        state = state.change_player(taker, **{where: add_cards(getattr(other, where), card)}, spent=spent, shots=shots)
    if tiles > 0:
        state = state.change_player(giver, tiles=state.players[giver].tiles - tiles)
        state = state.change_player(taker, tiles=state.players[taker].tiles + tiles)
    return state


def _list_marks_without_card(player: Player, card: str) -> dict[str, Any]:
    """Returns the shots fired and the items used of a player, without those of a card."""
    return {"shots": remove_key(player.shots, card), "spent": tuple(each for each in player.spent if each != card)}


class TradeDeclined(Event, frozen=True, tag="declined"):
    """A player declines a trade (mode.versus.3)."""

    told = "{hero} declines the trade. {partner} and {hero} keep what they have."
    hero: HeroId
    partner: HeroId

    def apply(self, state: State) -> State:
        """Ends the task. Everybody keeps what they have."""
        return state.remove_first_task()


# The words


class Trade(Action, frozen=True, tag="trade"):
    """Offer a trade: what is given, what is wanted, and blocking tiles either way (mode.versus.2)."""

    says = "trade {hero} give {give} tile {tiles} take {take} tile {wanted}"
    hero: HeroId
    give: CardIds
    tiles: EventNumber
    take: CardIds
    wanted: EventNumber


class AgreeToTrade(Action, frozen=True, tag="agree"):
    """Agree to the trade that was offered (supply.3)."""

    says = "agree"


class DeclineTrade(Action, frozen=True, tag="decline"):
    """Decline the trade that was offered: nobody has to help anybody (mode.versus.3)."""

    says = "decline"


def list_tradable_cards(player: Player) -> tuple[str, ...]:
    """Returns the cards that a player can trade: supply cards, health cards among them, and survivors.

    Infected survivors, horde cards and the special ability are never traded (ruling.trade-health,
    ruling.trade-burdens).
    """
    return (*player.supplies, *player.survivors)


def list_trade_partners(state: State, player: Player) -> tuple[Player, ...]:
    """Returns the heroes next to a player. Zombie heroes do not trade (ruling.trade-partners)."""
    near = state.ground.find_squares_adjacent_to(player.at)
    return tuple(other for other in state.heroes if state.board.square_bits[other.at] & near)


def _offer_trade(state: State, player: Player) -> Iterator[Choice]:
    for other in list_trade_partners(state, player):
        give, take = list_tradable_cards(player), list_tradable_cards(other)
        slots: dict[str, Any] = {
            "give": Subset(give, 0, len(give)),
            "tiles": Between(0, min(player.tiles, MAX_CARRIED_TILES - other.tiles)),
            "take": Subset(take, 0, len(take)),
            "wanted": Between(0, min(other.tiles, MAX_CARRIED_TILES - player.tiles)),
        }
        something = SumConstraint(tuple(slots), 1, 200)
        if sum(map(_find_most_of_slot, slots.values())):
            yield Choice(Trade, bounds=(something,), minor=True, hero=other.hero, **slots)


def _find_most_of_slot(slot: Subset | Between) -> int:
    return slot.most if isinstance(slot, Subset) else slot.high


def _check_trade(state: State, player: Player, action: Trade) -> Iterator[Refusal]:
    other = state.players.get(action.hero)
    if other is None or not other.is_hero_on_board or other is player:
        yield Refusal("turn.free.4", f"{action.hero} is not another hero in play")
        return
    if other not in list_trade_partners(state, player):
        yield Refusal("turn.free.3", f"{action.hero} is not next to {player.hero}")
        yield Refusal("mode.versus.2", f"{action.hero} is not next to {player.hero}")
    for owner, cards in ((player, action.give), (other, action.take)):
        wrong = [card for card in cards if card not in list_tradable_cards(owner)]
        if wrong:
            yield Refusal("turn.free.4", f"{owner.hero} has no {wrong[0]} that can be traded")
    if action.tiles > player.tiles or action.wanted > other.tiles:
        yield Refusal("turn.free.4", "somebody does not have that many blocking tiles")
    elif action.tiles > MAX_CARRIED_TILES - other.tiles or action.wanted > MAX_CARRIED_TILES - player.tiles:
        taker, tiles = (
            (other, action.tiles) if action.tiles > MAX_CARRIED_TILES - other.tiles else (player, action.wanted)
        )
        price = Price(tiles, MAX_CARRIED_TILES - taker.tiles, "free place", taker.hero)
        yield refuse_price(
            "tile.4", price, f"a player carries at most {spell_number(MAX_CARRIED_TILES)} blocking tiles"
        )
    elif not (action.give or action.take or action.tiles or action.wanted):
        yield Refusal("turn.free.4", "nothing would change hands")


def _ask_for_trade(_state: State, player: Player, action: Trade, _dice: Dice) -> Script[State]:
    """Asks the other player to agree, since both have to (ruling.trade-partners)."""
    tiles = action.tiles - action.wanted
    yield TasksAdded((TradeTask(by=action.hero, partner=player.hero, give=action.give, take=action.take, tiles=tiles),))


def _agree_to_trade(state: State, _player: Player, _action: AgreeToTrade, _dice: Dice) -> Script[State]:
    deal = state.get_first_task(TradeTask)
    return (yield TradeMade(deal.partner, deal.by, deal.give, deal.take, deal.tiles))


def _decline_trade(state: State, player: Player, _action: DeclineTrade, _dice: Dice) -> Script[State]:
    return (yield TradeDeclined(player.hero, state.get_first_task(TradeTask).partner))


def _read_trade(reader: Reader) -> Trade:
    """Reads a trade, such as "trade JAK give pistol tile 1 take baker tile 0". Parts may be left out."""
    hero, side = reader.read_hero(), "give"
    cards: dict[str, list[str]] = {"give": [], "take": []}
    tiles = {"give": 0, "take": 0}
    while reader.words:
        word = reader.words[0].text
        if word in cards:
            side = reader.words.pop(0).text
        elif word in ("tile", "tiles"):
            reader.words.pop(0)
            tiles[side] = reader.read_number()
        else:
            cards[side].append(reader.read_card())
    give, take = (_sort_cards(reader.state, cards[each]) for each in ("give", "take"))
    return Trade(hero, give, tiles["give"], take, tiles["take"])


def _sort_cards(state: State, cards: list[str]) -> tuple[str, ...]:
    """Returns cards in the order of a hand: supply cards first, then survivors, each in alphabetical order."""
    return tuple(sorted(set(cards), key=lambda card: (state.get_card(card).deck != "supply", card)))


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        Trade,
        ("start",),
        _offer_trade,
        _ask_for_trade,
        rule="turn.free.4",
        check=_check_trade,
        late=make_free_action_check("supply.3"),
        read=_read_trade,
    ),
    make_verb(AgreeToTrade, ("deal",), None, _agree_to_trade),
    make_verb(DeclineTrade, ("deal",), None, _decline_trade),
)
