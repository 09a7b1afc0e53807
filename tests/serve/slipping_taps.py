"""Fingers that slip: every button of a phone is tapped twice, and one thing at most is recorded."""

from __future__ import annotations

from tapping_players import tap

from referee.record.log.entry import DeedEntry, PlayEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.visible_log import list_spoken_newest_first

SPACINGS = (0, 60, 150, 300)
"""Milliseconds between two taps of one finger that meant one."""
BUTTONS = "#phone button:not(:disabled):visible"
REST = """async () => {
  const real = (self.realNow ??= performance.now.bind(performance));
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  performance.now = () => real() + (self.ahead ?? 0);
  for (let calm = 0; calm < 2; ) {
    await frame();
    calm = document.querySelector("#phone[data-on]:not(.sent):not(:has([data-fresh]))") ? calm + 1 : 0;
    if (calm || document.querySelector("#phone.sent")) continue;
    self.ahead = (self.ahead ?? 0) + 600;
    dispatchEvent(new Event("resize"));
  }
}"""
"""Waits for the answer of a phone. Then more than half a second passes for the phone, and almost none for the test."""


def rest(tab):
    """Wait until the phone has its answer and each of its buttons takes taps."""
    tab.evaluate(REST)


def spread(tab):
    """A phone that has come to rest, with all that is folded open; what can be pressed there."""
    rest(tab)
    tab.evaluate("for (const it of document.querySelectorAll('#phone details')) it.open = true")
    rest(tab)
    return tab.locator(BUTTONS).all_inner_texts()


def tapped_twice(tab, number, spacing):
    """Tap a button, and the same spot of the screen once more."""
    button = tab.locator(BUTTONS).nth(number)
    button.scroll_into_view_if_needed()
    rest(tab)
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.touchscreen.tap(x, y)
    tab.wait_for_timeout(spacing)
    tab.touchscreen.tap(x, y)
    rest(tab)


def check_taps(here, seat, tab, taps):
    """Whatever is tapped twice records one thing at most, and nothing that nobody takes back."""
    before, first = here.log.read_bytes(), len(open_log(here.log).entries)
    words = spread(tab)
    for number, spacing in taps:
        tapped_twice(tab, number, spacing)
        if here.log.read_bytes() != before:
            check_one_thing(open_log(here.log), first, (words[number], spacing))
            tab.goto("about:blank")
            put_back(here, seat, before)
        elif spread(tab) == words:
            continue  # the phone shows what it showed
        tab.goto(here.url(seat))
        if words != spread(tab):
            tap(tab, "Ask no more")
        assert spread(tab) == words


def check_one_thing(session, first, tapped):
    """Of the entries from the first new one on, one was said, and none ends, opens or agrees."""
    more = session.entries[first:]
    spoken = set(list_spoken_newest_first(session))
    said = [entry for entry in more if not isinstance(entry, PlayEntry) or entry.n in spoken]
    assert len(said) <= 1, (tapped, said)
    deeds = [entry for entry in more if isinstance(entry, DeedEntry)]
    assert not any(deed.irreversible == "ended" or deed.opens_secret or deed.agreed for deed in deeds), (tapped, said)


def put_back(here, seat, before):
    """Let the game be as it was, which the server has to see."""
    viewer = here.watch(seat)
    here.log.with_name(f"{here.log.name}.head").unlink()  # that its end is lost is meant
    here.log.write_bytes(before)
    viewer.until("anew")
    viewer.close()
