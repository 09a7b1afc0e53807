"""`referee why`: may I? Records nothing."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import typer

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.look import heading
from referee.cli.speaking import owed
from referee.cli.throws import throw_facts, throws_told
from referee.cli.told import refused, said_facts, words_of
from referee.cli.typed import By, Faces, Words, faces_of, heard
from referee.engine.dice import Typed
from referee.engine.game import AnyGame
from referee.engine.legal import Action
from referee.engine.text import phrases_of
from referee.record.table.line import Line
from referee.record.table.sitting import Sitting


def why(ctx: typer.Context, words: Words, by: By = None, dice: Faces = None) -> Answer:
    """May I? The verdict, every rule it breaks, and what is like it; records nothing.

    \b
      referee why ACTION            referee why --by SEAT ACTION
    """
    look, said = heard(partial(ctx.obj.look, speaks=True), by, words)
    return may(look, " ".join(said), faces_of(dice))


def titles_of(game: AnyGame, actions: Iterable[Action]) -> dict[str, str]:
    """The rules by which actions may be said, each with what it says."""
    rules = dict.fromkeys(rule for action in actions for rule in game.allowed_by(type(action)))
    return {rule: game.rulebook.title(rule) for rule in rules}


def may(look: Sitting, text: str, faces: list[Typed]) -> Answer:
    """The verdict on a line without recording it. Nothing is told of what would follow from it, and no dice are shown
    that have not been thrown: asking must not be a way of looking.
    """
    phrases = phrases_of(text) or [text]
    if look.facts.keepers and len(phrases) > 1:
        raise MisuseError("in a game with secrets one action at a time can be asked about")
    if look.facts.asked:
        return owed(look, look.facts.asked)
    line = look.line(phrases, faces, supposed=True, forcing=True)
    look = look.through(look.sight.speaker)
    facts = said_facts(look, line.said, told=False)
    return _against(look, line, facts) if line.refused else _for(look, line, facts)


def _against(look: Sitting, line: Line, facts: dict[str, Any]) -> Answer:
    """Why the last of what was said may not be done."""
    last = line.said[-1]
    titles = {refusal.rule: look.facts.game.rulebook.title(refusal.rule) for refusal in last.refusals}
    says = [Text(f"{rule} says: {title}", indent=2) for rule, title in titles.items()]
    lines = [*refused(look, last, whole=len(line.said) == 1), *says]
    return Answer(lines, lambda: facts | {"rules": titles, "recorded": False}, NO)


def _for(look: Sitting, line: Line, facts: dict[str, Any]) -> Answer:
    """That all of it may be done, and by which rules."""
    need = line.awaiting.need if line.awaiting else None
    words = [words_of(look, item) for item in line.said]
    if need:
        words.append(look.facts.game.format(line.pending))
    actions = [*(item.action for item in line.said), *([line.pending] if need and line.pending else [])]
    allowed = titles_of(look.facts.game, actions)
    told: list[Shown] = [Text(f"LEGAL  {', '.join(words)}   {heading(look)}", "good")]
    told += [Text(f"Allowed by {rule}: {title}", indent=2) for rule, title in allowed.items()]
    if need:
        told += [Text(line, indent=2) for line in throws_told(need)]
    if len(line.left) > 1:
        told.append(Text("What is said after it cannot be judged before the dice fall.", indent=2))
    return Answer(
        [*told, "Nothing was recorded."],
        lambda: facts | {"said": words, "rules": allowed, **throw_facts(need), "recorded": False},
    )
