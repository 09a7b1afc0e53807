"""`referee demo`: a whole game with random moves in a temporary folder, then an audit, a forgery and a branch."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

from msgspec import Struct
from typer import Argument, Option

from referee.cli.action_text import describe_played_actions, describe_refusal
from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.audit_report import answer_on_report
from referee.cli.game_view import answer_with_summary, make_current_picture
from referee.engine.dice_mode import OpenDice
from referee.engine.registry import game_names
from referee.engine.text import NotUnderstoodError
from referee.record.archive.audit import audit
from referee.record.table.moment import JudgedAction
from referee.record.table.opening_logs import branch, start
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

MAX_SEEDS = 24
"""The number of seeds tried for a game that ends soon."""
MAX_ACTIONS = 400
"""The largest number of actions in a game that is shown."""
MAX_LINE = 76
"""The most characters of a line without `--full`."""


class DemoStep(Struct, frozen=True):
    """One step of the demonstration."""

    title: str
    lines: tuple[AnswerLine, ...]
    brief: tuple[AnswerLine, ...] = ()
    """The lines that are shown without `--full`, so that the whole fits on a small screen."""


def demo(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="A game; default: the first one.")] = None,
    full: Annotated[bool, Option("--full", help="Show the board and every line.")] = False,
) -> Answer:
    """Watch a whole sample game: moves, a refusal, an audit, one changed byte, a branch. You press nothing.

    \b
      referee demo                  referee demo GAME --full
    """
    with TemporaryDirectory() as folder:
        name = game or game_names()[0]
        session, said = _find_short_game(name, Path(folder))
        steps = [*_show_game(session, said), *_show_record(session, Path(str(session.path)))]
    lines = [line for number, step in enumerate(steps, 1) for line in _show_step(number, step, full=full)]
    lines.append(f"Your turn: referee new {name}" + ("" if full else "     (with the board: referee demo --full)"))
    return Answer(lines, lambda: {"game": name, "told": [line.text for line in lines if isinstance(line, Text)]})


def _show_step(number: int, step: DemoStep, *, full: bool) -> Iterator[AnswerLine]:
    """Yields the title of a step, then its lines: all of them with `full`, otherwise the few of its short form."""
    yield Text(f"{number}. {step.title}", "bold")
    if full:
        yield from (*step.lines, "")
    else:
        yield from (line.shorten(MAX_LINE) if isinstance(line, Text) else line for line in step.brief)


def _find_short_game(game: str, folder: Path) -> tuple[Session, list[JudgedAction]]:
    """Returns a new game and its actions, which are not recorded yet.

    They come from the first seed whose game ends in fewer than `MAX_ACTIONS` actions, otherwise from the last seed.
    """
    for number in range(MAX_SEEDS):
        path = folder / str(number) / "demo.jsonl"
        path.parent.mkdir()
        session = start(game, path, dice=OpenDice(f"{number:064x}"), seats=["Anna", "Bo"])
        said = list(islice(_play_at_random(SeatView(session), Random(number)), MAX_ACTIONS))
        if len(said) < MAX_ACTIONS:
            break
    return session, said


def _play_at_random(look: SeatView, random: Random) -> Iterator[JudgedAction]:
    """Yields the actions of a whole game without recording them: forced actions, or else random legal ones."""
    line = look.judge_line([])
    while line.to_act:
        legal = line.legal
        line = look.judge_line([legal.only_action() or legal.pick(random)], after=line)
        yield from line.said


def _show_game(session: Session, said: list[JudgedAction]) -> Iterator[DemoStep]:
    look = SeatView(session)
    yield DemoStep("A new game. Its log keeps every move and the seed of the dice.", (make_current_picture(look),))
    first = next((n for n, item in enumerate(said) if len(look.before_action(item).sight.legal) > 1), 0)
    choosing = look.before_action(said[first])
    choices = choosing.sight.legal.choices[:12]
    legal = tuple(Text(look.facts.game.format_choice(choice), indent=2) for choice in choices)
    forced = describe_played_actions(look, said[:first])
    yield DemoStep("Forced moves, until there is a choice. Some of the legal moves then:", (*forced, *legal), legal[:2])
    wrong = next(_list_illegal_actions(choosing), None)
    refused = tuple(describe_refusal(look, wrong, whole=True)) if wrong else ()
    yield DemoStep("Somebody tries an illegal move. The referee names the rule:", refused, refused[:3])
    look.session.record(said)
    end = tuple(describe_played_actions(look.before_action(said[-3]), said[-3:]))
    yield DemoStep("The rest of the game with random moves. The end:", end, end[-2:])


def _list_illegal_actions(look: SeatView) -> Iterator[JudgedAction]:
    """Yields refused actions: the game's examples that are illegal now, then a legal action said by other seats."""
    tries = [(phrase, look.sight.speaker) for phrase in look.facts.game.examples]
    tries += [(look.facts.game.format(next(iter(look.sight.legal))), seat) for seat in look.facts.seats]
    for phrase, seat in tries:
        try:
            line = look.with_eyes(seat).judge_line([phrase])
        except NotUnderstoodError:
            continue
        if line.refused:
            yield line.said[-1]


def _show_record(session: Session, path: Path) -> Iterator[DemoStep]:
    audited = tuple(answer_on_report("demo.jsonl", audit(path)).lines)
    count = len(session.entries)
    yield DemoStep(f"The log has {count} entries. An audit checks each of them again:", audited, audited[:1])
    byte, copy = _change_one_byte(path)
    forged = (byte, *answer_on_report("copy.jsonl", audit(copy)).lines)
    yield DemoStep("Somebody changes one byte in a copy:", forged, forged[:3])
    branched = branch(session, "what-if", count // 2, agreed=session.public.seats)
    summary = tuple(answer_with_summary(SeatView(branched)).lines)
    yield DemoStep(
        f'"What if?" A branch plays on from entry {count // 2}. The log stays as it is:', summary, summary[:2]
    )


def _change_one_byte(path: Path) -> tuple[Text, Path]:
    """Changes one byte in a copy of a log. Returns a line that says which one, and the copy."""
    data, copy = path.read_bytes(), path.with_name("copy.jsonl")
    found = re.compile(rb'"faces":\[(?=\d)').search(data, len(data) // 2) or re.compile(rb'"(?=\w)').search(data)
    at = found.end() if found else 0
    forged = "1" if data[at] != ord("1") else "2"
    copy.write_bytes(data[:at] + forged.encode() + data[at + 1 :])
    return Text(f"byte {at}: {forged} instead of {chr(data[at])}", indent=2), copy
