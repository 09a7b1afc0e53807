"""Runs a program of the user's own, such as one that rings a bell: for another seat to act, a mail, or a pace.

The program gets the public facts of the game as JSON on its stdin. No text of others is ever a part of its command, and
no shell reads it.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any, Literal

from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.mail.awaited_seat import measure_wait_of_game
from referee.engine.event import Seat
from referee.record.log.entry import encode_for_log
from referee.record.table.seat_view import SeatView

HookReason = Literal["turn", "mail", "pace"]
"""The reason for which a program runs: another seat has to act, a mail has come, or a pace is over."""
LIMIT_SECONDS = 60.0
"""The seconds after which the program is stopped."""


class TurnHook:
    """A hook that runs a program whenever another seat has to act, and gives it the facts about the game."""

    def __init__(self, command: str, report: Callable[[str], None], limit: float = LIMIT_SECONDS) -> None:
        """Makes a hook that runs a program.

        `command` is the program with its arguments, as typed. `report` gets a sentence if the program fails. `limit` is
        the number of seconds after which the program is stopped.

        Raises MisuseError if `command` is faulty, or if there is no such program.
        """
        self._command, self._report, self._limit = _parse_program(command), report, limit
        self._last: dict[Path | None, Seat | None] = {}
        """The seat that had to act in each game when the hook last looked."""
        self._running: list[Thread] = []

    def note_turn(self, look: SeatView) -> None:
        """Notes who has to act in a game, and runs nothing."""
        self._last[look.log.path] = look.facts.to_act

    def run_if_turn_changed(self, look: SeatView, own: Seat | None = None, *, has_mail: bool = False) -> None:
        """Runs the program if the seat to move is not the same as at the last look, or if a mail has come.

        The first look at a game runs the program, too. `own` is the seat of this player.
        """
        path, seat = look.log.path, look.facts.to_act
        is_next = path not in self._last or self._last[path] != seat
        if is_next or has_mail:
            self._last[path] = seat
            self._start(_collect_turn_facts(look.with_eyes(None), own, "turn" if is_next else "mail"))

    def run_for_overdue_game(self, look: SeatView, own: Seat | None = None) -> None:
        """Runs the program because a game has waited longer than its pace. `own` is the seat of this player."""
        self._start(_collect_turn_facts(look.with_eyes(None), own, "pace"))

    def _start(self, facts: dict[str, Any]) -> None:
        thread = Thread(target=self._run, args=(encode_for_log(facts),), daemon=True)
        self._running = [one for one in self._running if one.is_alive()] + [thread]
        thread.start()

    def wait_for_programs(self) -> None:
        """Waits until all programs have ended or were stopped."""
        for thread in self._running:
            thread.join()

    def _run(self, facts: bytes) -> None:
        name = self._command[0]
        try:
            ended = subprocess.run(
                self._command,
                input=facts,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self._limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self._report(f"{name} took longer than {self._limit:g} seconds and was stopped.")
        except OSError as error:
            self._report(f"{name} cannot be run: {error.strerror or error}.")
        else:
            if ended.returncode:
                self._report(f"{name} failed: it ended with {ended.returncode}.")


def make_turn_hook(context: Context, command: str | None) -> TurnHook | None:
    """Returns the hook for `--run`, which reports on the terminal; None if no command was typed.

    Raises MisuseError if the command is faulty, or if there is no such program.
    """
    return TurnHook(command, context.show_problem) if command is not None else None


def _parse_program(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise MisuseError("--run has a quote that is not closed") from error
    if not words:
        raise MisuseError("--run needs a program")
    if shutil.which(words[0]) is None:
        raise MisuseError(f"there is no program {words[0]!r} to run")
    return words


def _collect_turn_facts(look: SeatView, own: Seat | None, because: HookReason) -> dict[str, Any]:
    """Returns what everybody may know about the game now, and why the program runs."""
    facts, seat = look.facts, look.facts.to_act
    return {
        "because": because,
        "log": str(look.log.path),
        "game": facts.game.name,
        "entry": look.log.entry_number,
        "turn": facts.turn,
        "to_act": seat,
        "player": facts.names[seat] if seat else None,
        "yours": own is not None and seat == own,
        "status": look.sight.status,
        "outcome": facts.outcome,
        "wait": measure_wait_of_game(look.session),
    }
