"""Trading, at the start of a turn and with a hero who is adjacent (turn.free.3, turn.free.4, supply.3)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Between, Choice, Subset, Total
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import sequence
from referee.games.zombies.components import HeroId
from referee.games.zombies.events import Declined, Traded
from referee.games.zombies.notation import Reader
from referee.games.zombies.special import too_late
from referee.games.zombies.state import MOST_TILES, Player, State
from referee.games.zombies.tasks import Cards, Deal
from referee.games.zombies.timing import verb
from referee.games.zombies.turn_events import Due


class Trade(Action, frozen=True, tag="trade"):
    """Offer a trade: what is given, what is wanted, and blocking tiles either way (mode.versus.2)."""

    says = "trade {hero} give {give} tile {tiles} take {take} tile {wanted}"
    hero: HeroId
    give: Cards
    tiles: int
    take: Cards
    wanted: int


class Agree(Action, frozen=True, tag="agree"):
    """Agree to the trade that was offered."""

    says = "agree"


class Decline(Action, frozen=True, tag="decline"):
    """Decline it: nobody has to help anybody (mode.versus.3)."""

    says = "decline"


def tradable(player: Player) -> tuple[str, ...]:
    """Supply cards, health cards among them, and survivors; infected survivors, horde cards and the special ability
    never (ruling.trade-health, ruling.trade-burdens).
    """
    return (*player.supplies, *player.survivors)


def partners(state: State, player: Player) -> tuple[Player, ...]:
    """Heroes next to him: zombie heroes do not trade (ruling.trade-partners)."""
    near = state.ground.near(player.at)
    return tuple(other for other in state.heroes if state.board.bit[other.at] & near)


def _trade_offers(state: State, player: Player) -> Iterator[Choice]:
    for other in partners(state, player):
        give, take = tradable(player), tradable(other)
        slots: dict[str, Any] = {
            "give": Subset(give, 0, len(give)),
            "tiles": Between(0, min(player.tiles, MOST_TILES - other.tiles)),
            "take": Subset(take, 0, len(take)),
            "wanted": Between(0, min(other.tiles, MOST_TILES - player.tiles)),
        }
        something = Total(tuple(slots), 1, 200)
        if sum(map(_most, slots.values())):
            yield Choice(Trade, bounds=(something,), minor=True, hero=other.hero, **slots)


def _most(slot: Subset | Between) -> int:
    return slot.most if isinstance(slot, Subset) else slot.high


def _trade_reasons(state: State, player: Player, action: Trade) -> Iterator[Refusal]:
    other = state.players.get(action.hero)
    if other is None or not other.is_hero or other is player:
        yield Refusal("turn.free.4", f"{action.hero} is no other hero in play")
        return
    if other not in partners(state, player):
        yield Refusal("turn.free.3", f"{action.hero} is not next to {player.hero}")
        yield Refusal("mode.versus.2", f"{action.hero} is not next to {player.hero}")
    for owner, cards in ((player, action.give), (other, action.take)):
        wrong = [card for card in cards if card not in tradable(owner)]
        if wrong:
            yield Refusal("turn.free.4", f"{owner.hero} has no {wrong[0]} that can be traded")
    if action.tiles > player.tiles or action.wanted > other.tiles:
        yield Refusal("turn.free.4", "so many blocking tiles are not there")
    elif action.tiles > MOST_TILES - other.tiles or action.wanted > MOST_TILES - player.tiles:
        yield Refusal("tile.4", "a player carries three blocking tiles at the most")
    elif not (action.give or action.take or action.tiles or action.wanted):
        yield Refusal("turn.free.4", "nothing would change hands")


def _trade(_state: State, player: Player, action: Trade, _dice: Dice) -> Script[State]:
    """Both have to agree (ruling.trade-partners)."""
    tiles = action.tiles - action.wanted
    yield Due((Deal(by=action.hero, partner=player.hero, give=action.give, take=action.take, tiles=tiles),))


def _deal(state: State) -> Deal:
    assert isinstance(state.task, Deal)
    return state.task


def _agree_offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(Agree)


def _decline_offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(Decline)


def _agree(state: State, _player: Player, _action: Agree, _dice: Dice) -> Script[State]:
    deal = _deal(state)
    state = yield Traded(deal.partner, deal.by, deal.give, deal.take, deal.tiles)
    yield from sequence.go_on(state)


def _decline(state: State, player: Player, _action: Decline, _dice: Dice) -> Script[State]:
    state = yield Declined(player.hero, _deal(state).partner)
    yield from sequence.go_on(state)


def _read_trade(reader: Reader) -> Trade:
    """ "trade JAK give pistol tile 1 take baker tile 0": parts may be left out."""
    hero, side = reader.hero(), "give"
    cards: dict[str, list[str]] = {"give": [], "take": []}
    tiles = {"give": 0, "take": 0}
    while reader.words:
        word = reader.words[0].text
        if word in cards:
            side = reader.words.pop(0).text
        elif word in ("tile", "tiles"):
            reader.words.pop(0)
            tiles[side] = reader.number()
        else:
            cards[side].append(reader.card())
    give, take = (_in_hand_order(reader.state, cards[each]) for each in ("give", "take"))
    return Trade(hero, give, tiles["give"], take, tiles["take"])


def _in_hand_order(state: State, cards: list[str]) -> tuple[str, ...]:
    """Supply cards first, then survivors, each in alphabetical order."""
    return tuple(sorted(set(cards), key=lambda card: (state.card(card).deck != "supply", card)))


VERBS: tuple[Verb[State, Any], ...] = (
    verb(
        Trade,
        ("start",),
        _trade_offers,
        _trade,
        rule="turn.free.4",
        reasons=_trade_reasons,
        late=too_late("supply.3"),
        read=_read_trade,
    ),
    verb(Agree, ("deal",), _agree_offers, _agree, rule="turn.free.4"),
    verb(Decline, ("deal",), _decline_offers, _decline, rule="turn.free.4"),
)
