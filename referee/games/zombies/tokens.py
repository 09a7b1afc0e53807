"""Tokens and bonus stars: who comes next to one stops and draws (token.1 to token.7, bonus.1 to bonus.4)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice, Need
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import cards, sequence
from referee.games.zombies.board import Square
from referee.games.zombies.card_events import StarOpened, StarTaken, TileLaid
from referee.games.zombies.components import CardId
from referee.games.zombies.notation import Reader
from referee.games.zombies.reaching import drawable, stars_for
from referee.games.zombies.state import MOST_TILES, Player, State
from referee.games.zombies.tasks import AnyTask, Draw, Keep, Star
from referee.games.zombies.timing import phase_of, verb
from referee.games.zombies.turn_events import Due, WalkedOn


def reached(state: State, player: Player) -> Script[State]:
    """What a player has to do next to tokens and stars after a move (move.4, ruling.bonus-reach,
    ruling.token-again).
    """
    tasks: list[AnyTask] = []
    if candidates(state, player):
        tasks.append(Draw(by=player.hero, free=state.is_stealthed(player) if not player.is_zombie else False))
    stars = () if player.is_zombie else state.board.names(_near(state, player) & stars_for(state, player))
    tasks += [Keep(by=player.hero, at=at) if at in state.stars else Star(by=player.hero, at=at) for at in stars[:1]]
    if tasks:
        state = yield Due(tuple(tasks))
    return state


def _near(state: State, player: Player) -> int:
    return state.ground.near(player.at) | state.board.bit[player.at]


def candidates(state: State, player: Player) -> tuple[str, ...]:
    """Unused tokens next to a player that he draws for."""
    return state.board.names(_near(state, player) & drawable(state, player))


# Tokens


class DrawFor(Action, frozen=True, tag="draw"):
    """Draw an action tile and a card for a token; of several the player chooses one (token.2, ruling.two-tokens)."""

    says = "draw {square}"
    square: Square


class WalkOn(Action, frozen=True, tag="walk-on"):
    """Leave a token alone, under stealth (move.8)."""

    says = "walk on"


def _tile_need(state: State) -> Need | None:
    left = state.tile_deck.left
    return Need(TILE, 1, len(left), left) if len(left) > 1 else None


TILE = "an action tile"


def _draw_offers(state: State, player: Player) -> Iterator[Choice]:
    for square in candidates(state, player):
        yield Choice(DrawFor, _tile_need(state), square=square)


def _draw_reasons(state: State, player: Player, action: DrawFor) -> Iterator[Refusal]:
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


def _draw(state: State, player: Player, action: DrawFor, dice: Dice) -> Script[State]:
    """First the tile, then the card (ruling.tile-order): every token has both (ruling.tile-for, token.7)."""
    drawn = state.tile_deck.draw(dice, 1, TILE)
    tile: Any = drawn.cards[0] if drawn.cards else ""
    state = yield TileLaid(player.hero, action.square, tile, _gain(state, player, tile))
    state = yield from cards.draw(state, player.hero, cards.deck_of(state, action.square), action.square, dice)
    yield from sequence.go_on(state)


def _gain(state: State, player: Player, tile: str) -> Any:
    """A red X gives a blocking tile, if there is one and he may carry it (token.5, tile.4, comp.blocking-tiles,
    ruling.tile-excess); a zombie hero leaves it on the board (zhero.token.4, zhero.token.5).
    """
    if tile != "red-x" or not state.spare_tiles:
        return ""
    if player.is_zombie:
        return "loose"
    return "hand" if player.tiles < MOST_TILES else ""


def _is_free(state: State) -> bool:
    return isinstance(state.task, Draw) and state.task.free


def _walk_offers(state: State, _player: Player) -> Iterator[Choice]:
    if _is_free(state):
        yield Choice(WalkOn)


def _walk_reasons(_state: State, player: Player, _action: WalkOn) -> Iterator[Refusal]:
    yield Refusal("move.4", f"{player.hero} is not undetected and has to draw")


def _walk_on(_state: State, player: Player, _action: WalkOn, _dice: Dice) -> Script[State]:
    state = yield WalkedOn(player.hero)
    yield from sequence.go_on(state)


def _draw_late(state: State) -> Iterator[Refusal]:
    if state.task is None or phase_of(state) in ("star", "keep"):
        rule = "bonus.4" if phase_of(state) in ("star", "keep") else "token.1"
        yield Refusal(rule, "a tile and a card are drawn when a token is reached")


# Stars


class DrawStar(Action, frozen=True, tag="star"):
    """Draw one supply card for each hero on the level (bonus.1)."""

    says = "star"


class KeepCard(Action, frozen=True, tag="keep"):
    """Take one of the cards at a star (bonus.2)."""

    says = "keep {card}"
    card: CardId


def _star_offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(DrawStar)


def _draw_star(state: State, player: Player, _action: DrawStar, dice: Dice) -> Script[State]:
    """One for each hero who is on the level now, zombie heroes not (ruling.bonus-who)."""
    task = state.task
    assert isinstance(task, Star)
    many = sum(hero.at[0] == task.at[0] for hero in state.heroes)
    drawn = state.decks["supply"].draw(dice, many, cards.PURPOSES["supply"])
    state = yield StarOpened(player.hero, task.at, drawn.cards)
    if drawn.cards:
        state = yield Due((Keep(by=player.hero, at=task.at),))
    yield from sequence.go_on(state)


def _keep_offers(state: State, _player: Player) -> Iterator[Choice]:
    task = state.task
    assert isinstance(task, Keep)
    yield Choice(KeepCard, card=OneOf(tuple(dict.fromkeys(state.stars[task.at].cards))))


def _keep_reasons(_state: State, _player: Player, action: KeepCard) -> Iterator[Refusal]:
    yield Refusal("bonus.2", f"{action.card} does not lie at the star")


def _keep(state: State, player: Player, action: KeepCard, _dice: Dice) -> Script[State]:
    task = state.task
    assert isinstance(task, Keep)
    state = yield StarTaken(player.hero, task.at, action.card)
    yield from sequence.go_on(state)


def _keep_late(state: State) -> Iterator[Refusal]:
    if state.task is None:
        yield Refusal("bonus.3", "each hero takes one card at a star, when he reaches it")


def _read_draw(reader: Reader) -> DrawFor:
    """Which token goes without saying where there is only one."""
    player = reader.speaker
    near = candidates(reader.state, player) if player and player.at else ()
    return DrawFor(reader.square() if reader.words or len(near) != 1 else near[0])


VERBS: tuple[Verb[State, Any], ...] = (
    verb(
        DrawFor, ("draw",), _draw_offers, _draw, rule="token.2", reasons=_draw_reasons, late=_draw_late, read=_read_draw
    ),
    verb(WalkOn, ("draw",), _walk_offers, _walk_on, rule="move.4", reasons=_walk_reasons),
    verb(DrawStar, ("star",), _star_offers, _draw_star, rule="bonus.1"),
    verb(KeepCard, ("keep",), _keep_offers, _keep, rule="bonus.2", reasons=_keep_reasons, late=_keep_late),
)
