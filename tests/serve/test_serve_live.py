"""What comes while somebody looks: entries, takebacks, another record, a log that breaks off."""

from __future__ import annotations

import msgspec
import pytest
from rooms import add

from referee.cli.html_page import make_story_without_files
from referee.page.document import PageBuilder
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView
from referee.record.table.undo_redo import redo, undo


def test_an_entry_comes_to_who_looks(table, game):
    here = table(game)
    viewers = [here.watch() for _ in range(8)]
    add(here.log, here.later[0])
    steps = [viewer.until("entry")["step"] for viewer in viewers]
    n = len(here.log.read_bytes().splitlines()) - 1
    assert {step["n"] for step in steps} == {n}
    look = SeatView(open_log(here.log))
    assert steps[0]["said"] == make_story_without_files(look, n).steps[0].entry_text


def as_sent(boards):
    return msgspec.json.decode(msgspec.json.encode(boards))


def parts_after(events, boards):
    """The boards once these frames are drawn."""
    for event in events:
        frame = event["frame"]
        for at, key in frame.get("gone", ()):
            del boards[at][key]
        for at, key, part in frame.get("drawn", ()):
            boards[at][key] = part
    return boards


def test_the_board_that_comes_is_the_one_that_is_drawn(table, game):
    """All entries at once, one by one, and with a sleep between: the same board, and that of a page made later."""
    here = table(game)
    first = PageBuilder(make_story_without_files(SeatView(open_log(here.log)), 0).steps)
    boards = as_sent(first.last_boards.boards)
    watching, sleeping = here.watch(), here.watch()
    came = []
    for line in here.later[:3]:
        add(here.log, line)
        came.append(watching.until("entry"))
    assert sleeping.until("entry")["step"]["n"] == came[0]["step"]["n"]
    sleeping.close()
    add(here.log, *here.later[3:])
    came += [watching.until("entry") for _ in here.later[3:]]
    again = here.watch(after=sleeping.place)
    missed = [again.until("entry") for _ in here.later[1:]]
    assert missed == came[1:]
    last = PageBuilder(make_story_without_files(SeatView(open_log(here.log)), 0).steps).last_boards
    assert parts_after(came, boards) == as_sent(last.boards)


def test_what_is_taken_back_is_told(table):
    here = table(later=0)
    viewer = here.watch()
    session = open_log(here.log)
    undo(session, 1, agreed=session.reducer.seats)
    sent = viewer.until("entry")
    assert sent["taken"]
    redo(session, agreed=session.reducer.seats)
    assert sent["taken"][-1] not in viewer.until("entry")["taken"]


def test_another_record_is_loaded_again(table):
    """The log is rewritten: with other entries, or with fewer."""
    here = table()
    before = here.log.read_bytes()
    viewer = here.watch()
    add(here.log, *here.later)
    for _ in here.later:
        viewer.until("entry")
    here.log.write_bytes(before)
    assert viewer.next() == ("anew", {})
    assert viewer.next() is None
    other = here.watch()
    record_note(open_log(here.log), "something else")
    assert other.until("entry")["step"]["said"].endswith("something else")


@pytest.mark.parametrize("place", ["", "0.0", "1.999", "99.3", "x", "-1.2", "1.2.3", "%D9%A3.%D9%A3", "9" * 400])
def test_who_stands_nowhere_loads_the_page_again(table, place):
    assert table().watch(after=place or "%20").next() == ("anew", {})


def test_a_log_that_breaks_off_and_is_mended(table, game):
    here = table(game)
    viewer, whole = here.watch(), here.log.read_bytes()
    add(here.log, here.later[0][:40])
    assert "ends in the middle of an entry" in viewer.until("notice")["words"]
    add(here.log, here.later[0][40:])
    assert viewer.next()[0] == "entry"
    assert viewer.next() == ("notice", {"words": ""})
    here.log.write_bytes(whole.replace(b'"n":1,', b'"n":7,', 1))
    told = viewer.until("notice")["words"]
    assert told.startswith("The log cannot be read from entry 1 on.")
    assert str(here.log) not in told
    assert here.page().status == 200
    late = here.watch()
    assert late.until("notice")["words"] == told
    here.log.write_bytes(whole + here.later[0])
    assert viewer.next() == ("notice", {"words": ""})
    add(here.log, here.later[1])
    assert viewer.next()[0] == "entry"


def test_a_log_that_is_not_there_for_a_while(table):
    here = table()
    viewer = here.watch()
    here.log.rename(here.log.with_name("away"))
    assert "cannot be read now" in viewer.until("notice")["words"]
    assert here.troubles
    here.log.with_name("away").rename(here.log)
    assert viewer.next() == ("notice", {"words": ""})


def test_a_log_written_by_the_same_size_is_seen(table):
    """Time and file tell it, where the size does not."""
    here = table()
    viewer, text = here.watch(), here.log.read_bytes()
    other = here.log.with_name("other")
    other.write_bytes(text[:-3] + b"xx\n")
    other.replace(here.log)
    assert "cannot be read" in viewer.until("notice")["words"]
