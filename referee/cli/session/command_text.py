"""Answers as a session shows them: commands without "referee", and nothing that stands on the screen already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from referee.cli.action_text import join_similar_sentences
from referee.cli.answer import (
    FACES_PLACEHOLDER,
    Answer,
    AnswerLine,
    Echo,
    FilledInWords,
    NextStep,
    RedundantLine,
    StateLine,
    Text,
)
from referee.cli.catalogue import COMMANDS

PROGRAM_NAME = re.compile(rf"(?<!the )\breferee (?=(?:{'|'.join(COMMANDS)})\b|\S[^:]*!)")
"""The program's name before a command, which a session leaves out."""
ONE_ROW = 80
"""The longest row that holds both the state and the next step, in characters."""
ROLL_START = "roll "
"""The beginning of a part of the status that asks for dice, as the next step does."""


def strip_program_names(answer: Answer) -> Answer:
    """Returns the answer with "referee" left out of all commands in it."""
    lines = [_strip_line(line) for line in answer.lines]
    return replace(answer, lines=lines, complaint=tuple(map(strip_program_name, answer.complaint)))


def _strip_line(line: AnswerLine) -> AnswerLine:
    if isinstance(line, str):
        return strip_program_name(line)
    return replace(line, text=strip_program_name(line.text)) if isinstance(line, Text) else line


def drop_known_parts(lines: Iterable[AnswerLine], heading: str, state: StateLine) -> list[AnswerLine]:
    """Returns the lines of an answer without what its reader knows: the typed words, the heading, the old state.

    Also leaves out sentences that the state below repeats, and a due roll that the next step names.
    """
    shown = [line for line in _drop_like_remarks(lines) if not isinstance(line, Echo)]
    if any(isinstance(line, StateLine) for line in shown):
        shown = list(_join_results(line for line in shown if not isinstance(line, RedundantLine)))
    rolls = any(isinstance(line, NextStep) and ROLL_START in line.text for line in shown)
    kept = [_strip_known_parts(line, f"   {heading}", state, without=ROLL_START if rolls else None) for line in shown]
    return _join_states_and_steps(kept[1:] if kept[:1] == [heading] else kept)


def _drop_like_remarks(lines: Iterable[AnswerLine]) -> Iterator[AnswerLine]:
    """Yields the lines, with only the first of all remarks about the same word."""
    seen = set[str]()
    for line in lines:
        word = line.text.partition(":")[0] if isinstance(line, FilledInWords) else None
        if word is None or word not in seen:
            yield line
        seen |= {word} if word else set()


def _join_results(lines: Iterable[AnswerLine]) -> Iterator[AnswerLine]:
    """Yields the lines. Results that stand in a row and begin alike become one line, even those of several actions."""
    for is_result, row in groupby(lines, lambda line: type(line) is Text and (line.indent, line.style) == (2, None)):
        if is_result:
            yield from (
                Text(text, indent=2)
                for text in join_similar_sentences(line.text for line in row if isinstance(line, Text))
            )
        else:
            yield from row


def _join_states_and_steps(lines: Iterable[AnswerLine]) -> list[AnswerLine]:
    """Returns the lines, with the state and the next step after it in one row if they fit."""
    joined: list[AnswerLine] = []
    for line in lines:
        state = joined[-1] if joined else None
        if isinstance(state, StateLine) and isinstance(line, NextStep):
            joined[-1:] = _join_in_one_row(state, line)
        else:
            joined.append(line)
    return joined


def _join_in_one_row(state: StateLine, step: NextStep) -> list[AnswerLine]:
    if state.printed_line is None:
        return [step]
    both = f"{state.printed_line.text}. {step.text.strip()}"
    return [NextStep(both)] if len(both) <= ONE_ROW else [state, step]


def _strip_known_parts(line: AnswerLine, end: str, state: StateLine, without: str | None) -> AnswerLine:
    if isinstance(line, StateLine):
        parts = tuple(part for part in line.parts if without is None or not part.startswith(without))
        return replace(line, parts=parts).select_news(state)
    return replace(line, text=line.text.removesuffix(end)) if isinstance(line, Text) else line


def strip_program_name(text: str) -> str:
    """Returns a text with "referee" left out of all commands in it. A command to type dice becomes "the faces"."""
    return PROGRAM_NAME.sub("", text.replace(f"referee roll {FACES_PLACEHOLDER}", "the faces"))
