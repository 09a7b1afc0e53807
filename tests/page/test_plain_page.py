"""The page of a game that draws nothing: its board stands there in characters, once, and its charts as they are."""

from __future__ import annotations

import re

import pytest
from calling import called
from third_party import installed

from referee.engine.dice_mode import OpenDice
from referee.record.table.opening_logs import start


@pytest.mark.parametrize("game", ["race", "ambush"])
def test_a_board_in_characters_leaves_the_charts_alone(tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    with installed(game):
        session = start(game, tmp_path / "g.jsonl", dice=OpenDice("1" * 64))
        while session.moment().to_act and len(session.entries) < 12:
            session.play(next(iter(session.legal())))
        assert called(["-g", "g.jsonl", "replay", "-o", "page.html"]).code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    (plain,) = re.findall(r'<pre id="plain">(.*?)</pre>', page, re.DOTALL)
    after = page.partition('<div id="controls" hidden></div>')[2].partition('<div id="said"')[0].strip()
    assert plain.strip()
    assert after == "" or after.startswith("<"), after[:80]
    assert plain.strip() not in after
