"""The file as a whole: no log at all, bytes that changed, lines that moved, the frame."""

from __future__ import annotations

from hashlib import sha256

from corrupt.book import LAST, THROW, TURN, chain, good, lines, small
from referee.record.entry import BODY_AT, encode, frame

# Good, though it may not look so


@small
def missing_newline_only() -> bytes:
    return b"".join(lines())[:-1]


# No log at all


@small
def empty_file() -> bytes:
    return b""


@small
def text_file() -> bytes:
    return b"Dear Bo,\nit is your turn. I threw 2, 2 and 6.\nAnna\n"


@small
def zeros() -> bytes:
    return bytes(512)


@small
def byte_order_mark() -> bytes:
    return b"\xef\xbb\xbf" + b"".join(lines())


@small
def utf_16() -> bytes:
    return b"".join(lines()[:2]).decode().encode("utf-16")


@small
def game_entry_torn() -> bytes:
    return lines()[0][:-40]


# Bytes that changed, lines that moved


def _flipped(n: int, at: int) -> bytes:
    kept = lines()
    flipped = bytearray(kept[n])
    flipped[at] ^= 1
    return b"".join([*kept[:n], bytes(flipped), *kept[n + 1 :]])


@small
def flipped_bit_in_entry() -> bytes:
    return _flipped(THROW, BODY_AT + 50)


@small
def flipped_bit_in_hash() -> bytes:
    return _flipped(TURN, 20)


@small
def flipped_bit_in_game_entry() -> bytes:
    return _flipped(0, BODY_AT + 30)


@small
def flipped_bit_in_last_newline() -> bytes:
    return _flipped(LAST, -1)


@small
def line_cut_in_the_middle() -> bytes:
    kept = lines()
    kept[TURN] = kept[TURN][:100] + b"\n"
    return b"".join(kept)


@small
def torn_tail() -> bytes:
    return b"".join(lines())[:-30]


@small
def zeros_at_the_end() -> bytes:
    return b"".join(lines()) + bytes(300)


@small
def swapped_lines() -> bytes:
    kept = lines()
    kept[THROW], kept[TURN] = kept[TURN], kept[THROW]
    return b"".join(kept)


@small
def duplicated_line() -> bytes:
    kept = lines()
    return b"".join([*kept[: TURN + 1], *kept[TURN:]])


@small
def missing_line() -> bytes:
    kept = lines()
    return b"".join([*kept[:TURN], *kept[TURN + 1 :]])


@small
def missing_first_line() -> bytes:
    return b"".join(lines()[1:])


@small
def carriage_returns() -> bytes:
    return b"".join(lines()).replace(b"\n", b"\r\n")


@small
def carriage_return_in_the_middle() -> bytes:
    kept = lines()
    kept[TURN] = kept[TURN].replace(b"\n", b"\r\n")
    return b"".join(kept)


@small
def blank_line_in_the_middle() -> bytes:
    kept = lines()
    return b"".join([*kept[:TURN], b"\n", *kept[TURN:]])


@small
def blank_line_at_the_end() -> bytes:
    return b"".join([*lines(), b"\n"])


@small
def nul_byte_between_lines() -> bytes:
    kept = lines()
    return b"".join([*kept[:TURN], b"\0", *kept[TURN:]])


@small
def two_games_in_one_file() -> bytes:
    return b"".join([*lines(), *lines()])


# The frame


@small
def wrong_frame() -> bytes:
    kept = lines()
    kept[TURN] = b'{"entry":' + kept[TURN][BODY_AT:-2] + b',"hash":"' + kept[TURN][9:73] + b'"}\n'
    return b"".join(kept)


@small
def frame_with_a_space() -> bytes:
    kept = lines()
    kept[TURN] = kept[TURN].replace(b'","entry"', b'", "entry"')
    return b"".join(kept)


@small
def upper_case_hash() -> bytes:
    kept = lines()
    kept[TURN] = kept[TURN][:9] + kept[TURN][9:73].upper() + kept[TURN][73:]
    return b"".join(kept)


@small
def hash_without_salt() -> bytes:
    kept = lines()
    body = kept[LAST][BODY_AT:-2]
    kept[LAST] = b'{"hash":"' + sha256(body).hexdigest().encode() + b'","entry":' + body + b"}\n"
    return b"".join(kept)


@small
def wrong_prev_with_right_hash() -> bytes:
    documents = good()
    chain(documents)
    documents[TURN]["prev"] = "0" * 63 + "1"
    kept = [frame(encode(document)) for document in documents]
    return b"".join(kept)


@small
def wrong_number_with_right_hash() -> bytes:
    documents = good()
    chain(documents)
    documents[TURN]["n"] = TURN + 1
    kept = [frame(encode(document)) for document in documents]
    return b"".join(kept)
