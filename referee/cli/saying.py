"""Saying what one does, or asking whether one may: it is judged, recorded if it is legal, and answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.errors import MisuseError, explain, no, sentence, wanted
from referee.cli.look import MANY, Look
from referee.engine.adjudicate import Played
from referee.engine.dice import DiceError, Need, TableDice, Typed
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, count_of, nearest, phrases_of
from referee.record.moment import Line, Said

if TYPE_CHECKING:
    from referee.cli.typed import Ask
    from referee.engine.event import Seat
    from referee.engine.legal import Action

ENOUGH = 500
"""Legal actions looked through for ones like what was said."""


def words_of(look: Look, said: Said) -> str:
    """An action as these eyes may know it."""
    if isinstance(said.verdict, Played) and said.verdict.hidden and not look.sees(said.seat):
        return "a secret"
    return look.game.format(look.blinded(said.action))


def events_of(look: Look, said: Said) -> tuple[Any, ...]:
    """What happened, as these eyes see it."""
    if not isinstance(said.verdict, Played):
        return ()
    verdict = said.verdict
    return verdict.events if look.sees(said.seat) else look.blinded(verdict.open_events)


def played(look: Look, said: Sequence[Said]) -> Iterator[Shown]:
    """What happened, as things to do with the pieces on the board, begun at the moment looked at."""
    yield look.heading
    for item in said:
        yield Text(f"{item.seat}: {words_of(look, item)}", "bold")
        for event in events_of(look, item):
            yield Text(look.game.tell(event), indent=2)


def refused(look: Look, said: Said, *, whole: bool) -> Iterator[Shown]:
    """Every rule that an action breaks, and what could be done instead. `whole`: it is not the end of a longer line,
    of which nothing is recorded.
    """
    then = replace(look, moment=said.before)
    yield Text(f"REFUSED  {look.game.format(said.action)}   {then.heading}", "refused")
    for refusal in said.refusals:
        yield Text(f"{refusal.rule}  {sentence(refusal.because)}", indent=2)
    if not whole:
        yield Text("What was said before it is legal, but nothing of this line was recorded.", indent=2)
    else:
        yield from _instead(look, said)
    yield Text(f"The rule: referee rules {said.refusals[0].rule}", indent=2)


def _instead(look: Look, said: Said) -> Iterator[Shown]:
    legal = said.before.legal(said.seat)
    instead = alternatives(look, said)
    count = f" {len(legal)}" if len(legal) < MANY else ""
    more = f"     (all{count}: referee legal)" if len(legal) > len(instead) else ""
    if instead:
        yield Text(f"Instead: {',   '.join(instead)}{more}", indent=2)


def alternatives(look: Look, said: Said) -> list[str]:
    """Up to three legal actions that look most like what was said."""
    texts = [look.game.format(action) for action in islice(said.before.legal(said.seat), ENOUGH)]
    close = nearest(look.game.format(said.action), texts, at_most=3)
    return list(dict.fromkeys([*close, *texts]))[:3]


def said_facts(look: Look, said: Sequence[Said], *, told: bool = True) -> dict[str, Any]:
    """A verdict with every fact that prose carries; `told`: what was thrown and what happened, too."""
    facts: dict[str, Any] = {"actions": [_action_facts(look, item, told=told) for item in said]}
    if said and said[-1].refusals:
        facts["instead"] = alternatives(look, said[-1])
    return {"verdict": "refused" if said and said[-1].refusals else "legal", **facts}


def _action_facts(look: Look, said: Said, *, told: bool) -> dict[str, Any]:
    shut = isinstance(said.verdict, Played) and said.verdict.hidden and not look.sees(said.seat)
    facts = {
        "by": said.seat,
        "action": None if shut else look.blinded(said.action),
        "text": words_of(look, said),
        "verdict": "refused" if said.refusals else "legal",
        "refusals": said.refusals,
    }
    if told and isinstance(said.verdict, Played):
        events = events_of(look, said)
        rolls = [roll for roll in said.verdict.rolls if roll.to is None or look.sees(roll.to)]
        facts |= {"rolls": rolls, "events": events, "told": [look.game.tell(event) for event in events]}
    return facts


def may(look: Look, text: str, faces: list[Typed]) -> Answer:
    """The verdict on a line without recording it. Nothing is told of what would follow from it, and no dice are shown
    that have not been thrown: asking must not be a way of looking.
    """
    phrases = phrases_of(text) or [text]
    if look.moment.keepers and len(phrases) > 1:
        raise MisuseError("in a game with secrets one action at a time can be asked about")
    if look.moment.to_act and look.game.asks(look.moment.state):
        return owed(look, look.moment.to_act)
    line = Line(replace(look.moment, dice=TableDice(), here=frozenset()), phrases, look.eyes, faces)
    look = look.through(look.moment.speaker(look.eyes))
    if line.refused:
        return _may_not(look, line, whole=len(phrases) == 1)
    return _may(look, line, phrases)


def _may(look: Look, line: Line, phrases: list[str]) -> Answer:
    need = line.awaiting.need if line.awaiting else None
    words = [words_of(look, item) for item in line.said]
    if need:
        words.append(look.game.format(line.moment.parse(phrases[len(line.said)], look.eyes)))
    lines: list[Shown] = [Text(f"LEGAL  {', '.join(words)}   {look.heading}", "good")]
    if need:
        lines.append(Text(f"It throws {need}.", indent=2))
    if len(words) < len(phrases):
        lines.append(Text("What is said after it cannot be judged before the dice fall.", indent=2))
    facts = said_facts(look, line.said, told=False)
    return Answer([*lines, "Nothing was recorded."], lambda: facts | {"said": words, "throws": need, "recorded": False})


def _may_not(look: Look, line: Line, *, whole: bool) -> Answer:
    last = line.said[-1]
    titles = {refusal.rule: look.game.rulebook.title(refusal.rule) for refusal in last.refusals}
    says = (Text(f"{rule} says: {title}", indent=2) for rule, title in titles.items())
    facts = said_facts(look, line.said, told=False)
    lines = [*refused(look, last, whole=whole), *says]
    return Answer(lines, lambda: facts | {"rules": titles, "recorded": False}, NO)


def owed(look: Look, seat: Seat) -> Answer:
    """Nothing can be said before a seat has answered."""
    return no(sentence(look.answer_due(seat)), lambda: {"verdict": "awaiting", "answer_due": seat})


class Supply:
    """Faces typed with a command, handed out as they are needed; then those that somebody types when asked."""

    def __init__(self, typed: list[Typed], ask: Ask | None) -> None:
        self.left = typed
        self._ask = ask

    def __call__(self, need: Need, typed: int) -> list[Typed]:
        """Some of the faces that are needed, of which so many are there; none when nobody knows any."""
        missing = need.count - typed
        given, self.left = self.left[:missing], self.left[missing:]
        return given or (self._ask(need, typed) if self._ask else [])


def settled(look: Look) -> list[Said]:
    """Give every answer that a seat owes whose secrets are here."""
    moment = look.moment
    due = moment.game.asks(moment.state) and moment.to_act in moment.here
    return look.session.settle() if due else []


def say(
    look: Look, done: list[Said], lines: Sequence[Sequence[str | Action]], supply: Supply, again: str = ""
) -> Answer:
    """Judge each line and record it if all of it is legal; what is refused or missing stops it.

    `done` is what was recorded already since the moment looked at; `again` how to say it again with the dice that were
    missing, "FACES" standing for them.
    """
    for number, actions in enumerate(lines, 1):
        now = look.now()
        if now.owing:
            return stopped(look, done, owed(now, now.owing))
        try:
            line = Line(now.moment, actions, look.eyes)
            fill(line, supply)
            if number == len(lines):
                _check_used(line, supply)
        except (NotUnderstoodError, DiceError, UnknownError) as error:
            if not done:
                raise
            return stopped(look, done, explain(error, look.session.path))
        answer = taken(look, done, line, again)
        if answer:
            return answer
    return recorded(look, done)


def fill(line: Line, supply: Supply) -> None:
    """Go on with a line for as long as there are dice for it."""
    while line.awaiting and line.awaiting.need:
        faces = supply(line.awaiting.need, line.awaiting.typed)
        if not faces:
            return
        line.go_on(faces)


def taken(look: Look, done: list[Said], line: Line, again: str) -> Answer | None:
    """Record a line and add it to what is done; the answer where it goes no further."""
    if line.refused:
        lines: list[Shown] = list(refused(look, line.said[-1], whole=len(line.said) == 1))
        facts = said_facts(look, line.said, told=False) | {"recorded": False, "after": look.now().facts()}
        return stopped(look, done, Answer(lines, lambda: facts, NO))
    if line.awaiting and line.awaiting.need:
        return stopped(look, done, wanted(line.awaiting.need, line.awaiting.typed, again))
    if line.said:
        look.session.record(line.said)
        done += line.said
    return None


def stopped(look: Look, done: Sequence[Said], stop: Answer) -> Answer:
    """The answer where something was recorded before what went no further."""
    if not done:
        return stop
    before = recorded(look, done)
    facts = before.facts() | {"stopped": stop.facts()}
    return Answer([*before.lines, *stop.lines], lambda: facts, stop.code, stop.complaint)


def recorded(look: Look, done: Sequence[Said]) -> Answer:
    """What was recorded since a moment, and where the game has come to."""
    look = look.through(look.moment.speaker(look.eyes))
    lines: list[Shown] = [*played(look, done), *come_to(look)]
    return Answer(lines, lambda: said_facts(look, done) | {"recorded": True, "after": look.now().facts()})


def come_to(look: Look) -> list[Shown]:
    """Where the game has come to after something was recorded, and what to type."""
    now = look.now()
    return [f"Now {now.when}: {now.game.standing(now.view)}", *now.next()]


def _check_used(line: Line, supply: Supply) -> None:
    """Faces that nothing asked for are no slip of the tongue; the line is not recorded."""
    if supply.left and not line.refused and not line.awaiting:
        line.moment.source(supply.left)  # whether any can be typed at all
        typed = " ".join(map(str, supply.left))
        raise DiceError(f"{count_of(len(supply.left), 'die', 'dice')} too many: nothing asks for {typed}")
