"""At the table: saying what one does, throwing, asking what one may do, settling things between players."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, no, sentence
from referee.cli.look import MANY, Look, how_many
from referee.cli.saying import Supply, come_to, fill, may, owed, recorded, say, settled, taken
from referee.cli.typed import Agreed, By, Faces, Words, faces_of, read_document, seats_of
from referee.engine.event import REFEREE
from referee.engine.text import count_of, listing, phrases_of
from referee.record.moment import Line

if TYPE_CHECKING:
    from referee.engine.legal import Legal

UNLISTED = 40
"""Lines of a legal list that are shown before it is cut short."""


def do(
    ctx: typer.Context,
    words: Words = None,
    dry_run: Annotated[bool, Option("-n", "--dry-run", help="Judge only; record nothing.")] = False,
    by: By = None,
    dice: Faces = None,
    file: Annotated[str | None, Option("-f", "--file", metavar="FILE", help="Read actions; - is stdin.")] = None,
) -> Answer:
    """Say what you do; it is judged and, if legal, recorded. Bare: the action that goes without saying.

    \b
      referee do ACTION, ACTION     referee do ACTION --dice 2,2,6
    """
    context: Context = ctx.obj
    look = context.recording("do", by)
    if dry_run:
        return may(look, ", ".join(_said(look, words, file)), faces_of(dice))
    done = settled(look)
    now = look.now()
    if now.owing:
        return owed(now, now.owing)
    lines = _said(now, words, file)
    apart = [phrases_of(line) or [line] for line in lines]
    if look.moment.keepers:  # a refusal must not tell what came of what was said before it, and nothing be recorded
        apart = [[phrase] for phrases in apart for phrase in phrases]
    again = f"Throw, then say: referee do {', '.join(lines)} --dice {_before(dice, ',')}FACES."
    return say(look, done, apart, Supply(faces_of(dice), context.ask), again)


def _said(look: Look, words: list[str] | None, file: str | None) -> list[str]:
    if file is not None:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        if not lines:
            raise MisuseError("there are no actions to read")
        return lines
    if words:
        return [" ".join(words)]
    only = look.moment.legal(look.eyes).only()
    if only is None:
        raise MisuseError("say what you do; referee legal lists what may be done")
    return [look.game.format(only)]


def _before(typed: str | None, link: str) -> str:
    """Faces typed already, before those that are still wanted: they are typed again."""
    return "".join(f"{face}{link}" for face in faces_of(typed))


def roll(
    ctx: typer.Context,
    faces: Annotated[list[str] | None, Argument(metavar="FACES...", help="Faces as they fell: 2 2 6.")] = None,
    by: By = None,
) -> Answer:
    """Throw the dice that the game waits for; with table dice, type how they fell, several throws if you like.

    \b
      referee roll 2 2 6            referee roll
    """
    context: Context = ctx.obj
    look = context.recording("roll", by)
    done = settled(look)
    now = look.now()
    if now.owing:
        return owed(now, now.owing)
    throw = now.moment.legal(look.eyes).throw
    if throw is None:
        raise MisuseError(f"nothing is to be thrown now: {look.game.standing(now.moment.view(None))}")
    typed = " ".join(faces or [])
    line = Line(now.moment, [next(iter(throw))], look.eyes, faces_of(typed), throwing=True)
    fill(line, Supply([], context.ask))
    how = f"Type {'all of ' if typed else ''}them: referee roll {_before(typed, ' ')}FACES."
    return taken(look, done, line, how) or recorded(look, done)


def answer(ctx: typer.Context) -> Answer:
    """Answer what is asked of those who sit here, and only they know: it needs no word from them.

    \b
      referee answer
    """
    context: Context = ctx.obj
    look = context.recording("answer")
    done = settled(look)
    if done:
        return recorded(look, done)
    return no("Nothing is asked of those who sit here.", lambda: {"recorded": False, "after": look.facts()})


def legal(
    ctx: typer.Context,
    words: Annotated[list[str] | None, Argument(metavar="WORD...", help="Only what has to do with these.")] = None,
    by: By = None,
    count: Annotated[bool, Option("--count", help="Only say how many.")] = False,
) -> Answer:
    """List everything that may be done now, with arguments.

    \b
      referee legal                 referee legal WORD
    """
    context: Context = ctx.obj
    look = context.look(by, speaks=True)
    look = look.through(look.eyes or look.moment.to_act)
    everything = look.moment.legal(look.eyes)
    shown = look.game.filter(everything, words or (), look.view)
    if count:
        return Answer([str(len(shown))], lambda: _legal_facts(look, everything, shown))
    lines = _listed(look, everything, shown, words or [])
    return Answer(lines, lambda: _legal_facts(look, everything, shown) | {"choices": _choices(look, shown)})


def _legal_facts(look: Look, everything: Legal, shown: Legal) -> dict[str, Any]:
    return {"seat": look.eyes, "count": len(shown), "of": len(everything)}


def _choices(look: Look, shown: Legal) -> list[dict[str, Any]]:
    return [{"text": look.game.format_choice(choice), **choice.to_json()} for choice in shown.choices]


def _listed(look: Look, everything: Legal, shown: Legal, words: list[str]) -> list[Shown]:
    lines = list(look.standing())
    for choice in shown.choices[:UNLISTED]:
        need = f"   ({choice.need})" if choice.need else ""
        lines.append(Text(f"{look.game.format_choice(choice)}{need}", indent=2))
    if len(shown.choices) > UNLISTED:
        more = len(shown.choices) - UNLISTED
        lines.append(Text(f"... and {more} lines more; name a word to see fewer", indent=2))
    if everything and not shown:
        lines.append(Text(f"Nothing that may be done now has to do with {listing(words)}.", indent=2))
    of = f" of {len(everything)}" if words and len(everything) < MANY else ""
    return [*lines, sentence(f"{how_many(len(shown))}{of}")]


def why(ctx: typer.Context, words: Words, by: By = None, dice: Faces = None) -> Answer:
    """May I? The verdict, every rule it breaks, and what is like it; records nothing.

    \b
      referee why ACTION            referee why --by SEAT ACTION
    """
    context: Context = ctx.obj
    return may(context.look(by, speaks=True), " ".join(words or ()), faces_of(dice))


def undo(
    ctx: typer.Context,
    count: Annotated[int, Argument(metavar="[N]", help="How many plays.")] = 1,
    by: By = None,
    agreed: Agreed = None,
) -> Answer:
    """Take back the last plays. Needs the others' agreement once a die or a secret was seen or another seat has played.

    \b
      referee undo 3 --agreed-by SEAT
    """
    context: Context = ctx.obj
    look = context.recording("undo", by)
    look.session.undo(count, look.eyes, seats_of(agreed, look.names))
    return _recorded(look, f"Taken back: {count_of(count, 'play')}. The record keeps them; dice stay used.")


def note(
    ctx: typer.Context,
    words: Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")],
    by: By = None,
) -> Answer:
    """Put a remark in the record.

    \b
      referee note Anna came late
    """
    context: Context = ctx.obj
    look = context.recording("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return _recorded(look, "Noted.")


def amend(
    ctx: typer.Context,
    source: Annotated[Path, Option("--from", metavar="FILE", help="The position as it should be: TOML or JSON.")],
    why: Annotated[str, Option("--why", metavar="TEXT", help="What went wrong.")],
    agreed: Annotated[str, Option("--agreed-by", metavar="SEATS", help="All seats, with commas.")],
) -> Answer:
    """Correct the position by agreement of everybody. The record says for ever that it was done, and why.

    \b
      referee amend --from now.json --why "the cat" --agreed-by SEAT,SEAT

    In a game with secrets write it with: show --by referee. The log shows it to everybody.
    """
    context: Context = ctx.obj
    look = context.recording("amend")
    document = read_document(source)
    document.pop("options", None)
    look.session.amend(document, why, seats_of(agreed, look.names))
    open_now = " It stands in the log for everybody to read." if look.moment.keepers else ""
    return _recorded(look, f"Position amended by agreement.{open_now}")


def _recorded(look: Look, what: str) -> Answer:
    """What was recorded; as everybody may know it, since nobody has played."""
    now = look.now().through(None)
    lines = [now.heading, f"Entry {now.entry}. {what}", *come_to(now)]
    return Answer(lines, lambda: {"recorded": now.session.entries[-1], "after": now.facts()})
