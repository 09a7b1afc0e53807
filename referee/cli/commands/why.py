"""`referee why`: judges a move without recording it."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import typer

from referee.cli.action_text import collect_line_facts, describe_action, describe_house_rules, describe_refusal
from referee.cli.answer import NO, Answer, AnswerLine, Text
from referee.cli.arguments import ActingSeatOption, ActionArgument, FacesOption, parse_faces, split_off_speaker
from referee.cli.dice_text import collect_roll_facts, describe_roll
from referee.cli.errors import NOT_DONE, MisuseError
from referee.cli.game_view import make_heading
from referee.cli.play_flow import report_missing_answer
from referee.engine.choice import Action
from referee.engine.dice import TypedDie
from referee.engine.game import AnyGame
from referee.engine.text import split_phrases
from referee.record.table.action_batch import ActionBatch
from referee.record.table.seat_view import SeatView


def why(ctx: typer.Context, words: ActionArgument, by: ActingSeatOption = None, dice: FacesOption = None) -> Answer:
    """Check a move: show the verdict, every rule it breaks, and similar legal moves. Records nothing.

    \b
      referee why ACTION            referee why --by SEAT ACTION
    """
    look, said = split_off_speaker(partial(ctx.obj.open_view, speaks=True), by, words)
    return answer_without_recording(look, " ".join(said), parse_faces(dice))


def index_allowing_rules(game: AnyGame, actions: Iterable[Action]) -> dict[str, str]:
    """Returns the texts of the rules that allow these actions, by rule id."""
    rules = dict.fromkeys(rule for action in actions for rule in game.allowing_rules(type(action)))
    return {rule: game.rulebook.find_text(rule) for rule in rules}


def answer_without_recording(look: SeatView, text: str, faces: list[TypedDie]) -> Answer:
    """Returns the verdict on a typed line of actions without recording them.

    The answer shows neither later results nor dice that nobody has rolled, so that nobody learns anything by asking.
    Raises MisuseError for several actions in a game with secrets.
    """
    phrases = split_phrases(text) or [text]
    if look.facts.keepers and len(phrases) > 1:
        raise MisuseError("in a game with secrets, ask about one move at a time")
    if look.facts.asked_seat:
        return report_missing_answer(look, look.facts.asked_seat, NOT_DONE)
    line = look.judge_line(phrases, faces, supposed=True, make_forced=True)
    look = look.with_eyes(look.sight.speaker)
    facts = collect_line_facts(look, line.said, told=False)
    return _answer_refused(look, line, facts) if line.refused else _answer_legal(look, line, facts)


def _answer_refused(look: SeatView, line: ActionBatch, facts: dict[str, Any]) -> Answer:
    """Returns the answer to a typed line whose last action is refused, with the titles of the broken rules."""
    last = line.said[-1]
    titles = {refusal.rule: look.facts.game.rulebook.find_text(refusal.rule) for refusal in last.refusals}
    says = [Text(f"{rule} says: {title}", indent=2) for rule, title in titles.items()]
    lines = [*describe_refusal(look, last, whole=len(line.said) == 1), *says]
    return Answer(lines, lambda: facts | {"rules": titles, "recorded": False}, NO)


def _answer_legal(look: SeatView, line: ActionBatch, facts: dict[str, Any]) -> Answer:
    """Returns the answer to a typed line of legal actions, with the rules that allow them."""
    need = line.awaiting.need if line.awaiting else None
    words = [describe_action(look, item) for item in line.said]
    if need:
        words.append(look.facts.game.format(line.pending))
    actions = [*(item.action for item in line.said), *([line.pending] if need and line.pending else [])]
    allowed = index_allowing_rules(look.facts.game, actions)
    told: list[AnswerLine] = [Text(f"LEGAL  {', '.join(words)}   {make_heading(look)}", "good")]
    for rule, title in allowed.items():
        told += [Text(f"Allowed by {rule}: {title}", indent=2), *describe_house_rules(look, [rule])]
    if need:
        told += [Text(line, indent=2) for line in describe_roll(need)]
    if len(line.left) > 1:
        told.append(Text("The rest of the line can be judged only after the roll.", indent=2))
    return Answer(
        [*told, "Nothing was recorded."],
        lambda: facts | {"said": words, "rules": allowed, **collect_roll_facts(need), "recorded": False},
    )
