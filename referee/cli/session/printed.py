"""Answers of a session as they are printed, where no editor draws the screen."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size

from referee.cli.screen import CLEAR
from referee.cli.session.conversation import Reply


def show(reply: Reply, notes: list[str] | None = None) -> None:
    """Print what came back."""
    if reply.clear and sys.stdout.isatty():  # where nothing can be cleared it scrolls away
        sys.stdout.write("\n" * get_terminal_size().lines if os.environ.get("TERM") == "dumb" else CLEAR)
    sys.stdout.writelines(f"{line}\n" for line in [*(notes or ()), *reply.rows()])
    sys.stdout.flush()
