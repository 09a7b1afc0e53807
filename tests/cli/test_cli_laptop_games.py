"""Whole games that two play at one screen: nobody is thrown out, and nobody sees what only the other may know."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.cli.answer import BUG, OK
from referee.cli.screen import Screen
from referee.cli.session.repl import Repl
from referee.engine.registry import game_names
from referee.record.table.opening_logs import open_log

GAMES = (
    "manoover",
    "mutants",
    "mutants --option hidden-movement=yes",
    "sheboygan",
    "sheboygan --option scenario=learning",
    "zombies",
)
LONGEST = 2_000
"""Lines after which a game is no game any more."""


class Evening:
    """Two who say at random what they may, and whose eyes what stands on their screen is for."""

    def __init__(self, seed):
        self.talk = Repl(open_log(Path("g.jsonl")), lambda: Screen(colour="never", width=80))
        self._random = random.Random(seed)
        self.shown_to = [self.talk.live_log.eyes]
        self._note(self.talk.make_opening_reply())

    @property
    def line(self):
        """What one of them says next."""
        talk = self.talk
        if talk.live_log.pending_handover:
            return ""
        if talk.need:
            return " ".join(self._faces(talk.need))
        look = talk.look
        return f"{look.facts.game.format(look.sight.legal.pick(self._random))}!"

    def _faces(self, need):
        left = list(need.names) or range(1, need.sides + 1)
        return [str(self._random.choice(left)) for _ in range(need.count)]

    def say(self, line):
        reply = self.talk.run_line(line)
        self._note(reply)
        assert reply.answer.code == OK or reply.answer.pending, (line, reply.render_rows())
        return reply

    def _note(self, reply):
        """What is shown is for the eyes that look from then on; what stands above it must be, too."""
        assert reply.render()[2] != BUG, reply.render_rows()
        eyes = self.talk.live_log.eyes
        self.shown_to = [*([] if reply.clears_screen else self.shown_to), eyes]
        secret = set(self.shown_to) & set(self.talk.look.facts.keepers)
        assert secret <= {eyes}, f"secrets of {secret} stand on the screen of {eyes}"


def test_each_game_is_played():
    assert {words.split()[0] for words in GAMES} == set(game_names())


@pytest.mark.parametrize("words", GAMES)
def test_a_whole_game_at_one_screen(cli, words):
    cli(f"new {words} --dice table --seats Anna,Bo -o g.jsonl")
    evening = Evening(seed=0)
    for _ in range(LONGEST):
        if evening.talk.look.facts.to_act is None:
            break
        evening.say(evening.line)
    assert evening.talk.look.facts.to_act is None, "it does not end"
    secret = set(evening.shown_to) & set(evening.talk.look.facts.keepers)
    assert evening.say("quit").clears_screen == bool(secret)
    assert cli("audit").code == 0
