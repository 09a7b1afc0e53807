"""Saying something: it is judged, asked about where dice or answers are missing, recorded as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.cli.answer import FACES, NO, Answer, Due, Text
from referee.cli.errors import no, sentence, wanted
from referee.cli.look import Look
from referee.cli.throws import Ask
from referee.cli.told import NOTHING, played, refused, said_facts
from referee.engine.dice import Typed
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.record.table.line import Line
from referee.record.table.moment import Said

if TYPE_CHECKING:
    from referee.cli.context import Context


def judged(
    context: Context,
    look: Look,
    phrases: Sequence[str | Action],
    faces: Sequence[Typed] = (),
    *,
    throwing: bool = False,
) -> Line:
    """A line as people say it: what can only be one thing is done by itself, and what may have been overlooked is asked
    about. In a game with secrets it ends with what tells something new: a refusal must not tell what came of what was
    said before it, and nothing be recorded.
    """
    forcing, whole = not context.by_hand, bool(look.keepers)
    return look.line(phrases, faces, throwing=throwing, forcing=forcing, careful=True, whole=whole)


def carried_out(
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
        stop = recorded_so_far(look, done, line)
        if stop or not line.left:
            return stop
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


def _check_used(line: Line, left: list[Typed]) -> None:
    """Faces that nothing asked for are no slip of the tongue; the line is not recorded."""
    if left and not line.refused and not line.awaiting:
        raise line.too_many(left)


def settled(look: Look) -> tuple[list[Said], Look]:
    """Give every answer that a seat owes whose secrets are here; and how the game stands then."""
    done = look.settle() if look.asked in look.here else []
    return done, look.now() if done else look


def owed(look: Look, seat: Seat) -> Answer:
    """Nothing can be said before a seat has answered."""
    return no(sentence(look.answer_due(seat)), lambda: {"verdict": "awaiting", "answer_due": seat})


def recorded_so_far(look: Look, done: list[Said], line: Line) -> Answer | None:
    """Record a line and add it to what is done; the answer where it goes no further.

    What comes before dice that are missing is recorded: what has fallen is not typed again. In a game with secrets a
    line is recorded whole or not at all, and waits for them with all that was said.
    """
    if line.ends_early:
        return stopped_after(look, done, _said_too_early(look, line))
    if line.refused:
        whole, more = len(line.said) == 1, {"recorded": False, "after": look.now().facts()}
        facts = said_facts(look, line.said, told=False) | more
        return stopped_after(look, done, Answer(list(refused(look, line.said[-1], whole=whole)), lambda: facts, NO))
    if line.doubt:
        return stopped_after(look, done, _doubted(look, line))
    if not (_waits_whole(look) and line.awaiting):
        look.record(line.said)
        done += line.recorded()
    if line.awaiting and line.awaiting.need and look.pact:
        from referee.cli.desk import declared

        return stopped_after(look, done, declared(look.now(), line))
    if line.awaiting and line.awaiting.need:
        return stopped_after(look, done, wanted(Due(line.awaiting.need, line.awaiting.typed, _again(look, line))))
    if line.awaiting and line.awaiting.answer:
        return stopped_after(look, done, owed(look.now(), line.awaiting.answer))
    return None


def _waits_whole(look: Look) -> bool:
    """Whether nothing of a line is recorded before its dice are there. By mail they are declared."""
    return bool(look.keepers) and look.pact is None


def _said_too_early(look: Look, line: Line) -> Answer:
    """What comes of an action is told by its record alone, and more was said after it; nothing is recorded."""
    words = look.game.format(line.pending)
    first = ", ".join([*(look.game.format(said.action) for said in line.said), words])
    why = "In a game with secrets a line ends with what throws dice, asks another player or passes the turn."
    told = [
        Text(f"NOT YET  {words}   {look.heading}", "refused"),
        Text(f"{why} Nothing of this line was recorded.", indent=2),
        Text(f"Say first: referee {first}", indent=2, hanging=4),
    ]
    return Answer(told, lambda: {"verdict": "too early", "text": words, "first": first, "recorded": False}, NO)


def _again(look: Look, line: Line) -> tuple[str, ...]:
    """How to go on with a line once the dice have fallen that are missing, with those of this throw that were typed."""
    typed = [str(face) for face in line.faces]
    speaks = ("--by", look.eyes) if look.eyes and look.eyes != line.to_act else ()
    if line.throwing:
        return "roll", *speaks, *typed, FACES
    parts = line.phrases if _waits_whole(look) else line.left
    left = ", ".join(part if isinstance(part, str) else look.game.format(part) for part in parts)
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


def stopped_after(look: Look, done: Sequence[Said], stop: Answer) -> Answer:
    """The answer where something was recorded before what went no further."""
    if not done:
        return stop
    before = come_of(look, done)
    facts = before.facts() | {"stopped": stop.facts()}
    return Answer([*before.lines, *stop.lines], lambda: facts, stop.code, stop.complaint, stop.due)


def _only_for(look: Look) -> Text:
    """Where somebody finds what was not told, since the next one reads it."""
    return Text(f"What only {look.eyes} may know of it: referee log --by {look.eyes}", indent=2, hanging=4)


def come_of(look: Look, done: Sequence[Said]) -> Answer:
    """What was recorded since a moment, and where the game has come to."""
    own = look.through(look.speaker)
    look = own.handed_on()
    now = look.now()
    kept = [] if look.eyes or all(own.events_of(item) == look.events_of(item) for item in done) else [_only_for(own)]
    lines = [*played(look, done), *kept, *now.come_to()]
    return Answer(lines, lambda: said_facts(look, done) | {"recorded": True, "after": now.facts()})
