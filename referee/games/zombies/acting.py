"""A hero's other actions: grenades, blows at blocking tiles, rescue rolls, and the end of his actions."""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Aim, Dice, Need
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import biting, sequence, wounds
from referee.games.zombies.attacking import check_attack
from referee.games.zombies.board import Square, kings_moves
from referee.games.zombies.components import CardId
from referee.games.zombies.events import Exploded, GrenadeThrown, RescueRolled, Smashed
from referee.games.zombies.moving import duty
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Lob
from referee.games.zombies.timing import verb
from referee.games.zombies.turn_events import PhaseBegun
from referee.games.zombies.victory import helipad, rescued

BREAKS = 8
"""A blocking tile gives way to this much, without any bonus (tile.6, ruling.smash-bonus)."""
RESCUE = 12
"""A rescue roll needs this much, less one for each survivor (rescue.3, rescue.4)."""


# Grenades


class Grenade(Action, frozen=True, tag="grenade"):
    """Throw the die of a grenade: it is an attack (grenade.1, grenade.2)."""

    says = "grenade {card}"
    card: CardId


class LobTo(Action, frozen=True, tag="lob"):
    """Say where the grenade falls (grenade.2)."""

    says = "lob {square}"
    square: Square


def _grenade_need(player: Player) -> Need:
    return Need(f"how far {player.hero.lower()} throws the grenade", 1, 6, rule="grenade.2")


def _grenade_offers(state: State, player: Player) -> Iterator[Choice]:
    cards = state.usable(player, "grenade")
    if cards and not any(check_attack(state, player)):
        yield Choice(Grenade, _grenade_need(player), card=OneOf(cards))


def _grenade_reasons(state: State, player: Player, action: Grenade) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    yield from not_in_hand(state, player, action.card, "grenade", "grenade.6")


def not_in_hand(state: State, player: Player, card: str, use: str, rule: str) -> Iterator[Refusal]:
    """Why a card cannot be used as a key, a rope and so on."""
    if player.is_zombie:
        yield Refusal("zhero.3", "a zombie hero cannot use cards")
    elif card in player.spent:
        yield Refusal("survivor.11", f"what {card} carried was used")
    elif card not in state.usable(player, use):
        yield Refusal(rule, f"{player.hero} holds no {use} card {card}")


def _grenade(_state: State, player: Player, action: Grenade, dice: Dice) -> Script[State]:
    (reach,) = dice.throw(_grenade_need(player))
    state = yield GrenadeThrown(player.hero, action.card, reach)
    yield from sequence.go_on(state)


def _lob_offers(state: State, player: Player) -> Iterator[Choice]:
    """Any open square of the level that near, seen or not (ruling.grenade-reach)."""
    task = state.task
    assert isinstance(task, Lob)
    yield Choice(LobTo, square=OneOf(state.board.names(state.ground.within(player.at, task.reach))))


def _lob_reasons(state: State, player: Player, action: LobTo) -> Iterator[Refusal]:
    task, square = state.task, action.square
    assert isinstance(task, Lob)
    if square not in state.board.index or square[0] != player.at[0]:
        yield Refusal("grenade.2", f"{square} is not on the level")
    elif kings_moves(player.at, square) > task.reach:
        yield Refusal(
            "grenade.2", f"{square} is {kings_moves(player.at, square)} squares away, and the die shows {task.reach}"
        )
    else:
        yield Refusal("grenade.2", f"{square} is solid")


def _lob(state: State, player: Player, action: LobTo, _dice: Dice) -> Script[State]:
    """The square and those that touch it; walls stop it, tiles and tokens stay (grenade.3, grenade.4, grenade.5,
    ruling.grenade-walls, ruling.grenade-reaction). Survivors are no shield (ruling.shield-scope).
    """
    task = state.task
    assert isinstance(task, Lob)
    damage = state.card(task.card).damage
    state = yield Exploded(action.square)
    blast = state.ground.near(action.square) | state.board.bit[action.square]
    for square in state.board.names(blast & (state.dead | state.living | state.turned)):
        state = yield from wounds.strike(state, player.hero, square, damage)
    yield from sequence.go_on(state)


# Blocking tiles


class Smash(Action, frozen=True, tag="smash"):
    """Try to break an adjacent blocking tile; for a zombie hero it is his one action (tile.5, zhero.break.1)."""

    says = "smash {square}"
    square: Square


def _check_work(state: State, player: Player) -> Iterator[Refusal]:
    if player.is_zombie:
        if not state.acts.none:
            yield Refusal("zhero.5", "a zombie hero has one action in a turn")
        return
    yield from duty(state, player)
    if not state.acts.may_work:
        yield Refusal("turn.action.1", f"{player.hero} has no action left for that")


def _smash_offers(state: State, player: Player) -> Iterator[Choice]:
    squares = state.board.names(state.ground.near(player.at) & state.barred) if state.tiles else ()
    if squares and not any(_check_work(state, player)):
        yield Choice(Smash, square=OneOf(squares))


def _smash_reasons(state: State, player: Player, action: Smash) -> Iterator[Refusal]:
    yield from _check_work(state, player)
    if action.square not in state.tiles:
        yield Refusal("tile.5", f"no blocking tile lies on {action.square}")
    elif not state.ground.near(player.at) & state.board.bit[action.square]:
        rule = "zhero.break.2" if player.is_zombie else "tile.5"
        yield Refusal(rule, f"{player.hero} is not next to {action.square}")


def _smash(_state: State, player: Player, action: Smash, dice: Dice) -> Script[State]:
    """Two dice, 8 or more; heroes and zombie heroes alike (tile.6, tile.8, ruling.zhero-smash)."""
    aim = Aim(least=BREAKS, of="sum", does="breaks it")
    need = Need(f"{player.hero.lower()} smashes the tile on {action.square}", 2, 6, aims=(aim,), rule="tile.6")
    one, other = dice.throw(need)
    state = yield Smashed(player.hero, action.square, (one, other), one + other >= BREAKS)
    yield from sequence.go_on(state)


# Rescue


class Rescue(Action, frozen=True, tag="rescue"):
    """Roll for rescue on the helipad (rescue.1)."""

    says = "rescue"


def _check_rescue(state: State, player: Player) -> Iterator[Refusal]:
    """All living members of a team have to be there (mode.teams.2, rescue.6), but for those who have turned
    (rescue.7).
    """
    yield from _check_work(state, player)
    pad = helipad(state)
    if not state.board.bit[player.at] & pad:
        yield Refusal("rescue.1", f"{player.hero} is not on the helipad")
    team = [mate for mate in state.team_of(player) if mate.is_hero]
    for mate in team:
        if mate is not player and not state.board.bit[mate.at] & pad:
            yield Refusal("rescue.6", f"{mate.hero} is alive and not on the helipad")
        yield from _check_alone(state, mate)


def _check_alone(state: State, mate: Player) -> Iterator[Refusal]:
    """Nobody of the team may have a zombie next to him, stealthed or not (rescue.5, ruling.rescue-team-adjacent,
    ruling.stealth-rescue).
    """
    undetected = state.options["stealth-rescue"] == "yes" and state.is_stealthed(mate)
    if state.enemies_near(mate.at) and not undetected:
        yield Refusal("rescue.5", f"a zombie is next to {mate.hero}")


def survivors_for(state: State, player: Player) -> int:
    """Survivors that count: his own, and those of team mates next to him (rescue.4, rescue.8, mode.teams.3,
    ruling.rescue-combine). Infected ones do not, noisy ones and such as carried something do (ruling.infected-count,
    ruling.noisy-count, survivor.13).
    """
    near = state.ground.near(player.at)
    mates = [mate for mate in state.team_of(player) if mate.is_hero]
    counted = [mate for mate in mates if mate.hero == player.hero or state.board.bit[mate.at] & near]
    return sum(len(mate.survivors) for mate in counted)


def _rescue_offers(state: State, player: Player) -> Iterator[Choice]:
    if state.board.bit[player.at] & helipad(state) and not any(_check_rescue(state, player)):
        yield Choice(Rescue)


def _rescue(state: State, player: Player, _action: Rescue, dice: Dice) -> Script[State]:
    """Two dice and an ability against 12 less the survivors (rescue.2, rescue.3)."""
    survivors = survivors_for(state, player)
    needed = RESCUE - survivors
    bonus = state.ability_of(player).rescue
    aim = Aim(least=needed - bonus, of="sum", does="brings rescue")
    one, other = dice.throw(Need(f"rescue of {player.hero.lower()}", 2, 6, aims=(aim,), rule="rescue.3"))
    total = one + other + bonus
    state = yield RescueRolled(player.hero, (one, other), total, needed, survivors)
    if total >= needed:
        yield from rescued(state, player)
    else:
        yield from sequence.go_on(state)


def _rescue_late(state: State) -> Iterator[Refusal]:
    if state.phase == "horde" and state.task is None:
        yield Refusal("zhero.6", "a zombie hero moves, attacks or mutates")


# The end of the actions


class Done(Action, frozen=True, tag="done"):
    """End one's actions: after a hero's the zombies of the level act (turn.zombie.1)."""

    says = "done"


def _done_offers(state: State, player: Player) -> Iterator[Choice]:
    """What is left of the actions may be given up (ruling.optional-actions), a card to be rolled for not."""
    if not duty(state, player):
        yield Choice(Done, minor=player.is_zombie)


def _done_reasons(state: State, player: Player, _action: Done) -> Iterator[Refusal]:
    yield from duty(state, player)


def _done(_state: State, player: Player, _action: Done, _dice: Dice) -> Script[State]:
    """A zombie hero rouses nobody: his turn is over (ruling.zhero-sequence)."""
    state = yield PhaseBegun(player.hero, "zombies")
    if not player.is_zombie:
        state = yield from biting.rouse(state)
    yield from sequence.go_on(state)


VERBS: tuple[Verb[State, Any], ...] = (
    verb(Grenade, ("start", "action"), _grenade_offers, _grenade, rule="grenade.1", reasons=_grenade_reasons),
    verb(LobTo, ("lob",), _lob_offers, _lob, rule="grenade.2", reasons=_lob_reasons),
    verb(Smash, ("start", "action", "horde"), _smash_offers, _smash, rule="tile.5", reasons=_smash_reasons),
    verb(
        Rescue,
        ("start", "action"),
        _rescue_offers,
        _rescue,
        rule="rescue.1",
        reasons=lambda state, player, _: _check_rescue(state, player),
        late=_rescue_late,
    ),
    verb(
        Done,
        ("start", "action", "horde"),
        _done_offers,
        _done,
        rule="turn.zombie.1",
        reasons=_done_reasons,
        allows=lambda state, player, _: not duty(state, player),
        words=("done", "zombies", "end", "pass"),
    ),
)
