"""Who watches is told the same as who loads the page later: every word, every chance, every rule, every board."""

from __future__ import annotations

from rooms import SHIPPED, add, cut
from support import FIXTURES

from referee.cli.log_file import WatchedLogFile
from referee.engine.secret import UnknownError
from referee.record.table.opening_logs import open_log
from referee.serve.live_view import LiveView
from referee.serve.watched_log import UnreadableLogError

LATER = 12


def told(view):
    """Each entry that a page of this view tells, and the board at last."""
    steps = {
        step.n: (step.headline, step.entry_text, step.event_texts, step.chances, step.rules)
        for step in view._story.steps
    }
    return steps, view._story.rules, view._builder.last_boards.boards


def seen(log, eyes):
    """A view made now; None: these eyes' secrets are not here."""
    view, served = LiveView(eyes), WatchedLogFile(open_log(log))
    try:
        view.update(served, served.last_reading)
    except UnreadableLogError as error:
        assert isinstance(error.__cause__, UnknownError)
        return None
    return view, served


def test_a_view_that_went_on_is_one_made_later(game, tmp_path):
    log, shipped = tmp_path / "g.jsonl", FIXTURES / SHIPPED[game]
    played = len(shipped.read_bytes().splitlines()) * 2 // 3
    for eyes in (None, *open_log(shipped).reducer.seats):
        later = cut(shipped, played, log)[:LATER]
        found = seen(log, eyes)
        if found is None:
            continue
        view, served = found
        for line in later:
            add(log, line)
            view.update(served, served.read_log())
        fresh, _ = seen(log, eyes)
        (steps, rules, boards), (expected, named, drawn) = told(view), told(fresh)
        assert {n: steps[n] for n in expected} == expected
        assert named.items() <= rules.items()
        assert boards == drawn
