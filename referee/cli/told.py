"""What was said and what came of it, in words and as facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.cli.answer import Shown, Text
from referee.cli.errors import sentence
from referee.cli.look import MANY, heading
from referee.engine.ruling import Refusal
from referee.engine.source import LOTS
from referee.record.table.moment import Said
from referee.record.table.remedy import remedies_for
from referee.record.table.sitting import Sitting

NOTHING = "What was said before it is legal, but nothing of this line was recorded."


def words_of(look: Sitting, said: Said) -> str:
    """An action as these eyes may know it."""
    return "a secret" if look.sight.is_shut(said) else look.facts.game.format(look.sight.blinded(said.action))


def played(look: Sitting, said: Sequence[Said]) -> list[Shown]:
    """What happened, as things to do with the pieces on the board, begun at the moment looked at."""
    lines: list[Shown] = [heading(look)]
    first = next(filter(is_forced, said), None)
    for item in said:
        why = f"   (by itself{': nothing else can be done' if item is first else ''})" if is_forced(item) else ""
        lines += _told_of(look, item, why)
    return lines


def _told_of(look: Sitting, said: Said, why: str) -> Iterator[Shown]:
    """One action and what came of it; `why`: that nobody has said it."""
    yield Text(f"{said.seat}: {words_of(look, said)}{why}", "bold")
    yield from (Text(remark, indent=2) for remark in said.remarks)
    yield from _lots_drawn(look, said)
    yield from (Text(look.facts.game.tell(event), indent=2) for event in look.sight.events_of(said))


def _lots_drawn(look: Sitting, said: Said) -> Iterator[Shown]:
    """That lots were drawn, for who sees them."""
    if any(roll.purpose == LOTS for roll in look.sight.rolls_of(said)):
        yield Text("Lots are drawn, from a seed that is recorded with them.", indent=2)


def is_forced(said: Said) -> bool:
    """Whether it was done by itself because nothing else could be done; answers only their seat could give."""
    return said.forced and not said.is_answer


def refused(look: Sitting, said: Said, *, whole: bool) -> Iterator[Shown]:
    """Every rule that an action breaks, and what could be done instead. `whole`: it is not the end of a longer line,
    of which nothing is recorded.
    """
    then = look.before(said)
    yield Text(f"REFUSED  {look.facts.game.format(said.action)}   {heading(then)}", "refused")
    for because, rules in _by_reason(said.refusals).items():
        yield Text(f"{', '.join(rules)}  {sentence(because)}", indent=2)
    done = _done_already(look, said)
    if done:
        yield Text(f"It was done by itself already: entry {done}.", indent=2)
    if not whole:
        yield Text(NOTHING, indent=2)
    elif instead := _alternatives(look, said):
        of = look.before(said).through(said.seat).sight.legal.count
        more = f"     (all{f' {of}' if of < MANY else ''}: referee legal)" if of > len(instead) else ""
        by = "" if said.seat == then.facts.to_act else f" --by {said.seat}"
        yield Text(f"Instead: {',   '.join(f'{text}{by}' for text in instead)}{more}", indent=2)
    yield Text(f"The rule: referee rules {said.refusals[0].rule}", indent=2)


def _by_reason(refusals: Sequence[Refusal]) -> dict[str, list[str]]:
    """Returns each reason with the rules that say so: what two rules say in one sentence is read once."""
    rules: dict[str, list[str]] = {}
    for refusal in refusals:
        rules.setdefault(refusal.because, []).append(refusal.rule)
    return rules


def _done_already(look: Sitting, said: Said) -> int | None:
    """The entry in which this went by itself since somebody last said something: habit says it once more."""
    entries = look.log.entries
    return next((n for n in look.log.unsaid if getattr(entries[n], "action", None) == said.action), None)


def _alternatives(look: Sitting, said: Said) -> list[str]:
    """Up to three legal actions that are nearest to what was said."""
    own = look.before(said).through(said.seat)
    return remedies_for(look.facts.game, own.sight.view, own.sight.legal, said.action)


def said_facts(look: Sitting, said: Sequence[Said], *, told: bool = True) -> dict[str, Any]:
    """A verdict with every fact that prose carries; `told`: what was thrown and what happened, too."""
    actions = [_action_facts(look, item, told=told) for item in said]
    if said and said[-1].refusals:
        done = _done_already(look, said[-1])
        already = {"done_by_itself": done} if done else {}
        return {"verdict": "refused", "actions": actions, "instead": _alternatives(look, said[-1]), **already}
    return {"verdict": "legal", "actions": actions}


def _action_facts(look: Sitting, said: Said, *, told: bool) -> dict[str, Any]:
    facts = {
        "by": said.seat,
        "action": None if look.sight.is_shut(said) else look.sight.blinded(said.action),
        "text": words_of(look, said),
        "verdict": "refused" if said.refusals else "legal",
        "refusals": said.refusals,
        "by_itself": is_forced(said),
        "remarks": said.remarks,
    }
    if told and not said.refusals:
        events = look.sight.events_of(said)
        facts |= {
            "rolls": look.sight.rolls_of(said),
            "events": events,
            "told": [look.facts.game.tell(event) for event in events],
        }
    return facts
