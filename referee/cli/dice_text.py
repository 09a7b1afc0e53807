"""Dice at the table: the purpose of each die, the numbers needed with their chances, and asking for faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.cli.arguments import parse_faces
from referee.cli.errors import MisuseError, format_sentence
from referee.cli.missing_dice import describe_missing_faces, describe_successful_faces
from referee.cli.output import ask_line, write_messages, write_rows
from referee.cli.screen import format_prompt
from referee.engine.adjudication import find_first_need
from referee.engine.dice import DiceError, Need, TypedDie
from referee.engine.secret import UnknownError
from referee.engine.target_number import Chance, Target
from referee.engine.text import listing, make_printable

if TYPE_CHECKING:
    from referee.engine.choice import Choice
    from referee.record.table.seat_view import SeatView

MAX_ACTIONS = 16
"""The most actions that a choice may have to be shown with chances. Each action takes a question to the game."""
MAX_QUESTIONS = 64
"""The most questions about rolls that a whole list takes."""
DicePrompt = Callable[[Need, int], list[TypedDie]]
"""A function that asks for the missing faces of a roll; its second argument is the number of faces typed already.

It returns fewer faces than are missing if the input ends.
"""


def describe_roll(need: Need) -> Iterator[str]:
    """Yields sentences on a roll that is still to be made: its dice or its draw, then each target with its chance."""
    how = "draws lots" if need.lots else "draws" if need.names else "rolls"
    yield f"This move {how}{':' if need.lots else ''} {need}."
    if need.names and not need.lots:
        yield f"Possible draws: {listing(need.drawable_ranges)}."
    yield from (describe_target(need, aim) for aim in need.aims)


def describe_target(need: Need, aim: Target) -> str:
    """Returns a sentence with a target number, its effect and its chance."""
    return f"{aim}{f' {aim.does}' if aim.does else ''}: {need.compute_chance(aim)}."


def list_effect_chances(look: SeatView, choices: Iterable[Choice]) -> Iterator[tuple[EffectChances, ...]]:
    """Yields a tuple for each choice: the effects of its first dice with their chances. The tuple is empty if the
    choice rolls no dice, if its rolls differ in their targets, or if the chances would take too long.

    To be fast, asks the game about only a few actions. If one kind of action needs no roll, does not ask about that
    kind again.
    """
    left, quiet = MAX_QUESTIONS, set[type]()
    for choice in choices:
        needs: list[Need] = []
        if choice.need:
            needs = [choice.need]
        elif choice.kind not in quiet and choice.count <= min(MAX_ACTIONS, left):
            needs = list(_list_first_rolls(look, choice))
            left -= max(1, len(needs))
            if not needs:
                quiet.add(choice.kind)
        yield _merge_targets(needs)


def _list_first_rolls(look: SeatView, choice: Choice) -> Iterator[Need]:
    """Yields the first roll of each action of a choice. Stops at an action without a roll or with a secret one."""
    for action in choice:
        try:
            need = find_first_need(look.facts.game, look.sight.view, look.sight.speaker, action)
        except UnknownError:
            return
        if need is None:
            return
        yield need


def _merge_targets(needs: list[Need]) -> tuple[EffectChances, ...]:
    """Groups the targets of several rolls: all first ones, all second ones, and so on.

    Returns () if some rolls have more targets than others.
    """
    if len({len(need.aims) for need in needs}) != 1:
        return ()
    found = []
    for aims in zip(*(need.aims for need in needs), strict=True):
        chances = sorted(
            (need.compute_chance(aim) for need, aim in zip(needs, aims, strict=True)), key=lambda one: one.probability
        )
        does = {aim.does.partition(",")[0] or f"{aim.number}:" for aim in aims}
        found.append(EffectChances(does.pop() if len(does) == 1 else min(does).split()[0], chances[0], chances[-1]))
    return tuple(found)


class EffectChances(NamedTuple):
    """An effect of the dice, with its chances in all actions that are listed together."""

    does: str
    least: Chance
    """The smallest of these chances."""
    most: Chance
    """The largest of these chances."""

    def __str__(self) -> str:
        least, most = self.least.fraction_text, self.most.fraction_text
        return f"{self.does} {least}" if least == most else f"{self.does} {least} to {most}"


def collect_roll_facts(need: Need | None) -> dict[str, Any]:
    """Returns a roll and its chances for programs, in the order of the targets."""
    return {"throws": need, "chances": [need.compute_chance(aim) for aim in need.aims] if need else []}


def describe_face_effect(need: Need, die: int, face: int) -> str:
    """Returns the effect of one die that shows `face`; "" if the die has no target number of its own."""
    aims = list(need.list_targets(die))
    if not aims:
        return ""
    whose = f"{need.die_labels[die]} " if need.die_labels else ""
    does = [aim.does or "succeeds" for aim in aims if aim.is_hit(face)]
    return f"{whose}{face}: {listing(does) or f'misses{describe_successful_faces([aim.number_text for aim in aims])}'}"


def ask_for_faces(need: Need, typed: int) -> list[TypedDie]:
    """Asks at the keyboard for the missing faces of a roll. `typed` is the number of faces typed before.

    Valid faces are kept, and wrong ones are asked for again. Returns fewer faces if the input ends.
    """
    faces: list[TypedDie] = []
    write_rows([format_prompt(format_sentence(str(need)))])
    while typed + len(faces) < need.count:
        try:
            line = ask_line(format_prompt(describe_missing_faces(need, typed + len(faces)), end=": "))
        except EOFError:
            write_rows([make_printable("")])
            break
        try:
            for face in parse_faces(line):
                _print_effect(need, typed + len(faces), face)
                faces.append(face)
        except (MisuseError, DiceError) as error:
            write_messages([format_prompt(f"{format_sentence(str(error))} {_describe_kept_faces(faces)}")])
    return faces


def _print_effect(need: Need, die: int, typed: TypedDie) -> None:
    """Prints the effect of a die. Raises DiceError if the roll has no such die or the die has no such face."""
    if die == need.count:
        raise DiceError(f"{typed} is one face too many")
    told = describe_face_effect(need, die, need.parse_face(typed))
    if told:
        write_rows([make_printable(f"  {told}")])


def split_faces(words: Sequence[str], need: Need) -> list[str]:
    """Splits faces that were typed without spaces: 226 is 2, 2 and 6. Dice with ten or more sides need spaces."""
    small = need.sides < 10 and not need.names
    return [face for word in words for face in (word if small and word.isdecimal() else [word])]


def _describe_kept_faces(faces: list[TypedDie]) -> str:
    return f"Kept: {' '.join(map(str, faces))}." if faces else ""
