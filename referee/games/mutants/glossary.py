"""Descriptions of units, places, doors and other things, found by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.text import listing
from referee.games.mutants.board import UnitKind, describe_door
from referee.games.mutants.notation import KINDS_BY_WORD
from referee.games.mutants.state import State

KIND_SENTENCES: Mapping[UnitKind, str] = {
    "tech": "A Tech, a Human unit: one in the Tech Room at the end is needed for a decisive victory (VIII.A)",
    "guard": "A Guard, a Human unit: it leads Janibots, and counts in the Tech Room at the end (IV.C.2-a, VIII.A)",
    "janibot": (
        "A Janibot fights on the Human side but is not a Human unit: it moves only with a Tech or Guard, and never "
        "into the Tech Room (INTRO.IV.A.1-b, IV.C.2-a, IV.C.3)"
    ),
    "leader": "A Leader, a Mutant: it smashes no doors, but opens them, and counts at the end (IV.B.2.a-b, M7)",
    "radioactive": "A Radioactive Mutant smashes doors, and may die in each Glow and Go Phase (IV.B.2.a-a, VI-b)",
    "normal": "A Normal Mutant smashes doors (IV.B.2.a-a)",
}
"""A sentence about each kind of unit."""
THING_SENTENCES: Mapping[str, str] = {
    "wall": "A Wall blocks a door between two rooms for both sides, and stays where it was set up (INTRO.IV.A.2, M4).",
    "door": "A door joins two rooms, or a room and a square; Mutants smash it or hold it open (IV.B.2-a, IV.B.3-b).",
    "square": "A Set Up square lies outside: Mutants start there, and the Human side enters none (INTRO.IV.B.1-a).",
    "room": "A room holds any number of units; where both sides are in it, Combat is fought (V.A-a, V.A-b).",
}
"""A sentence about Walls, doors, squares and rooms."""


def describe_thing(view: State, word: str) -> tuple[str, ...]:
    """Returns sentences about the unit, kind of unit, place, door or Wall with this name; empty if none has it.

    The word is in small letters.
    """
    kind = KINDS_BY_WORD.get(word) or KINDS_BY_WORD.get(word.removesuffix("s"))
    told = [*_describe_units(view, word), *_describe_places(view, word), *_describe_doors(view, word)]
    told += [what for name, what in THING_SENTENCES.items() if word in (name, f"{name}s")]
    if kind and len(word) > 1:
        told.append(f"{KIND_SENTENCES[kind]}.")
    return tuple(told)


def _describe_units(view: State, word: str) -> Iterator[str]:
    unit = view.board.units.get(word)
    if unit is None:
        return
    name = view.board.file.names.get(word, word)
    hits = f"hits with {unit.hit_number} or less"
    if unit.side == "mutant":
        hits += f", Janibots with {unit.hit_number_against_janibots} or less (V.D.2-a)"
    yield f"{name}: {KIND_SENTENCES[unit.kind]}. It {hits}."


def _describe_places(view: State, word: str) -> Iterator[str]:
    """Describes a room or square, and the doors that lead out of it."""
    board = view.board
    for place in (*board.rooms, *board.squares):
        if place.lower() not in (word, f"x{word}") or word in board.units:
            continue
        doors = {to: door for to, door in board.neighbours[place].items() if door}
        kind = (
            "A square outside" if place in board.squares else "The Tech Room" if place == board.tech_room else "A room"
        )
        rule = "INTRO.IV.B.1-a" if place in board.squares else "INTRO.IV.B-a"
        yield f"{kind}, {place}: doors lead to {listing(list(doors)) or 'nowhere'} ({rule})."
        yield from (f"{door}: {_describe_state(view, door)}" for door in doors.values() if _is_changed(view, door))


def _describe_doors(view: State, word: str) -> Iterator[str]:
    for door in view.board.door_ends:
        if word in (door.lower(), door.lower().replace("-", "")):
            yield f"{door} is the door {describe_door(door).removeprefix('the door ')}: {_describe_state(view, door)}"


def _is_changed(view: State, door: str) -> bool:
    return door in view.walls or door in view.smashed or any(door == opened for opened, _ in view.opened)


def _describe_state(view: State, door: str) -> str:
    """Returns the state of a door in words, as far as this view knows it."""
    if door in view.walls:
        return "a Wall blocks it (M4)."
    if door in view.smashed:
        return "it is smashed, and Mutants pass it (IV.B.2.f-c)."
    if any(door == opened for opened, _ in view.opened):
        return "it is held open until the Movement Step ends (IV.B.3-b)."
    tried = " It was attacked this Turn (IV.B.2.e-b)." if door in view.attempted else ""
    return f"it is shut; Mutants smash or open it (IV.B.2-a).{tried}"
