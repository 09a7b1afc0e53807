"""Checks of a typed position against the rules: its figures, cards, tokens, tiles and tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import structs

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.games.zombies.board import Board
from referee.games.zombies.components import SIZES
from referee.games.zombies.ground import connected_squares
from referee.games.zombies.options import seats
from referee.games.zombies.player import Player
from referee.games.zombies.position import Position, cards_elsewhere, state_from
from referee.games.zombies.state import MAX_HORDE, SETTING_UP, State
from referee.games.zombies.task_checks import can_be_due


def check_position(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a position breaks.

    If names or cards are wrong, the position cannot be set up, and only they are told.
    """
    basic = (*_check_names(position, options, board), *_check_cards(position, board))
    yield from basic
    if not basic:
        yield from _check_state(state_from(position, options, board))


# Names and cards


def _check_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    chairs, players = seats(options), position.players
    for hero in players:
        if hero not in board.components.heroes:
            yield Refusal("comp.hero-figures", f"nobody is called {hero}")
    taken = [seated.seat for seated in players.values() if seated.seat]
    if len(players) > len(chairs):
        yield Refusal(
            "mode.solo.1" if len(chairs) == 1 else "setup.10", f"{len(players)} heroes for {len(chairs)} players"
        )
    for seat in (*taken, *position.order, *filter(None, (position.turn,))):
        if seat not in chairs:
            yield Refusal("setup.10", f"nobody sits at {seat}")
    if len(taken) > len(set(taken)) or len(position.order) > len(set(position.order)):
        yield Refusal("object.1", "a seat is named twice")
    for square in _squares(position):
        if square not in board.index:
            yield Refusal("move.2", f"there is no square {square}")
    if list(position.used.values()).count("red-x") > board.components.red_x_tiles:
        yield Refusal("comp.action-tiles", "the game has fewer action tiles with a red X")
    elif list(position.used.values()).count("blank") > board.components.blank_tiles:
        yield Refusal("comp.action-tiles", "the game has fewer blank action tiles")


def _squares(position: Position) -> Iterator[str]:
    for seated in position.players.values():
        yield from filter(None, (seated.at, *seated.horde.split()))
    for names in (*position.zombies.values(), position.tiles, position.ropes):
        yield from names.split()
    yield from (*position.used, *position.stars, *position.loose, *(heap.at for heap in position.loot))
    for task in position.agenda:
        for value in structs.asdict(task).values():
            yield from (word for word in _words(value) if _is_square(word))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _words(each)


def _is_square(word: str) -> bool:
    return word[:1] in "SAWH" and word[1:2].islower() and word[2:].isdigit()


def _check_cards(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that every card exists, is held where its kind may be, and is not in two places."""
    yield from _check_hands(position, board)
    held = [seated.ability for seated in position.players.values() if seated.ability]
    if len(held) > len(set(held)):
        yield Refusal("comp.ability-cards", "a special ability was drawn twice")
    for card in position.mutations:
        if card not in board.components.cards or board.components.cards[card].kind != "mutation":
            yield Refusal("mutation.1", f"{card} is not a mutation")
    yield from _check_copies(position, board)


def _check_hands(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that each hand holds only cards of the kinds that belong there."""
    for hero, seated in position.players.items():
        for hand, kinds in HANDS.items():
            for card in getattr(seated, hand).split():
                found = board.components.cards.get(card)
                if found is None or (found.deck, found.kind) not in kinds:
                    yield Refusal(RULES[hand], f"{hero} cannot hold {card} among {hand}")
        if seated.ability and seated.ability not in board.components.abilities:
            yield Refusal("comp.ability-cards", f"there is no special ability {seated.ability}")


def _check_copies(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that no card is named more often than it exists."""
    elsewhere = Counter(cards_elsewhere(position, _hands(position)))
    copies = Counter(card for deck in SIZES for card in board.components.decks[deck])
    for card, count in elsewhere.items():
        if count > copies[card]:
            deck = board.components.cards[card].deck if copies[card] else "action"
            yield Refusal(
                f"comp.{deck}-cards",
                f"{card} is named {count} times, and there {'is 1' if copies[card] == 1 else f'are {copies[card]}'}",
            )


HANDS = {
    "supplies": {("supply", kind) for kind in ("close", "ranged", "health", "key", "rope", "grenade", "stealth")},
    "survivors": {("survivor", kind) for kind in ("plain", "item", "noisy")},
    "burdens": {("survivor", "infected"), ("action", "horde")},
    "spent": {("survivor", "item")},
}
"""The cards that each hand may hold, by deck and kind."""
RULES = {"supplies": "supply.1", "survivors": "survivor.1", "burdens": "turn.free.7", "spent": "survivor.11"}
"""The rule about the cards of each hand."""


def _hands(position: Position) -> tuple[Player, ...]:
    """Returns the players with only the cards in their hands.

    Their seats may still be wrong, so all get the seat "red" here.
    """
    return tuple(
        Player(
            hero,
            "red",
            supplies=tuple(seated.supplies.split()),
            survivors=tuple(seated.survivors.split()),
            burdens=tuple(seated.burdens.split()),
        )
        for hero, seated in position.players.items()
    )


# The state


def _check_state(state: State) -> Iterator[Refusal]:
    yield from _check_figures(state)
    yield from _check_players(state)
    yield from _check_board(state)
    if state.phase in SETTING_UP:
        yield from _check_setting_up(state)
    else:
        yield from _check_turn(state)
        yield from _check_tasks(state)


def _check_figures(state: State) -> Iterator[Refusal]:
    """Checks that each figure stands alone on an open square, and not on a blocking tile.

    Checks too that there are enough zombie figures of each level.
    """
    figures = [player.at for player in state.players.values() if player.at]
    for square, count in Counter([*figures, *state.zombies]).items():
        if count > 1:
            yield Refusal("move.7", f"more than one figure stands on {square}")
        if not state.board.square_bits[square] & state.ground.floor:
            yield Refusal("move.12", f"{square} is solid; nobody can stand there")
        if square in state.tiles:
            yield Refusal("tile.10", f"a blocking tile lies on {square}, where somebody stands")
    for level in (1, 2, 3):
        if state.spare_zombies(level) < 0:
            yield Refusal(
                f"comp.zombies-{level}", f"there are only {state.components.figures[level]} zombies of level {level}"
            )


def _check_players(state: State) -> Iterator[Refusal]:
    for player in state.players.values():
        yield from _check_player(state, player)
    hordes = [square for player in state.players.values() for square in player.horde]
    if len(hordes) > len(set(hordes)):
        yield Refusal("zhero.horde.2", "a zombie belongs to more than one horde")


def _check_player(state: State, player: Player) -> Iterator[Refusal]:
    hero = state.components.heroes[player.hero]
    if player.health > (hero.zombie_health if player.is_zombie else hero.health):
        yield Refusal("setup.17", f"{player.hero} has no health {player.health}")
    if player.is_zombie and (player.survivors or player.tiles or player.stealth):
        yield Refusal("zhero.3", f"{player.hero} is a zombie hero: no survivors, no tiles, no stealth")
    if player.is_zombie and player.at and not player.health:
        yield Refusal("zhero.4", f"{player.hero} has no health and is off the board")
    if player.horde and not (player.is_zombie and player.at):
        yield Refusal("zhero.1", f"{player.hero} is not a zombie hero and has no horde")
    if len(player.horde) > MAX_HORDE:
        yield Refusal(
            "zhero.horde.6",
            f"{player.hero}'s horde has {len(player.horde)} zombies; at most {MAX_HORDE} are allowed",
        )
    for square in player.horde:
        if square not in state.zombies:
            yield Refusal("zhero.horde.1", f"no zombie stands on {square} for {player.hero}'s horde")
    if player.horde and player.is_zombie and player.at:
        hero, unit = state.board.square_bits[player.at], state.board.bits_of((player.at, *player.horde))
        for square in state.board.squares_in(unit & ~connected_squares(state.ground.joined, hero, unit)):
            yield Refusal("zhero.horde.5", f"the zombie on {square} is cut off from {player.hero}, so it is free")
    for card, shots in player.shots.items():
        if card not in player.supplies or not 0 < shots < state.card(card).ammunition:
            yield Refusal("supply.ranged.3", f"{player.hero} cannot have fired {shots} shots with {card}")
    if not set(player.spent) <= set(player.survivors):
        yield Refusal("survivor.11", f"{player.hero} has used what survivors carried who are not there")


def _check_board(state: State) -> Iterator[Refusal]:
    if state.spare_tiles < 0:
        yield Refusal("comp.blocking-tiles", f"there are only {state.components.blocking_tiles} blocking tiles")
    for square in (*state.tiles, *state.loose):
        if not state.board.square_bits[square] & state.ground.floor:
            yield Refusal("tile.1", f"{square} is solid; no tile can lie there")
    for square in state.used:
        if state.board.tokens.get(square, "star") == "star":
            yield Refusal("token.4", f"there is no token on {square}, so none can be used up")
    for square in state.stars:
        if state.board.tokens.get(square) != "star":
            yield Refusal("bonus.1", f"there is no bonus star on {square}")
    for symbol in state.ropes:
        if symbol not in state.board.ropes:
            yield Refusal("rope.2", f"there is no rope symbol on {symbol}")
    if len(state.opened) > len(set(state.opened)):
        yield Refusal("key.3", "a room is opened twice")


def _check_setting_up(state: State) -> Iterator[Refusal]:
    if (
        state.agenda
        or not state.acts.is_empty
        or (state.phase != "put" and any(player.at for player in state.players.values()))
    ):
        yield Refusal("setup.15", "before the first turn nobody has done anything")
    if state.phase == "put" and len(state.players) != len(state.seats):
        yield Refusal("setup.13", "every player has chosen a hero before figures are put down")
    if state.phase == "pick" and len(state.players) >= len(state.seats):
        yield Refusal("setup.13", "every player has a hero already")
    if state.phase in ("fill", "first") and state.players:
        yield Refusal("setup.13", "heroes are chosen later")
    if state.phase != "first" and set(state.order) != set(state.seats):
        yield Refusal("setup.12", "every player has a place in the order")
    if state.mover not in state.order or (state.phase in ("pick", "put") and _is_not_next(state)):
        yield Refusal("setup.12", f"{state.mover} does not choose now")


def _is_not_next(state: State) -> bool:
    """True if the mover is not the next to do their part of the set-up.

    Then they or somebody after them has done it, or somebody before them has not.
    """
    done = [seat in state.by_seat and (state.phase == "pick" or bool(state.by_seat[seat].at)) for seat in state.order]
    at = state.order.index(state.mover)
    return done != [True] * at + [False] * (len(done) - at)


def _check_turn(state: State) -> Iterator[Refusal]:
    """Checks that every player has a hero, who is on the board or was killed.

    Checks too that the phase fits the player whose turn it is.
    """
    if state.phase in ("over", "zombies") and not (state.phase == "zombies" and state.agenda):
        yield Refusal("win.1", f"a position in phase {state.phase!r} leaves nobody anything to do")
    if set(state.order) != set(state.seats) or len(state.players) != len(state.seats):
        yield Refusal("object.1", "every player has a hero, and a place in the order")
        return
    for player in state.players.values():
        if not player.at and not player.is_out:
            yield Refusal("setup.15", f"{player.hero} stands nowhere")
    if not state.heroes:
        yield Refusal("win.1", "no hero is left: the game is over")
    if state.current_player.is_out:
        yield Refusal("zhero.4", f"{state.current_player.hero} is out of the game and has no turn")
    elif (state.phase == "horde") != state.current_player.is_zombie:
        yield Refusal(
            "zhero.5",
            f"{state.current_player.hero} is {'a zombie hero' if state.current_player.is_zombie else 'a hero'}",
        )
    if state.phase == "start" and not state.acts.is_empty:
        yield Refusal("turn.free.1", "after an action the start of the turn is over")
    if state.phase == "horde" and not state.acts.is_empty and not state.agenda:
        yield Refusal("zhero.5", "after the zombie hero's one action their turn is over")


# Tasks


def _check_tasks(state: State) -> Iterator[Refusal]:
    for task in state.agenda:
        if task.by not in state.players or not state.players[task.by].at:
            yield Refusal("turn.1", f"{task.by} is not in play and can do nothing")
        elif not can_be_due(state, task):
            yield Refusal(
                "turn.1", f"what {task.by} would have to do cannot be done here: {task.__struct_config__.tag}"
            )
