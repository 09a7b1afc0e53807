"""How far a hero gets: squares that he can enter, where he must stop, and what stops him (move.4 to move.13)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.ruling import Refusal
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Go


def drawable(state: State, player: Player) -> int:
    """Unused tokens that a player draws for: a zombie hero ignores supply tokens and stars (zhero.token.1,
    zhero.token.2, ruling.zhero-survivor-token).
    """
    tokens = state.board.token_sets
    drawn = tokens["action"] | tokens["survivor"] | (0 if player.is_zombie else tokens["supply"])
    return drawn & ~state.covered


def stars_for(state: State, player: Player) -> int:
    """Bonus stars that stop a hero: such as he can take a card from (bonus.3, ruling.bonus-stop)."""
    done = (square for square in state.stars if not _gives(state, player, square))
    return state.board.token_sets["star"] & ~state.board.set_of(done)


def _gives(state: State, player: Player, star: str) -> bool:
    found = state.stars[star]
    return bool(found.cards) and player.hero not in found.takers


def zombies_that_stop(state: State, player: Player, task: Go) -> int:
    """Zombies next to which a hero without stealth has to stop: those that he was not next to at first (move.10,
    ruling.stop-at-zombie, ruling.break-away-stop). A stealthed one need not stop (move.9).
    """
    if state.is_stealthed(player) or state.options["stop-at-zombie"] == "no":
        return 0
    rule = state.options["break-away-stop"]
    if task.fleeing and rule != "new-only":
        return state.threats if rule == "all" else 0
    return state.threats & ~state.enemies_near(player.at)


def stops(state: State, player: Player, task: Go) -> int:
    """Squares on which the hero has to stop: next to or on tokens, stars and zombies (move.4, move.8, move.11)."""
    tokens = 0 if state.is_stealthed(player) else drawable(state, player)
    halting = tokens | stars_for(state, player) | zombies_that_stop(state, player, task)
    return state.ground.touching(halting) | halting


def enterable(state: State) -> int:
    """Squares that a hero can pass: open ones, figures on them or not (move.6, move.12, tile.10)."""
    return state.ground.floor & ~state.barred


def step(state: State, squares: int) -> int:
    """Squares one step from these, over stairs and ropes that are in place too (move.2, move.12, ruling.level-links,
    rope.5). Which of them can be entered is not asked. Zombie heroes do not climb (rope.3): they step otherwise.
    """
    found = state.ground.touching(squares)
    for end, other in state.board.stairs.items():
        if state.board.bit[end] & squares:
            found |= state.board.bit[other]
    for symbol in state.ropes:
        landing = state.board.ropes[symbol]
        if state.board.bit[symbol] & squares:
            found |= state.board.bit[landing]
        if state.board.bit[landing] & squares:
            found |= state.board.bit[symbol]
    return found


def goals(state: State, player: Player, task: Go) -> int:
    """Squares on which the move may end, the own one included (move.3).

    Where he would have to stop and cannot, because somebody stands there, he cannot step at all (move.13,
    ruling.occupied-stop).
    """
    start = state.board.bit[player.at]
    return (_reached(state, start, stops(state, player, task), task.steps) & state.free) | start


def _reached(state: State, start: int, halts: int, steps: int) -> int:
    entered = enterable(state)
    occupied = entered & ~state.free
    found = fresh = start
    for _ in range(steps):
        fresh = step(state, fresh) & entered & ~found & ~(halts & occupied)
        found |= fresh
        fresh &= ~halts
        if not fresh:
            break
    return found


def why_not(state: State, player: Player, task: Go, square: str) -> Iterator[Refusal]:
    """Which stop keeps a hero from a free square: the first kind without which he would get there."""
    start, bit = state.board.bit[player.at], state.board.bit[square]
    near_token = state.ground.touching(drawable(state, player)) | drawable(state, player)
    near_star = state.ground.touching(stars_for(state, player)) | stars_for(state, player)
    zombies = zombies_that_stop(state, player, task)
    near_zombie = state.ground.touching(zombies) | zombies
    halts = stops(state, player, task)
    if _reached(state, start, halts & state.free, task.steps) & bit:
        yield Refusal("move.13", f"on the way to {square} {player.hero} would have to stop where somebody stands")
        return
    for rule, freed, what in (
        ("breakaway.5" if task.fleeing else "move.4", near_token, "a token"),
        ("move.11", near_star, "a bonus star"),
        ("move.10", near_zombie, "a zombie"),
    ):
        if _reached(state, start, halts & ~freed, task.steps) & bit:
            yield Refusal(rule, f"{player.hero} has to stop next to {what} before {square}")
            return
    if _reached(state, start, 0, task.steps) & bit:
        yield Refusal("move.4", f"{player.hero} has to stop before {square}")
    else:
        far = "breakaway.2" if task.fleeing else "move.1"
        walled = _reached(state, start, 0, 400) & bit
        yield Refusal(far if walled else "move.12", f"no way leads to {square}{f' in {task.steps}' if walled else ''}")
