"""Flip every single bit of a 500-entry log; an audit must find every flip.

    python tests/scripts/flip_bits.py               all 1.6 million of them, a few minutes
    python tests/scripts/flip_bits.py --every 100   every hundredth line

To be done in minutes, each flip is shown first to the reader that every audit reads with, as it stands before that
line; what stops the reader stops the audit. Only what the reader lets through is audited from the beginning.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BufferedReader, BytesIO
from multiprocessing import get_context
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "bench"))

import long_log

from referee.record.archive.audit import audit_stream
from referee.record.log.line_format import LINE_START
from referee.record.log.log_errors import FaultError
from referee.record.log.reader import Reader

ENTRIES = 500


def make_log(folder: Path, entries: int = ENTRIES) -> bytes:
    """A log of random legal play that is always the same."""
    path = folder / "long.jsonl"
    with long_log.always_same():
        long_log.write_long_log(path, entries)
    return b"".join(path.read_bytes().splitlines(keepends=True)[:entries])


def flipped(data: bytes, bit: int) -> bytes:
    """The data with one bit flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def is_found(data: bytes) -> bool:
    """Whether an audit finds a fault."""
    return audit_stream(BufferedReader(BytesIO(data))).fault is not None


def bits_of_line(data: bytes, line: int) -> range:
    """The bits of a line, its line feed included."""
    lines = data.splitlines(keepends=True)
    begin = sum(map(len, lines[:line]))
    return range(begin * 8, (begin + len(lines[line])) * 8)


def is_found_by_reader(data: bytes, begin: int, n: int, bit: int) -> bool:
    """Whether the reader, which every audit reads with, stops at line `n` when a bit of it is flipped.

    It is handed the first line and then, as if it had read all between, the line in question with all that follow.
    """
    first = data[: data.index(b"\n") + 1]
    reader = Reader(BufferedReader(BytesIO(first + flipped(data[begin:], bit - begin * 8))), strict=True)
    entries = iter(reader)
    next(entries)
    reader.n, reader.hash = n - 1, hash_before(data, begin)
    try:
        return next(entries, None) is None and bool(reader.torn)
    except FaultError:
        return True


def hash_before(data: bytes, begin: int) -> str:
    """The hash of the line that ends where this one begins."""
    at = data.rfind(b"\n", 0, begin - 1) + 1 + len(LINE_START)
    return data[at : at + 64].decode()


def survivors_of(data: bytes, n: int) -> list[int]:
    """Bits of one line whose flips no audit finds. What the reader lets through is audited whole."""
    bits = bits_of_line(data, n)
    begin = bits.start // 8
    passed = [bit for bit in bits if n == 0 or not is_found_by_reader(data, begin, n, bit)]
    return [bit for bit in passed if not is_found(flipped(data, bit))]


def survivors_in(job: tuple[bytes, int]) -> tuple[int, list[int]]:
    """For a pool: how many bits were flipped, and which survived."""
    return len(bits_of_line(*job)), survivors_of(*job)


def flip_all(data: bytes, every: int, processes: int) -> Iterator[tuple[int, list[int]]]:
    """Flip the bits of every so manieth line."""
    lines = data.count(b"\n")
    jobs = ((data, line) for line in range(0, lines, every))
    with get_context("fork").Pool(processes) as pool:
        yield from pool.imap_unordered(survivors_in, jobs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Flip, tell the progress, and name the survivors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth line")
    parser.add_argument("--entries", type=int, default=ENTRIES, metavar="N", help="length of the log")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        data = make_log(Path(folder), options.entries)
    if is_found(data):
        print("the log is not good to begin with")
        return 1
    total, survivors = 0, list[int]()
    for count, left in flip_all(data, options.every, options.processes):
        total += count
        survivors += left
        print(f"\r{total} of {len(data) * 8} bits flipped, {len(survivors)} not found", end="", flush=True)
    print(f"\n{total - len(survivors)} of {total} flips found")
    for bit in sorted(survivors):
        print(f"not found: bit {bit % 8} of byte {bit // 8}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
