"""Dice as a table throws them: what each is for, the number needed and its chance, and asking how they fell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.cli.errors import MisuseError, sentence
from referee.cli.missing import asked, needed
from referee.cli.screen import while_typing
from referee.cli.typed import faces_of
from referee.engine.adjudicate import first_need
from referee.engine.aim import Aim, Chance
from referee.engine.dice import DiceError, Need, Typed
from referee.engine.secret import UnknownError
from referee.engine.text import listing, printable

if TYPE_CHECKING:
    from referee.engine.legal import Choice
    from referee.record.table.sitting import Sitting

SOME = 16
"""A choice of more actions has no chances beside it: each of them would have to be asked about."""
MOST = 64
"""So many actions of a whole list are asked about."""
Ask = Callable[[Need, int], list[Typed]]
"""Gives faces for what is needed, of which so many were typed already; fewer than are missing: nobody knows more."""


def throws_told(need: Need) -> Iterator[str]:
    """What is thrown or drawn, then each number needed with its chance: before anything has fallen."""
    how = "draws lots" if need.lots else "draws" if need.names else "throws"
    yield f"It {how}{':' if need.lots else ''} {need}."
    if need.names and not need.lots:
        yield f"There is {listing(need.left_to_draw)}."
    yield from (aim_told(need, aim) for aim in need.aims)


def aim_told(need: Need, aim: Aim) -> str:
    """A number needed, what it does, and how likely it is."""
    return f"{aim}{f' {aim.does}' if aim.does else ''}: {need.chance(aim)}."


def chances_beside(look: Sitting, choices: Iterable[Choice]) -> Iterator[tuple[Beside, ...]]:
    """For each choice what its dice can do, and how likely each of it is; nothing where that is not known at once.

    Few actions are asked what they throw, and of a kind that throws nothing one alone: a list stays quick.
    """
    left, quiet = MOST, set[type]()
    for choice in choices:
        needs: list[Need] = []
        if choice.need:
            needs = [choice.need]
        elif choice.kind not in quiet and choice.count <= min(SOME, left):
            needs = list(_first_needs(look, choice))
            left -= max(1, len(needs))
            if not needs:
                quiet.add(choice.kind)
        yield _beside(needs)


def _first_needs(look: Sitting, choice: Choice) -> Iterator[Need]:
    """What the actions of a choice throw first, as far as their speaker knows; nothing where the first throws none."""
    for action in choice:
        try:
            need = first_need(look.facts.game, look.sight.view, look.sight.speaker, action)
        except UnknownError:
            return
        if need is None:
            return
        yield need


def _beside(needs: list[Need]) -> tuple[Beside, ...]:
    """What throws that are alike but for their numbers can do."""
    if len({len(need.aims) for need in needs}) != 1:
        return ()
    found = []
    for aims in zip(*(need.aims for need in needs), strict=True):
        chances = sorted((need.chance(aim) for need, aim in zip(needs, aims, strict=True)), key=lambda one: one.part)
        does = {aim.does.partition(",")[0] or f"{aim.number}:" for aim in aims}
        found.append(Beside(does.pop() if len(does) == 1 else min(does).split()[0], chances[0], chances[-1]))
    return tuple(found)


class Beside(NamedTuple):
    """What stands beside an action that throws: what its dice can do, and how likely that is."""

    does: str
    least: Chance
    """The least chance of all actions that are listed together."""
    most: Chance

    def __str__(self) -> str:
        least, most = self.least.short, self.most.short
        return f"{self.does} {least}" if least == most else f"{self.does} {least} to {most}"


def throw_facts(need: Need | None) -> dict[str, Any]:
    """The same for programs: each chance as ways among all that are equally likely, in the order of the aims."""
    return {"throws": need, "chances": [need.chance(aim) for aim in need.aims] if need else []}


def come_to(need: Need, die: int, face: int) -> str:
    """What one die came to, as soon as it is known; "" where it is just read."""
    aims = list(need.aims_of(die))
    if not aims:
        return ""
    whose = f"{need.told_apart[die]} " if need.told_apart else ""
    does = [aim.does or "does it" for aim in aims if aim.is_hit(face)]
    return f"{whose}{face}: {listing(does) or f'misses{needed([aim.number for aim in aims])}'}"


def ask(need: Need, typed: int) -> list[Typed]:
    """Faces typed at the keyboard as they fell, until all are there: what can be is kept, the rest is asked for again.

    Fewer when nobody types any more.
    """
    faces: list[Typed] = []
    sys.stdout.write(while_typing(sentence(str(need))) + "\n")
    while typed + len(faces) < need.count:
        try:
            line = input(f"{while_typing(asked(need, typed + len(faces)))}: ")
        except EOFError:
            sys.stdout.write("\n")
            break
        try:
            for face in faces_of(line):
                _tell(need, typed + len(faces), face)
                faces.append(face)
        except (MisuseError, DiceError) as error:
            sys.stderr.write(while_typing(f"{sentence(str(error))} {_kept(faces)}") + "\n")
    return faces


def _tell(need: Need, die: int, typed: Typed) -> None:
    """Say what a die came to; DiceError when none such can have fallen."""
    if die == need.count:
        raise DiceError(f"{typed} is one too many here")
    told = come_to(need, die, need.face_of(typed))
    if told:
        sys.stdout.write(printable(f"  {told}") + "\n")


def apart(words: Sequence[str], need: Need) -> list[str]:
    """Faces one by one: small dice need no spaces between them, 226."""
    small = need.sides < 10 and not need.names
    return [face for word in words for face in (word if small and word.isdecimal() else [word])]


def _kept(faces: list[Typed]) -> str:
    return f"Kept: {' '.join(map(str, faces))}." if faces else ""
