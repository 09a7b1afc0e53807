"""What there is to say about where a game stands, as certain eyes see it: whose turn it is, what to type next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from referee.cli.answer import Answer, Shown, Text
from referee.engine.event import Seat
from referee.engine.text import begin_sentence, count_of

if TYPE_CHECKING:
    from referee.engine.legal import Legal
    from referee.engine.scene import Scene
    from referee.record.table.facts import Facts
    from referee.record.table.sitting import Sitting

MANY = 1_000_000
LATELY = 8
"""Entries that are looked through for the last change of the board."""


def handed_on(look: Sitting) -> tuple[Sitting, Sitting]:
    """The game before something was recorded and as it stands now, as those may see both who read it: everybody, where
    the turn has passed to somebody else at this screen who may know other things.
    """
    now, facts = look.now(), look.facts
    mover = now.facts.to_act
    passes = look.pact is None and mover in now.facts.players and facts.differs(look.eyes, mover)
    return (look.through(None), now.through(None)) if passes else (look, now)


def turn_told(facts: Facts) -> str:
    """The turn being played and whose it is."""
    seat = facts.to_act
    return "game over" if seat is None else f"turn {facts.turn}, {facts.player(seat)}"


def heading(look: Sitting) -> str:
    """The line that every answer begins with: game, log, turn, mover, dice mode."""
    facts, path = look.facts, look.log.path
    name = path.stem if path else "standard input"
    at = "" if look.at is None else f", at entry {look.at}"
    return f"{facts.game.name} {name}{at}, {turn_told(facts)} ({facts.header.dice.told})"


# Who plays


def bots_of(look: Sitting) -> Mapping[Seat, str]:
    """The seats that bots play, each with its bot. By mail there are none, whatever a log says: nobody's program
    speaks for anybody there.
    """
    return look.facts.header.bots if look.pact is None else {}


def bot_to_act(look: Sitting) -> str | None:
    """The bot that plays whoever is to act; None: a person does, or the game is over."""
    return bots_of(look).get(look.facts.to_act or "")


def people_of(look: Sitting) -> tuple[Seat, ...]:
    """The seats that people can play here."""
    bots = bots_of(look)
    return tuple(seat for seat in look.facts.players if seat not in bots)


# The board


def picture_of(look: Sitting) -> Scene:
    """The board as a scene, with whose turn it is."""
    facts = look.facts
    seat = facts.to_act
    whose = "game over" if seat is None else f"turn {facts.turn}: {facts.player(seat)} to move"
    return replace(look.sight.picture(), heading=begin_sentence(whose), to_move=seat)


def picture_since(look: Sitting) -> Scene:
    """The same with what was changed since what was said last that changed anything, if that is not long ago."""
    from referee.engine.trails import followed

    scene, unsaid = picture_of(look), set(look.log.unsaid)
    said = [n for n in look.log.in_force if n not in unsaid]
    for n in said[-2 : -2 - LATELY : -1]:
        since = followed(picture_of(look.then(n)), scene)
        if any(page.trails for page in since.pages):
            return since
    return scene


# Where it stands


def summary(look: Sitting) -> list[Shown]:
    """The heading, and below it what the game waits for and the score."""
    eyes = f", as {look.eyes or 'a spectator'} sees it" if look.facts.keepers else ""
    return [heading(look) + eyes, Text(look.sight.status, indent=2)]


def come_to(look: Sitting) -> list[Shown]:
    """Where the game has come to after something was recorded, and what to type next."""
    return [f"Now {turn_told(look.facts)}: {look.sight.status}", *next_told(look)]


def next_told(look: Sitting) -> list[Shown]:
    """What to type next. What another may do is no secret only if the game keeps none."""
    facts, pact = look.facts, look.pact
    mover = facts.to_act
    if pact is not None and look.at is None:
        from referee.cli.mail.next import next_by_mail, offers_to, throw_that_waits

        waiting = next_by_mail(look, pact)
        if waiting:
            above = [*throw_that_waits(look, pact), *offers_to(look, pact)]
            return [*above, Text(f"Next: {waiting}", indent=2)]
    if mover is None:
        return []
    if bot := bot_to_act(look):
        what = f"{bot} plays {mover}; to let it: referee do"
    elif facts.asked:
        what = answer_due(look, mover)
    elif facts.keepers and not look.sight.sees(mover):
        what = f"{facts.player(mover)}, with referee legal"
    else:
        what = _hint(facts, look.through(mover).sight.legal)
    return [Text(f"Next: {what}", indent=2)]


def answer_due(look: Sitting, seat: Seat) -> str:
    """Who has to answer what only he knows, and how, in a clause; in the past nobody can any more."""
    facts = look.facts
    if look.at is not None:
        return f"{facts.player(seat)} had to answer first"
    how = ", with referee answer" if seat in facts.here else ": copy the log there; then referee answer"
    return f"{facts.player(seat)} has to answer{how}"


def _hint(facts: Facts, legal: Legal) -> str:
    throw = legal.throw
    if throw:
        typed = facts.dice.is_typed
        return f"referee roll   ({throw.need})" if not typed else f"throw {throw.need}, then: referee roll FACES"
    only = legal.only()
    return f"referee legal lists {how_many(legal.count)}" if only is None else f"referee {facts.game.format(only)}"


def as_you_see_it(look: Sitting, command: str) -> Iterator[Text]:
    """How a command shows who sits here alone what he knows, too: by mail, or where bots or people at other
    computers play against him. It is never shown to who does not ask: whose eyes are meant is said with `--by`
    everywhere, whatever vaults lie here.
    """
    people = people_of(look)
    own = [seat for seat in people if seat in look.facts.here]
    if look.eyes is None and len(own) == 1 and (look.pact or len(people) == 1):
        yield Text(f"As you see it: referee {command} --by {own[0]}", indent=2, hanging=4)


def answered(look: Sitting, *first: Shown) -> Answer:
    """Where the game stands and what to type next, below what comes first."""
    return Answer([*first, *summary(look), *as_you_see_it(look, "who"), *next_told(look)], lambda: facts_told(look))


def facts_told(look: Sitting) -> dict[str, Any]:
    """The same for programs."""
    facts, log = look.facts, look.log
    return {
        "game": facts.game.name,
        "log": str(log.path) if log.path else "-",
        "entry": log.entry,
        "head": log.head,
        "turn": facts.turn,
        "to_act": facts.to_act,
        "answer_due": facts.asked,
        "seen_by": look.eyes,
        "dice": facts.header.dice,
        "status": look.sight.status,
        "outcome": facts.outcome,
        "options": facts.header.options,
        "position": look.sight.position,
    }


def how_many(actions: int) -> str:
    """A number of actions as a person would say it."""
    return count_of(actions, "action") if actions < MANY else "more actions than anybody will count"
