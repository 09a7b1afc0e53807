"""Nothing secret travels to other seats or to the table: twin games, every byte of every answer."""

from __future__ import annotations

import re
import shutil
import sys

import pytest
from rooms import Viewer, add
from support import ROOT

from referee.record.table.opening_logs import open_log

sys.path.insert(0, str(ROOT / "tests" / "cli"))
from twins import masked, twins

GAMES = {"mutants": {"hidden-movement": "yes"}, "sheboygan": {}}
SEEDS = range(4)
ASKED = ("6 go", "show", "legal", "reveal", "undo", "audit", "--by human show", "rest", "move", "end")


def plain(data, here):
    """An answer without what differs by chance: tokens, ports, dates, hashes."""
    text = data.decode("utf-8", "replace")
    for link in here.links.by_eyes.values():
        text = text.replace(link.token, "TOKEN")
    text = re.sub(r"(?m)^date: .*$", "", text.replace(here.host, "HOST"))
    return masked(text.replace(str(here.log.parent), "FOLDER"))


def seen(here, eyes):
    """All that somebody gets with his link: the page, what comes, what he is told of what he says."""
    page = here.page(eyes)
    found = [page.data]
    place = page.text.partition('name="referee-place" content="')[2].partition('"')[0]
    for after in (place, "1.1", "x"):
        viewer = Viewer(here, here.path(eyes), after)
        here.viewers.append(viewer)
        found.append(repr(viewer.line()).encode())
    if eyes is not None:
        found += [here.say(eyes, {"say": words}).data for words in ASKED]
    found += [here.ask(f"{here.path(eyes)}/{path}").data for path in ("", "x", "say")]
    return [plain(data, here) for data in found]


def some_twins(game, folder, first=0):
    """The first twins from this seed on."""
    seeds = range(first, first + 20)
    return next(filter(None, (twins(game, GAMES[game], folder / str(seed), seed) for seed in seeds)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_twins_cannot_be_told_apart(rooms, game, seed, tmp_path):
    pair = some_twins(game, tmp_path, 10 * seed)
    one, other = (shutil.copytree(pair[at], tmp_path / f"twin{at}") for at in range(2))
    tables = [rooms(folder / "g.jsonl", play=True) for folder in (one, other)]
    for viewer in pair.viewers:
        one, other = (seen(table, viewer) for table in tables)
        assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_live_cannot_be_told_apart(rooms, game, tmp_path):
    """The last plays are taken away, and come while others look."""
    pair = some_twins(game, tmp_path)
    told = []
    for folder in (pair.one, pair.other):
        log = folder / "g.jsonl"
        lines = log.read_bytes().splitlines(keepends=True)
        log.with_name("g.jsonl.head").unlink(missing_ok=True)
        log.write_bytes(b"".join(lines[:-1]))
        here = rooms(log)
        viewers = [here.watch(eyes) for eyes in pair.viewers]
        add(log, lines[-1])
        told.append([plain(repr(viewer.until("entry")).encode(), here) for viewer in viewers])
    assert told[0] == told[1]


def test_a_seat_sees_its_own_secrets_and_others_do_not(rooms, tmp_path):
    """So that the tests above look at something."""
    pair = some_twins("mutants", tmp_path)
    keeper = next(seat for seat in open_log(pair.one / "g.jsonl").reducer.seats if seat not in pair.viewers)
    tables = [rooms(folder / "g.jsonl") for folder in (pair.one, pair.other)]
    mine = [plain(here.page(keeper).data, here) for here in tables]
    assert mine[0] != mine[1]
