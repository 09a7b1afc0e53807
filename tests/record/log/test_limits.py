"""What a line from a stranger may hold."""

from io import BytesIO
from random import Random

import pytest
from support import FIXTURES

from referee.gate import measure_nesting_depth
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import MAX_ENTRY_BYTES
from referee.record.log.line_format import LINE_START, NO_PREVIOUS_HASH, format_entry_line
from referee.record.log.log_errors import FaultError
from referee.record.log.reader import Reader
from referee.record.log.safe_files import BLOCK_BYTES

BY_SEED = FIXTURES / "manoover" / "games" / "01-base.jsonl"
AT = "2026-01-02T03:04:05Z"


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (b"", 0),
        (b"[[{}]]", 3),
        (b'["[[[[",{}]', 2),
        (rb'["\"[[",[[]]]', 3),
        (b'[["[[[', 2),
        (b"]]]][", 0),
        (b'[["\n[\\', 2),
    ],
)
def test_depth_counts_brackets_outside_of_strings(body: bytes, depth: int):
    assert measure_nesting_depth(body, 0) == depth


def test_depth_is_that_of_a_reader_byte_by_byte():
    random = Random(1)
    for _ in range(3_000):
        body = bytes(random.choice(b'[]{}"\\a\n,') for _ in range(random.randint(0, 30)))
        assert measure_nesting_depth(body, 0) == byte_by_byte(body), body


def byte_by_byte(body: bytes) -> int:
    """The deepest nesting, looked for without any shortcut."""
    depth = deepest = 0
    in_string = escaped = False
    for byte in body:
        if escaped:
            escaped = False
        elif in_string:
            escaped, in_string = byte == 0x5C, byte != 0x22
        elif byte == 0x22:
            in_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def log_across_a_block(size: int, beyond: int) -> bytes:
    """A game with remarks, then an entry of this size; so many bytes of its line lie in the next block of a reader."""
    lines = [BY_SEED.read_bytes().splitlines(keepends=True)[0]]
    long = line_after(lines * 10, amend(size))
    start = len(lines[0]) + BLOCK_BYTES + beyond - len(long)  # what follows the first line is read in blocks
    while start - sum(map(len, lines)) > 2_000:
        lines.append(line_after(lines, note(800)))
    spare = start - sum(map(len, lines)) - len(line_after(lines, note(0)))
    lines.append(line_after(lines, note(spare)))
    return b"".join([*lines, line_after(lines, amend(size))])


def amend(size):
    """A corrected position that makes an entry of just this size, whose number has two digits."""
    entry = {
        "agreed": [],
        "at": AT,
        "by": "red",
        "n": 10,
        "position": {"a": []},
        "prev": NO_PREVIOUS_HASH,
        "type": "amend",
    }
    spare = size - len(encode_for_log(entry | {"why": "x"}))
    texts = ["x" * 4_000] * (spare // 4_003)
    texts[:1] = ["x" * 2_000, "x" * (spare - 4_003 * len(texts) + 1_998)]
    return entry | {"position": {"a": texts}, "why": "x"}


def note(length):
    return {"at": AT, "by": "red", "text": "x" * length, "type": "note"}


def line_after(lines, entry):
    prev = lines[-1][len(LINE_START) :][:64].decode() or NO_PREVIOUS_HASH
    return format_entry_line(encode_for_log(entry | {"n": len(lines), "prev": prev}))


@pytest.mark.parametrize("beyond", [0, 1, 20, 84, 85, 86, 1_000])
def test_the_longest_entry_is_read_wherever_it_stands(beyond: int):
    """A reader takes a file in blocks, and where these end is nothing that a log may hang on."""
    longest = list(Reader(BytesIO(log_across_a_block(MAX_ENTRY_BYTES, beyond))))
    assert len(encode_for_log(longest[-1])) == MAX_ENTRY_BYTES
    with pytest.raises(FaultError, match="line-too-long"):
        list(Reader(BytesIO(log_across_a_block(MAX_ENTRY_BYTES + 1, beyond))))
