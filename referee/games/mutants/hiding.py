"""What players of a game with Hidden Movement say about their secrets: units hidden again, and questions (OPT.V)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.mutants.board import is_square
from referee.games.mutants.naming import check_names, check_owned
from referee.games.mutants.state import IN_PLAY, SETTING_UP, State, UnitIds
from referee.games.mutants.timing import check_presence, just, now
from referee.games.mutants.told import Concealed

Subject = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])(-(x[NESW][1-9]|[A-I][1-9]))?$")]
"""What is asked about: a room, a square or a door."""

# Hiding again


class Hide(Action, frozen=True, tag="hide"):
    """Take units off the gameboard and note them in secret again (OPT.V.C-e)."""

    says = "hide {units}"
    units: UnitIds


def _hide_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Units that may be taken off the gameboard again, in anybody's Phase; nobody has to (OPT.V.C-e, M58)."""
    able = state.can_hide
    if able and seat == "human":
        yield Choice(Hide, units=Subset(able, 1, len(able)), minor=seat != state.to_act)


def _check_hide(state: State, seat: Seat, action: Hide) -> Iterator[Refusal]:
    """Every rule that hiding units breaks."""
    absent = check_presence(state, seat)
    if absent:
        yield from absent
    elif not state.is_hidden:
        yield Refusal("INTRO.IV.E", "nothing is noted in secret: Hidden Movement is not played")
    elif state.phase in SETTING_UP:
        yield Refusal("OPT.V.C-e", f"the game has not started: {now(state)}")
    elif seat != "human":
        yield Refusal("OPT.V.C-e", "only the Human player takes units off the gameboard")
    else:
        yield from _check_hidden(state, action.units)


def _check_hidden(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    wrong = list(check_names(state, units)) or list(check_owned(state, "human", units))
    if wrong or not units:
        yield from wrong or [Refusal("OPT.V.C-e", "say which units are taken off the gameboard")]
        return
    for unit in units:
        place = state.at[unit]
        if unit not in state.told.humans:
            yield Refusal("OPT.V.C-e", f"{unit} is hidden already")
        elif is_square(place):
            yield Refusal("OPT.V.C-e", f"{unit} is outside, in {place}, and in no room")
        elif place in state.told.rooms:
            yield Refusal("OPT.V.C-e", f"Mutants are in {place} with {unit}")
        elif not state.is_unwatched(place):
            yield Refusal("OPT.V.C-e", f"the Combat in {place} is not over")


# Asking


class Ask(Action, frozen=True, tag="ask"):
    """Ask what is in a room, a square or a door. Players ask; it is never legal (OPT.V.C-c, OPT.V.D-a, OPT.V.D-c)."""

    says = "ask {about}"
    about: Subject


class Remove(Action, frozen=True, tag="remove"):
    """Ask to take units off the board. Players ask; it is never legal (IV.A.5-b)."""

    says = "remove {units}"
    units: UnitIds


def _no_offers(_state: State, _seat: Seat) -> Iterator[Choice]:
    return iter(())


def _never(_state: State, _seat: Seat, action: Action, _dice: Dice) -> Script[State]:
    raise ValueError(f"{action} is never legal")


def _check_remove(state: State, seat: Seat, _action: Remove) -> Iterator[Refusal]:
    yield from check_presence(state, seat) or (
        Refusal("IV.A.5-b", "units leave the board only when they are eliminated"),
    )


def _check_ask(state: State, seat: Seat, action: Ask) -> Iterator[Refusal]:
    yield from check_presence(state, seat) or (_answer(state, seat, action),)


def _answer(state: State, seat: Seat, action: Ask) -> Refusal:
    """Why a question is not answered. It is the same whatever is there, because it is judged on the asker's view."""
    about = action.about
    if "-" in about and about not in state.board.ends:
        return Refusal("IV.A.2-b", f"there is no door {about}")
    if "-" not in about and about not in state.board.places:
        return Refusal("IV.A.5-a", f"the board has no {about}")
    secret = (_kept_from_humans if seat == "human" else _kept_from_mutants)(state, about) if state.is_hidden else None
    return secret or Refusal("INTRO.IV.E", f"nothing about {about} is hidden from you: look at the board")


def _kept_from_humans(state: State, about: str) -> Refusal | None:
    """The Human player noted the Walls himself; of Mutants he knows the rooms, and sees them where his own are."""
    if is_square(about) and "-" not in about:
        return Refusal("OPT.V.D-a", f"what is in {about} is never shown to you")
    if about in state.told.rooms and about not in state.contested():
        return Refusal("OPT.V.D-c", f"Mutants are in {about}; how many and which is shown where you have units too")
    return None


def _kept_from_mutants(state: State, about: str) -> Refusal | None:
    """The Mutant player knows his squares; of rooms and Walls what Mutants see there."""
    if "-" in about:
        unseen = Refusal("OPT.V.C-a", f"whether a Wall is in {about} is shown when Mutants get there")
        return None if _is_wall_known(state, about) else unseen
    if is_square(about) or about in state.told.rooms:
        return None
    return Refusal("OPT.V.C-c", f"who is in {about} is shown when Mutants enter it")


def _is_wall_known(state: State, door: str) -> bool:
    """Whether Mutants know if a door has a Wall: none can be there, it was shown, or they saw or tried it (M23)."""
    if door not in state.board.wallable or door in {*state.smashed, *state.told.walls, *state.told.clear}:
        return True
    return state.options["wall-reveal"] == "either-room" and not state.held_by_mutants.isdisjoint(
        state.board.ends[door]
    )


VERBS = (
    Verb(
        Hide,
        IN_PLAY,
        _hide_offers,
        _check_hide,
        lambda _state, _seat, action, _dice: just(Concealed(action.units)),
        read=lambda reader: Hide(reader.units()),
    ),
    Verb(Ask, (), _no_offers, _check_ask, _never, read=lambda reader: Ask(reader.subject())),
    Verb(Remove, (), _no_offers, _check_remove, _never, read=lambda reader: Remove(reader.units())),
)
