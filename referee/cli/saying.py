"""Saying what one does, or asking whether one may: it is judged, recorded if it is legal, and answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import FACES, NO, Answer, Due, Shown, Text
from referee.cli.errors import MisuseError, explain, no, sentence, wanted
from referee.cli.look import MANY, Look
from referee.cli.throws import Ask, throw_facts, throws_told
from referee.cli.typed import MAX_DOCUMENT, By, Faces, Words, faces_of, path_of, piped
from referee.engine.dice import LOTS, DiceError, Typed
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, nearest, phrases_of
from referee.record.log.disk import read_named
from referee.record.table.line import Line
from referee.record.table.moment import Said

if TYPE_CHECKING:
    from referee.cli.context import Context

ENOUGH = 500
"""Legal actions looked through for ones like what was said."""
NOTHING = "What was said before it is legal, but nothing of this line was recorded."


Dry = Annotated[bool, Option("-n", "--dry-run", help="Judge only; record nothing.")]
File = Annotated[str | None, Option("-f", "--file", metavar="FILE", help="Read actions; - is stdin.")]
Fallen = Annotated[list[str] | None, Argument(metavar="FACES...", help="Faces as they fell: 2 2 6.")]


def do(
    ctx: typer.Context, words: Words = None, dry_run: Dry = False, by: By = None, dice: Faces = None, file: File = None
) -> Answer:
    """Say what you do; it is judged and, if legal, recorded. Bare: the action that goes without saying.

    \b
      referee do ACTION, ACTION     referee do ACTION --dice 2,2,6
    """
    look: Look = ctx.obj.recording("do", by)
    if dry_run:
        return may(look, ", ".join(_lines(look, words, file)), faces_of(dice))
    done, now = _settled(look)
    if now.owing:
        return _owed(now, now.owing)
    lines = _lines(now, words, file)
    left = faces_of(dice)
    for number, said in enumerate(lines, 1):
        if number > 1:
            now = look.now()
            if now.owing:
                return _stopped(look, done, _owed(now, now.owing))
        try:
            line = _line(ctx.obj, now, phrases_of(said) or [said])
            stop = _carried_out(ctx.obj, look, done, line, left, last=number == len(lines))
        except (NotUnderstoodError, DiceError, UnknownError) as error:
            if not done:
                raise
            return _stopped(look, done, explain(error, look.path))
        if stop:
            return stop
    return _recorded(look, done)


def _line(
    context: Context,
    look: Look,
    phrases: Sequence[str | Action],
    faces: Sequence[Typed] = (),
    *,
    throwing: bool = False,
) -> Line:
    """A line as people say it: what can only be one thing is done by itself, and what may have been overlooked is asked
    about. In a game with secrets one action at a time is recorded: a refusal must not tell what came of what was said
    before it, and nothing be recorded.
    """
    forcing, single = not context.by_hand, bool(look.keepers)
    return look.line(phrases, faces, throwing=throwing, forcing=forcing, careful=True, single=single)


def _carried_out(
    context: Context, look: Look, done: list[Said], line: Line, left: list[Typed], *, last: bool = True
) -> Answer | None:
    """Record a line as far as it goes; the answer where it goes no further. `last`: no other line takes its dice."""
    while True:
        _fill(line, left, context.ask)
        if line.doubt and context.confirm and context.confirm(sentence(line.doubt)):
            line.go_on(sure=True)
            continue
        if last and not line.left and not line.refused:
            _check_used(line, left)
            line.finish()
        stop = _taken(look, done, line)
        if stop or not line.left:
            return stop
        line.go_on()


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


def roll(ctx: typer.Context, faces: Fallen = None, by: By = None) -> Answer:
    """Throw the dice that the game waits for; with table dice, type how they fell, several throws if you like.

    \b
      referee roll 2 2 6            referee roll
    """
    look: Look = ctx.obj.recording("roll", by)
    done, now = _settled(look)
    if now.owing:
        return _owed(now, now.owing)
    ahead = _line(ctx.obj, now, ())
    ahead.finish()
    throw = ahead.throw
    if throw is None:
        return _nothing_to_throw(now, done)
    typed = faces_of(" ".join(faces or []))
    line = _line(ctx.obj, now, [next(iter(throw))], typed, throwing=True)
    return _carried_out(ctx.obj, look, done, line, []) or _recorded(look, done)


def _nothing_to_throw(look: Look, done: list[Said]) -> Answer:
    """The same as for who says that he throws; in a game where nobody says that, what is waited for."""
    if look.game.throw:
        stop = _taken(look, done, look.line([look.game.throw]))
        if stop:
            return stop
    waiting = look.through(None).status
    return _stopped(look, done, no(f"Nothing is to be thrown now: {waiting}.", look.facts))


def answer(ctx: typer.Context) -> Answer:
    """Answer what is asked of those who sit here, and only they know: it needs no word from them.

    \b
      referee answer
    """
    look: Look = ctx.obj.recording("answer")
    done, _ = _settled(look)
    if done:
        return _recorded(look, done)
    return no("Nothing is asked of those who sit here.", lambda: {"recorded": False, "after": look.facts()})


def why(ctx: typer.Context, words: Words, by: By = None, dice: Faces = None) -> Answer:
    """May I? The verdict, every rule it breaks, and what is like it; records nothing.

    \b
      referee why ACTION            referee why --by SEAT ACTION
    """
    return may(ctx.obj.look(by, speaks=True), " ".join(words or ()), faces_of(dice))


def may(look: Look, text: str, faces: list[Typed]) -> Answer:
    """The verdict on a line without recording it. Nothing is told of what would follow from it, and no dice are shown
    that have not been thrown: asking must not be a way of looking.
    """
    phrases = phrases_of(text) or [text]
    if look.keepers and len(phrases) > 1:
        raise MisuseError("in a game with secrets one action at a time can be asked about")
    if look.asked:
        return _owed(look, look.asked)
    line = look.line(phrases, faces, supposed=True, forcing=True)
    look = look.through(look.speaker)
    facts = said_facts(look, line.said, told=False)
    if line.refused:
        last = line.said[-1]
        titles = {refusal.rule: look.game.rulebook.title(refusal.rule) for refusal in last.refusals}
        says = [Text(f"{rule} says: {title}", indent=2) for rule, title in titles.items()]
        lines = [*refused(look, last, whole=len(phrases) == 1), *says]
        return Answer(lines, lambda: facts | {"rules": titles, "recorded": False}, NO)
    need = line.awaiting.need if line.awaiting else None
    words = [words_of(look, item) for item in line.said]
    if need:
        words.append(look.game.format(line.pending))
    told: list[Shown] = [Text(f"LEGAL  {', '.join(words)}   {look.heading}", "good")]
    if need:
        told += [Text(line, indent=2) for line in throws_told(need)]
    if len(line.left) > 1:
        told.append(Text("What is said after it cannot be judged before the dice fall.", indent=2))
    return Answer(
        [*told, "Nothing was recorded."], lambda: facts | {"said": words, **throw_facts(need), "recorded": False}
    )


def _fill(line: Line, left: list[Typed], ask: Ask | None) -> None:
    """Go on with a line while there are dice for it: of those typed with the command, then as somebody types them."""
    while line.awaiting and line.awaiting.need:
        missing = line.awaiting.need.count - line.awaiting.typed
        given, left[:missing] = left[:missing], []
        faces = given or (ask(line.awaiting.need, line.awaiting.typed) if ask else [])
        if faces:
            line.go_on(faces)
        if len(faces) < missing and not given:
            return


def _check_used(line: Line, left: list[Typed]) -> None:
    """Faces that nothing asked for are no slip of the tongue; the line is not recorded."""
    if left and not line.refused and not line.awaiting:
        raise line.too_many(left)


# What is recorded


def _settled(look: Look) -> tuple[list[Said], Look]:
    """Give every answer that a seat owes whose secrets are here; and how the game stands then."""
    done = look.settle() if look.asked in look.here else []
    return done, look.now() if done else look


def _owed(look: Look, seat: Seat) -> Answer:
    """Nothing can be said before a seat has answered."""
    return no(sentence(look.answer_due(seat)), lambda: {"verdict": "awaiting", "answer_due": seat})


def _taken(look: Look, done: list[Said], line: Line) -> Answer | None:
    """Record a line and add it to what is done; the answer where it goes no further.

    What comes before dice that are missing is recorded: what has fallen is not typed again.
    """
    if line.refused:
        whole, more = len(line.said) == 1, {"recorded": False, "after": look.now().facts()}
        facts = said_facts(look, line.said, told=False) | more
        return _stopped(look, done, Answer(list(refused(look, line.said[-1], whole=whole)), lambda: facts, NO))
    if line.doubt:
        return _stopped(look, done, _doubted(look, line))
    look.record(line.said)
    done += line.recorded()
    if line.awaiting and line.awaiting.need and look.pact:
        from referee.cli.post import declared

        return _stopped(look, done, declared(look.now(), line))
    if line.awaiting and line.awaiting.need:
        return _stopped(look, done, wanted(Due(line.awaiting.need, line.awaiting.typed, _again(look, line))))
    if line.awaiting and line.awaiting.answer:
        return _stopped(look, done, _owed(look.now(), line.awaiting.answer))
    return None


def _again(look: Look, line: Line) -> tuple[str, ...]:
    """How to go on with a line once the dice have fallen that are missing, with those of this throw that were typed."""
    typed = [str(face) for face in line.faces]
    speaks = ("--by", look.eyes) if look.eyes and look.eyes != line.to_act else ()
    if line.throwing:
        return "roll", *speaks, *typed, FACES
    left = ", ".join(part if isinstance(part, str) else look.game.format(part) for part in line.left)
    return "do", *speaks, left, "--dice", ",".join([*typed, FACES])


def _doubted(look: Look, line: Line) -> Answer:
    """What may have been overlooked; nothing of the line is recorded."""
    words, doubt = look.game.format(line.pending), sentence(line.doubt or "")
    told = [
        Text(f"NOT YET  {words}   {look.heading}", "refused"),
        Text(doubt, indent=2),
        *([Text(NOTHING, indent=2)] if line.said else []),
        Text(f"If you mean it: referee {words}!", indent=2),
    ]
    return Answer(told, lambda: {"verdict": "doubted", "text": words, "doubt": doubt, "recorded": False}, NO)


def _stopped(look: Look, done: Sequence[Said], stop: Answer) -> Answer:
    """The answer where something was recorded before what went no further."""
    if not done:
        return stop
    before = _recorded(look, done)
    facts = before.facts() | {"stopped": stop.facts()}
    return Answer([*before.lines, *stop.lines], lambda: facts, stop.code, stop.complaint, stop.due)


def _recorded(look: Look, done: Sequence[Said]) -> Answer:
    """What was recorded since a moment, and where the game has come to."""
    look = look.through(look.speaker)
    now = look.now()
    lines = [*played(look, done), *now.come_to()]
    return Answer(lines, lambda: said_facts(look, done) | {"recorded": True, "after": now.facts()})


# What is told


def words_of(look: Look, said: Said) -> str:
    """An action as these eyes may know it."""
    return "a secret" if look.is_shut(said) else look.game.format(look.blinded(said.action))


def played(look: Look, said: Sequence[Said]) -> Iterator[Shown]:
    """What happened, as things to do with the pieces on the board, begun at the moment looked at."""
    tell = look.game.tell
    yield look.heading
    announced = False
    for item in said:
        why = f"   (by itself{'' if announced else ': nothing else can be done'})" if is_forced(item) else ""
        announced = announced or bool(why)
        yield Text(f"{item.seat}: {words_of(look, item)}{why}", "bold")
        yield from (Text(remark, indent=2) for remark in item.remarks)
        yield from _lots_drawn(look, item)
        yield from (Text(tell(event), indent=2) for event in look.events_of(item))


def _lots_drawn(look: Look, said: Said) -> Iterator[Shown]:
    """That lots were drawn, for who sees them."""
    if any(roll.purpose == LOTS for roll in look.rolls_of(said)):
        yield Text("Lots are drawn, from a seed that is recorded with them.", indent=2)


def is_forced(said: Said) -> bool:
    """Whether it was done by itself because nothing else could be done; answers only their seat could give."""
    return said.forced and not said.is_answer


def refused(look: Look, said: Said, *, whole: bool) -> Iterator[Shown]:
    """Every rule that an action breaks, and what could be done instead. `whole`: it is not the end of a longer line,
    of which nothing is recorded.
    """
    then = look.before(said)
    yield Text(f"REFUSED  {look.game.format(said.action)}   {then.heading}", "refused")
    for refusal in said.refusals:
        yield Text(f"{refusal.rule}  {sentence(refusal.because)}", indent=2)
    done = _done_already(look, said)
    if done:
        yield Text(f"It was done by itself already: entry {done}.", indent=2)
    if not whole:
        yield Text(NOTHING, indent=2)
    elif instead := _alternatives(look, said):
        of = len(look.before(said).through(said.seat).legal)
        more = f"     (all{f' {of}' if of < MANY else ''}: referee legal)" if of > len(instead) else ""
        yield Text(f"Instead: {',   '.join(instead)}{more}", indent=2)
    yield Text(f"The rule: referee rules {said.refusals[0].rule}", indent=2)


def _done_already(look: Look, said: Said) -> int | None:
    """The entry in which this went by itself since somebody last said something: habit says it once more."""
    entries = look.entries
    return next((n for n in look.unsaid if getattr(entries[n], "action", None) == said.action), None)


def _alternatives(look: Look, said: Said) -> list[str]:
    """Up to three legal actions that look most like what was said."""
    texts = [look.game.format(action) for action in islice(look.before(said).through(said.seat).legal, ENOUGH)]
    close = nearest(look.game.format(said.action), texts, at_most=3)
    return list(dict.fromkeys([*close, *texts]))[:3]


def said_facts(look: Look, said: Sequence[Said], *, told: bool = True) -> dict[str, Any]:
    """A verdict with every fact that prose carries; `told`: what was thrown and what happened, too."""
    actions = [_action_facts(look, item, told=told) for item in said]
    if said and said[-1].refusals:
        done = _done_already(look, said[-1])
        already = {"done_by_itself": done} if done else {}
        return {"verdict": "refused", "actions": actions, "instead": _alternatives(look, said[-1]), **already}
    return {"verdict": "legal", "actions": actions}


def _action_facts(look: Look, said: Said, *, told: bool) -> dict[str, Any]:
    facts = {
        "by": said.seat,
        "action": None if look.is_shut(said) else look.blinded(said.action),
        "text": words_of(look, said),
        "verdict": "refused" if said.refusals else "legal",
        "refusals": said.refusals,
        "by_itself": is_forced(said),
        "remarks": said.remarks,
    }
    if told and not said.refusals:
        events = look.events_of(said)
        facts |= {"rolls": look.rolls_of(said), "events": events, "told": [look.game.tell(event) for event in events]}
    return facts
