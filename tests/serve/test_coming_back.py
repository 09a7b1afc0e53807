"""A server that is killed or moved: phones come back by themselves, and nothing is recorded twice or lost."""

from __future__ import annotations

import asyncio
import os
from random import Random

import pytest
from phone_games import Table as Begun
from rooms import served
from tapping_players import PHONE, server_of, tap_something

import referee.serve.server
from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log
from referee.serve.server import serve_new_addresses

MANY = 40
"""The most taps of each phone until something is recorded."""
KILLS = int(os.environ.get("KILLS", "3"))
"""How often the server is killed; a longer run sets more."""


def test_phones_find_a_server_again_that_was_killed(tab_at, tmp_path):
    log, random = Begun(tmp_path, "manoover", OpenDice("7" * 64)).log, Random(3)
    tabs = []
    for _ in range(KILLS + 1):
        with server_of(log) as links:
            if not tabs:
                tabs = [tab_at(links[seat], **PHONE) for seat in ("red", "blue")]
            for tab in tabs:
                tab.locator("#line.on").wait_for()
            before = len(open_log(log).entries)
            for _ in range(MANY):
                if len(open_log(log).entries) >= before + 2:
                    break
                for tab in tabs:
                    tab.locator("#phone:not(:has([data-fresh]))").wait_for()
                    tap_something(tab, random)
        for tab in tabs:
            tab.locator("#line.off").wait_for()
    with server_of(log):
        for tab in tabs:
            tab.locator("#line.on").wait_for()
            tab.locator(f"#n{len(open_log(log).entries) - 1}.shown").wait_for(state="attached")
            numbers = [int(one.get_attribute("id")[1:]) for one in tab.locator("#record li").all()]
            assert numbers == list(range(len(numbers)))
    assert len(open_log(log).entries) > 2 * KILLS + 2
    assert audit(log).fault is None


def test_a_computer_that_gets_another_address_serves_there_too(tmp_path, monkeypatch):
    log = Begun(tmp_path, "manoover", OpenDice("7" * 64)).log
    moved = []
    with served(log) as table:
        assert table.ask(table.path(), Host=f"127.0.0.2:{table.port}").status == 421
        monkeypatch.setattr(referee.serve.server, "find_own_address", lambda: "127.0.0.2")
        follows = asyncio.run_coroutine_threadsafe(
            serve_new_addresses(table.server, table.hosts, table.port, moved.append, pause=0.01), table.loop
        )
        with pytest.raises(TimeoutError):
            follows.result(1)
        follows.cancel()
        assert moved == ["127.0.0.2"]
        assert table.ask(table.path(), Host=f"127.0.0.2:{table.port}", at="127.0.0.2").status == 200
        assert table.page().status == 200
