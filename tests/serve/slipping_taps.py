"""Fingers that slip: every button of a phone is tapped twice, and one thing at most is recorded."""

from __future__ import annotations

from referee.record.log.entry import DeedEntry, PlayEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.visible_log import list_spoken_entries

SPACINGS = (0, 60, 150, 300)
"""Milliseconds between two taps of one finger that meant one."""
BUTTONS = "#phone button:not(:disabled):visible"
QUIET = "#phone:not(.sent):not(:has([data-fresh]))"


def spread(tab):
    """A phone that has come to rest, with all that is folded open; what can be pressed there."""
    tab.locator(QUIET).wait_for()
    tab.evaluate("for (const it of document.querySelectorAll('#phone details')) it.open = true")
    tab.locator(QUIET).wait_for()
    return tab.locator(BUTTONS).all_inner_texts()


def tapped_twice(tab, number, spacing):
    """Tap a button, and the same spot of the screen once more."""
    button = tab.locator(BUTTONS).nth(number)
    button.scroll_into_view_if_needed()
    tab.locator(QUIET).wait_for()
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.touchscreen.tap(x, y)
    tab.wait_for_timeout(spacing)
    tab.touchscreen.tap(x, y)
    tab.locator(QUIET).wait_for()


def check_taps(here, seat, tab, taps):
    """Whatever is tapped twice records one thing at most, and nothing that nobody takes back."""
    before, first = here.log.read_bytes(), len(open_log(here.log).entries)
    for number, spacing in taps:
        tapped_twice(tab, number, spacing)
        session = open_log(here.log)
        more = session.entries[first:]
        said = [
            entry for entry in more if not isinstance(entry, PlayEntry) or entry.n in set(list_spoken_entries(session))
        ]
        assert len(said) <= 1, (number, spacing, said)
        deeds = [entry for entry in more if isinstance(entry, DeedEntry)]
        assert not any(deed.irreversible == "ended" or deed.opens or deed.agreed for deed in deeds), said
        tab.goto("about:blank")
        if more:
            put_back(here, seat, before)
        tab.goto(here.url(seat))
        spread(tab)


def put_back(here, seat, before):
    """Let the game be as it was, which the server has to see."""
    viewer = here.watch(seat)
    here.log.with_name(f"{here.log.name}.head").unlink()  # that its end is lost is meant
    here.log.write_bytes(before)
    viewer.until("anew")
    viewer.close()
