"""Logs of all games that were spoilt by chance, and then hashed and sealed again as if nothing had happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from corrupt import hidden
from hypothesis import settings
from long_log import AT, always_same

from referee.engine.dice_mode import OpenDice
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, hash_entry
from referee.record.table.opening_logs import start
from referee.record.table.recording import record_forced_answers, record_note
from referee.record.table.session import Session
from referee.record.table.undo_redo import undo

Document = dict[str, Any]


class Base(NamedTuple):
    """A good log, as plain entries."""

    game: str
    documents: list[Document]
    seats: tuple[str, ...]
    pool: Mapping[str, list[Any]]
    """All values that stand in it, by the key they stand under."""


KINDS: dict[str, tuple[str, dict[str, str], int]] = {
    "manoover": ("manoover", {}, 12),
    "three": ("manoover", {"form": "three"}, 12),
    "mutants": ("mutants", {}, 160),
    "mutants-hidden": ("mutants", {"hidden-movement": "yes"}, 160),
    "sheboygan": ("sheboygan", {}, 100),
    "sheboygan-advanced": ("sheboygan", {"scenario": "advanced-a"}, 60),
    "zombies": ("zombies", {}, 60),
    "zombies-teams": ("zombies", {"players": "4", "mode": "teams"}, 60),
    "ambush": ("ambush", {}, 6),
}
"""A game, its options, and how many actions are played before the log begins: from there on it is recorded."""


@cache
def base(kind: str) -> Base:
    """Some plays from the middle of a game, with one entry of almost every other kind, and every secret revealed."""
    name, options, ahead = KINDS[kind]
    rng = Random(kind)
    with TemporaryDirectory() as folder, always_same():
        dice = OpenDice("5a" * 32)
        session = start(name, Path(folder) / "a.jsonl", options=options, dice=dice)
        session = _from_the_middle(session, options, ahead, rng, Path(folder) / "b.jsonl")
        _play(session, rng, 12)
        record_note(session, "a remark")
        undo(session, agreed=session.reducer.seats)
        _play(session, rng, 6)
        documents = list(hidden.unsealed(session))
    for n, document in enumerate(list(documents)):
        secrets = enumerate(hidden.secrets_in(document))
        documents += [hidden.reveal_of(n, item, agreed=list(session.reducer.seats)) for item, _ in secrets]
    return Base(name, documents, session.reducer.seats, pool_of(documents))


def _from_the_middle(session: Session, options: dict[str, str], ahead: int, rng: Random, path: Path) -> Session:
    """A log that begins where so many random actions lead, if that can be typed as a position."""
    moment = session.moment()
    for _ in range(ahead):
        if not moment.to_act:
            break
        said, _ = moment.judge(moment.legal().pick(rng))
        moment = moment.apply_action(said)
        while answer := moment.find_forced_answer():
            moment = moment.apply_action(answer)
    position = msgspec.to_builtins(session.game.position_from(moment.state))
    try:
        return start(session.game.name, path, options=options, dice=session.reducer.header.dice, position=position)
    except Exception:
        return session


def _play(session: Session, rng: Random, plays: int) -> None:
    for _ in range(plays):
        if session.moment().to_act:
            session.play(session.legal().pick(rng))
            record_forced_answers(session)


def pool_of(value: Any) -> dict[str, list[Any]]:
    """All values in there, by the key they stand under."""
    pool: dict[str, list[Any]] = {}
    _gather(value, "", pool)
    return pool


def _gather(value: Any, key: str, pool: dict[str, list[Any]]) -> None:
    pool.setdefault(key, []).append(value)
    if isinstance(value, dict):
        for name, item in value.items():
            _gather(item, name, pool)
    elif isinstance(value, list):
        for item in value:
            _gather(item, key, pool)


# Spoiling

ODD: list[Any] = [
    0,
    1,
    -1,
    2,
    7,
    2**31,
    2**53 - 1,
    2**53,
    -(2**53),
    10**30,
    0.5,
    1.0,
    True,
    False,
    None,
    "",
    " ",
    "x",
    "-1",
]
ODD += [
    "referee",
    "all",
    "red",
    "human",
    "0" * 64,
    "0" * 32,
    "0" * 63,
    "\x1b[31m",
    "\u202e",
    "\u200b",
    "a" * 5000,
    "../x",
]
ODD += [[], {}, [[]], [None], ["x", "x"], [1] * 300, {"leaf": "0" * 64, "of": "red"}, {"of": "red", "sealed": None}]
ODD += [
    {"type": "x"},
    {"type": None},
    {"type": []},
    {"mode": "table"},
    {"from": "own", "document": {}},
    "1e9",
    "\ud800",
]


def odd(rng: Random) -> Any:
    """Something that hardly belongs anywhere."""
    value = deepcopy(rng.choice(ODD))
    while rng.randrange(4) == 0:
        value = {rng.choice(["x", "type", "of"]): value} if rng.randrange(2) else [value, deepcopy(rng.choice(ODD))]
    return value


def spoil(rng: Random, base: Base) -> list[Document]:
    """The entries of a log with one to three of them changed, left out, or put in."""
    documents = deepcopy(base.documents)
    for _ in range(rng.randrange(1, 4)):
        rng.choice([_change, _change, _change, _change, _move, _add])(rng, base, documents)
    return documents


def _change(rng: Random, base: Base, documents: list[Document]) -> None:
    """Put something else in one place of an entry, most likely something that stands in such a place elsewhere."""
    if documents:
        holder, key = rng.choice(list(places(rng.choice(documents))))
        change(rng, holder, key, base.pool)


def change(rng: Random, holder: Any, key: Any, pool: Mapping[str, list[Any]]) -> None:
    """Change what stands in a place: to what stands in such a place elsewhere, to something near it, to anything."""
    value, alike = holder[key], pool.get(key) if isinstance(key, str) else None
    match rng.choice(["same", "same", "same", "near", "odd", "drop", "more", "word"]), value:
        case "drop", _:
            del holder[key]
        case "more", list() if value:
            holder[key] = [*value, deepcopy(rng.choice(value))]
        case "more", dict():
            holder[key] = {**value, rng.choice(["x", "type", "of", "to", "agreed"]): odd(rng)}
        case "near", int():
            holder[key] = value + rng.choice([-1, 1, 2, 10])
        case "word", str():
            words = [word for values in pool.values() for word in values if isinstance(word, str)]
            holder[key] = rng.choice(words or ["x"])
        case "odd", _:
            holder[key] = odd(rng)
        case _:
            holder[key] = deepcopy(rng.choice(alike or [value]))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everywhere something can be put: what holds it, and its key in there."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def _move(rng: Random, base: Base, documents: list[Document]) -> None:
    """Leave an entry out, have it twice, or put it somewhere else."""
    at, to = (rng.randrange(len(documents)) for _ in range(2))
    way = rng.choice(["out", "twice", "elsewhere"])
    entry = deepcopy(documents[at]) if way == "twice" else documents.pop(at)
    if way != "out":
        documents.insert(to, entry)


def _add(rng: Random, base: Base, documents: list[Document]) -> None:
    """One more entry of some kind."""
    seats = [*base.seats, "referee"]
    some = [rng.choice(seats) for _ in range(rng.randrange(4))]
    n = rng.randrange(-1, len(documents) + 1)
    position = deepcopy((documents[0].get("position") if documents else None) or {})
    for _ in range(rng.randrange(3)):
        spots = list(places(position))
        if spots:
            change(rng, *rng.choice(spots), base.pool)
    kinds: list[Document] = [
        {"type": "takeback", "to": n, "agreed": some},
        {"type": "takeback", "to": max(0, n - 3), "agreed": list(base.seats)},
        {"type": "note", "text": "again"},
        {"type": "resign", "agreed": some},
        {"type": "settled", "winners": some, "agreed": list(base.seats)},
        {"type": "amend", "position": position, "why": "so", "agreed": list(base.seats)},
        {"type": "branch", "name": "other", "parent": "a"},
        {"type": "join", "seed": {"of": rng.choice(seats), "sealed": "00" * 32}},
        {"type": "reveal", "of": max(n, 0), "opens": [n, 0], "agreed": some},
    ]
    entry = {"at": AT, "by": rng.choice(seats), **rng.choice(kinds)}
    documents.insert(rng.randrange(len(documents) + 1), entry)


def put(log: Path, documents: list[Document]) -> None:
    """Write the log of these entries, with a vault for each seat that keeps a secret in it."""
    data, openings = hidden.written_with(documents)
    log.write_bytes(data)
    owners = [
        (secret["of"], openings[n, at])
        for n, entry in enumerate(documents)
        for at, secret in enumerate(hidden.secrets_in(entry))
    ]
    for seat in {seat for seat, _ in owners}:
        head = {
            "format": 2,
            "game": hash_entry(data.partition(b"\n")[0][BODY_OFFSET:-1]),
            "master": hidden.MASTER.hex(),
            "seat": seat,
        }
        lines = [{"leaf": one.leaf, "value": msgspec.Raw(one.value)} for owner, one in owners if owner == seat]
        vault = log.with_name(f"{log.name}.{seat}.vault")
        vault.write_bytes(b"".join(encode_for_log(line) + b"\n" for line in [head, *lines]))
        vault.chmod(0o600)


def written(documents: list[Document]) -> bytes:
    """The log of these entries; b"" where they cannot be written at all."""
    try:
        return hidden.written(documents)
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError):
        return b""


def document_bytes(document: Any) -> bytes:
    """As JSON; what has no JSON becomes something that is none."""
    try:
        return msgspec.json.encode(document)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError):
        return b'{"\xff"'


BYTES = [
    b"",
    b"\0",
    b"\xff",
    b"\n",
    b"\r\n",
    b"\\",
    b'"',
    b"{",
    b"[" * 2_000,
    b"9" * 5_000,
    b"\\ud800",
    b"\x1b[2J",
    b" ",
    b"=",
    b"#",
    b"-",
]
BYTES += [
    b"0",
    b"1e400",
    b"nan",
    b"true",
    b"null",
    b"{}",
    b"[]",
    b'"""',
    b"a.b.c=1\n",
    b"[[x]]\n",
    b"\xef\xbb\xbf",
    b"1979-05-27",
    b"x" * 70_000,
]
NUMBERS = [b"-1", b"0", b"99999999999999999999", b"1.5"]


def blurred(rng: Random, data: bytes) -> bytes:
    """Bytes with some flipped, left out, put in, or doubled."""
    for _ in range(rng.randrange(1, 4)):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        match rng.choice(["flip", "out", "in", "in", "twice", "end", "line", "number"]):
            case "flip" if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            case "out":
                data = data[:at] + data[min(to, at + 40) :]
            case "in":
                data = data[:at] + rng.choice(BYTES) + data[at:]
            case "twice":
                data = data[:to] + data[at:to] + data[to:]
            case "end":
                data = data[:at]
            case "line":
                lines = data.splitlines(keepends=True)
                rng.shuffle(lines)
                data = b"".join(lines)
            case _:
                data = re.sub(rb"\d+", lambda found: rng.choice([found[0], *NUMBERS]), data, count=3)
    return data


# Looking at what came back

DESIGNED = {0, 1, 2, 3, 4, 5}
FEWER = settings(max_examples=max(1, settings.default.max_examples // 15))
"""For what is tried on many games: a fifteenth of the examples that the profile has."""


def check_answer(answer: Any) -> None:
    """A designed exit code, no traceback, nothing that a terminal would obey, and no game to blame."""
    assert answer.code in DESIGNED, answer.shown
    assert "Traceback" not in answer.err, answer.shown
    assert "is faulty" not in answer.err, answer.shown
    told = answer.err.startswith(("{", "Usage:"))  # these repeat what was typed
    assert told or all(char.isprintable() or char == "\n" for char in answer.err), answer.shown
