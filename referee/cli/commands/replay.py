"""`referee replay`: the game told again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.context import Context
from referee.cli.entries import describe, told
from referee.cli.errors import MisuseError
from referee.cli.look import picture_of, summary
from referee.cli.typed import Eyes, Force, Output, check_seconds
from referee.cli.when import parse_when
from referee.engine.text import listing
from referee.record.table.sitting import Sitting

FORMS = ("text", "html", "json", "words", "qr")
SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".txt": "words", ".svg": "qr"}
"""What a file of that name holds."""


Since = Annotated[str | None, Option("--from", metavar="WHEN", help="Begin there: entry 9, turn 7, or 7.blue.")]


Until = Annotated[str | None, Option("--to", metavar="WHEN", help="Stop after that.")]


Stepping = Annotated[bool, Option("--step", help="Show the board after each entry, and wait for Enter.")]


Form = Annotated[
    str | None, Option("--as", metavar="FORM", help="text; html: a page; json: frames; words, qr: for paper.")
]


Mine = Annotated[bool, Option("--since-mine", help="Begin after the last play of the seat that --by names.")]


LONGEST = 600
"""Seconds that may be taken for a play."""
Judge = Annotated[bool, Option("--judge", help="Look back on a finished game: chances to win, and what plays cost.")]


Seconds = Annotated[float, Option("--seconds", metavar="S", help="Time to judge a play.")]


def replay(
    ctx: typer.Context,
    since: Since = None,
    until: Until = None,
    since_mine: Mine = False,
    step: Stepping = False,
    form: Form = None,
    judge: Judge = False,
    seconds: Seconds = 0.1,
    by: Eyes = None,
    output: Output = None,
    force: Force = False,
) -> Answer:
    """Tell the game again from its log, as things to do with the pieces. Runs no rules.

    \b
      referee replay --from turn 7 --step
      referee replay --by SEAT --to 12
      referee replay -o game.html
      referee replay --by SEAT --since-mine -o new.html
      referee replay --judge -o chances.svg   (or game.html)
      referee replay -o game.txt    referee replay -o game.svg

    A page is one file to keep, mail or print: every entry in words, every board, and the log, which it checks in the
    browser. It shows what everybody may know, or with --by what that seat may. referee audit judges a page.

    As words a game is a line a play, with its dice or its seed; as qr that is a QR code to be printed. From both
    referee new --from makes the log again.
    """
    context: Context = ctx.obj
    if until is not None:
        context.when = replace(parse_when(until), is_end=True)
    look = context.look(by)
    if judge:
        from referee.cli.judging import judge_game

        check_seconds(seconds, LONGEST)
        return judge_game(look, seconds, output, force=force)
    first = _first(look, since)
    if since_mine:
        first = max(first, _after_mine(look, by))
    if form or output:
        form = _form(form, output, step=step)
        if first and form in ("words", "qr"):
            raise MisuseError("a game as words begins at its beginning; leave out --from and --since-mine")
        return _formed(look, first, form, output, force=force)
    if step:
        return _stepped(context, look, first)
    return _replayed(look, first)


def _replayed(look: Sitting, first: int) -> Answer:
    facts, lines = [], list[Shown]()
    for entry in look.log.entries[first : look.log.entry + 1]:
        text, happened = describe(look, entry), told(look, entry)
        facts.append({"n": entry.n, "by": entry.by, "text": text, "told": happened})
        lines += _told(look, entry.n)
    heading, *standing = summary(look)
    return Answer(
        [heading, *lines, *standing, picture_of(look)],
        lambda: {"entries": facts, "position": look.sight.position},
    )


def _first(look: Sitting, since: str | None) -> int:
    """The first entry to tell: the one named, or the first of a turn; MisuseError when it comes too late."""
    if since is None:
        return 0
    when = parse_when(since)
    first = when.entry(lambda: look.session) + when.is_turn
    if first > look.log.entry + when.is_turn:
        raise MisuseError(f"there is nothing to tell from entry {first} to entry {look.log.entry}")
    return first


def _after_mine(look: Sitting, by: str | None) -> int:
    """The entry after the last play of who looks; MisuseError where nothing has happened since."""
    if by is None:
        raise MisuseError("say who you are: --since-mine takes --by SEAT")
    plays = (n for n in reversed(look.log.in_force) if look.log.entries[n].by == look.eyes)
    first = next(plays, -1) + 1
    if first > look.log.entry:
        raise MisuseError(f"nothing has happened since {look.eyes} played last")
    return first


def _form(form: str | None, output: Path | None, *, step: bool) -> str:
    """The form that was asked for, or that the name of the file says; MisuseError."""
    suffix = output.suffix.lower() if output else ""
    named = SUFFIXES.get(suffix)
    form = form or named or "text"
    _check_form(form, named, output, step=step)
    return form


def _check_form(form: str, named: str | None, output: Path | None, *, step: bool) -> None:
    """MisuseError where a game is not written in a form, or not there; `named`: what the name of the file says."""
    if form not in FORMS:
        raise MisuseError(f"--as takes {listing(FORMS)}, not {form!r}")
    if form == "text" and output:
        raise MisuseError("a game is written as .html, a page, .json, its frames, .txt, its words, or .svg, a QR code")
    end = next((end for end, held in SUFFIXES.items() if held == form), "")
    if output and named != form:
        raise MisuseError(f"a game as {form} is written to a file whose name ends in {end}")
    if form in ("html", "qr") and output is None:
        raise MisuseError(f"a {'page' if form == 'html' else 'QR code'} is written to a file: -o game{end}")
    if step and form != "text":
        raise MisuseError("--step is for text")


def _formed(look: Sitting, first: int, form: str, output: Path | None, *, force: bool) -> Answer:
    """The game as a page, as its frames, or as words."""
    if form in ("words", "qr"):
        from referee.cli.sheets import in_codes, in_words

        return in_codes(look, output, force=force) if form == "qr" and output else in_words(look, output, force=force)
    from referee.cli.paged import frames_in, story_of
    from referee.cli.screen import progress

    if form == "text":
        return _replayed(look, first)
    story = story_of(look, first, progress())
    if form == "html":
        from referee.page.document import page_of

        text = page_of(story)
    else:
        text = frames_in(story)
    if output is None:
        return Answer([Rows(text.splitlines())], lambda: {"frames": text})
    from referee.cli.logs import write_out

    write_out(output, text, force=force)
    whose = f"as {story.eyes} sees it" if story.eyes else "what everybody may know"
    return Answer([f"Written to {output}: {whose}."], lambda: {"written": str(output), "seen_by": story.eyes})


def _told(look: Sitting, n: int) -> Iterator[Shown]:
    """An entry and what happened in it."""
    entry = look.log.entries[n]
    yield Text(f"{n:>4}  {describe(look, entry)}", "bold", hanging=6)
    yield from (Text(line, indent=6) for line in told(look, entry))


def _stepped(context: Context, look: Sitting, first: int) -> Answer:
    """Entry by entry with the board after it, for somebody who moves the counters along."""
    if context.screen.json:
        raise MisuseError("--step waits for Enter and so is for people; leave it out with --json")
    for n in range(first, look.log.entry):
        if not context.pause(_page(look, n)):
            return Answer([Text(f"Go on with: referee replay --step --from {n + 1}", indent=2)], dict)
    return Answer(_page(look, look.log.entry), dict)


def _page(look: Sitting, n: int) -> list[Shown]:
    """An entry, and the game as it stood after it."""
    then = look.then(n)
    heading, *standing = summary(then)
    return [heading, *_told(look, n), *standing, picture_of(then)]
