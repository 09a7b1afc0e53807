"""Tokens and bonus stars: players who come next to one stop and draw (token.1 to token.7, bonus.1 to bonus.4).

Drawn cards are carried out at once (card.action.2, card.zombie.1, mutation.5, zhero.token.3).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import ONLY_READ
from referee.engine.text import listing
from referee.games.zombies.board import LevelLetter, Square
from referee.games.zombies.components import Card, CardId, CardIds, DeckName, HeroId
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import MAX_CARRIED_TILES, Player
from referee.games.zombies.spawning import PlaceZombiesTask
from referee.games.zombies.state import StarCards, State, add_cards, remove_cards
from referee.games.zombies.tasks import (
    AnyTask,
    DrawForStarTask,
    DrawForTokenTask,
    HordeSizeTask,
    TakeStarCardTask,
    TasksAdded,
    TestCardTask,
)

CardDestination = Literal["supplies", "survivors", "burdens", "discards", "level"]
DESTINATION_WORDS: Mapping[CardDestination, str] = {
    "supplies": "keeps it",
    "survivors": "has one more survivor",
    "burdens": "has to roll for it",
    "discards": "discards it",
    "level": "a mutation for the whole level",
}
"""The words that say where a drawn card goes, by its place."""
TILE_PURPOSE = "an action tile"
CARD_PURPOSES: Mapping[DeckName, str] = {
    "action": "an action card",
    "supply": "a supply card",
    "survivor": "a survivor card",
    "zombie": "a zombie card",
}

# What happens


class ActionTileDrawn(Event, frozen=True, tag="tile-laid"):
    """An action tile was drawn and laid on a token, which is used now (token.2, token.4)."""

    hero: HeroId
    token: Square
    tile: Literal["blank", "red-x", ""]
    """The tile; empty if none was left."""
    gains: Literal["", "hand", "loose"]
    """The place of the blocking tile that a red X gives; empty if it gives none (token.5, tile.4, zhero.token.4)."""

    def tell(self) -> str:
        """Tells what to lay down, and who gets a blocking tile."""
        got = {"": "", "hand": f" {self.hero} takes a blocking tile.", "loose": " A blocking tile lies there."}
        return f"Lay a {self.tile or 'marker'} tile on the token on {self.token}.{got[self.gains]}"

    def apply(self, state: State) -> State:
        """Lays the tile on the token, hands out the blocking tile, and ends the task."""
        state = state.remove_first_task()
        if self.tile:
            left = state.tile_deck.without(self.tile)
            state = replace(state, tile_deck=left, used={**state.used, self.token: self.tile})
        if self.gains == "loose":
            return replace(state, loose={**state.loose, self.token: state.loose.get(self.token, 0) + 1})
        tiles = state.players[self.hero].tiles + (self.gains == "hand")
        return state.change_player(self.hero, tiles=tiles)


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A card was drawn, and went to where it belongs (token.6)."""

    hero: HeroId
    deck: DeckName
    card: CardId
    to: CardDestination
    """The place of the card: a hand, the cards that must be rolled for, the discards, or the level of a mutation
    (mutation.2).
    """

    def tell(self) -> str:
        """Tells which card, and where it goes."""
        return f"{self.hero} draws from the {self.deck} deck: {self.card}; {DESTINATION_WORDS[self.to]}."

    def apply(self, state: State) -> State:
        """Takes the card off the deck and puts it where it belongs."""
        state = replace(state, decks={**state.decks, self.deck: state.decks[self.deck].without(self.card)})
        if self.to == "discards":
            return state.add_discards(self.card)
        player = state.players[self.hero]
        if self.to == "level":
            level: LevelLetter = player.at[0]  # type: ignore[assignment]  # they stand on a square
            return replace(state, mutations={**state.mutations, self.card: level})
        return state.change_player(self.hero, **{self.to: add_cards(getattr(player, self.to), self.card)})


class ExtraAttackGained(Event, frozen=True, tag="extra-attack"):
    """A zombie card gives one more attack (card.zombie.1)."""

    told = "{hero} has one more attack in this turn."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Counts the extra attack."""
        return replace(state, acts=replace(state.acts, extra=state.acts.extra + 1))


class TokenLeftAlone(Event, frozen=True, tag="walked-on"):
    """A stealthed hero leaves a token alone (move.8)."""

    told = "{hero} leaves the token alone."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Ends the task without a draw."""
        return state.remove_first_task()


class StarOpened(Event, frozen=True, tag="star-opened"):
    """The cards of a bonus star lie face up (bonus.1)."""

    hero: HeroId
    star: Square
    cards: CardIds

    def tell(self) -> str:
        """Tells which cards lie there; there may be none left to draw."""
        return f"Lay face up at the star on {self.star}: {listing(self.cards) or 'nothing'}."

    def apply(self, state: State) -> State:
        """Takes the cards off the supply deck and lays them at the star."""
        deck = state.decks["supply"]
        for card in self.cards:
            deck = deck.without(card)
        stars = {**state.stars, self.star: StarCards(add_cards(self.cards))}
        return replace(state.remove_first_task(), decks={**state.decks, "supply": deck}, stars=stars)


class StarCardTaken(Event, frozen=True, tag="star-taken"):
    """A hero has taken a card of a bonus star (bonus.2, bonus.3)."""

    told = "{hero} takes {card} from the star."
    hero: HeroId
    star: Square
    card: CardId

    def apply(self, state: State) -> State:
        """Gives the card to the hero, who takes no other one there."""
        star = state.stars[self.star]
        left = StarCards(remove_cards(star.cards, self.card), (*star.takers, self.hero))
        supplies = add_cards(state.players[self.hero].supplies, self.card)
        return replace(state.remove_first_task(), stars={**state.stars, self.star: left}).change_player(
            self.hero, supplies=supplies
        )


# Tokens and stars for a player


def find_tokens_to_draw_for(state: State, player: Player) -> int:
    """Returns the unused tokens that a player draws for. A zombie hero ignores supply tokens (zhero.token.1,
    zhero.token.2, ruling.zhero-survivor-token).
    """
    tokens = state.board.token_squares_by_kind
    drawn = tokens["action"] | tokens["survivor"] | (0 if player.is_zombie else tokens["supply"])
    return drawn & ~state.used_token_squares


def find_stopping_stars(state: State, player: Player) -> int:
    """Returns the bonus stars that stop a hero: those not reached before, and those that still have a card for them
    (bonus.3, ruling.bonus-stop).
    """
    done = (square for square in state.stars if not _does_star_give(state, player, square))
    return state.board.token_squares_by_kind["star"] & ~state.board.make_set(done)


def _does_star_give(state: State, player: Player, star: str) -> bool:
    found = state.stars[star]
    return bool(found.cards) and player.hero not in found.takers


def add_tasks_after_move(state: State, player: Player) -> Script[State]:
    """Adds the tasks of a player who is on or next to a token or a star after a move.

    Of several stars only one gives a task, and none does for a zombie hero (move.4, ruling.bonus-reach,
    ruling.token-again).
    """
    tasks: list[AnyTask] = []
    if list_tokens_in_reach(state, player):
        tasks.append(
            DrawForTokenTask(by=player.hero, free=state.is_stealthed(player) if not player.is_zombie else False)
        )
    stars = (
        ()
        if player.is_zombie
        else state.board.list_squares(_find_squares_near(state, player) & find_stopping_stars(state, player))
    )
    tasks += [
        TakeStarCardTask(by=player.hero, at=at) if at in state.stars else DrawForStarTask(by=player.hero, at=at)
        for at in stars[:1]
    ]
    if tasks:
        state = yield TasksAdded(tuple(tasks))
    return state


def _find_squares_near(state: State, player: Player) -> int:
    return state.ground.find_squares_adjacent_to(player.at) | state.board.square_bits[player.at]


def list_tokens_in_reach(state: State, player: Player) -> tuple[str, ...]:
    """Returns the squares, on or next to the player's, with an unused token for which this player draws a card."""
    return state.board.list_squares(_find_squares_near(state, player) & find_tokens_to_draw_for(state, player))


# Tokens


class DrawForToken(Action, frozen=True, tag="draw"):
    """Draw an action tile and a card for a token. If several are near, choose one (token.2, ruling.two-tokens)."""

    says = "draw {square}"
    square: Square


class LeaveToken(Action, frozen=True, tag="walk-on"):
    """Leave a token alone, under stealth (move.8)."""

    says = "walk on"


def _make_tile_need(state: State) -> Need | None:
    left = state.tile_deck.left
    return Need(TILE_PURPOSE, 1, len(left), left, aims=ONLY_READ) if len(left) > 1 else None


def _offer_draw(state: State, player: Player) -> Iterator[Choice]:
    for square in list_tokens_in_reach(state, player):
        yield Choice(DrawForToken, _make_tile_need(state), square=square)


def _check_draw(state: State, player: Player, action: DrawForToken) -> Iterator[Refusal]:
    square = action.square
    if square in state.used:
        yield Refusal("token.4", f"the token on {square} is used")
    elif state.board.tokens.get(square) == "star":
        yield Refusal("bonus.4", "no action tile is drawn at a bonus star")  # ruling.bonus-token-tile
    elif square not in state.board.tokens:
        yield Refusal("token.1", f"there is no token on {square}")
    elif player.is_zombie and state.board.tokens[square] == "supply":
        yield Refusal("zhero.token.2", "a zombie hero ignores supply tokens")
    else:
        yield Refusal("token.2", f"{player.hero} is not next to {square}")


def _draw_for_token(state: State, player: Player, action: DrawForToken, dice: Dice) -> Script[State]:
    """Draws first the tile, then the card (ruling.tile-order). Every token has both (ruling.tile-for, token.7)."""
    drawn = state.tile_deck.draw(dice, 1, TILE_PURPOSE)
    tile: Any = drawn.cards[0] if drawn.cards else ""
    state = yield ActionTileDrawn(player.hero, action.square, tile, _find_place_of_tile(state, player, tile))
    return (yield from _draw_card(state, player.hero, _find_deck(state, action.square), action.square, dice))


def _find_place_of_tile(state: State, player: Player, tile: str) -> Any:
    """Returns the place of the blocking tile that a red X gives (token.5); empty if it gives none.

    None is given if no blocking tile is left (comp.blocking-tiles). A hero takes the tile in hand, unless they can
    carry no more (tile.4, ruling.tile-excess). A zombie hero leaves it on the board (zhero.token.4, zhero.token.5).
    """
    if tile != "red-x" or not state.spare_tile_count:
        return ""
    if player.is_zombie:
        return "loose"
    return "hand" if player.tiles < MAX_CARRIED_TILES else ""


def _offer_walk(state: State, _player: Player) -> Iterator[Choice]:
    if state.get_first_task(DrawForTokenTask).free:
        yield Choice(LeaveToken)


def _check_walk(_state: State, player: Player, _action: LeaveToken) -> Iterator[Refusal]:
    yield Refusal("move.4", f"{player.hero} is not undetected and has to draw")


def _walk_on(_state: State, player: Player, _action: LeaveToken, _dice: Dice) -> Script[State]:
    return (yield TokenLeftAlone(player.hero))


def _refuse_late_draw(state: State) -> Iterator[Refusal]:
    at_star = isinstance(state.task, DrawForStarTask | TakeStarCardTask)
    if at_star or not state.task:
        yield Refusal("bonus.4" if at_star else "token.1", "a tile and a card are drawn when a token is reached")


# Cards


def _find_deck(state: State, token: str) -> DeckName:
    """Returns the deck that a token's colour names (token.3).

    In solo, supply tokens are action tokens, except in locked rooms and on the tanker (mode.solo.2, mode.solo.3).
    """
    kind = state.board.tokens[token]
    if kind == "supply" and state.is_solo and not state.board.square_bits[token] & state.board.supply_squares_in_solo:
        return "action"
    return "survivor" if kind == "survivor" else "action" if kind == "action" else "supply"


def _draw_card(state: State, hero: str, deck: DeckName, token: str, dice: Dice) -> Script[State]:
    """Draws a card and carries it out. When a deck runs out, its discards are shuffled (ruling.deck-empty)."""
    drawn = state.decks[deck].draw(dice, 1, CARD_PURPOSES[deck])
    if not drawn.cards:
        return state
    card = state.get_card(drawn.cards[0])
    state = yield CardDrawn(hero, deck, card.id, _find_place_of_card(state.players[hero], card))
    return (yield from _carry_out_card(state, hero, card, token, dice))


def _find_place_of_card(player: Player, card: Card) -> CardDestination:
    """Returns the place of a drawn card. Zombie heroes keep neither supplies nor survivors (zhero.token.3,
    zhero.token.7).
    """
    if card.kind == "mutation":
        return "level"
    if card.deck == "action":
        return "burdens" if card.kind == "horde" else "discards"
    if card.deck == "zombie" or player.is_zombie:
        return "discards"
    return "burdens" if card.kind == "infected" else "supplies" if card.deck == "supply" else "survivors"


def _carry_out_card(state: State, hero: str, card: Card, token: str, dice: Dice) -> Script[State]:
    is_zombie = state.players[hero].is_zombie
    if card.deck == "action":
        return (yield from _carry_out_action_card(state, hero, card, token, dice))
    if card.deck == "zombie":
        return (yield from _bring_zombies(state, hero, card, token))
    if card.deck == "survivor" and is_zombie:
        return (yield TasksAdded((_make_place_task(hero, 1, 1, token),)))
    if card.kind == "infected":
        return (yield TasksAdded((TestCardTask(by=hero, card=card.id),)))
    return state


def _carry_out_action_card(state: State, hero: str, card: Card, token: str, dice: Dice) -> Script[State]:
    """Carries out an action card.

    The card sends the player to another deck (ruling.action-subdraw), must be rolled for, or is a mutation. After a
    mutation one more action card is drawn, without another tile (mutation.5, ruling.redraw-tile,
    ruling.zhero-mutation-draw).
    """
    if card.kind == "horde":
        return (yield TasksAdded((TestCardTask(by=hero, card=card.id),)))
    if card.kind == "mutation":
        return (yield from _draw_card(state, hero, "action", token, dice))
    decks: Mapping[str, DeckName] = {"zombie": "zombie", "supply": "supply", "survivor": "survivor"}
    return (yield from _draw_card(state, hero, decks[card.kind], token, dice))


def _bring_zombies(state: State, hero: str, card: Card, token: str) -> Script[State]:
    """Carries out a card of the zombie deck.

    It gives a hero one more attack, even if it is a horde card (card.zombie.1, ruling.horde-extra-attack). A zombie
    hero has one action and no more (ruling.zhero-extra-attack).
    """
    if not state.players[hero].is_zombie:
        state = yield ExtraAttackGained(hero)
    level = card.level or 1
    if card.kind == "spawn":
        return (yield TasksAdded((_make_place_task(hero, level, card.count, token),)))
    sight = state.options["zombie-horde-sight"] == "yes"
    return (yield TasksAdded((HordeSizeTask(by=hero, level=level, distance=card.distance, in_sight=sight),)))


def _make_place_task(hero: str, level: int, count: int, token: str) -> PlaceZombiesTask:
    return PlaceZombiesTask(by=hero, level=level, count=count, how="spawn", at=token)


# Stars


class DrawForStar(Action, frozen=True, tag="star"):
    """Draw one supply card for each hero on the level (bonus.1)."""

    says = "star"


class TakeStarCard(Action, frozen=True, tag="keep"):
    """Take one of the cards at a star (bonus.2)."""

    says = "keep {card}"
    card: CardId


def _draw_star(state: State, player: Player, _action: DrawForStar, dice: Dice) -> Script[State]:
    """Draws one supply card for each hero on the level now. Zombie heroes do not count (ruling.bonus-who)."""
    task = state.get_first_task(DrawForStarTask)
    many = sum(hero.at[0] == task.at[0] for hero in state.heroes)
    drawn = state.decks["supply"].draw(dice, many, CARD_PURPOSES["supply"])
    state = yield StarOpened(player.hero, task.at, drawn.cards)
    if drawn.cards:
        state = yield TasksAdded((TakeStarCardTask(by=player.hero, at=task.at),))
    return state


def _offer_keep(state: State, _player: Player) -> Iterator[Choice]:
    lying = state.stars[state.get_first_task(TakeStarCardTask).at].cards
    yield Choice(TakeStarCard, card=OneOf(tuple(dict.fromkeys(lying))))


def _check_keep(_state: State, _player: Player, action: TakeStarCard) -> Iterator[Refusal]:
    yield Refusal("bonus.2", f"{action.card} does not lie at the star")


def _keep_card(state: State, player: Player, action: TakeStarCard, _dice: Dice) -> Script[State]:
    return (yield StarCardTaken(player.hero, state.get_first_task(TakeStarCardTask).at, action.card))


def _refuse_late_keep(state: State) -> Iterator[Refusal]:
    if state.task is None:
        yield Refusal("bonus.3", "each hero takes one card at a star, when they reach it")


def _read_draw(reader: Reader) -> DrawForToken:
    """Reads the token. It may be left out if there is only one."""
    player = reader.speaker
    near = list_tokens_in_reach(reader.state, player) if player and player.at else ()
    return DrawForToken(reader.read_square() if reader.words or len(near) != 1 else near[0])


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        DrawForToken,
        ("draw",),
        _offer_draw,
        _draw_for_token,
        rule="token.2",
        check=_check_draw,
        late=_refuse_late_draw,
        read=_read_draw,
    ),
    make_verb(LeaveToken, ("draw",), _offer_walk, _walk_on, rule="move.4", check=_check_walk),
    make_verb(DrawForStar, ("star",), None, _draw_star),
    make_verb(
        TakeStarCard, ("keep",), _offer_keep, _keep_card, rule="bonus.2", check=_check_keep, late=_refuse_late_keep
    ),
)
