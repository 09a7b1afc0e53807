"""What a line from a stranger may hold."""

from random import Random

import pytest

from referee.record.log.limits import depth_of


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
    assert depth_of(body, 0) == depth


def test_depth_is_that_of_a_reader_byte_by_byte():
    random = Random(1)
    for _ in range(3_000):
        body = bytes(random.choice(b'[]{}"\\a\n,') for _ in range(random.randint(0, 30)))
        assert depth_of(body, 0) == byte_by_byte(body), body


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
