"""Firefox as it comes with the system opens the live page, and its scripts run: they ask for news and for the move."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import contextmanager

import pytest
from rooms import SHIPPED

from referee.cli.session.phones import Phones

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 60.0
"""Seconds until Firefox has started on a busy machine."""

pytestmark = pytest.mark.skipif(not FIREFOX, reason="no Firefox: apt-get install firefox-esr")


@contextmanager
def firefox_at(url, folder):
    """Firefox, without a window and with a profile of its own, at this address."""
    folder.mkdir()
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(folder), url]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"}, **quiet) as running:
        try:
            yield
        finally:
            running.kill()


def wait(happened):
    """Wait until something has happened."""
    until = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < until, "Firefox did not come so far"
        time.sleep(0.05)


@pytest.mark.parametrize("game", ["manoover", "zombies"])
def test_a_phone_asks_for_its_move(table, tmp_path, monkeypatch, game):
    asked, answer = [], Phones.__call__

    def answered(phones, seat, request):
        asked.append((seat, request["do"]))
        return answer(phones, seat, request)

    monkeypatch.setattr(Phones, "__call__", answered)
    here = table(game, play=True)
    seat = next(eyes for eyes in here.links.by_eyes if eyes)
    with firefox_at(here.url(seat), tmp_path / "profile"):
        wait(lambda: (seat, "look") in asked)
        wait(lambda: here.links.by_eyes[seat].streams)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_table_follows_the_game(table, tmp_path, game):
    here = table(game)
    with firefox_at(here.url(), tmp_path / "profile"):
        wait(lambda: here.links.by_eyes[None].streams)
