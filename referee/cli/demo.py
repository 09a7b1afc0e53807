"""The demo: a whole seeded game in a folder of its own, judged, audited, tampered with and branched."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer

from referee.cli.answers import show_board, show_played, show_refused, show_standing
from referee.cli.context import Context
from referee.cli.records import audit_and_tell
from referee.engine.dice import OpenDice
from referee.record.session import Judged, Session, start

SEED = "5265666572656520" + "3a" + "00" * 23
"""The demo's dice: "Referee :" in ASCII, then zeros; they settle the first turn at once and end with a winner."""
PICKS = 7
"""Seed of the two players' choices."""


def demo_command(ctx: typer.Context) -> None:
    """Play a whole game, refuse an action, audit the log, change one byte of it, branch. Nothing to press.

    \b
      referee demo
    """
    context: Context = ctx.obj
    with TemporaryDirectory() as folder:
        _play(context, Path(folder) / "demo.jsonl")


def _play(context: Context, path: Path) -> None:
    screen = context.screen
    session = start("manoover", path, dice=OpenDice(SEED), seats={"red": "Anna", "blue": "Bo"})
    _step(context, "1. A new game. Every action will be a line in a log; the dice come from a seed in it.")
    show_board(context, session, session.state)
    _step(context, "2. Dice for the first turn, dice for the turn, and what may be done:")
    while throw := session.legal().throw:
        before = session.state
        show_played(context, session, session.record(session.judge_action(next(iter(throw)))), before)
    for choice in session.legal().choices:
        screen.say(session.game.format_choice(choice), indent=2)
    _step(context, "3. Somebody moves a robot that no die names. The referee cites the rule:")
    _refuse(context, session)
    _step(context, "4. The rest of the game, each player choosing at random. The last turn:")
    show_played(context, session, *_play_on(session))
    _step(context, f"5. The log has {len(session.entries)} entries. An audit judges every one of them again:")
    audit_and_tell(context, str(path), "demo.jsonl")
    _step(context, "6. Somebody changes one byte in a copy:")
    _tamper(context, path)
    _step(context, '7. "What if?" A branch plays on from entry 9; the log stays as it is:')
    branched = session.branch("what-if", 9)
    show_standing(context, branched, branched.state)
    screen.say()
    screen.say("Your turn: referee new manoover")


def _step(context: Context, text: str) -> None:
    context.screen.say()
    context.screen.say(text, "bold")


def _refuse(context: Context, session: Session) -> None:
    legal = session.legal()
    unnamed = next(number for number in "123456" if not session.game.filter(legal, [number], session.state))
    said = session.judge(f"{unnamed} go")
    show_refused(context, session, said, session.state)


def _play_on(session: Session) -> tuple[list[Judged], Any]:
    """Play to the end; return what was done in the last turn, and the state before it."""
    rng = random.Random(PICKS)
    turn, done, before = 0, list[Judged](), session.state
    while session.to_act:
        now = session.game.turn_of(session.state)
        if now != turn:
            turn, done, before = now, [], session.state
        action = rng.choice(list(rng.choice(session.legal().choices)))
        done += session.record(session.judge_action(action))
    return done, before


def _tamper(context: Context, path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = data.index(b'"faces":[', len(data) // 2) + len(b'"faces":[')
    old = data[at]
    data[at] = ord("1") if old == ord("6") else old + 1
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(bytes(data))
    context.screen.say(f"byte {at}: a die shows {chr(data[at])} instead of {chr(old)}", indent=2)
    audit_and_tell(context, str(copy), "copy.jsonl")
