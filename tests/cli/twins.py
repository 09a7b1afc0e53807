"""Twin games: two logs that differ only in what somebody may not know, played at random; and everything that he could
type to find out, for every command that the command line has.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from referee.cli.catalogue import COMMANDS, load_command
from referee.cli.completion import complete_line
from referee.cli.screen import Screen, encode_json
from referee.cli.session.prompt import make_prompt, make_toolbar
from referee.cli.session.repl import Repl
from referee.engine.adjudication import LegalVerdict
from referee.engine.dice_mode import OpenDice
from referee.engine.secret import hide_secrets_from
from referee.record.table.action_batch import ActionBatch
from referee.record.table.opening_logs import open_log, start
from referee.record.table.session import Session

SEED = "7" * 64
CLOCK = "2026-01-02T03:04:05Z"
PICKS = 40
"""The number of secret actions that are tried at one place, to find two that look alike to everybody else."""
BEFORE = (0, 2, 4, 8, 16, 32)
"""Plays before the one that differs."""
LATER = 6
"""The most plays after the one that differs."""
HEX = re.compile(r"\b[0-9a-f]{8}(?:[0-9a-f]{24}){0,1}(?:[0-9a-f]{32}){0,1}\b")
WORDS = re.compile(r"\b[bdfghj-np-tvz][aiou][bdfghj-np-tvz][aiou][bdfghj-np-tvz](?:-[a-z]{5}){3}\b")
"""The four words of a hash."""
CHECKPOINT = re.compile(r"(referee/[0-9a-f]{16}\W+n?\d+\W+n?)[A-Za-z0-9+/]{43}=")
"""The hash of an entry as a checkpoint has it."""
NOT_TRIED = {
    "play": "is a session, in which all others are said, too: `at_the_table`",
    "serve": "lasts until it is ended; all that it answers is compared in tests/serve",
    "demo": "plays a game of its own, and reads no log",
    "bots list": "is about no game",
    "bots rank": "plays games of its own, and reads no log",
    "new": "begins another game, at random",
    "match new": "begins other games, at random",
    "vault": "is about the secrets on this computer, which are their owner's",
    "git": "is about a repository and no game; it says in which folder it is",
    "git setup": "the same",
    "git words": "the same",
    "git merge-driver": "the same",
    "key": "is about this computer and keys, which all may know; a new key is random",
    "web": "is about no game, and fetches things",
}
"""Commands that do not look at a game, each with the reason."""
PASSED_OVER = {
    "--by": "is said in every line already, where the viewer has a seat",
    "--help": "is the same for all",
    "--judge": "thinks as far as it comes in its time",
    "--run": "goes with --watch, and runs a program of one's own",
    "--step": "waits for Enter; what it shows then, log --full shows",
    "--watch": "lasts until Ctrl-C; it opens mail as open does",
}
"""Options that are not tried, each with the reason."""


class Twins(NamedTuple):
    """Two folders with a log of one name, and the viewers who cannot tell the logs apart."""

    one: Path
    other: Path
    viewers: tuple[str | None, ...]


def twins(
    game: str,
    options: Mapping[str, str],
    folder: Path,
    seed: int,
    before: Sequence[int] = BEFORE,
    later: int = LATER,
) -> Twins | None:
    """Plays two games that differ at random in a secret. None if no secret came up with this seed."""
    with (
        patch("referee.record.table.entry_encoder.get_current_time", lambda: CLOCK),
        patch("referee.record.table.opening_logs.get_current_time", lambda: CLOCK),
    ):
        return _twins(game, options, folder, seed, before, later)


def _twins(
    game: str, options: Mapping[str, str], folder: Path, seed: int, before: Sequence[int], later: int
) -> Twins | None:
    random = Random(f"{game} {seed}")
    one, other = (begun(game, options, folder / name) for name in ("one", "other"))
    for _ in range(random.choice(before)):
        if not _played(one, other, random, None):
            break
    for _ in range(30):
        viewers = _parted(one, other, random)
        if viewers:
            for _ in range(random.randrange(later)):
                viewers = _played(one, other, random, viewers) or viewers
            return Twins(folder / "one", folder / "other", viewers)
        if not _played(one, other, random, None):
            return None
    return None


def begun(game: str, options: Mapping[str, str], folder: Path) -> Session:
    """Starts a game that is the same wherever it begins, random bytes included."""
    folder.mkdir(parents=True)
    numbers = itertools.count(1)
    with patch.object(os, "urandom", lambda count: bytes([next(numbers)]) * count):
        return start(game, folder / "g.jsonl", options=options, dice=OpenDice(SEED))


def _line(session: Session, action: Any) -> ActionBatch | None:
    """Returns the judged line of an action; None if the action cannot be played."""
    line = ActionBatch(session.moment(), [action])
    return line if line.said and isinstance(line.said[-1].verdict, LegalVerdict) else None


def _seen(line: ActionBatch, viewer: str | None) -> str:
    """Returns everything that a viewer sees of a line."""
    parts = []
    for said in line.said:
        shown = None if said.verdict.hidden else hide_secrets_from(said.action, viewer)
        rolls = [roll for roll in said.verdict.rolls if not roll.to]
        parts.append((said.seat, shown, rolls, hide_secrets_from(said.verdict.open_events, viewer)))
    return repr(parts)


def _alike(one: ActionBatch, other: ActionBatch, viewers: tuple[str | None, ...]) -> tuple[str | None, ...]:
    return tuple(viewer for viewer in viewers if _seen(one, viewer) == _seen(other, viewer))


def _played(one: Session, other: Session, random: Random, viewers: tuple[str | None, ...] | None) -> Any:
    """Plays on in both games in the same way. Returns the viewers who still cannot tell them apart;

    False if that is impossible.
    """
    if one.moment().to_act is None:
        return False
    action = one.legal().pick(random)
    lines = _line(one, action), _line(other, action)
    alike = _alike(*lines, viewers or (None,)) if all(lines) else ()
    if not alike or (viewers and alike != viewers):
        return False
    for session, line in zip((one, other), lines, strict=True):
        session.record(line.said)
    return alike


def _parted(one: Session, other: Session, random: Random) -> tuple[str | None, ...]:
    """Plays different secret actions in the two games, if two look alike to others.

    Returns the viewers to whom they look alike.
    """
    mover = one.moment().to_act
    if mover is None or mover not in one.reducer.keepers:
        return ()
    others = (*(seat for seat in one.reducer.seats if seat != mover), None)
    found: dict[str, ActionBatch] = {}
    for _ in range(PICKS):
        line = _line(one, one.legal().pick(random))
        first = found.setdefault(_seen(line, None), line) if line else None
        if line and first and first.said[0].action != line.said[0].action:
            alike = _alike(first, line, others)
            again = _line(other, line.said[0].action)
            if alike == others and again and first.said[-1].next_moment.known != line.said[-1].next_moment.known:
                one.record(first.said)
                other.record(again.said)
                return alike
    return ()


# What can be typed


def samples(game: Any, look: Any, seat: str | None) -> Mapping[str, tuple[str, ...]]:
    """Returns values for each placeholder of the help."""
    entries = len(look.log.entries)
    numbers = tuple(map(str, sorted({1, entries // 2, max(1, entries - 2), entries - 1, 999})))
    pieces = [name for name in look.sight.pieces if " " not in name][:3]
    places = sorted({place for page in look.sight.draw_picture().pages for place in page.list_places()})[:3]
    legal = itertools.islice(look.sight.legal if seat else (), 2)
    said = (*game.examples[:4], *map(game.format, legal))
    return {
        "ACTION": said or ("end",),
        "ORDERS": (f"if 5: {said[0] if said else 'end'} else end",),
        "N": numbers,
        "A..B|turn N": ("2..9", "3..", "turn 2"),
        "SEAT": look.facts.seats,
        "SEATS": (*look.facts.seats, "all", "draw"),
        "FACES": ("1", "6 6"),
        "FACES|ACTION": ("1", said[0] if said else "end"),
        "3,6": ("1", "6,6"),
        "PLACE": (*places, "nowhere"),
        "PIECE": (*pieces, "nobody"),
        "CHANGE": tuple(f"{name} {places[0] if places else 'x'}" for name in (*pieces, "nobody")),
        "WORD": (*pieces[:2], *places[:1]),
        "ID|WORD": ("1", "end"),
        "RULE": (next(iter(game.rulebook.rules)), "nothing"),
        "TEXT": ("hi",),
        "WHEN": (*numbers[1:3], "turn 1"),
        "FORM": ("text", "words", "svg", "json", "toml", "nonsense"),
        "FILE": ("out.txt",),
        "FOLDER": (".",),
        "LOG": ("g.jsonl", "none.jsonl"),
        "LOG|FOLDER": ("g.jsonl", "."),
        "GAME": (game.name,),
        "NAME": ("what-if",),
        "BOT": ("steady", "nobody"),
        "NAMES": ("Anna,Bo",),
        "MAIL": ("g.jsonl",),
        "MODE": ("open",),
        "DATE": ("2026-12-24",),
        "K=V": ("a=b",),
        "PART=FILE": ("board=none.toml",),
        "PART[=NAME": ("board", "nothing"),
        "HEX": ("0",),
        "S": ("1",),
    }


def lines_for(game: Any, look: Any, seat: str | None) -> Iterator[str]:
    """Yields every line that could be typed to find something out.

    These are each command alone, and with each argument and option. They are typed for this seat, or for nobody.
    """
    yield from ("", "--json")
    values = samples(game, look, seat)
    for name in COMMANDS:
        if name not in NOT_TRIED and not (name == "reveal" and look.facts.outcome):  # then it is for all to see
            yield from dict.fromkeys(_command_lines(name, load_command(name), values, seat))


def _command_lines(name: str, command: Any, values: Mapping[str, tuple[str, ...]], seat: str | None) -> Iterator[str]:
    for part, inner in getattr(command, "commands", {}).items():
        if f"{name} {part}" not in NOT_TRIED:
            yield from _command_lines(f"{name} {part}", inner, values, seat)
    if getattr(command, "commands", None):
        return
    arguments = [one for one in command.params if not one.opts[0].startswith("-")]
    options = [one for one in command.params if one.opts[0].startswith("-")]
    who = next((one.help for one in options if "--by" in one.opts), "")
    if who.startswith("Who acts") and seat is None:
        return  # it would be said in somebody's name
    by = f" --by {seat}" if who and seat else ""
    said = [f"{name}{by}", *(f"{name}{by} {value}" for one in arguments[:1] for value in _values(one, values))]
    if len(arguments) > 1:
        said += [f"{name}{by} {' '.join(_values(one, values)[0] for one in arguments)}"]
    yield from said
    yield from (f"--json {line}" for line in said[:3])
    first = said[1] if len(said) > 1 else said[0]
    for option in options:
        flag = max(option.opts, key=len)
        if flag in PASSED_OVER:
            continue
        for value in ("",) if option.is_flag else _values(option, values):
            yield from (f"{line} {flag} {value}".rstrip() for line in {said[0]: 0, first: 0})


def _values(param: Any, values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    metavar = (param.metavar or "").strip("[].")
    if "--agreed-by" in param.opts:
        return ("nobody",)  # others agree for themselves, and once they have it is no secret any more
    if metavar.islower():
        return tuple(metavar.split("|"))
    if not metavar and param.opts[0] in ("--mail", "--lost-key"):
        return ()
    assert metavar in values, f"say in tests/cli/twins.py what may stand for {metavar} ({param.opts})"
    return values[metavar]


# The same in a session at the table


def at_the_table(viewer: str | None, line: str) -> tuple[Any, ...]:
    """Returns everything that a viewer sees in `referee play`: at first, after typing a line, and on leaving.

    The viewer sits down if it is their turn. Otherwise nobody is at the screen.
    """
    talk = Repl(open_log(Path("g.jsonl")), lambda: Screen(colour="never", width=100))
    seen = _seen_at(talk, talk.make_opening_reply(), "")
    while viewer and talk.live_log.pending_handover and talk.live_log.pending_handover.to == viewer:
        seen += _seen_at(talk, talk.run_line(""), "")
    if talk.live_log.eyes == viewer:
        line = line.replace(f" --by {viewer}", "")
    line = line or "show"  # Enter would have another sit down
    return (*seen, *_seen_at(talk, talk.run_line(line), line), *_seen_at(talk, talk.make_farewell_reply(), ""))


def _seen_at(talk: Repl, reply: Any, line: str) -> tuple[Any, ...]:
    """Returns the screen, the completions of TAB and Up, and the facts for programs."""
    look, need = None if talk.live_log.pending_handover else talk.look, talk.need
    words = complete_line(line, look, need.names if need else ())
    around = (
        make_prompt(talk, 100),
        make_toolbar(talk, 100),
        words,
        talk.list_recent_action_lines(),
        talk.live_log.eyes,
        talk.over,
    )
    return (
        reply.render_rows(),
        reply.answer.code,
        reply.clears_screen,
        masked(encode_json(reply.answer.facts())),
        repr(around),
    )


def masked(text: str) -> str:
    """Returns a text without hashes, in hex, in words and in checkpoints."""
    return WORDS.sub("<words>", HEX.sub("<hex>", CHECKPOINT.sub(r"\1<hash>", text)))


def written(folder: Path) -> dict[str, str]:
    """Returns the files of a folder without secrets, and their texts without hashes."""
    open_files = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".vault" not in path.name)
    return {str(path.relative_to(folder)): masked(path.read_text("utf-8", "replace")) for path in open_files}


def copied(folder: Path, name: str) -> Path:
    """Returns a fresh copy in which a command may write."""
    target = folder.parent / name / "here"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)
    return target
