"""Two who play a game with secrets at one screen: nobody sees what is not his, and nothing is half recorded."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from referee.cli.screen import Screen
from referee.cli.session.live_log import ScreenHandover
from referee.cli.session.repl import Repl
from referee.record.table.opening_logs import open_log

LOG = Path("g.jsonl")
CREATION = ("abilities great-height", "record att=5 def=5 des=1 mov=2", "edge N")
SECRETS = ("great-height", "att=5", "attack 5", "edge N")


class Table:
    """A conversation, and all that stands on its screen since it was cleared."""

    def __init__(self, log=LOG):
        self.talk = Repl(open_log(log), lambda: Screen(colour="never", width=80))
        self.screen = ""

    def say(self, *lines):
        for line in lines:
            reply = self.talk.run_line(line)
            self.code = reply.answer.code
            told = "\n".join(reply.render_rows())
            self.screen = told if reply.clears_screen else f"{self.screen}\n{line}\n{told}"
        return told

    @property
    def live_log(self):
        return self.talk.live_log


def entries():
    return open_log(LOG).entries


# Who keeps secrets, and who does not


@pytest.fixture
def creature(cli):
    cli("new sheboygan --dice table --option countermix=unknown --seats Anna,Bo -o g.jsonl")
    return Table()


def test_who_keeps_no_secrets_sits_down_too(creature):
    assert creature.live_log.pending_handover == ScreenHandover("monster", has_secrets_to_hide=False)
    assert "has to sit down first" in creature.say("legal")
    creature.say("", *CREATION)
    assert creature.live_log.pending_handover == ScreenHandover("human", has_secrets_to_hide=True)
    assert "0 actions" in creature.say("legal"), "who sits still looks, and is not to act"
    told = creature.say("")
    assert creature.live_log.eyes == "human", "one key: nobody who looks before him may know less"
    assert creature.live_log.pending_handover is None
    assert "The monster's record is written. Its defense strength is 5." in told, "what happened meanwhile"
    assert "as human sees it" in creature.say("legal")
    assert not [secret for secret in SECRETS if secret in creature.screen + creature.say("log", "show")]


def test_who_keeps_secrets_sits_down_when_nobody_looks(creature):
    creature.say("", *CREATION, "", "buy tank 5", "end!", "place t1..t2 D02", "place t3..t4 E02")
    told = creature.say("place t5 F02, end")
    assert "monster (Bo) takes the screen; when nobody else looks, press Enter." in " ".join(told.split())
    assert "great-height" not in creature.say("log")
    creature.say("")
    assert "great-height" in creature.say("log")
    reply = creature.talk.run_line("quit")
    assert reply.clears_screen


def test_the_one_who_plays_here_looks_from_the_beginning(creature):
    creature.say("", *CREATION)
    Path("elsewhere").mkdir()
    there = Table(shutil.copy(LOG, "elsewhere"))
    assert there.live_log.eyes == "human"
    assert "54 actions" in there.say("legal")


def test_another_log_does_not_show_what_this_one_keeps(creature, cli):
    """Who looks at it is another one: the secrets of the first game leave the screen."""
    cli("new manoover -o other.jsonl")
    cli("use g.jsonl")
    creature.say("", *CREATION)
    told = creature.say("use other.jsonl")
    assert "manoover other" in told
    assert not [secret for secret in SECRETS if secret in creature.screen]


@pytest.mark.parametrize("eyes", ["monster", "referee"])
def test_eyes_that_are_asked_for_leave_nothing_either(creature, eyes):
    creature.say("", *CREATION, "", f"log --by {eyes}")
    assert "great-height" in creature.screen
    assert creature.talk.run_line("quit").clears_screen


def test_what_was_recorded_is_never_denied(creature, monkeypatch):
    """A fault of ours after it was recorded is told as such, and the session goes on."""
    creature.say("", *CREATION, "", "buy tank 5", "end!", "place t1..t2 D02", "place t3..t4 E02")
    count = len(entries())

    def broken(*_):
        raise KeyError("None")

    with monkeypatch.context() as patch:
        patch.setattr(Repl, "_add_choices", broken)
        told = " ".join(creature.say("place t5 F02, end").split())
    assert len(entries()) == count + 2
    assert creature.code == 70
    assert "Your action was recorded, but it cannot be shown: This is a bug in the referee" in told
    assert "Monster Movement Phase" in creature.say("status")


# A turn that passes, in the shell


HIDDEN = "new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl"


@pytest.fixture
def hidden(cli):
    cli(HIDDEN)
    return cli


def test_a_turn_that_passes_prints_nothing_of_the_first_seat(hidden):
    told = hidden("do wall D2-D3, put prof in D4, rest, ready")
    assert told.code == 0
    assert "Now turn 1, mutant (Bo)" in told.out
    assert not re.search(r"D2-D3|D4|prof", told.out)
    assert "referee log --by human" in told.out
    assert "D2-D3" in hidden("log --by human").out


def test_a_turn_that_passes_tells_programs_nothing_either(hidden):
    told = hidden("--json do wall D2-D3, put prof in D4, rest, ready")
    assert told.facts["after"]["seen_by"] is None
    assert not re.search(r"D2-D3|prof", told.out)


def test_a_turn_that_goes_on_prints_what_its_player_may_see(hidden):
    assert "D2-D3" in hidden("do wall D2-D3").out


def test_where_one_seat_plays_here_its_player_reads_on(cli):
    cli("new mutants --option hidden-movement=yes --dice table --sitting human -o g.jsonl")
    told = cli("do wall D2-D3, rest, ready")
    assert "Now turn 1, mutant" in told.out
    assert "D2-D3" in told.out


def test_a_takeback_that_passes_the_turn_prints_nothing_either(hidden):
    hidden("do wall D2-D3, put prof in D4, rest, ready")
    hidden("do put n1 in xN4")
    assert "xN4" in hidden("undo --by mutant").out, "it is still the mutants' turn"
    hidden("undo 3 --by human --agreed-by mutant")
    told = hidden("redo --by human --agreed-by mutant")
    assert "mutants g, turn 1, mutant" in told.out
    assert "human: a secret, sealed" in told.out
    assert "D4" not in told.out


# A line is recorded whole or not at all


@pytest.fixture
def doors(hidden):
    """Before the first door is smashed."""
    for line in ("do wall D2-D3, rest, ready", "do put n1 n2 n3 n4 r1 r2 in xN4, rest, ready"):
        assert hidden(line).code == 0
    return hidden


@pytest.mark.parametrize("line", ["put mack in C4, put buck in xN4", "wall D2-D3, wall D2-D3", "wall D2-D3, fly"])
def test_a_line_with_a_fault_leaves_nothing(hidden, line):
    before = LOG.read_bytes()
    told = hidden(f"do {line}")
    assert told.code in (1, 2)
    assert LOG.read_bytes() == before
    assert "Position" not in told.out


def test_a_line_without_a_fault_is_recorded(hidden):
    assert hidden("do wall D2-D3, put mack in C4, put buck in C5").code == 0
    assert len(entries()) == 6


@pytest.mark.parametrize(
    "line",
    ["smash xN4-D1 n1 --dice 6", "smash xN4-D1 n1", "smash xN4-D1 n1, end --dice 1", "smash xN4-D1 n1, nonsense"],
)
def test_nobody_looks_ahead_with_a_line_that_is_refused(doors, line):
    """What comes of a throw, or of a question to another seat, is told by its record alone."""
    before = LOG.read_bytes()
    said, _, dice = line.partition(" --dice")
    told = doors(f"do {said}, move n99 to D1{' --dice' + dice if dice else ''}")
    assert told.code in (1, 2)
    assert LOG.read_bytes() == before
    assert "Wall" not in told.out + told.err


def test_what_must_end_a_line_is_named(doors):
    told = doors("do smash xN4-D1 n1, smash xN4-D1 n2")
    assert told.code == 1
    assert "end a line after an action that rolls dice" in told.out
    assert "Type first: referee smash xN4-D1 n1" in told.out
    assert doors("--json do smash xN4-D1 n1, end").facts["verdict"] == "too early"


def test_a_line_waits_for_its_dice_with_all_that_was_said(hidden):
    """Nothing is recorded before they are there; what was said is said again with them."""
    hidden("do wall D2-D3, rest, ready")
    before = LOG.read_bytes()
    table = Table()
    table.say("", "put n1 n2 r1 r2 in xN4, rest, ready")
    count = len(entries())
    table.say("smash xN4-D1 n1")
    assert len(entries()) == count
    table.talk.drop_unfinished_action()
    assert LOG.read_bytes() != before
    table.say("smash xN4-D1 n1", "6")
    assert table.code == 0
    assert len(entries()) > count


def test_dice_that_nothing_waits_for_are_told_so(doors):
    table = Table()
    assert "no roll is due now" in table.say("", "6")
    assert table.code == 1


# What opens secrets says so before


def test_an_end_that_opens_the_notes_says_so_first(doors):
    before = LOG.read_bytes()
    told = doors("do stop")
    assert told.code == 1
    assert "After both players type stop, everybody can read their secret notes in the log" in " ".join(
        told.out.split()
    )
    assert "to keep them sealed" in " ".join(told.out.split())
    assert LOG.read_bytes() == before
    assert doors("do stop!").code == 0
    assert doors("do --by human stop").code == 1, "who agrees is told, too"
    assert doors("do --by human stop!").code == 0
    assert doors("undo --by human").code == 1


@pytest.fixture
def noted(cli):
    """The Creature, whose player has noted how strong it is and where it enters."""
    cli("new sheboygan --dice table --option countermix=unknown --seats Anna,Bo -o g.jsonl")
    for line in CREATION:
        assert cli(f"do {line}").code == 0
    return cli


def test_the_table_is_checked_with_the_eyes_of_who_speaks(noted):
    own = noted("fix --by monster").out
    assert "edge: N" in own
    for words in ("check-table", "fix --by human"):
        assert not re.search(r"edge|great-height|\bmov", noted(words).out), words
        assert noted(f"--json {words}").facts["pieces"]["edge"] == "none"


def test_an_amendment_tells_nothing_before_all_have_agreed(noted):
    """Whether a guess is right, or can be at all."""
    guesses = [noted(f"fix {guess} {by}") for guess in ("edge N", "edge W") for by in ("", "--agreed-by human")]
    assert {answer.code for answer in guesses} == {1}
    same = {(answer.out + answer.err).replace("edge N", "edge W") for answer in guesses[::2]}
    assert len(same) == 1
    told = " ".join(guesses[0].out.split())
    assert (
        "human and monster must agree first, since this puts every secret of the position into the log for everyone"
        in told
    )
    assert (
        "To keep the secrets sealed: referee fix edge N --sealed, or --by SEAT if only one seat sees the pieces."
        in told
    )
    assert "Or go back: referee undo N" in told


def test_what_one_seat_sees_is_amended_and_stays_sealed(noted):
    """Nothing is told before the other agrees, and nothing after it but that something was amended."""
    guesses = [noted(f"fix edge {edge} --by monster").out.replace(f"edge {edge}", "edge") for edge in "NW"]
    assert guesses[0] == guesses[1]
    told = " ".join(guesses[0].split())
    assert "human must agree first, since this changes pieces that only monster sees." in told
    assert "Once all agree, type: referee fix edge --by monster --agreed-by human" in told
    done = noted("fix edge W --by monster --why 'misread' --agreed-by human")
    assert done.code == 0
    assert "All secrets stay sealed." in done.out
    assert "edge: from N to W" in done.out
    assert '"W"' not in LOG.read_text().splitlines()[-1]
    for eyes in ("", "--by human"):
        assert "misread (what monster alone sees, sealed)" in " ".join(noted(f"log {eyes}").out.split())
        assert "edge W" not in noted(f"log {eyes}").out + noted(f"log --full {eyes}").out + noted(f"show {eyes}").out
    assert "misread (edge W (a secret))" in " ".join(noted("log --by monster").out.split())
    assert noted("audit").code == 0
    assert "nothing would change" in " ".join(noted("fix edge W --by monster --agreed-by all").out.split())


def test_what_everybody_sees_is_amended_and_nothing_is_opened(noted):
    told = noted("fix budget 12 --sealed")
    assert told.code == 1
    assert "an amended position needs human and monster to agree." in told.out
    assert "on the board:  budget: from" in told.out
    assert "Once all agree, type: referee fix budget 12 --sealed --agreed-by human,monster" in " ".join(
        told.out.split()
    )
    assert noted("fix budget 12 --sealed --agreed-by all").code == 0
    assert "great-height" not in LOG.read_text()
    assert "budget: from" in noted("audit").out
    assert noted("fix --by monster").out.count("edge: N") == 1
    assert "Not recorded yet: the takeback needs monster to agree" in noted("undo").out


def test_a_file_keeps_no_secret(noted):
    told = noted("fix --from now.toml --sealed")
    assert (told.code, "to keep secrets sealed, type the changes" in told.err) == (2, True)


def test_a_correction_tells_nothing_of_entries_of_others(noted):
    before = LOG.read_bytes()
    answers = [noted(f"correct {n} 3 --by human") for n in (2, 3, 4)]
    assert len({answer.out.replace(f"correct {n}", "correct N") for n, answer in enumerate(answers, 2)}) == 1
    assert all("monster must agree first, since this changes dice" in " ".join(a.out.split()) for a in answers)
    assert LOG.read_bytes() == before


def test_a_reveal_says_what_it_opens_before_it_is_agreed_to(noted):
    before = LOG.read_bytes()
    told = noted("reveal")
    assert told.code == 1
    assert "open to everyone from then on:  3 secrets of monster" in told.out
    assert "Once all agree, type: referee reveal --agreed-by human,monster" in told.out
    assert LOG.read_bytes() == before
    assert noted("reveal 4 --agreed-by all").code == 0


def test_an_end_by_agreement_says_that_secrets_stay_sealed(noted):
    told = noted("finish draw")
    assert "secrets stay sealed until somebody types: referee reveal" in told.out
    assert noted("finish draw --agreed-by all").code == 0
    assert "great-height" not in LOG.read_text()
