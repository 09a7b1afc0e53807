"""Every format, changed in its structure by chance, read by every command that reads it: no bug, no silence, no hang.

python tests/scripts/fuzz_formats.py --minutes 60            all formats, on two processes
python tests/scripts/fuzz_formats.py --formats log,packet    these alone
python tests/scripts/fuzz_formats.py --seed 7                other changes

A sample is decoded, one to three places in it are changed, and it is written again so that its hashes fit. A finding
is exit 70, a traceback, silence, or more than LONGEST seconds. It is printed with its seed and its shortest file.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import re
import shlex
import signal
import sys
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import chdir, contextmanager, suppress
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / part) for part in (".", "scripts", "bench", "cli/fuzz")]

import tomlkit
from calling import Called, called
from format_samples import ENDINGS, FILE, READERS, good_log, samples
from memory import write_in_memory
from spoilt import change, places, pool_of

from referee.mail.ascii_armor import EnvelopeError, encode_ascii_armor, read_mailed_packets
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, format_entry_line, hash_entry

LONGEST = 20.0
"""The seconds that a command may take."""
CODES = {0, 1, 2, 3, 4, 5}
"""The exit codes of designed answers to commands that nobody stops."""
STRANGE: list[Any] = ["2026-02-30T25:61:00Z", "9999-12-31T23:59:60Z", "0000-00-00", "\u2066x", "\x00", "\ud800", "NaN"]
STRANGE += [
    10**400,
    -(10**19),
    1e308,
    float("inf"),
    "z" * 70_000,
    "\n",
    "CLEAN\n",
    {"": {}},
    [[[]]],
    "\u0661",
    "\U0001f3b2",
]
TOKENS = (
    "",
    "-1",
    "0",
    "9" * 400,
    "\x00",
    "\u202e",
    "[" * 600,
    "{",
    '"',
    "=",
    "\r",
    "2026-02-30",
    "\udcff",
    "..",
    "\u0661",
)
Undecoded = (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError)


class Finding(NamedTuple):
    """One input that was not answered as designed."""

    seed: int
    kind: str
    line: str
    wrong: str
    data: bytes


class TooLongError(BaseException):
    """Raised in a command that takes too long."""


# Changes


def change_value(rng: Random, value: Any) -> Any:
    """Returns a copy of a value in which one to three places are changed."""
    holder, pool = [deepcopy(value)], pool_of(value)
    for _ in range(rng.randrange(1, 4)):
        inside, key = rng.choice(list(places(holder)))
        match rng.randrange(6):
            case 0:
                inside[key] = deepcopy(rng.choice(STRANGE))
            case 1:
                inside[key] = nest(inside[key], rng.choice([2, 30, 100, 480]))
            case 2 if len(inside) > 1:
                other = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
                inside[key], inside[other] = inside[other], inside[key]
            case _:
                change(rng, inside, key, pool)
        if not holder:
            return None
    return holder[0]


def nest(value: Any, depth: int) -> Any:
    """Returns a value inside so many lists."""
    for _ in range(depth):
        value = [value]
    return value


def change_text(rng: Random, data: bytes) -> bytes:
    """Returns a text in which one to three of its words or lines are changed."""
    pieces = re.split(r"(\s+|[=,:\[\]{}\"'<>]|\d+)", data.decode("utf-8", "surrogateescape"))
    for _ in range(rng.randrange(1, 4)):
        at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        match rng.randrange(5):
            case 0:
                del pieces[at : at + rng.choice([1, 1, 5, 50])]
            case 1:
                pieces[at:at] = pieces[other : other + rng.choice([1, 5, 50])]
            case 2:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case _:
                pieces[at] = rng.choice(TOKENS)
        pieces = pieces or [""]
    return "".join(pieces).encode("utf-8", "surrogatepass" if rng.randrange(2) else "replace")


def change_entries(rng: Random, data: bytes) -> bytes:
    """Returns a log in which one entry or the order of them is changed, with hashes that fit."""
    lines = data.splitlines(keepends=True)
    documents = [json.loads(line[BODY_OFFSET:-2]) for line in lines]
    first, prev = documents[0]["n"], documents[0]["prev"]
    at, other = rng.randrange(len(documents)), rng.randrange(len(documents))
    match rng.randrange(6):
        case 0:
            documents.insert(other, documents.pop(at))
        case 1:
            documents.insert(other, deepcopy(documents[at]))
        case 2 if len(documents) > 1:
            del documents[at]
        case _:
            documents[at] = change_value(rng, documents[at])
    return chained(documents, first, prev)


def chained(documents: list[Any], first: int, prev: str) -> bytes:
    """Returns these entries, hashed again, as they stand in a log from entry `first` on, after the hash `prev`."""
    lines: list[bytes] = []
    for number, document in enumerate(documents, first):
        lines.append(format_entry_line(encode_for_log({**document, "n": number, "prev": prev})))
        prev = hash_entry(lines[-1][BODY_OFFSET:-2])
    return b"".join(lines)


def change_toml(rng: Random, data: bytes) -> bytes:
    """Returns a TOML or JSON document in which some values are changed."""
    text = data.decode()
    value = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    changed = change_value(rng, value)
    if text.lstrip().startswith("{") or rng.randrange(3) == 0:
        return json.dumps(changed, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return tomlkit.dumps(changed).encode("utf-8", "surrogatepass")


def change_lines(rng: Random, data: bytes) -> bytes:
    """Returns lines of JSON in which one is changed."""
    lines = data.splitlines()
    at = rng.randrange(len(lines))
    lines[at] = json.dumps(change_value(rng, json.loads(lines[at]))).encode()
    return b"\n".join(lines) + b"\n"


def change_packet(rng: Random, data: bytes) -> bytes:
    """Returns the text of a packet whose head or entries are changed; the checksum around it fits."""
    head, _, rest = read_mailed_packets(data).whole[0].partition(b"\n")
    if rng.randrange(2):
        head = encode_for_log(change_value(rng, json.loads(head)))
    else:
        rest = change_entries(rng, rest)
        last = hash_entry(rest.splitlines()[-1][BODY_OFFSET:-1])
        head = encode_for_log({**json.loads(head), "head": last})
    return encode_ascii_armor(head + b"\n" + rest).encode()


def change_mail(rng: Random, data: bytes) -> bytes:
    """Returns a mail with another packet in it, or with its heads changed."""
    return change_text(rng, data) if rng.randrange(2) else change_packet(rng, data)


CHANGES: dict[str, Callable[[Random, bytes], bytes]] = {
    "log": change_entries,
    "match": change_entries,
    "position": change_toml,
    "board": change_toml,
    "deck": change_toml,
    "packet": change_packet,
    "mail": change_mail,
    "proof": change_toml,
    "lines": change_lines,
    "backup": change_toml,
    "settings": change_toml,
}
"""How the structure of a format is changed; that of the others is their words."""


def changed(rng: Random, kind: str) -> bytes:
    """Returns a sample of a format, changed; one in ten is packed afterwards."""
    data = rng.choice(samples(kind))
    way = CHANGES.get(kind, change_text) if rng.randrange(5) else change_text
    try:
        data = way(rng, data)
    except (*Undecoded, EnvelopeError, tomlkit.exceptions.TOMLKitError):
        data = change_text(rng, data)
    return packed(rng, data) if rng.randrange(10) == 0 else data


def packed(rng: Random, data: bytes) -> bytes:
    """Returns data in a gzip file or a zip file, which may be cut or have an odd name in it."""
    if rng.randrange(2):
        made = gzip.compress(data)
    else:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr(rng.choice(["given", "../x", "a\nb", "x" * 300, "/etc/x", ""]) or "x", data)
        made = stream.getvalue()
    return made[: rng.randrange(len(made))] if rng.randrange(3) == 0 else made


# Trying


@contextmanager
def bounded() -> Iterator[None]:
    """Ends what lasts longer than LONGEST."""

    def end(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ending_of(kind: str, data: bytes) -> str:
    """Returns the ending of the name of the file with this data, as players would have it."""
    if kind == "position":
        return ".json" if data.startswith(b"{") else ".toml"
    return ENDINGS.get(kind, "")


def what_is_wrong(kind: str, line: str, data: bytes) -> str:
    """Returns what is wrong with the answer to a line beside this file; "" if nothing is."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("good.jsonl").write_bytes(good_log())
        name = f"{FILE}{ending_of(kind, data)}"
        Path(name).write_bytes(data)
        if kind == "settings":
            Path(".referee").write_bytes(data)
        homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), folder)
        begun = time.monotonic()
        try:
            with patch.dict(os.environ, homes), bounded():
                answer = called(shlex.split(line.replace(FILE, name)), data)
        except TooLongError:
            return f"it takes longer than {LONGEST:g} seconds"
        except BaseException as error:
            return f"it ends with {error!r}"
        return "it is slow" if time.monotonic() - begun > LONGEST else fault_of(answer)


def fault_of(answer: Called) -> str:
    """Returns what is wrong with an answer; "" if nothing is."""
    told = (answer.out + b"\n" + answer.err).decode("utf-8", "replace")
    if answer.code not in CODES:
        return f"exit {answer.code}: {told.strip()[:600]}"
    if "bug in the referee" in told or "Traceback" in told:
        return f"it calls itself faulty: {told.strip()[:600]}"
    return f"exit {answer.code} in silence" if answer.code and not told.strip() else ""


def try_seed(seed: int, kinds: tuple[str, ...]) -> Finding | None:
    """Returns what the input of this seed finds; None if it is answered as designed."""
    rng = Random(seed)
    kind = kinds[seed % len(kinds)]
    data, line = changed(rng, kind), rng.choice(READERS[kind])
    line = f"--json {line}".strip() if rng.randrange(2) else line
    wrong = what_is_wrong(kind, line, data)
    return Finding(seed, kind, line, wrong, data) if wrong else None


def shortest(found: Finding) -> Finding:
    """Returns the finding with as few lines of its file as still lead to the same."""
    lines = found.data.splitlines(keepends=True)
    until = time.monotonic() + 20
    size = len(lines) // 2
    while size and time.monotonic() < until:
        for at in range(0, len(lines), size):
            fewer = lines[:at] + lines[at + size :]
            if what_is_wrong(found.kind, found.line, b"".join(fewer))[:40] == found.wrong[:40]:
                lines = fewer
                break
        else:
            size //= 2
    return found._replace(data=b"".join(lines))


def try_until(until: float, seed: int, step: int, kinds: tuple[str, ...]) -> tuple[int, list[Finding]]:
    """Tries every `step`th seed until a time; returns how many, and one finding of each sort."""
    os.nice(10)
    write_in_memory()
    count, found = 0, dict[tuple[str, str], Finding]()
    while time.time() < until:
        one = try_seed(seed + count * step, kinds)
        count += 1
        if one and (sort := (one.kind, one.wrong[:90])) not in found:
            found[sort] = shortest(one)
            print(report(found[sort]), flush=True)
    return count, [*found.values()]


def report(found: Finding) -> str:
    """Returns a finding as text."""
    return f"seed {found.seed}, {found.kind}: referee {found.line}\n    {found.wrong}\n    {found.data[:1500]!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--formats", default=",".join(READERS), help="these formats, with commas")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=2)
    said = parser.parse_args()
    until, kinds = time.time() + 60 * said.minutes, tuple(said.formats.split(","))
    with ProcessPoolExecutor(said.jobs) as pool, suppress(KeyboardInterrupt):
        trying = partial(try_until, until, step=said.jobs, kinds=kinds)
        done = [one.result() for one in as_completed(pool.submit(trying, said.seed + job) for job in range(said.jobs))]
    wrong = sum(len(found) for _, found in done)
    print(f"{sum(count for count, _ in done):,} inputs, {wrong} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
