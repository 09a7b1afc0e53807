"""Lines that are answered differently in two games that differ only in what the player may not know."""

from __future__ import annotations

from functools import partial
from random import Random

from twins import at_the_table, copied, lines_for, masked, written

from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

HIDDEN = (
    ("mutants", {"hidden-movement": "yes"}, 3),
    ("mutants", {"hidden-movement": "yes", "scenario": "alternate"}, 5),
    ("sheboygan", {}, 1),
    ("sheboygan", {"scenario": "city-eating"}, 2),
    ("ambush", {}, 1),
)


class Ticking:
    """A clock that goes on whenever it is looked at, so that who thinks for a while thinks alike each time."""

    def __init__(self):
        self.seconds = 0.0

    def monotonic(self):
        self.seconds += 0.5
        return self.seconds


def in_the_shell(call, line):
    answer = call(f"-g g.jsonl {line}", width=100)
    return f"{answer.out}{answer.err}[exit {answer.code}]"


def in_a_session(viewer, line):
    return repr(at_the_table(viewer, line))


def differences(call, pair, game, monkeypatch, some=None):
    """Lines that are answered in two ways, or leave two files behind."""
    monkeypatch.setattr("referee.bots.strong_bot.time", Ticking())
    monkeypatch.setattr("referee.bots.strong_bot.count_cores", lambda: 1)
    for viewer in pair.viewers:
        look = SeatView(open_log(pair.one / "g.jsonl"), viewer)
        lines = list(lines_for(game, look, viewer))
        if some:
            lines = [*lines[:2], *Random(str(pair.one)).sample(lines[2:], min(some, len(lines) - 2))]
        for line in lines:
            for way, say in (("referee", partial(in_the_shell, call)), ("play:", partial(in_a_session, viewer))):
                told = []
                for folder, name in ((pair.one, "first"), (pair.other, "second")):
                    here = copied(folder, name)
                    monkeypatch.chdir(here)
                    told.append((masked(say(line).replace(f"/{name}/", "/")), written(here)))
                if told[0] != told[1]:
                    yield f"{viewer}: {way} {line}", told
