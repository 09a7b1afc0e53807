"""Anything typed in the middle of any game leads to a designed answer, and a refusal writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import spoilt
from hypothesis import given
from hypothesis import strategies as st
from spoilt import FEWER, check_answer
from third_party import installed

from referee.cli.catalogue import ALIASES, COMMANDS
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log

RANDOM = st.randoms(use_true_random=False)
SAYING = ("do", "why", "legal", "roll", "", "", "")
REST = [name for name in COMMANDS if name not in ("demo", "play", "serve", "mail", "web")] + list(ALIASES)
GLOBAL = (
    "--json",
    "--ascii",
    "--at",
    "--by",
    "--dice",
    "-n",
    "--by-hand",
    "--agreed-by",
    "all",
    "referee",
    "--",
    "-o",
    "--as",
)
ODD_WORDS = (
    "",
    " ",
    ",",
    "!",
    "?",
    "all",
    "..",
    "a..b",
    "0",
    "-1",
    "9" * 400,
    "\u00b2",
    "\u0663",
    "\U0001f3b2",
    "%s",
    "'",
    '"',
    "x" * 5000,
)
ODD_WORDS += (
    "*",
    "~",
    "$HOME",
    "../..",
    "=",
    ":",
    "n1..n99",
    "1-1",
    "\udcff",
    "{",
    "turn",
    "7",
    "7.red",
    "a\tb",
    "a\nb",
    "--x",
)


@pytest.fixture(scope="module", autouse=True)
def ambush_is_installed():
    with installed():
        yield


def vocabulary(log):
    """Words of legal actions, and of the log itself."""
    session = open_log(log)
    game, words = session.game, []
    for number, action in enumerate(session.legal()):
        words += game.format(action).split()
        if number > 300:
            break
    return sorted({*words, *session.reducer.seats}) or ["done"]


def phrase(rng, words):
    """Some words, a few of them spoilt."""
    said = [rng.choice(words) for _ in range(rng.randrange(1, 6))]
    for at in range(len(said)):
        match rng.randrange(8):
            case 0:
                said[at] = rng.choice(ODD_WORDS)
            case 1:
                said[at] = said[at][: rng.randrange(1, 4)]
            case 2:
                said[at] += rng.choice([",", "!", "-", said[at], "1", "..", "+", "/"])
            case 3:
                said[at] = said[at].upper()
    return said


@pytest.mark.parametrize("kind", spoilt.KINDS)
@FEWER
@given(rng=RANDOM)
def test_anything_said_in_the_middle_of_a_game(cli_anywhere, kind, rng):
    log, base = Path(f"{kind}.jsonl"), spoilt.base(kind)
    if not log.exists():
        spoilt.put(log, [entry for entry in base.documents if entry["type"] != "reveal"])
    before = log.read_bytes()
    known = words_of(kind, log)
    command = [rng.choice(SAYING)] if rng.randrange(4) else [rng.choice(REST)]
    words = [*command, *phrase(rng, known)] if rng.randrange(6) else command
    for _ in range(rng.randrange(2)):
        words.insert(rng.randrange(len(words) + 1), rng.choice(GLOBAL))
    answer = cli_anywhere(
        "-g", str(log), *filter(None, words), stdin=rng.choice([b"", b"x\n", b"3 3\n", b"\xff\n", b"y\ny\n"])
    )
    check_answer(answer)
    if answer.code or "why" in words:
        assert log.read_bytes() == before
    elif log.read_bytes() != before:
        assert log.read_bytes().startswith(before)
        assert audit(log).fault is None
        log.write_bytes(before)
    Path(f"{log}.head").unlink(missing_ok=True)
    for made in [path for path in Path().iterdir() if not path.name.startswith(log.name) and path.is_file()]:
        made.unlink()


VOCABULARY = {}


def words_of(kind, log):
    if kind not in VOCABULARY:
        VOCABULARY[kind] = vocabulary(log)
    return VOCABULARY[kind]
