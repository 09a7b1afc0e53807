"""However a session on a real terminal is left, nothing that only one player may know stays on the screen."""

from __future__ import annotations

import signal

import pytest

from referee.engine.choice import find_action_tag
from referee.record.table.opening_logs import open_log

terminal = pytest.importorskip("terminal", reason="needs pseudo-terminals", exc_type=ImportError)

BREAKS = """
from referee.cli.session.repl import Repl
run_line = Repl.run_line
def broken(self, line):
    if line == "break":
        raise RuntimeError("broken")
    return run_line(self, line)
Repl.run_line = broken
"""
SECRETS = ("att=5", "great-height", "attack 5")
SCREENS = {"short": (("play",), 24), "tall": (("play",), 70), "plain": (("play", "--plain"), 24)}
WAYS = {"quit": 0, "Ctrl-D": 0, "terminated": 143, "hung up": 129, "an error": 70}


def leave(table, way):
    match way:
        case "quit":
            table.type("quit\r")
        case "Ctrl-D":
            table.type("\x04")
        case "terminated":
            table.end(signal.SIGTERM)
        case "hung up":
            table.end(signal.SIGHUP)
        case "an error":
            table.type("break\r")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_secret_stays_on_any_way_out(cli, screen, way):
    cli("new sheboygan --dice table --seats Anna,Bo -o g.jsonl")
    words, lines = SCREENS[screen]
    with terminal.Terminal(*words, lines=lines, first=BREAKS) as table:
        table.wait("monster (Bo) takes the screen: Enter> ")
        table.say("", "monster (Bo), ")
        table.say("abilities great-height", "monster (Bo), ")
        table.say("why record att=5 def=5 des=1 mov=2", "monster (Bo), ")
        table.type("\x03")
        table.wait("monster (Bo), ")
        assert "att=5" in table.text + table.scrolled_away
        leave(table, way)
        assert table.left() == WAYS[way], table.text
        seen = table.text + table.scrolled_away
        assert not [secret for secret in SECRETS if secret in seen], seen
        assert ("Good-bye" in seen) == (WAYS[way] == 0)


@pytest.mark.parametrize("screen", SCREENS)
def test_the_creature_and_its_city_at_one_screen(cli, screen):
    """The player who moves next keeps no secrets, and plays on at once: what the other saw is gone."""
    cli("new sheboygan --dice table --option scenario=learning --seats Anna,Bo -o g.jsonl")
    words, lines = SCREENS[screen]
    with terminal.Terminal(*words, lines=lines) as table:
        table.wait("monster (Bo) takes the screen: Enter> ")
        table.say("", "monster (Bo), ")
        table.say("record att=5 def=5 des=1 mov=2", "choice of the entry edge> ")
        table.say("edge W", "human (Anna) takes the screen: Enter> ")
        table.say("", "25 points left> ")
        assert "att=5" not in table.text + table.scrolled_away
        table.say("buy police 1", "24 points left> ")
        table.say("end!", "to be placed: p1> ")
        table.say("place p1 D02, end", "monster (Bo) takes the screen: Enter> ")
        table.say("", "monster (Bo), ")
        table.say("legal", "monster (Bo), ")
        table.say("enter A06", "monster (Bo), ")
        table.say("end!", "Human Movement Phase> ")
        seen = table.text + table.scrolled_away
        assert "human (Anna) has the screen." in seen
        assert "attack 5" not in seen
        table.type("\x04")
        assert table.left() == 0
    assert [find_action_tag(type(entry.action)) for entry in open_log("g.jsonl").entries[-2:]] == ["enter", "end"]
