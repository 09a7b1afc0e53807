"""The cost of play by mail: audits of games with joint rolls, and opening a mail."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from unittest.mock import patch

sys.path.append(str(Path(__file__).parents[1] / "mail"))

from players import Player, at_random, played_out, seated

from referee.mail.ascii_armor import encode_ascii_armor
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import start

GAMES = 12
ROUNDS = 5
STARTS = 15
ENTRIES = 50
"""The number of entries in the packet that is opened."""
REFEREE = [sys.executable, "-c", "from referee.__main__ import main; main()"]


def mail_rows(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yields every figure with its bar."""
    players = [seated(folder / str(game), "red", "blue", luck=f"bench {game}") for game in range(GAMES)]
    for game, pair in enumerate(players):
        played_out(pair, Random(game))
    mailed = [pair[0].log for pair in players]
    opened = [open_game(folder / f"open{game}.jsonl", game) for game in range(GAMES)]
    with patch("referee.record.log.signature.verify_signature", lambda *_: True):
        unsigned = a_play(mailed)
    yield "an audited play by mail / with open dice, signatures aside", f"{unsigned / a_play(opened):.2f}", "1.9"
    yield "the same with signatures", f"{a_play(mailed) / a_play(opened):.2f}", ""
    longest = max(players, key=lambda pair: len(pair[0].hashes))
    yield f"`open` of a mail of {ENTRIES} entries / `show`", f"{opening(longest, folder / 'reader'):.2f}", "2"


def open_game(path: Path, seed: int) -> Path:
    """Plays a whole game at random with open dice, and returns its log."""
    session, random = start("manoover", path), Random(seed)
    while not session.moment().outcome:
        session.play(at_random(session.moment(), random))
    return path


def a_play(logs: list[Path]) -> float:
    """Returns the seconds per audited play, in the fastest run."""
    plays = sum(audit(log).plays for log in logs)
    return best(lambda: [audit(log) for log in logs], ROUNDS) / plays


def best(work: Callable[[], object], rounds: int) -> float:
    """Returns the seconds of the fastest of several runs."""
    times = []
    for _ in range(rounds):
        since = time.perf_counter()
        work()
        times.append(time.perf_counter() - since)
    return min(times)


def opening(pair: list[Player], folder: Path) -> float:
    """Returns the seconds to open a mail, divided by those to show the board."""
    sender = pair[0]
    packet = sender.sends(0)
    folder.mkdir()
    log, mail = folder / "game.jsonl", folder / "mail.txt"
    sent = sender.sends(max(0, packet.end - ENTRIES))
    mail.write_text(encode_ascii_armor(sent.encode()), "utf-8")
    before = b"".join(packet.lines[: sent.head.base])
    took = {"open": [], "show": []}  # type: dict[str, list[float]]
    for _ in range(STARTS):
        for words in (["show"], ["open", str(mail)]):
            for path in folder.glob("game.jsonl*"):
                path.unlink()
            log.write_bytes(before)
            took[words[0]].append(best(lambda words=words: run(["-g", str(log), *words], folder), 1))  # type: ignore[misc]
    return sorted(took["open"])[STARTS // 2] / sorted(took["show"])[STARTS // 2]


def run(words: list[str], home: Path) -> None:
    """Runs the program in a process of its own, as a player who has a key."""
    installed = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = installed | {"XDG_CONFIG_HOME": str(home / "settings")}
    if not (home / "settings").is_dir():
        subprocess.run([*REFEREE, "key", "--make"], check=True, stdout=subprocess.DEVNULL, env=env)
    done = subprocess.run([*REFEREE, *words], check=False, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done
