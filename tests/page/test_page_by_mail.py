"""Pages of games by mail in a real browser: what was signed is checked, where three play and on a branch, too."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from random import Random

import pytest
from players import exchanged, seated
from support import ROOT

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.record.table.opening_logs import branch, open_log
from referee.record.table.seat_view import SeatView


@pytest.fixture
def of_three(tmp_path):
    """A game in which two give their parts of each throw beside the log."""
    players = seated(tmp_path, "red", "blue", "green", options={"form": "three"}, luck="page")
    exchanged(players, Random(3), rounds=8)
    return players[0].log


@pytest.fixture
def branched(tmp_path):
    """A branch of a game, on which both sit down anew. No throw depends on a time."""
    players = seated(tmp_path, "red", "blue", luck="page", derivation=2)
    exchanged(players, Random(3), rounds=4)
    red, blue = players
    red.log = branch(red.session, "what-if", 6, red.log.with_name("branch.jsonl")).path
    blue.log = blue.log.with_name("branch.jsonl")
    red.joins()
    blue.receives(red.sends())
    blue.joins()
    exchanged(players, Random(3), rounds=4)
    return red.log


@pytest.fixture
def timeless():
    """A game of three in which no throw depends on a time."""
    return ROOT / "tests" / "mail" / "timeless.jsonl"


def signatures(log):
    return log.read_text("utf-8").count('"signature":"')


def checked(visit, log):
    tab = visit(render_page(make_story(SeatView(open_log(log)))))
    return tab.get_attribute("#verdict", "class"), tab.inner_text("#checked")


@pytest.mark.parametrize("game", ["of_three", "branched", "timeless"])
def test_all_that_was_signed_is_checked(visit, request, game):
    log = request.getfixturevalue(game)
    verdict, words = checked(visit, log)
    assert verdict == "good", words
    assert f"{signatures(log)} signatures" in words


def test_a_part_that_its_seat_has_not_signed_is_named(visit, of_three):
    """Who throws puts the parts on the record: he could write another's, had it no signature."""
    page = render_page(make_story(SeatView(open_log(of_three))))
    lines = of_three.read_text("utf-8").splitlines()
    entries = [json.loads(line)["entry"] for line in lines]
    parts = [entry for entry in entries if entry["type"] == "answer" and entry.get("signature")]
    assert len(parts) > 1
    first, other = parts[0], parts[1]
    forged = "".join(hashed_anew(lines, first["signature"], other["signature"]))
    tab = visit(page.replace("".join(f"{line}\n" for line in lines), forged))
    assert tab.get_attribute("#verdict", "class") == "bad"
    words = tab.inner_text("#checked")
    assert re.search(rf"Entry {first['n']}\b", words)
    assert f"not signed with the key of {first['by']}" in words


def hashed_anew(lines, old, new):
    prev = ""
    for line in lines:
        body = line[line.index('"entry":') + len('"entry":') : -1].replace(old, new)
        if prev:
            body = re.sub(r'"prev":"[0-9a-f]{64}"', f'"prev":"{prev}"', body, count=1)
        prev = sha256(b"referee/1\n" + body.encode()).hexdigest()
        yield f'{{"hash":"{prev}","entry":{body}}}\n'
