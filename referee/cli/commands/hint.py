"""`referee hint`: what would a bot do? Records nothing."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from referee.bots.bot import SECONDS, Seen
from referee.bots.strong_bot import Searched, search
from referee.cli.answer import Answer, Shown, Text
from referee.cli.look import summary
from referee.cli.screen import waiting
from referee.cli.speaking import owed
from referee.cli.typed import By, check_seconds
from referee.engine.text import count_of
from referee.record.archive.workers import cores, workers
from referee.record.log.faults import NotAllowedError

if TYPE_CHECKING:
    from referee.record.table.sitting import Sitting

BEST = 3
"""Actions that are told."""
LONGEST = 3_600
"""Seconds that may be taken."""
SURE = 2.0
"""Standard errors by which an action must lie behind the best to be called worse."""
Seconds = Annotated[float, Option("--seconds", metavar="S", help="Time to think.")]


def hint(ctx: typer.Context, by: By = None, seconds: Seconds = SECONDS) -> Answer:
    """What would a bot do here? The three best actions it has found, each with the chance to win and how sure that is.

    It thinks on all cores; Ctrl-C makes it tell what it has found so far.

    \b
      referee hint                  referee hint --seconds 10
    """
    check_seconds(seconds, LONGEST)
    look: Sitting = ctx.obj.look(by, speaks=True)
    if look.pact is not None and not look.facts.header.hints:
        raise NotAllowedError("in a game by mail hints are asked for only where it began with --hints, for all to see")
    if look.facts.asked:
        return owed(look, look.facts.asked)
    own = look.through(look.sight.speaker)
    if not own.sight.legal:
        idle = f"{own.facts.player(own.sight.speaker)} can do nothing now"
        raise NotAllowedError("the game is over" if own.facts.to_act is None else idle)
    random = Random(f"{own.facts.header.nonce} {own.log.entry} hint")
    with workers(cores()) as executor:
        seen = Seen(
            own.facts.game,
            own.sight.view,
            own.sight.speaker,
            random,
            seconds,
            executor=executor,
            tell=waiting("Thinking"),
            hurries=True,
        )
        found = search(seen).found
    return Answer(_told(own, found), lambda: _facts(own, found))


def _told(look: Sitting, found: list[Searched]) -> list[Shown]:
    best, *others = found[:BEST]
    if not others:
        return [*summary(look), Text(f"{_why_one(look)}: {look.facts.game.format(best.action)}.", indent=2)]
    lines: list[Shown] = [
        *summary(look),
        Text(f"{look.facts.game.format(best.action)}   {_worth(best)}", "good", indent=2),
    ]
    for one in others:
        sure = "" if one.is_behind(best, SURE) else ", as good as far as can be told"
        lines.append(Text(f"{look.facts.game.format(one.action)}   {_worth(one)}{sure}", indent=2))
    lines.append(f"How likely you are to win with it, draws counted half: by {_how(found)}.")
    return lines


def _how(found: list[Searched]) -> str:
    """How these chances were come by."""
    playouts = sum(one.count for one in found)
    if not playouts:
        return "a rule of thumb alone; --seconds gives more time"
    return f"{count_of(playouts, 'playout')} of {count_of(len(found), 'action')} and a rule of thumb"


def _why_one(look: Sitting) -> str:
    """Why no more than one action is looked at."""
    if look.sight.legal.count == 1:
        return "Only one thing can be done"
    if look.facts.game.opening(look.sight.view, look.sight.speaker) is not None:
        return "A good opening"
    goes_on = sum(len(choice) for choice in look.sight.legal.choices if not choice.minor)
    return "All that bots look at here" if goes_on <= 1 else "Bots leave this to lots"


def _worth(one: Searched) -> str:
    """What it is worth, from -1 to 1, as a chance to win."""
    chance = f"{50 * (1 + one.worth):.1f} %"
    return f"{chance} ± {50 * one.error:.1f}" if one.count > 1 else chance


def _facts(look: Sitting, found: list[Searched]) -> dict[str, Any]:
    rows = [
        {
            "action": one.action,
            "text": look.facts.game.format(one.action),
            "worth": one.worth,
            "error": one.error,
            "playouts": one.count,
        }
        for one in found[:BEST]
    ]
    return {"seat": look.sight.speaker, "best": rows}
