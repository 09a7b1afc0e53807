"""`referee do`: say what you do."""

from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer
from referee.cli.commands.why import may
from referee.cli.errors import MisuseError, explain
from referee.cli.look import Look
from referee.cli.speaking import carried_out, come_of, judged, owed, settled, stopped_after
from referee.cli.typed import MAX_DOCUMENT, By, Faces, Words, faces_of, named_first, path_of, piped
from referee.engine.dice import DiceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, phrases_of
from referee.record.log.disk import read_named

Dry = Annotated[bool, Option("-n", "--dry-run", help="Judge only; record nothing.")]


File = Annotated[str | None, Option("-f", "--file", metavar="FILE", help="Read actions; - is stdin.")]


def do(
    ctx: typer.Context, words: Words = None, dry_run: Dry = False, by: By = None, dice: Faces = None, file: File = None
) -> Answer:
    """Say what you do; it is judged and, if legal, recorded. Bare: the action that goes without saying; or what
    a bot does whose turn it is.

    \b
      referee do ACTION, ACTION     referee do ACTION --dice 2,2,6
    """
    look: Look = ctx.obj.recording("do", by)
    speaker = None if by else named_first(look, words)
    if speaker and words:
        look, words = ctx.obj.recording("do", speaker), words[1:]
    if look.to_act in look.header.bots and not (words or file or dry_run):
        return come_of(look, [])
    if dry_run:
        return may(look, ", ".join(_lines(look, words, file)), faces_of(dice))
    done, now = settled(look)
    if now.owing:
        return owed(now, now.owing)
    lines = _lines(now, words, file)
    left = faces_of(dice)
    for number, said in enumerate(lines, 1):
        if number > 1:
            now = look.now()
            if now.owing:
                return stopped_after(look, done, owed(now, now.owing))
        try:
            line = judged(ctx.obj, now, phrases_of(said) or [said])
            stop = carried_out(ctx.obj, look, done, line, left, last=number == len(lines))
        except (NotUnderstoodError, DiceError, UnknownError) as error:
            if not done:
                raise
            return stopped_after(look, done, explain(error, look.path))
        if stop:
            return stop
    return come_of(look, done)


def _lines(look: Look, words: list[str] | None, file: str | None) -> list[str]:
    if file is not None:
        said = piped("actions, one a line,") if file == "-" else read_named(path_of(file), MAX_DOCUMENT)
        text = said.decode("utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        if not lines:
            raise MisuseError("there are no actions to read")
        return lines
    if words:
        return [" ".join(words)]
    only = look.legal.only()
    if only is None:
        raise MisuseError("say what you do; referee legal lists what may be done")
    return [look.game.format(only)]
