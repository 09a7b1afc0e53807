"""What players of a game with Hidden Movement say about their secrets: units hidden again, and questions (OPT.V)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.game import Seat
from referee.engine.legal import Choice, Subset
from referee.engine.ruling import Refusal
from referee.games.mutants.actions import Ask, Hide
from referee.games.mutants.board import is_square
from referee.games.mutants.naming import check_names, check_owned
from referee.games.mutants.state import State

# Hiding again


def hide_choices(state: State) -> Iterator[Choice]:
    """Units that may be taken off the gameboard again; nobody has to (OPT.V.C-e, M58)."""
    able = tuple(unit for unit in state.told.humans if not state.is_captive(unit) and _is_alone(state, unit))
    if able:
        yield Choice(Hide, units=Subset(able, 1, len(able)))


def _is_alone(state: State, unit: str) -> bool:
    """Whether a unit is in a room, and no Mutant with it."""
    place = state.at[unit]
    return not is_square(place) and place not in state.told.rooms


def check_hide(state: State, action: Hide) -> Iterator[Refusal]:
    """Every rule that hiding units breaks."""
    if not state.is_hidden:
        yield Refusal("INTRO.IV.E", "nothing is noted in secret: Hidden Movement is not played")
        return
    wrong = list(check_names(state, action.units)) or list(check_owned(state, "human", action.units))
    if wrong or not action.units:
        yield from wrong or [Refusal("OPT.V.C-e", "say which units are taken off the gameboard")]
        return
    for unit in action.units:
        if unit not in state.told.humans:
            yield Refusal("OPT.V.C-e", f"{unit} is hidden already")
        elif is_square(state.at[unit]):
            yield Refusal("OPT.V.C-e", f"{unit} is outside, in {state.at[unit]}, and in no room")
        elif not _is_alone(state, unit):
            yield Refusal("OPT.V.C-e", f"Mutants are in {state.at[unit]} with {unit}")


# Asking


def answer(state: State, seat: Seat, action: Ask) -> Refusal:
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
    """Whether Mutants know if a door has a Wall: none can be there, it was shown, or they see it now."""
    shown = door not in state.board.wallable or door in state.smashed or door in state.told.walls
    return shown or state.is_found(door)
