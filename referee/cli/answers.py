"""Verdicts and positions as people read them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from referee.cli.context import Context, player_of, when
from referee.engine.adjudicate import Played
from referee.engine.dice import Need, OpenDice
from referee.engine.game import REFEREE, Seat
from referee.engine.legal import Legal
from referee.engine.text import begin_sentence, count_of, nearest
from referee.show.text import captions, picture

if TYPE_CHECKING:
    from referee.engine.scene import Scene
    from referee.record.faults import Fault
    from referee.record.session import Judged, Session

MANY = 1_000_000
ENOUGH = 500
"""Legal actions looked through for ones like what was said."""


def show_board(context: Context, session: Session, state: Any, seat: Seat | None = None) -> None:
    """The board as text, as far as a seat may see it."""
    show_scene(context, session.game.draw(session.game.view(state, seat)))


def show_scene(context: Context, scene: Scene) -> None:
    """A scene as text."""
    screen = context.screen
    screen.rows(picture(scene, screen.paint, ascii_only=screen.ascii, width=screen.width))
    for line in captions(scene, screen.width):
        screen.say(line)


def show_refused(context: Context, session: Session, judged: list[Judged], state: Any) -> None:
    """A refusal: every rule the last action breaks in `state`, and what could be done instead."""
    said = judged[-1]
    screen, game = context.screen, session.game
    screen.say(f"REFUSED  {game.format(said.action)}   {context.heading(session, state)}", "refused")
    for refusal in said.refusals:
        screen.say(f"{refusal.rule}  {sentence(refusal.because)}", indent=2)
    legal = game.legal(state, said.seat)
    instead = alternatives(session, legal, said)
    if len(judged) > 1:
        screen.say("What was said before it is legal, but nothing of this line was recorded.", indent=2)
    elif instead:
        count = f" {len(legal)}" if len(legal) < MANY else ""
        more = f"     (all{count}: referee legal)" if len(legal) > len(instead) else ""
        screen.say(f"Instead: {',   '.join(instead)}{more}", indent=2)
    screen.say(f"The rule: referee rules {said.refusals[0].rule}", indent=2)


def show_played(context: Context, session: Session, judged: list[Judged], before: Any) -> None:
    """What happened, as things to do with the pieces on the board."""
    context.screen.say(context.heading(session, before))
    for item in judged:
        assert isinstance(item.verdict, Played)
        context.screen.say(f"{item.seat}: {session.game.format(item.action)}", "bold")
        for event in item.verdict.events:
            context.screen.say(session.game.tell(event), indent=2)


def show_standing(context: Context, session: Session, state: Any, seat: Seat | None = None) -> None:
    """The heading, what the game waits for, and what to type."""
    context.tell_standing(session, state, seat)
    show_next(context, session, state, seat)


def show_moment(context: Context, session: Session, seat: Seat | None = None) -> None:
    """Where the game has come to after something was recorded, and what to type."""
    context.screen.say(f"Now {when(session, session.state)}: {session.game.standing(session.view(seat))}")
    show_next(context, session, session.state, seat)


def show_next(context: Context, session: Session, state: Any, seat: Seat | None = None) -> None:
    """What to type next; what another may do is no secret only if the game keeps none."""
    screen, game = context.screen, session.game
    mover = game.to_act(state)
    if mover is None:
        return
    if session.keeps_secrets and seat not in (mover, REFEREE):
        screen.say(f"Next: {player_of(session, mover)}, with referee legal", indent=2)
        return
    legal = game.legal(state, mover)
    only = legal.only()
    if legal.throw:
        screen.say(f"Next: {_throw_hint(session, legal.throw.need)}", indent=2)
    elif only is not None:
        screen.say(f"Next: referee do {game.format(only)}", indent=2)
    else:
        screen.say(f"Next: referee legal lists {how_many(len(legal))}", indent=2)


def how_many(actions: int) -> str:
    """A number of actions as a person would say it."""
    return count_of(actions, "action") if actions < MANY else "more actions than anybody will count"


def _throw_hint(session: Session, need: Need | None) -> str:
    assert need is not None
    if isinstance(session.header.dice, OpenDice):
        return f"referee roll   ({need})"
    return f"throw {need}, then: referee roll FACES"


def alternatives(session: Session, legal: Legal, said: Judged) -> list[str]:
    """Up to three legal actions that look most like what was said."""
    texts = [session.game.format(action) for action in islice(legal, ENOUGH)]
    close = nearest(session.game.format(said.action), texts, at_most=3)
    return list(dict.fromkeys([*close, *texts]))[:3]


def show_fault(context: Context, name: str, fault: Fault | None, *, unjudged: bool = False) -> None:
    """The verdict of an audit on one log; `unjudged`: that some plays cannot be judged yet."""
    screen = context.screen
    if fault is None:
        screen.say(f"{'CLEAN SO FAR' if unjudged else 'CLEAN'}  {name}", "good")
        return
    screen.say(f"FAULT  {name}: entry {fault.n}, byte {fault.offset}", "refused")
    screen.say(f"{fault.rule or fault.code}  {fault.cause}", indent=2)


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{begin_sentence(clause)}."


def judged_json(session: Session, judged: list[Judged], state: Any) -> dict[str, Any]:
    """A verdict with every fact that prose carries."""
    last = judged[-1]
    actions = [
        {
            "by": item.seat,
            "action": item.action,
            "text": session.game.format(item.action),
            "verdict": "refused" if item.refusals else "legal",
            "refusals": item.refusals,
            **_played_json(session, item),
        }
        for item in judged
    ]
    facts: dict[str, Any] = {"verdict": "refused" if last.refusals else "legal", "actions": actions}
    if last.refusals:
        facts["instead"] = alternatives(session, session.game.legal(state, last.seat), last)
    return facts


def _played_json(session: Session, item: Judged) -> dict[str, Any]:
    if not isinstance(item.verdict, Played):
        return {}
    told = [session.game.tell(event) for event in item.verdict.events]
    return {"rolls": item.verdict.rolls, "events": item.verdict.events, "told": told}


def standing_json(context: Context, session: Session, state: Any, seat: Seat | None = None) -> dict[str, Any]:
    """Where a game stands, as far as a seat may know."""
    game = session.game
    state = game.view(state, seat)
    return {
        "game": game.name,
        "log": str(session.path) if session.path else "-",
        "entry": context.check_at(session),
        "head": session.head.hash,
        "turn": game.turn_of(state),
        "to_act": game.to_act(state),
        "seen_by": seat,
        "dice": session.header.dice,
        "standing": game.standing(state),
        "outcome": game.outcome(state),
        "options": session.header.options,
        "position": game.position_of(state),
    }
