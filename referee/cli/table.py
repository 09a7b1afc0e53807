"""At the table: saying what one does, asking whether one may, rolling, taking back, settling."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.answers import (
    MANY,
    how_many,
    judged_json,
    sentence,
    show_moment,
    show_played,
    show_refused,
    standing_json,
)
from referee.cli.context import Context, faces_of, seat_of, seats_of
from referee.cli.errors import NO, MisuseError
from referee.cli.files import read_document
from referee.engine.adjudicate import Played
from referee.engine.dice import DiceError, DiceNeededError, Need, Typed
from referee.engine.game import Seat
from referee.engine.legal import Legal
from referee.engine.text import count_of, phrases_of
from referee.record.session import Judged, Session

By = Annotated[str | None, typer.Option("--by", metavar="SEAT", help="Who speaks; the player on turn if not given.")]
Faces = Annotated[str | None, typer.Option("--dice", metavar="3,6", help="Faces thrown at the table.")]
Agreed = Annotated[str | None, typer.Option("--agreed-by", metavar="SEATS", help="Other seats that agree: red,blue.")]

UNLISTED = 40
"""Lines of a legal list that are shown before it is cut short."""


def do_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="ACTION...", help="What you do; commas part two actions.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("-n", "--dry-run", help="Judge only; record nothing.")] = False,
    by: By = None,
    dice: Faces = None,
    file: Annotated[
        str | None, typer.Option("-f", "--file", metavar="FILE", help="Read actions, one a line; - is stdin.")
    ] = None,
) -> None:
    """Say what you do; it is judged and, if legal, recorded. Bare: the action that goes without saying.

    \b
      referee do 2 turn ne          referee 2 turn ne
      referee do 6 go, 2 turn n     referee do throw --dice 2,2,6
      referee do -n auto            what would happen
    """
    context: Context = ctx.obj
    context.only_now("do")
    session = context.session()
    seat = seat_of(session, by)
    said = _said(session, words, file, seat)
    if dry_run:
        judged = _foreseen(session, ", ".join(said), seat, faces_of(dice), session.state)
        _answer(context, session, judged, record=False)
        return
    for line in _apart(said) if session.keeps_secrets else said:
        again = f"Throw, then say: referee do {line} --dice {_before(dice, ',')}FACES."
        judged = _judged(context, dice, partial(session.judge, line, seat), again)
        _answer(context, session, judged, record=True)


def _apart(said: list[str]) -> list[str]:
    """Each action by itself: a refusal must not tell what came of the one before it, and nothing be recorded."""
    return [phrase for line in said for phrase in phrases_of(line)]


def _said(session: Session, words: list[str] | None, file: str | None, seat: Seat | None) -> list[str]:
    if file is not None:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        if not lines:
            raise MisuseError("there are no actions to read")
        return lines
    if words:
        return [" ".join(words)]
    only = _legal_for(session, seat).only()
    if only is None:
        raise MisuseError("say what you do; referee legal lists what may be done")
    return [session.game.format(only)]


def _legal_for(session: Session, seat: Seat | None) -> Legal:
    """What the mover may do, whoever speaks; where secrets are kept, nobody but who may do it is told."""
    return session.legal(seat if session.keeps_secrets else None)


def roll_command(
    ctx: typer.Context,
    faces: Annotated[list[str] | None, typer.Argument(metavar="FACES...", help="Faces as they fell: 2 2 6.")] = None,
    by: By = None,
) -> None:
    """Throw the dice that the game waits for; with table dice, type how they fell.

    \b
      referee roll 2 2 6            three dice thrown at the table
      referee roll                  dice from the seed in the log
    """
    context: Context = ctx.obj
    context.only_now("roll")
    session = context.session()
    seat = seat_of(session, by)
    throw = _legal_for(session, seat).throw
    if throw is None:
        raise MisuseError(f"nothing is to be thrown now: {session.game.standing(session.view(None))}")
    action = next(iter(throw))
    typed = " ".join(faces or [])
    how = f"Type {'all of ' if typed else ''}them: referee roll {_before(typed, ' ')}FACES."
    judged = _judged(context, typed, partial(session.judge_action, action, seat), how)
    _answer(context, session, judged, record=True)


def _before(typed: str | None, link: str) -> str:
    """Faces typed already, before those that are still wanted: they are typed again."""
    return "".join(f"{face}{link}" for face in faces_of(typed))


def _judged(
    context: Context, typed: str | None, judge: Callable[[list[Typed]], list[Judged]], how: str
) -> list[Judged]:
    """Judge, asking for dice one purpose at a time where somebody sits at the keyboard; else say how to type them."""
    faces = faces_of(typed)
    while True:
        try:
            return judge(faces)
        except DiceNeededError as error:
            if typed or context.screen.json or not sys.stdin.isatty():
                error.add_note(how)
                raise
            faces += _asked(context, error.need)


def _asked(context: Context, need: Need) -> list[Typed]:
    """Faces typed at the keyboard; asked again until they can be the ones that fell."""
    while True:
        try:
            faces = faces_of(input(f"{need}. {'Name' if need.names else 'Faces'}: "))
            for face in faces:
                need.face_of(face)
        except (MisuseError, DiceError) as error:
            context.screen.complain(f"{error}.")
            continue
        if 1 <= len(faces) <= need.count:
            return faces
        context.screen.complain(f"{count_of(need.count, 'face')} from 1 to {need.sides}, please.")


def _answer(context: Context, session: Session, judged: list[Judged], *, record: bool) -> None:
    """Record what is legal and say so, or say why not and leave with exit code 1."""
    refused = any(item.refusals for item in judged)
    before, seat = session.state, judged[-1].seat
    state = _state_before_last(judged, before)
    if record and not refused:
        session.record(judged)
    if context.screen.json:
        facts = judged_json(session, judged, state)
        facts["recorded"] = record and not refused
        context.screen.data(facts | {"after": standing_json(context, session, session.state, seat)})
    elif refused:
        show_refused(context, session, judged, state)
    else:
        show_played(context, session, judged, before)
        if record:
            show_moment(context, session, seat)
        else:
            context.screen.say("Legal. Nothing was recorded.", "good")
    if refused:
        raise typer.Exit(NO)


def _state_before_last(judged: list[Judged], before: Any) -> Any:
    """The state in which the last action was judged, of several that began in `before`."""
    earlier = [item.verdict for item in judged[:-1] if isinstance(item.verdict, Played)]
    return earlier[-1].state if earlier else before


def legal_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD...", help="Only what has to do with these.")
    ] = None,
    by: By = None,
    count: Annotated[bool, typer.Option("--count", help="Only say how many.")] = False,
) -> None:
    """List everything that may be done now, with arguments.

    \b
      referee legal                 all of it
      referee legal 2               with the die that shows 2
      referee legal turn ne         turns to the northeast
    """
    context: Context = ctx.obj
    screen, session = context.screen, context.session()
    game, state = session.game, context.state(session)
    seat = seat_of(session, by) or game.to_act(state)
    legal = session.legal(seat, state)
    shown = game.filter(legal, words or (), game.view(state, seat))
    if screen.json:
        choices = [{"text": game.format_choice(choice), **choice.to_json()} for choice in shown.choices]
        facts: dict[str, Any] = {"seat": seat, "count": len(shown), "of": len(legal)}
        screen.data(facts if count else facts | {"choices": choices})
        return
    if count:
        screen.say(str(len(shown)))
        return
    context.tell_standing(session, state, seat)
    for choice in shown.choices[:UNLISTED]:
        need = f"   ({choice.need})" if choice.need else ""
        screen.say(f"{game.format_choice(choice)}{need}", indent=2)
    if len(shown.choices) > UNLISTED:
        screen.say(f"... and {len(shown.choices) - UNLISTED} lines more; name a word to see fewer", indent=2)
    of = f" of {len(legal)}" if words and len(legal) < MANY else ""
    if legal and not shown:
        screen.say(f"Nothing that may be done now has to do with {' and '.join(words or ())}.", indent=2)
    screen.say(sentence(f"{how_many(len(shown))}{of}"))


def why_command(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="ACTION...", help="What somebody wants to do.")],
    by: By = None,
    dice: Faces = None,
) -> None:
    """May I? The verdict, every rule it breaks, and what is like it; records nothing.

    \b
      referee why 6 go              referee why --by blue throw
    """
    context: Context = ctx.obj
    session = context.session()
    state = context.state(session)
    judged = _foreseen(session, " ".join(words), seat_of(session, by), faces_of(dice), state)
    last, before = judged[-1], _state_before_last(judged, state)
    titles = {refusal.rule: session.game.rulebook.title(refusal.rule) for refusal in last.refusals}
    if context.screen.json:
        context.screen.data(judged_json(session, judged, before) | {"rules": titles})
    elif last.refusals:
        show_refused(context, session, judged, before)
        for rule, title in titles.items():
            context.screen.say(f"{rule} says: {title}", indent=2)
    else:
        context.screen.say(f"LEGAL  {', '.join(session.game.format(item.action) for item in judged)}", "good")
        show_played(context, session, judged, state)
    if last.refusals:
        raise typer.Exit(NO)


def _foreseen(session: Session, text: str, seat: str | None, faces: list[Typed], state: Any) -> list[Judged]:
    """The verdict on a line, as far as it can be told before dice fall.

    Where secrets are kept nobody is told what would follow: asking must not be a way of looking.
    """
    if session.keeps_secrets:
        if len(phrases_of(text)) > 1:
            raise MisuseError("in a game with secrets one action at a time can be asked about")
        return [session.foresee(text, seat, state)]
    try:
        return session.judge(text, seat, faces, state)
    except DiceNeededError:
        if len(phrases_of(text)) > 1:
            raise
        seat = seat or session.game.to_act(state) or session.seats[0]
        return [Judged(seat, session.game.parse(text, state, seat), Played((), (), state))]


def undo_command(
    ctx: typer.Context,
    count: Annotated[int, typer.Argument(metavar="[N]", help="How many plays.")] = 1,
    by: By = None,
    agreed: Agreed = None,
) -> None:
    """Take back the last plays. Needs the others' agreement once a die or a secret was seen or another seat has played.

    \b
      referee undo
      referee undo 3 --agreed-by blue
    """
    context: Context = ctx.obj
    context.only_now("undo")
    session = context.session()
    session.undo(count, seat_of(session, by), seats_of(session, agreed))
    _tell_recorded(context, session, f"Taken back: {count_of(count, 'play')}. The record keeps them; dice stay used.")


def note_command(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The remark.")],
    by: By = None,
) -> None:
    """Put a remark in the record.

    \b
      referee note Anna came late
    """
    context: Context = ctx.obj
    context.only_now("note")
    session = context.session()
    session.note(" ".join(words), seat_of(session, by) or "referee")
    _tell_recorded(context, session, "Noted.")


def amend_command(
    ctx: typer.Context,
    source: Annotated[Path, typer.Option("--from", metavar="FILE", help="The position as it should be: TOML or JSON.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="What went wrong.")],
    agreed: Annotated[str, typer.Option("--agreed-by", metavar="SEATS", help="All seats: red,blue.")],
) -> None:
    """Correct the position by agreement of everybody. The record says for ever that it was done, and why.

    \b
      referee show --as json -o now.json     then change it, and:
      referee amend --from now.json --why "B3 was knocked over" --agreed-by red,blue

    In a game with secrets write it with: show --by referee. The log shows it to everybody.
    """
    context: Context = ctx.obj
    context.only_now("amend")
    session = context.session()
    document = read_document(source)
    document.pop("options", None)
    session.amend(document, why, seats_of(session, agreed))
    open_now = " It stands in the log for everybody to read." if session.keeps_secrets else ""
    _tell_recorded(context, session, f"Position amended by agreement.{open_now}")


def _tell_recorded(context: Context, session: Session, what: str) -> None:
    entry = session.entries[-1]
    if context.screen.json:
        context.screen.data({"recorded": entry, "after": standing_json(context, session, session.state)})
    else:
        context.screen.say(context.heading(session, session.state))
        context.screen.say(f"Entry {entry.n}. {what}")
        show_moment(context, session)
