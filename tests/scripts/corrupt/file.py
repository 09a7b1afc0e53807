"""The file as a whole: no log at all, bytes that changed, lines that moved, the frame."""

from __future__ import annotations

from hashlib import sha256

from corrupt.book import LAST, THROW, TURN, Make, chain, entries, file, line, lines, put
from referee.record.log.entry import NoteEntry, encode_for_log
from referee.record.log.line_format import BODY_OFFSET, format_entry_line


def _flipped(n: int, at: int) -> Make:
    return line(n, lambda kept: kept[:at] + bytes([kept[at] ^ 1]) + kept[at:][1:])


def _unchained(n: int, path: str, value: object) -> bytes:
    """An entry that does not continue the one before it, hashed like any other."""
    documents = entries()
    chain(documents)
    put(n, path, value)(documents)
    return b"".join(format_entry_line(encode_for_log(document)) for document in documents)


def _unsalted(kept: bytes) -> bytes:
    return b'{"hash":"%b","entry":%b}\n' % (sha256(kept[BODY_OFFSET:-2]).hexdigest().encode(), kept[BODY_OFFSET:-2])


def _two_ends(*marks: bytes) -> bytes:
    """A log in which somebody else has played on, too; with the marks of a merge before, between and after the ends."""
    common, ours = lines()[:LAST], lines()[LAST:]
    note = NoteEntry(n=LAST, prev=common[-1][9:73].decode(), by="red", at="2026-01-02T03:04:05Z", text="I played on")
    before, between, after = marks or (b"", b"", b"")
    return b"".join([*common, before, *ours, between, format_entry_line(encode_for_log(note)), after])


SMALL: dict[str, Make] = {
    # Good, though it may not look so
    "missing-newline-only": lambda: b"".join(lines())[:-1],
    # No log at all
    "empty-file": lambda: b"",
    "text-file": lambda: b"Dear Bo,\nit is your turn. I threw 2, 2 and 6.\nAnna\n",
    "zeros": lambda: bytes(512),
    "byte-order-mark": file(lambda kept: [b"\xef\xbb\xbf", *kept]),
    "byte-order-mark-before-a-letter": lambda: b"\xef\xbb\xbfDear Bo,\nit is your turn.\n",
    "utf-16": lambda: b"".join(lines()[:2]).decode().encode("utf-16"),
    "game-entry-torn": lambda: lines()[0][:-40],
    # Bytes that changed, lines that moved
    "flipped-bit-in-entry": _flipped(THROW, BODY_OFFSET + 50),
    "flipped-bit-in-hash": _flipped(TURN, 20),
    "flipped-bit-in-game-entry": _flipped(0, BODY_OFFSET + 30),
    "flipped-bit-in-last-newline": _flipped(LAST, -1),
    "line-cut-in-the-middle": line(TURN, lambda kept: kept[:100] + b"\n"),
    "torn-tail": lambda: b"".join(lines())[:-30],
    "zeros-at-the-end": file(lambda kept: [*kept, bytes(300)]),
    "swapped-lines": file(lambda kept: [*kept[:THROW], kept[TURN], kept[THROW], *kept[TURN + 1 :]]),
    "two-ends": _two_ends,
    "two-ends-with-marks": lambda: _two_ends(b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> theirs\n"),
    "duplicated-line": file(lambda kept: [*kept[: TURN + 1], *kept[TURN:]]),
    "missing-line": file(lambda kept: [*kept[:TURN], *kept[TURN + 1 :]]),
    "missing-first-line": file(lambda kept: kept[1:]),
    "carriage-returns": lambda: b"".join(lines()).replace(b"\n", b"\r\n"),
    "carriage-return-in-the-middle": line(TURN, lambda kept: kept.replace(b"\n", b"\r\n")),
    "blank-line-in-the-middle": line(TURN, lambda kept: b"\n" + kept),
    "blank-line-at-the-end": file(lambda kept: [*kept, b"\n"]),
    "nul-byte-between-lines": line(TURN, lambda kept: b"\0" + kept),
    "two-games-in-one-file": file(lambda kept: [*kept, *kept]),
    # What mail does
    "letter-with-a-quoted-log": lambda: (
        b"Dear Bo,\r\n\r\n%bAnna\r\n" % b"".join(b"> %b\r\n" % one[:-1] for one in lines())
    ),
    "lines-wrapped-by-mail": lambda: b"".join(
        b"%b\n" % one[at : at + 76] for one in lines() for at in range(0, len(one), 76)
    ),
    "last-line-wrapped-by-mail": line(LAST, lambda kept: b"%b\n%b" % (kept[:76], kept[76:])),
    "quotation-marks-of-mail": lambda: b"".join(lines()).replace(b'"', "\u201c".encode()),
    "first-entry-damaged-in-a-letter": file(lambda kept: [b"Dear Bo,\n", b"x", kept[0][1:], *kept[1:]]),
    "last-entry-damaged-in-a-letter": file(lambda kept: [*kept[:-1], b"x", kept[-1][1:], b"Anna\n"]),
    # The frame
    "wrong-frame": line(TURN, lambda kept: b'{"entry":%b,"hash":"%b"}\n' % (kept[BODY_OFFSET:-2], kept[9:73])),
    "frame-with-a-space": line(TURN, lambda kept: kept.replace(b'","entry"', b'", "entry"')),
    "upper-case-hash": line(TURN, lambda kept: kept[:9] + kept[9:73].upper() + kept[73:]),
    "hash-without-salt": line(LAST, _unsalted),
    "wrong-prev-with-right-hash": lambda: _unchained(TURN, "prev", "0" * 63 + "1"),
    "wrong-number-with-right-hash": lambda: _unchained(TURN, "n", TURN + 1),
}

LARGE: dict[str, Make] = {"line-of-10-megabytes-at-the-end": file(lambda kept: [*kept, b"x" * 10_000_000])}
