"""Saying something: it is judged, asked about where dice or answers are missing, recorded as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import NO, OK, Answer, Pending, Text
from referee.cli.errors import explain, no, sentence, wanted
from referee.cli.habit import needless, wary
from referee.cli.look import answer_due, bots_of, come_to, facts_told, handed_on, heading
from referee.cli.throws import Ask
from referee.cli.told import NOTHING, played, refused, said_facts
from referee.engine.dice import Need, Typed
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError
from referee.record.table.line import Line
from referee.record.table.moment import Said
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.context import Context


def judged(
    context: Context,
    look: Sitting,
    phrases: Sequence[str | Action],
    faces: Sequence[Typed] = (),
    *,
    throwing: bool = False,
) -> Line:
    """A line as people say it: what can only be one thing is done by itself, and what may have been overlooked is asked
    about. In a game with secrets it ends with what tells something new: a refusal must not tell what came of what was
    said before it, and nothing be recorded.
    """
    forcing, whole = not context.by_hand, bool(look.facts.keepers)
    careful = wary(context, look)
    return look.line(phrases, faces, throwing=throwing, forcing=forcing, careful=True, whole=whole, wary=careful)


def carried_out(
    context: Context, look: Sitting, done: list[Said], line: Line, left: list[Typed], *, last: bool = True
) -> Answer | None:
    """Record a line as far as it goes; the answer where it goes no further. `last`: no other line takes its dice.

    Nothing of a line is recorded that goes wrong somewhere; but where dice have fallen for a part of it, that part is.
    """
    try:
        return _carried_out(context, look, done, line, left, last=last)
    except (NotUnderstoodError, UnknownError) as error:
        if not keep_thrown(look, done, line.said, line):
            raise
        return stopped_after(look, done, with_unused(explain(error, look.log.path), [*line.faces, *left]))


def _carried_out(
    context: Context, look: Sitting, done: list[Said], line: Line, left: list[Typed], *, last: bool
) -> Answer | None:
    while True:
        _fill(line, left, context.ask)
        if line.doubt and context.confirm and context.confirm(sentence(line.doubt)):
            line.go_on(sure=True)
            continue
        if last and not line.left and not line.refused:
            _use_up(line, left)
            line.finish()
        stop = recorded_so_far(look, done, line, left)
        if stop or not line.left:
            return stop or _thrown_after(context, look, done, left)
        line.go_on()


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


def _use_up(line: Line, left: list[Typed]) -> None:
    """Faces that nothing has asked for yet are for the throw that comes next; else they are a slip, and nothing of the
    line is recorded: DiceError. Where an answer comes before it, they wait until that is recorded.
    """
    waits = line.awaiting or line.is_asked or any(said.is_answer for said in line.said)
    if left and not waits:
        faces, left[:] = list(left), []
        line.throw_on(faces)
        line.go_on()


def _thrown_after(context: Context, look: Sitting, done: list[Said], left: list[Typed]) -> Answer | None:
    """Throw what comes after an answer with the faces that were typed for it already: what the game waits for, or what
    was said, where it has to be said again. They are told where an answer is still owed, or nothing asks for them.
    """
    if not left:
        return None
    now = look.now()
    if now.facts.asked:
        return stopped_after(look, done, with_unused(owed(now, now.facts.asked), left))
    said = next(said.action for said in reversed(done) if not said.is_answer)
    throw = now.sight.legal.throw
    if throw or said in now.sight.legal:
        faces, left[:] = list(left), []
        line = judged(context, now, [next(iter(throw)) if throw else said], faces, throwing=True)
        return carried_out(context, look, done, line, left)
    return with_unused(come_of(look, done), left)


def keep_thrown(look: Sitting, done: list[Said], said: list[Said], line: Line) -> bool:
    """Record what was legal of a line that goes wrong later, if somebody has typed dice for it: they have fallen, and
    are not typed again. Whether it was so.
    """
    if _waits_whole(look) or not any(one.is_typed for one in said):
        return False
    look.session.record(said)
    done += said
    line.recorded()
    return True


def with_unused(answer: Answer, faces: Sequence[Typed]) -> Answer:
    """An answer with the faces that were typed and not used for anything."""
    if not faces:
        return answer
    told = f"Typed and not used: {' '.join(map(str, faces))}."
    facts = answer.facts() | {"unused": list(faces)}
    return replace(answer, lines=[*answer.lines, Text(told, indent=2)], facts=lambda: facts)


def settled(look: Sitting) -> tuple[list[Said], Sitting]:
    """Give every answer that a seat owes whose secrets are here; and how the game stands then."""
    done = look.session.settle() if look.facts.asked in look.facts.here else []
    return done, look.now() if done else look


def owed(look: Sitting, seat: Seat) -> Answer:
    """Nothing can be said before a seat has answered."""
    return no(sentence(answer_due(look, seat)), lambda: {"verdict": "awaiting", "answer_due": seat})


def recorded_so_far(look: Sitting, done: list[Said], line: Line, left: Sequence[Typed] = ()) -> Answer | None:
    """Record a line and add it to what is done; the answer where it goes no further. `left`: faces not used yet.

    What comes before dice that are missing is recorded: what has fallen is not typed again. In a game with secrets a
    line is recorded whole or not at all, and waits for them with all that was said.
    """
    stop = _stopped_before(look, done, line, left)
    if stop:
        return stop
    if not (_waits_whole(look) and line.awaiting):
        look.session.record(line.said)
        done += line.recorded()
    return _waits_for(look, done, line)


def _stopped_before(look: Sitting, done: list[Said], line: Line, left: Sequence[Typed]) -> Answer | None:
    """The answer where nothing, or not all, of a line is recorded; None: all of it may be, as far as it goes."""
    if line.ends_early:
        return stopped_after(look, done, _said_too_early(look, line))
    if line.refused and len(line.said) == 1 and not line.left and needless(look.now(), line.said[0]):
        return _needless(look, done, line.said[0], [*line.faces, *left])
    if line.refused:
        return _refused(look, done, line, [*line.faces, *left])
    if line.doubt:
        keep_thrown(look, done, line.said, line)
        return stopped_after(look, done, _doubted(look, line, [*line.faces, *left]))
    return _declared_with_question(look, done, line) if look.pact and not line.awaiting else None


def _refused(look: Sitting, done: list[Said], line: Line, unused: Sequence[Typed]) -> Answer:
    """The answer to a line whose last part may not be done; `unused`: faces that were not needed."""
    last = line.said[-1]
    whole = len(line.said) == 1 or keep_thrown(look, done, line.said[:-1], line)
    facts = said_facts(look, [last] if whole else line.said, told=False)
    facts |= {"recorded": False, "after": facts_told(look.now())}
    no_ = Answer(list(refused(look, last, whole=whole)), lambda: facts, NO)
    return stopped_after(look, done, with_unused(no_, unused) if done else no_)


def _waits_for(look: Sitting, done: list[Said], line: Line) -> Answer | None:
    """The answer that tells what a line waits for; None: for nothing."""
    if line.awaiting and line.awaiting.need and look.pact:
        from referee.cli.mail.desk import declared

        return stopped_after(look, done, declared(look.now(), line.actions_left()))
    if line.awaiting and line.awaiting.need:
        stop = wanted(_pending(look, line, line.awaiting.need))
        remarks = [Text(remark, indent=2) for remark in line.remarks]
        return stopped_after(look, done, replace(stop, lines=remarks))
    if line.awaiting and line.awaiting.answer:
        return stopped_after(look, done, owed(look.now(), line.awaiting.answer))
    return None


def _needless(look: Sitting, done: list[Said], said: Said, left: Sequence[Typed]) -> Answer | None:
    """Tells that a word only closes what has closed by itself: in a remark if something was done before it, else in an
    answer with where the game stands.
    """
    words = look.facts.game.format(said.action)
    told = f"{words}: not needed, that has ended by itself."
    if done:
        done[-1] = done[-1].remarked(told)
        return None
    lines = [heading(look), Text(f"{told} Nothing was recorded.", indent=2), *come_to(look)]
    facts = {"verdict": "needless", "text": words, "recorded": False}
    return with_unused(Answer(lines, lambda: {**facts, "after": facts_told(look)}), left)


def _declared_with_question(look: Sitting, done: list[Said], line: Line) -> Answer | None:
    """By mail an action of which nothing comes but a question is declared, and once more for when it is answered: both
    travel together. None: the line ends with no such action.
    """
    from referee.cli.mail.desk import asks_first, declared

    if not (line.said and asks_first(look, line.said[-1])):
        return None
    *before, last = line.recorded()
    look.session.record(before)
    done += before
    return stopped_after(look, done, declared(look.now(), [last.action, last.action, *line.actions_left()]))


def _waits_whole(look: Sitting) -> bool:
    """Whether nothing of a line is recorded before its dice are there. By mail they are declared."""
    return bool(look.facts.keepers) and look.pact is None


def _said_too_early(look: Sitting, line: Line) -> Answer:
    """What comes of an action is told by its record alone, and more was said after it; nothing is recorded."""
    words = look.facts.game.format(line.pending)
    first = ", ".join([*(look.facts.game.format(said.action) for said in line.said), words])
    why = "In a game with secrets a line ends with what throws dice, asks another player or passes the turn."
    told = [
        Text(f"NOT YET  {words}   {heading(look)}", "refused"),
        Text(f"{why} Nothing of this line was recorded.", indent=2),
        Text(f"Say first: referee {first}", indent=2, hanging=4),
    ]
    return Answer(told, lambda: {"verdict": "too early", "text": words, "first": first, "recorded": False}, NO)


def _pending(look: Sitting, line: Line, need: Need) -> Pending:
    """How to go on with a line once the dice have fallen that are missing, with those of this throw that were typed."""
    faces, what = tuple(map(str, line.faces)), look.facts.game.format(line.pending)
    new = len(faces) - (line.awaiting.typed if line.awaiting else 0)
    before, held = faces[:new], faces[new:]
    by = look.eyes if look.eyes != line.to_act else None
    if line.throwing:
        return Pending(need, held, None, by, what, before)
    parts = line.phrases if _waits_whole(look) else line.left
    left = ", ".join(part if isinstance(part, str) else look.facts.game.format(part) for part in parts)
    return Pending(need, held, left, by, what, before)


def _doubted(look: Sitting, line: Line, faces: Sequence[Typed]) -> Answer:
    """What may have been overlooked; nothing of the line is recorded. Dice that were typed are said again with it."""
    words, doubt = look.facts.game.format(line.pending), sentence(line.doubt or "")
    before = [look.facts.game.format(said.action) for said in line.said if not said.forced]
    after = [part if isinstance(part, str) else look.facts.game.format(part) for part in line.left[1:]]
    insisting = f"{words}! " if after else f"{words}!"  # where a comma follows at once, a shell takes it for its own
    meant = ", ".join([*before, insisting, *after])
    dice = f" --dice {','.join(map(str, faces))}" if faces else ""
    told = [
        Text(f"NOT YET  {words}   {heading(look)}", "refused"),
        Text(doubt, indent=2),
        *([Text(NOTHING, indent=2)] if line.said else []),
        Text(f"If you mean it: referee {meant}{_said_by(look)}{dice}", indent=2, hanging=4),
    ]
    unused = {"unused": list(faces)} if faces else {}
    facts = {"verdict": "doubted", "text": words, "doubt": doubt, "recorded": False, **unused}
    return Answer(told, lambda: facts, NO)


def _said_by(look: Sitting) -> str:
    """The option with which somebody has said who speaks, as it is typed; at a screen of his own nobody does."""
    return f" --by {look.eyes}" if look.eyes and not look.facts.keepers else ""


def stopped_after(look: Sitting, done: Sequence[Said], stop: Answer) -> Answer:
    """The answer where something was recorded before what went no further."""
    if not done:
        return stop
    before = come_of(look, done)
    facts = before.facts() | {"stopped": stop.facts()}
    return Answer([*before.lines, *stop.lines], lambda: facts, stop.code, stop.complaint, stop.pending)


def _only_for(look: Sitting) -> Text:
    """Where somebody finds what was not told, since the next one reads it."""
    return Text(f"What only {look.eyes} may know of it: referee log --by {look.eyes}", indent=2, hanging=4)


def come_of(look: Sitting, done: Sequence[Said]) -> Answer:
    """What was recorded since a moment, what bots have said to it, and where the game has come to."""
    trouble, code = "", OK
    if bots_of(look):
        from referee.cli.botted import bots_speak

        said, trouble, why = bots_speak(look.now())
        done, code = [*done, *said], OK if done else why
    own = look.through(look.sight.speaker)
    look, now = handed_on(own)
    kept = (
        []
        if look.eyes or all(own.sight.events_of(item) == look.sight.events_of(item) for item in done)
        else [_only_for(own)]
    )
    troubled = [Text(trouble, "refused")] if trouble else []
    lines = [*played(look, done), *kept, *troubled, *come_to(now)]
    told = {"recorded": True, **({"trouble": trouble} if trouble else {})}
    return Answer(lines, lambda: said_facts(look, done) | {**told, "after": facts_told(now)}, code)
