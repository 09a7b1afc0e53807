"""What everybody at the table can see is judged before anything is revealed: who has no vault audits a cheat's log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line, hash_entry

LOG = Path("logs/s.jsonl")
NIGHT = (
    ("monster", "record att=5 def=1 des=4 mov=3"),
    ("monster", "edge s"),
    ("human", "buy police"),
    ("human", "end!"),
    ("human", "place p1 X12"),
    ("monster", "enter X15"),
    ("monster", "wreck Y15 4 --dice 6"),
    ("monster", "m X13"),
    ("monster", "end"),
    ("monster", "attack p1 with 5 --dice 4"),
)


@pytest.fixture
def night(cli):
    """The monster has come, wrecked a building beside it with a die of the table, walked on, and attacked."""
    assert cli(f"new sheboygan --option scenario=learning --dice table -o {LOG}").code == 0
    for seat, said in NIGHT:
        answer = cli("do", "--by", seat, *said.split())
        assert answer.code == 0, answer.shown
    return LOG


def plays(entries):
    return [entry for entry in entries if entry["type"] == "play"][6:]


def far_away(entries):
    play = plays(entries)[1]
    play["action"]["box"] = play["events"][0]["box"] = play["events"][1]["box"] = "T05"


def another_die(entries):
    plays(entries)[1]["events"][0]["die"] = 5


def no_die(entries):
    plays(entries)[1]["rolls"] = []


def more_dice(entries):
    plays(entries)[1]["rolls"] *= 2


def without_rubble(entries):
    del plays(entries)[1]["events"][1]


def more_rubble(entries):
    wrecked = plays(entries)[1]["events"][1]
    plays(entries)[1]["events"].append({**wrecked, "box": "Y14"})


def a_leap(entries):
    plays(entries)[2]["action"]["box"] = plays(entries)[2]["events"][0]["box"] = "T05"


def a_cheap_way(entries):
    plays(entries)[2]["events"][0]["cost"] = 0


def another_edge(entries):
    plays(entries)[0]["events"][0]["edge"] = "N"


def entered_elsewhere(entries):
    plays(entries)[0]["action"]["box"] = plays(entries)[0]["events"][0]["box"] = "X12"


def another_result(entries):
    play = plays(entries)[4]
    play["events"][0]["result"] = "-/-"


CHEATS = [
    far_away,
    another_die,
    no_die,
    more_dice,
    without_rubble,
    more_rubble,
    a_leap,
    a_cheap_way,
    another_edge,
    entered_elsewhere,
    another_result,
]


def forge(source, target, change):
    """The log as somebody rewrites it who knows the format."""
    entries = [json.loads(line[BODY_OFFSET:-2]) for line in source.read_bytes().splitlines(keepends=True)]
    change(entries)
    lines, prev = [], NO_PREVIOUS_HASH
    for entry in entries:
        body = encode_for_log({**entry, "prev": prev})
        prev = hash_entry(body)
        lines.append(format_entry_line(body))
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(b"".join(lines))
    return str(target)


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_what_cannot_be_is_found_without_the_secrets(cli, night, place, cheat):
    honest = cli("audit", forge(night, place / "post" / "honest.jsonl", lambda _: None))
    assert (honest.code, "CLEAN SO FAR" in honest.out) == (0, True), honest.shown
    answer = cli("audit", forge(night, place / "post" / "forged.jsonl", cheat))
    assert answer.code == 1, answer.shown
    assert "FAULT" in answer.out
