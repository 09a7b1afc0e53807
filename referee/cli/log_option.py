"""Adds the name of the game to the commands in an answer, if they would act on another game without it."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

from msgspec.structs import replace

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.catalogue import COMMANDS

COMMANDS_WITHOUT_GAME = (
    *("demo", "games", "new", "use", "mail open", "key", "git", "match", "bots", "web", "schema"),
    *("stats", "stats games", "stats dice", "help", "diff"),
)
"""Commands that act on no game, or on one that they name."""
WITHOUT_GAME_PATTERN = "|".join(rf"{name}(?! luck)" if name == "stats" else name for name in COMMANDS_WITHOUT_GAME)
COMMAND_ON_GAME = re.compile(
    rf"(?<!the )\breferee (?=(?!(?:{WITHOUT_GAME_PATTERN})\b)(?:{'|'.join(COMMANDS)})\b(?! [\w./-]+\.jsonl))"
    rf"|(?<=Next: )referee (?!-|(?:{WITHOUT_GAME_PATTERN})\b)"
)
"""The program's name before a command that acts on the current game, or before an action."""


def add_log_option(answer: Answer, log: Path) -> Answer:
    """Returns the answer with `-g` and this log in each command that acts on a game."""
    program = f"referee -g {quote(str(log))} "

    def name_log(line: AnswerLine) -> AnswerLine:
        if isinstance(line, str):
            return COMMAND_ON_GAME.sub(lambda _: program, line)
        return replace(line, text=COMMAND_ON_GAME.sub(lambda _: program, line.text)) if isinstance(line, Text) else line

    return replace(
        answer,
        lines=map(name_log, answer.lines),
        complaint=tuple(COMMAND_ON_GAME.sub(lambda _: program, line) for line in answer.complaint),
    )
