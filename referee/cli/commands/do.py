"""`referee do`: say what you do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, Text
from referee.cli.commands.why import may
from referee.cli.errors import MisuseError, explain
from referee.cli.look import bots_of
from referee.cli.speaking import carried_out, come_of, judged, owed, settled, stopped_after
from referee.cli.typed import MAX_DOCUMENT, By, Faces, Words, faces_of, heard, path_of, piped
from referee.engine.dice import DiceError, Typed
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, phrases_of
from referee.record.log.disk import read_named
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.context import Context
    from referee.record.table.moment import Said

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
    look, said = heard(partial(ctx.obj.recording, "do"), by, words)
    if look.facts.to_act in bots_of(look) and not (said or file or dry_run):
        return come_of(look, [])
    if dry_run:
        return may(look, ", ".join(line.text for line in _lines(look, said, file)), faces_of(dice))
    done, now = settled(look)
    if now.facts.owing:
        return owed(now, now.facts.owing)
    lines = _lines(now, said, file)
    left = faces_of(dice)
    for line in lines:
        stop = _recorded(ctx.obj, look, done, line, left, last=line is lines[-1])
        if stop:
            return _found_in(line, stop)
    return come_of(look, done)


class Spoken(NamedTuple):
    """A line of actions as it was typed, and where it stands."""

    text: str
    place: str = ""
    """In a file, as people say it: `line 3 of turn.txt`."""


def _lines(look: Sitting, said: Sequence[str], file: str | None) -> list[Spoken]:
    if file is not None:
        return _lines_of(file)
    if said:
        return [Spoken(" ".join(said))]
    only = look.sight.legal.only()
    if only is None:
        raise MisuseError("say what you do; referee legal lists what may be done")
    return [Spoken(look.facts.game.format(only))]


def _lines_of(file: str) -> list[Spoken]:
    """The lines of a file but for empty ones and remarks."""
    data = piped("actions, one a line,") if file == "-" else read_named(path_of(file), MAX_DOCUMENT)
    name = "what was piped in" if file == "-" else file
    numbered = enumerate(data.decode("utf-8").splitlines(), 1)
    lines = [Spoken(text, f"line {n} of {name}") for n, text in numbered if text.strip() and text.lstrip()[0] != "#"]
    if not lines:
        raise MisuseError("there are no actions to read")
    return lines


def _recorded(
    context: Context, look: Sitting, done: list[Said], line: Spoken, left: list[Typed], *, last: bool
) -> Answer | None:
    """Record a line as far as it goes after what is `done` of those before it; the answer where it goes no further."""
    now = look.now() if done else look
    if now.facts.owing:
        return stopped_after(look, done, owed(now, now.facts.owing))
    try:
        said = judged(context, now, phrases_of(line.text) or [line.text])
        return carried_out(context, look, done, said, left, last=last)
    except (NotUnderstoodError, DiceError, UnknownError) as error:
        if not (done or line.place):
            raise
        return stopped_after(look, done, explain(error, look.log.path))


def _found_in(line: Spoken, stop: Answer) -> Answer:
    """The answer with where it stands what went no further."""
    if not line.place:
        return stop
    told, facts = f"Stopped in {line.place}.", stop.facts
    if stop.complaint:
        stop = replace(stop, complaint=f"{stop.complaint}\n{told}")
    else:
        stop = replace(stop, lines=[*stop.lines, Text(told, indent=2)])
    return replace(stop, facts=lambda: {**facts(), "stopped_in": line.place})
