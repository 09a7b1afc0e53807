"""A conversation, line by line, as `play` holds it."""

from __future__ import annotations

from referee.cli.screen import Screen
from referee.cli.session.repl import Repl
from referee.record.table.opening_logs import open_log


class Table:
    """A conversation, and what it answers."""

    def __init__(self, log, **more):
        self.talk = Repl(open_log(log), lambda: Screen(colour="never", width=80), **more)

    def say(self, line):
        reply = self.talk.run_line(line)
        self.code = reply.answer.code
        return "\n".join(reply.render_rows())
