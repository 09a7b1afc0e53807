"""Secrets at the command line: what a game with Hidden Movement shows to whom, and that it shows nothing else.

Twins are games with the same public record and other secrets. Whatever a cheating player or a spectator types, the
answers of both must be the same but for hashes.
"""

from __future__ import annotations

import json
import re
import shutil
import stat
from functools import partial
from pathlib import Path

import pytest
from dresses import longest, words_of
from hidden_lines import BASIC, NEW, SECRET_FROM, play

from referee.record.log.vault import find_vault_path

LOG = Path("g.jsonl")


SHOWN = ("show", "show --as position", "show --as json", "log", "log", "--json log")


ALTERNATE = [
    ("do put prof penny in D4", {}),
    ("do put buck in A1", {"human": "do put buck in G6"}),
    ("do put rest", {}),
    ("do ready", {}),
    ("do arrive --dice 2,1,30", {}),
    ("do fight D4", {}),
    ("do lay prof penny", {}),
    ("do pair auto", {}),
    ("do resolve --dice 6,1", {}),
    ("do resolve --dice 6,1", {}),
    ("do end!", {}),
    ("do glow", {}),
    ("do arrive --dice 1,2", {"mutant": "do arrive --dice 3,5,9,20"}),
    ("do end!", {}),
    ("do end!", {}),
    ("do end!", {}),
    ("do move buck to A2", {"human": "do move buck to G5"}),
    ("do end!", {}),
    ("do glow", {"mutant": "do glow --dice 1,6,1"}),
    ("do arrive --dice 1,2", {"mutant": "do arrive --dice 2,1,1"}),
]
"""Mutants come out of the Tech Room; from Turn 2 on nobody sees how many."""

STORIES = {
    "basic": (BASIC, {}),
    "on-contact": (BASIC, {"wall-reveal": "on-contact", "bugging-out": "yes"}),
    "alternate": (ALTERNATE, {"scenario": "alternate"}),
}


def told_by(seat):
    """All that somebody could type who looks for another's secrets; a spectator speaks for nobody."""
    by = f"--by {seat}" if seat else ""
    yield from ("", "--json", "use", "use g.jsonl", "--json use", "audit", "--json audit", "match show")
    yield from (f"{form} show {by} {kind}" for form in ("", "--json", "--ascii") for kind in ("", "--as words"))
    yield from (f"show {by} --as {kind}" for kind in ("svg", "json", "nonsense"))
    yield from (
        f"{what} {by}" for what in ("log", "log 3..9", "--json log", "log --full", "log --to 9", "--json log --full")
    )
    yield from (f"--at {at} {what} {by}" for at in (2, 5, 9, 12, 99) for what in ("show --as words", "log"))
    yield from ("diff g.jsonl g.jsonl", "diff g.jsonl mail/g.jsonl", "-g mail/g.jsonl audit", "-g mail/g.jsonl log")
    yield from (f"-g mail/g.jsonl {what} {by}" for what in SHOWN)
    yield from (f"-g mail/g.jsonl {what}" for what in ("legal", "do end", "why end", "do", "roll", "reveal 3"))
    yield from ("note hi --by nobody", "fix --from no.json --why x --agreed-by human", "do -f no.txt", "schema state")
    if seat:
        yield from spoken_by(seat)
    yield from ("reveal", "reveal 5", "--json reveal 5", "reveal 99")
    yield from ("undo 99", "undo 3", "undo", "--json undo", "--json", "audit")  # last, for some of it is done


def spoken_by(seat):
    """What a seat could say, ask and try."""
    by = f"--by {seat}"
    yield from (f"{form} legal {by} {word}" for form in ("", "--json") for word in ("", "D1", "move", "--count", "n1"))
    yield from (f"--at {at} legal {by}" for at in (4, 9, 14))
    yield from (f"--at 14 why {by} {said}" for said in ("end", "ask D1", "move n1 to D1"))
    said = (
        *(f"ask {about}" for about in ("xN4", "xE1", "D1", "D2-D3", "E5-E6", "C4", "F6", "D4", "G3", "Z9")),
        *("end", "ready", "record", "glow", "arrive", "resolve", "hold", "rest", "random", "hide buck", "hide mack"),
        *("smash xE1-G1 r2", "smash D2-D3 n2", "open D1-D2 n2", "open xE3-G3 n9", "remove n9", "move r2 to G1"),
        *("move mack to C5", "move mack to F7", "move buck to D2", "move n2 to D1", "move l2 to xE2", "move n99 to A1"),
        *("fight D1", "fight C4", "lay n1", "lay auto", "pair auto", "pursue n1", "retreat buck to C1", "put b9 in C4"),
        *("wall D2-D3", "wall F2-F3", "put l3 in xN4", "put prof in D4", "mvoe n1", "move nobody to D1", "move"),
    )
    yield from (f"why {by} {words}" for words in said)
    yield from (f"do -n {by} {words}" for words in said[::3])
    yield from (f"--json why {by} {words}" for words in said[::5])
    yield from (f"do {by} --dice 9,9 {words}" for words in ("glow", "end", "smash xE1-G1 r2"))
    yield from (f"do -n {by} ask D1, end", f"do -n {by} remove n1, remove n9", f"roll {by}", f"roll {by} 1 1 1")
    yield from (f"do {by}", f"--json do {by}", f"--json roll {by}")


def masked(text):
    """A text without hashes, leaves among them, and without the random number of its game."""
    return re.sub(r"\b(?:[0-9a-f]{32}){1,2}\b", "<hex>", text)


def mail():
    """The log as somebody has it who has no vault."""
    Path("mail").mkdir(exist_ok=True)
    shutil.copy(LOG, "mail")


@pytest.mark.parametrize("kind", STORIES)
@pytest.mark.parametrize("changed", SECRET_FROM)
def test_twins_cannot_be_told_apart(cli_in, kind, changed):
    """Each line is typed in every third game; `twin_games.py` types everything that commands take, in many games."""
    story, options = STORIES[kind]
    turn = [*STORIES].index(kind) + [*SECRET_FROM].index(changed)
    changes = [number for number, (_, instead) in enumerate(story, 1) if changed in instead]
    for moment in (changes[0], len(story)) if kind == "basic" else (len(story),):
        one, other = (partial(cli_in, f"{kind}-{changed}-{moment}-{name}") for name in ("one", "other"))
        play(one, [said for said, _ in story[:moment]], **options)
        mail()
        record = masked(LOG.read_text())
        play(other, [instead.get(changed, said) for said, instead in story[:moment]], **options)
        mail()
        assert masked(LOG.read_text()) == record
        assert one("show --by referee").shown != other("show --by referee").shown
        for seat in (SECRET_FROM[changed], None):
            for words in list(told_by(seat))[turn % 3 :: 3]:
                assert one(words).shown == other(words).shown, words


# What the vault keeps, and who gets to see it


@pytest.fixture
def hidden(cli):
    """The basic story in a game of its own, to its second Turn."""
    play(cli, [said for said, _ in BASIC])
    return LOG


def mode(log, seat="human"):
    return stat.S_IMODE(find_vault_path(Path(log), seat).stat().st_mode)


def test_a_log_names_nobody_out_of_sight(cli, hidden):
    named = set(re.findall("[a-z]+[0-9]*", masked(hidden.read_text())))
    units = {"prof", "penny", "buck", "mack", "joey", "otis", "jeb", "percy"}
    units.update(f"{kind}{number}" for kind in "blrn" for number in range(1, 27))
    assert named & units == {"buck", "b1", "n1"}  # who met in D1
    assert not re.search("D2-D3|E5-E6|xE1|xE2", hidden.read_text())
    assert "D2-D3" in find_vault_path(hidden, "human").read_text()
    assert "D2-D3" not in find_vault_path(hidden, "mutant").read_text()


def test_no_command_prints_what_is_only_for_the_vault(cli, hidden):
    heads = [find_vault_path(hidden, seat).read_text().splitlines()[0] for seat in SECRET_FROM]
    kept = {json.loads(head)["master"] for head in heads}
    assert len(kept) == 2
    for seat in ("referee", "human", "mutant"):
        told = "".join(f"{answer.out}{answer.err}" for answer in map(cli, told_by(seat)))
        assert not [secret for secret in kept if secret in told]


def test_a_vault_is_closed_to_others_and_stays_so(cli, hidden):
    assert mode(hidden) == 0o600
    cli("branch what-if --agreed-by all")
    assert mode("g-what-if.jsonl") == 0o600
    find_vault_path(hidden, "human").chmod(0o640)
    answer = cli(f"-g {hidden} show --as words")
    vault = "g.jsonl.human.vault"
    assert answer.err == f"Note: others can read {vault}; to prevent that: chmod 600 {vault}\n"
    cli(f"-g {hidden} do end")
    assert cli(f"-g {hidden} do move n2 to D1").code == 0
    assert mode(hidden) == 0o640, "the vault of who has not spoken is left as it is"


def test_git_never_takes_a_vault():
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text("utf-8").split()
    assert "*.vault" in ignored


@pytest.mark.parametrize("words", ["legal", "legal --count", "do end", "do", "do -n end", "why end", "roll"])
def test_nobody_judges_for_a_seat_whose_vault_is_not_here(cli, hidden, words):
    find_vault_path(hidden, "mutant").rename("elsewhere")
    answer = cli(words)
    assert answer.code == 1
    assert "only mutant knows this, and g.jsonl.mutant.vault is not here" in " ".join(answer.out.split())


def test_what_is_missing_is_said(cli, hidden):
    mail()
    for words in ("show --by human", "log --by human", "log --full --by human"):
        assert cli(f"-g mail/g.jsonl {words}").code in (0, 1)
    assert "g.jsonl.human.vault is not here" in cli("-g mail/g.jsonl show --by human").out
    assert cli("-g mail/g.jsonl --json show --by human").facts["owner"] == "human"
    note = "Note: not all secrets of this game are known here; some are not shown.\n"
    assert cli("-g mail/g.jsonl replay --by referee").err == note
    assert cli("-g mail/g.jsonl show").err == ""
    assert "some are kept by human and mutant" in " ".join(
        cli("-g mail/g.jsonl reveal --agreed-by human,mutant").out.split()
    )
    assert "piped in has no vaults" in cli("-g - legal", stdin=hidden.read_bytes()).out


def test_a_wrong_vault_is_named_and_what_to_do_about_it(cli, hidden):
    cli("new mutants --option hidden-movement=yes -o other.jsonl")
    shutil.copy("other.jsonl.human.vault", find_vault_path(hidden, "human"))
    answer = cli(f"-g {hidden} show")
    assert answer.code == 3
    assert "g.jsonl.human.vault holds the secrets of another game; put the right one in its place" in answer.err


def test_a_vault_that_is_left_over_is_named(cli, hidden):
    find_vault_path(hidden, "human").rename("new.jsonl.human.vault")
    assert "already a file new.jsonl.human.vault" in cli("new mutants --option hidden-movement=yes -o new.jsonl").out
    Path("new.jsonl.human.vault").rename(find_vault_path(hidden, "human"))
    Path("what.jsonl.human.vault").touch()
    assert "file what.jsonl.human.vault already" in cli("branch what -o what.jsonl --agreed-by all").out
    assert not Path("what.jsonl").exists()


# What is told in full only to whom it concerns


def test_the_log_as_data_tells_what_its_lines_tell(cli, hidden):
    told = [cli(f"--json log 5 --by {seat}").facts[0]["text"] for seat in ("human", "referee", "mutant")]
    assert told == ["human: put prof penny in D4 (a secret)"] * 2 + ["human: a secret, sealed"]


def test_a_position_that_a_seat_sees_amends_nothing(cli, hidden):
    for seat in ("human", "mutant"):
        cli(f"show --by {seat} --as position -o {seat}.json")
        answer = cli(f"fix --from {seat}.json --why mistaken --agreed-by human,mutant")
        assert answer.code == 1
        assert "not on the board, gone or in the pool" in answer.out.replace("\n ", "")
    cli("show --by referee --as position -o whole.json")
    assert "nothing would change" in cli("fix --from whole.json --agreed-by all").out
    answer = cli("fix penny gone --why mistaken --agreed-by all")
    assert "penny: from D4 to gone" in " ".join(cli("log --full --by human").out.split())
    assert "The log now shows it to everyone." in " ".join(answer.out.split())


def test_nobody_finds_out_where_logs_part_in_secret(cli, hidden):
    cli("do end")
    shutil.copy(hidden, "mine.jsonl")
    for seat in SECRET_FROM:
        shutil.copy(find_vault_path(hidden, seat), f"mine.jsonl.{seat}.vault")
    for log, unit in ((hidden, "n2"), ("mine.jsonl", "r1")):
        assert cli(f"-g {log} do move {unit} to D1").code == 0
    answer = cli(f"diff {hidden} mine.jsonl")
    assert answer.out.count("mutant: a secret, sealed\n") == 2
    assert not re.search("move [nr]", answer.out), "only what everybody sees of it is told"


CLASH = """
phase = "mutant-combat"
turn = 10
walls = ["B3-C3"]
smashed = ["C3-D3"]
[units]
D3 = "n1 buck mack joey"
D4 = "prof penny otis jeb percy"
xN1 = "l1..l4 r1 n2"
[options]
hidden-movement = "yes"
bugging-out = "yes"
"""
"""The last Turn of a game in which Guards have caught a Mutant beside a Wall that it has not seen."""


@pytest.fixture
def clash(cli):
    """The Mutant has retreated, and sees the Wall now."""
    Path("clash.toml").write_text(CLASH, "utf-8")
    for words in ("new mutants --from clash.toml --dice table -o g.jsonl", "do fight D3", "do retreat n1 to C3"):
        assert cli(words).code == 0
    return LOG


def test_what_was_told_is_not_taken_back_alone(cli, clash, forge):
    told = " ".join(cli("undo --by mutant").out.split())
    assert "needs human to agree: entry" in told
    assert cli("undo --by mutant --agreed-by human").code == 0
    assert "retreat n1 to C3" in cli("legal --by mutant").out
    forge(clash, Path("forged.jsonl"), -1, lambda entry: entry.update(agreed=[]))
    assert "told a secret" in cli("audit forged.jsonl").out


# How it all looks


STORY = (NEW, *(said for said, _ in BASIC))
LOOKS = [f"{what} {seat}" for seat in ("--by human", "--by mutant", "") for what in ("show", "log", "log --to 29")]


def test_a_hidden_game_as_each_sees_it(cli, snapshot):
    shown = [cli(words).shown for words in STORY]
    assert [*shown[:4], *shown[12:], *(cli(words).shown for words in LOOKS)] == snapshot


def test_a_hidden_game_on_a_phone(cli_in):
    """Pictures are other ones where there is less room; all else is said in the same words."""
    narrow, wide = (partial(cli_in, f"hidden-{width}", width=width) for width in (40, 80))
    for words in (*STORY, *LOOKS):
        answer, plain = narrow(words), wide(words)
        assert longest(answer) <= 40
        assert answer.code == plain.code
        if not words.startswith(("new", "show", "log --to")):
            assert words_of(answer) == words_of(plain), words


END = ("do hold", "do move otis to D5", "do end", "do glow --dice 6", "do record")
AFTERWARDS = ("audit", "log", "-g mail/g.jsonl audit", "reveal", "audit", "log", "reveal")


def ended(cli):
    """The end of the game, and what is said of it before all is revealed and after."""
    answers = [cli(words) for words in END]
    mail()
    answers += [cli(words) for words in AFTERWARDS]
    mail()
    return [*answers, cli("-g mail/g.jsonl audit")]


def test_the_end_of_a_hidden_game_and_its_reveal(cli, clash, snapshot):
    assert [answer.shown for answer in ended(cli)] == snapshot


def test_the_end_of_a_hidden_game_fits_a_phone(cli, clash):
    assert max(map(longest, ended(partial(cli, width=40)))) <= 40


REFUSED = """
undo
undo 2 --by human
reveal
reveal 5 --agreed-by human
reveal 99 --agreed-by human,mutant
why --by human ask xN4
why --by human ask D1
why --by human ask E5-E6
why ask D2-D3
why ask F6
do --by human
roll --by human
do -n end, end
-g mail/g.jsonl do end
-g mail/g.jsonl legal
-g mail/g.jsonl reveal 5 --agreed-by human,mutant
-g mail/g.jsonl undo
-g mail/g.jsonl show --by human --as words
show --by nobody
"""


def test_what_is_refused_to_the_curious(cli, hidden, snapshot):
    cli("do end")
    cli("do move n2 to D1")
    mail()
    assert [cli(words).shown for words in REFUSED.splitlines()[1:]] == snapshot


@pytest.mark.parametrize("command", ["new", "reveal", "show", "log", "log --full", "undo"])
def test_help_on_secrets_fits_sixty_columns(cli, command):
    assert max(map(len, cli(f"{command} --help", width=60).out.splitlines())) <= 60


# In a shell that others look at


ASKED_BARE = ["legal", "legal wall", "legal --count", "odds", "odds wall A1-B1", "hint --seconds 0.1"]


@pytest.mark.parametrize("words", ASKED_BARE)
def test_what_the_seat_on_turn_may_know_is_shown_when_somebody_says_whose_view(cli, words):
    cli(NEW)
    command, *rest = words.split()
    told = cli(words)
    assert (told.code, told.out) == (2, "")
    then = f"this would show what only human (Anna) may see; if nobody else looks: referee {command} --by human."
    assert " ".join(told.err.split()).lower() == then.lower()
    assert cli(command, "--by", "human", *rest).code == 0


def test_who_keeps_no_secrets_needs_no_name(cli):
    cli("new sheboygan -o s.jsonl --seats Ann,Bo")
    assert "to list the legal moves: referee legal --by monster" in cli("status").out
    cli("new manoover -o m.jsonl")
    assert [cli(words).code for words in ("legal", "odds", "hint --seconds 0.1")] == [0, 0, 0]
