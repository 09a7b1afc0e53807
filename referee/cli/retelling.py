"""Retelling a game from its log: as text, step by step, as a page, as a sheet or as a code."""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import check_seconds
from referee.cli.context import Context
from referee.cli.effects_text import describe_entry_with_events, describe_events
from referee.cli.entry_reference import parse_entry_reference
from referee.cli.entry_text import describe_entry
from referee.cli.errors import MisuseError
from referee.cli.game_view import describe_summary, make_current_picture
from referee.engine.text import listing
from referee.record.table.seat_view import SeatView

FORMS = ("text", "html", "json", "words", "qr")
SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".txt": "words", ".svg": "qr"}
"""The forms of a game by the ending of its file."""
MAX_SECONDS_PER_MOVE = 600
"""The most seconds for a move."""


class RetellingOptions(Struct, frozen=True):
    """The part of a game to retell, and its form."""

    since: str | None = None
    """The first entry or turn, as typed."""
    until: str | None = None
    since_mine: bool = False
    """True to start after the last move of the viewing seat."""
    step: bool = False
    """True to wait for Enter after each entry."""
    form: str | None = None
    judge: bool = False
    """True to review a finished game instead."""
    seconds: float = 0.1
    """The time to review a move."""


def retell_game(
    context: Context, by: str | None, wanted: RetellingOptions, output: Path | None, *, force: bool
) -> Answer:
    """Retells a game from its log, as instructions for the pieces. Runs no rules."""
    if wanted.until is not None:
        context.when = replace(parse_entry_reference(wanted.until), is_end=True)
    look = context.open_view(by)
    if wanted.judge:
        from referee.cli.game_review import review_game

        check_seconds(wanted.seconds, MAX_SECONDS_PER_MOVE)
        return review_game(look, wanted.seconds, output, force=force)
    first = _find_first_entry(look, wanted.since)
    if wanted.since_mine:
        first = max(first, _find_entry_after_own_move(look, by))
    if wanted.form or output:
        form = _choose_form(wanted.form, output, step=wanted.step)
        if first and form in ("words", "qr"):
            raise MisuseError("a game as words always starts at the beginning; leave out --from and --since-mine")
        return _write_form(look, first, form, output, force=force)
    return _step_through(context, look, first) if wanted.step else _retell_entries(look, first)


def _retell_entries(look: SeatView, first: int) -> Answer:
    facts, lines = [], list[AnswerLine]()
    for entry in look.log.entries[first : look.log.entry_number + 1]:
        text, happened = describe_entry(look, entry), describe_events(look, entry)
        facts.append({"n": entry.n, "by": entry.by, "text": text, "told": happened})
        lines += describe_entry_with_events(look, entry)
    heading, *standing = describe_summary(look)
    return Answer(
        [heading, *lines, *standing, make_current_picture(look)],
        lambda: {"entries": facts, "position": look.sight.position},
    )


def _find_first_entry(look: SeatView, since: str | None) -> int:
    """Returns the number of the first entry to show: the named entry, or the first one of a named turn.

    Returns 0 if `since` is None. Raises MisuseError if the entry comes after the last entry to show.
    """
    if since is None:
        return 0
    when = parse_entry_reference(since)
    first = when.resolve(lambda: look.session) + when.is_turn
    if first > look.log.entry_number + when.is_turn:
        raise MisuseError(f"there is nothing to show from entry {first} to entry {look.log.entry_number}")
    return first


def _find_entry_after_own_move(look: SeatView, by: str | None) -> int:
    """Returns the number of the entry after the last move of the viewing seat; 0 if that seat has not moved yet.

    Raises MisuseError if nothing has happened since, or if `by` is None.
    """
    if by is None:
        raise MisuseError("name your seat: --since-mine needs --by SEAT")
    plays = (n for n in reversed(look.log.entries_in_force) if look.log.entries[n].by == look.eyes)
    first = next(plays, -1) + 1
    if first > look.log.entry_number:
        raise MisuseError(f"nothing has happened since the last move of {look.eyes}")
    return first


def _choose_form(form: str | None, output: Path | None, *, step: bool) -> str:
    """Returns the requested form, else the form that the file's name implies, else "text".

    Raises MisuseError if there is no such form, or it does not fit the output file or `--step`.
    """
    suffix = output.suffix.lower() if output else ""
    named = SUFFIXES.get(suffix)
    form = form or named or "text"
    _check_form(form, named, output, step=step)
    return form


def _check_form(form: str, named: str | None, output: Path | None, *, step: bool) -> None:
    """Raises MisuseError if there is no such form, or it does not fit the output file or `--step`.

    `named` is the form that the name of the file implies.
    """
    if form not in FORMS:
        raise MisuseError(f"--as takes {listing(FORMS)}, not {form!r}")
    if form == "text" and output:
        raise MisuseError("name the file .html for a page, .json for frames, .txt for words, or .svg for a QR code")
    end = next((end for end, held in SUFFIXES.items() if held == form), "")
    if output and named != form:
        raise MisuseError(f"the file of a game as {form} must end in {end}")
    if form in ("html", "qr") and output is None:
        raise MisuseError(f"a {'page' if form == 'html' else 'QR code'} needs a file: -o game{end}")
    if step and form != "text":
        raise MisuseError("--step works only with --as text")


def _write_form(look: SeatView, first: int, form: str, output: Path | None, *, force: bool) -> Answer:
    """Returns the game in this form, or writes it to a file: as a page, frames, words, QR codes or text."""
    if form in ("words", "qr"):
        from referee.cli.sheet_answers import answer_with_qr_codes, answer_with_sheet

        return (
            answer_with_qr_codes(look, output, force=force)
            if form == "qr" and output
            else answer_with_sheet(look, output, force=force)
        )
    from referee.cli.html_page import encode_story_frames, make_story
    from referee.cli.screen import make_entry_progress

    if form == "text":
        return _retell_entries(look, first)
    story = make_story(look, first, make_entry_progress())
    if form == "html":
        from referee.page.document import render_page

        text = render_page(story)
    else:
        text = encode_story_frames(story)
    if output is None:
        return Answer([FixedRows(text.splitlines())], lambda: {"frames": text})
    from referee.cli.log_paths import write_output

    write_output(output, text, force=force)
    whose = f"the view of {story.eyes}" if story.eyes else "the public view"
    return Answer([f"Written to {output}: {whose}."], lambda: {"written": str(output), "seen_by": story.eyes})


def _step_through(context: Context, look: SeatView, first: int) -> Answer:
    """Shows one entry after another, each with the board after it, and waits for Enter in between."""
    if context.screen.json:
        raise MisuseError("--step waits for Enter, which only people press; leave it out with --json")
    for n in range(first, look.log.entry_number):
        if not context.wait_for_enter(_describe_step(look, n)):
            return Answer([Text(f"To go on: referee log --step --from {n + 1}", indent=2)], dict)
    return Answer(_describe_step(look, look.log.entry_number), dict)


def _describe_step(look: SeatView, n: int) -> list[AnswerLine]:
    """Returns an entry and its events, with the state and the board after it."""
    then = look.at_entry(n)
    heading, *standing = describe_summary(then)
    return [heading, *describe_entry_with_events(look, look.log.entries[n]), *standing, make_current_picture(then)]
