"""When an action may be said, and by whom: judged before anything else that could be wrong with it.

What a verb offers is what is legal; its reasons only tell which rule forbids the rest. So lists and verdicts agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.engine.verb import Verb
from referee.games.zombies import tasks
from referee.games.zombies.notation import Reader
from referee.games.zombies.state import NAMES, SETTING_UP, Player, State

A = TypeVar("A", bound=Action)

TASKS = (
    "go",
    "draw",
    "star",
    "keep",
    "test",
    "count",
    "place",
    "bite",
    "shield",
    "aim",
    "march",
    "join",
    "deal",
    "lob",
    "follow",
)
"""Phases while something has to be done first; each is named by its task."""
DOING = {
    "go": "say where the figure goes",
    "draw": "draw for the token",
    "star": "draw for the bonus star",
    "keep": "choose a card of the bonus star",
    "test": "roll for the card that was drawn",
    "count": "roll the size of the horde",
    "place": "place the zombies",
    "bite": "roll the attacks",
    "shield": "say whether a survivor is the shield",
    "aim": "say whom the horde attacks",
    "march": "say which way the zombie steps",
    "join": "say which zombies join the horde",
    "deal": "agree to the trade or decline it",
    "lob": "say where the grenade falls",
    "follow": "say how the horde follows",
}
"""What each task asks for."""


def asked(task: tasks.AnyTask) -> str:
    """What a task asks for, with what it is about, as a clause that follows "has to"."""
    match task:
        case tasks.Go(steps=steps):
            return f"go up to {count_of(steps, 'square')}"
        case tasks.Place(level=level, count=count):
            return f"place {count_of(count, f'level {level} zombie')}"
        case tasks.Bite(attacks=attacks):
            return f"roll the attack from {attacks[0][0]} on {attacks[0][1]}"
        case tasks.March(movers=movers) if movers:
            return f"say which way the zombie on {movers[0]} steps"
        case tasks.March():
            return "say which group of zombies moves next"
        case tasks.Aim(attackers=attackers):
            return f"say whom the zombie on {attackers[0]} attacks"
        case tasks.Test(card=card):
            return f"roll for {card}"
        case tasks.Deal(partner=partner):
            return f"agree to the trade that {partner} offers, or decline it"
        case tasks.Lob(reach=reach):
            return f"say where the grenade falls, up to {count_of(reach, 'square')} away"
    return DOING[task.__struct_config__.tag]  # type: ignore[index]  # a word


DUTIES = {
    "go": "move.1",
    "draw": "token.2",
    "star": "bonus.1",
    "keep": "bonus.2",
    "test": "survivor.2",
    "count": "horde.3",
    "place": "card.zombie.2",
    "bite": "zombie.attack.1",
    "shield": "survivor.6",
    "aim": "zhero.attack.1",
    "march": "zombie.move.5",
    "join": "zhero.horde.6",
    "deal": "turn.free.4",
    "lob": "grenade.2",
    "follow": "zhero.horde.3",
}
"""The rule by which each task comes first."""


def phase_of(state: State) -> str:
    """The task that stands first, else the phase of the game."""
    return state.task.__struct_config__.tag if state.task else state.phase  # type: ignore[return-value]  # a word


def is_turn_of(view: State, seat: Seat) -> bool:
    """Whether this seat holds the pen."""
    return seat == view.to_act


def never(_view: State, _player: Player | None, _action: Any) -> Iterator[Refusal]:
    """No reason of its own."""
    return iter(())


def verb(
    action: type[A],
    phases: tuple[str, ...],
    offers: Callable[[State, Player], Iterator[Choice]],
    resolve: Callable[[State, Player, A, Dice], Script[State]],
    *,
    rule: str,
    reasons: Callable[[State, Player, A], Iterator[Refusal]] = never,
    late: Callable[[State], Iterator[Refusal]] | None = None,
    may: Callable[[State, Seat], bool] = is_turn_of,
    words: tuple[str, ...] = (),
    read: Callable[[Reader], Any] | None = None,
    carries: bool = False,
    allows: Callable[[State, Player, A], bool] | None = None,
) -> Verb[State, A]:
    """A verb of players who have heroes, for these phases.

    `rule` is cited where nothing in `reasons` tells more; `late` tells what keeps it out of other phases; `may` says
    who may say it; `carries` whether it is said several times in a row; `allows` whether
    this one is among what is offered, where that is known sooner than the whole list.
    """

    def offered(view: State, seat: Seat) -> Iterator[Choice]:
        player = view.by_seat.get(seat)
        return iter(_offered(view, player) if player and may(view, seat) else ())

    def _offered(view: State, player: Player) -> tuple[Choice, ...]:
        """Worked out once for each state: what is listed is then looked for in the list."""
        found = view.offered.get((action, player.hero))
        if found is None:
            found = view.offered[action, player.hero] = tuple(offers(view, player))
        return found

    def checked(view: State, seat: Seat, said: A) -> Iterator[Refusal]:
        player = view.by_seat.get(seat)
        untimely = tuple(_check_time(view, seat, player))
        if untimely or player is None:
            yield from untimely
        elif not (allows(view, player, said) if allows else any(said in choice for choice in _offered(view, player))):
            told = tuple(reasons(view, player, said))
            yield from told or (Refusal(rule, "that cannot be done here"),)

    def _check_time(view: State, seat: Seat, player: Player | None) -> Iterator[Refusal]:
        if view.outcome:
            yield Refusal("win.1", f"the game is over: {view.outcome.because}")
        elif player is None:
            why = "heroes are not chosen yet" if seat in view.seats else f"nobody called {seat} plays"
            yield Refusal("turn.1" if seat in view.seats else "setup.10", why)
        elif phase_of(view) not in phases:
            yield from _untimely(view, late)
        elif not may(view, seat):
            yield not_yours(view)

    def resolved(view: State, seat: Seat, said: A, dice: Dice) -> Script[State]:
        return resolve(view, view.by_seat[seat], said, dice)

    return Verb(
        action, phases, offered, checked, resolved, words, read or (lambda reader: reader.action(action)), carries
    )


def _untimely(view: State, late: Callable[[State], Iterator[Refusal]] | None) -> Iterator[Refusal]:
    told = tuple(late(view)) if late else ()
    yield from told or (too_early(view),)


def too_early(view: State) -> Refusal:
    """What comes first, or what this part of the turn is for."""
    if view.task:
        tag = phase_of(view)
        is_horde = isinstance(view.task, tasks.Test) and view.card(view.task.card).kind == "horde"
        return Refusal("horde.1" if is_horde else DUTIES[tag], f"{view.task.by} has to {asked(view.task)} first")
    rule = "zhero.6" if view.phase == "horde" else "turn.1"
    return Refusal(
        "setup.15" if view.phase in SETTING_UP else rule, f"this part of the game is for: {NAMES[view.phase]}"
    )


def not_yours(view: State) -> Refusal:
    """It is somebody else's part."""
    who = view.task.by if view.task else view.mover.hero
    return Refusal("turn.1", f"it is {who}'s part")
