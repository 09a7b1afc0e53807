"""Make the bad logs of fixtures/corrupt, the same bytes every time.

    python tests/scripts/make_corrupt.py

What each must lead to stands in fixtures/corrupt/faults.toml. Run this again when the board, the rulings or the log
format change; a test compares the files with what is made here. Files too large to keep are made by the tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import DiceMode, OpenDice, TableDice
from referee.engine.game import REFEREE, find_game, settle_options
from referee.record.cup import Cup
from referee.record.entry import (
    BODY_AT,
    FORMAT,
    NO_PARENT,
    AmendEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    ShippedBoard,
    TakebackEntry,
    encode,
    frame,
    hash_of,
)
from referee.record.timeline import History

FOLDER = Path(__file__).parents[2] / "fixtures" / "corrupt"
AT = "2026-01-01T00:00:00Z"
SEED = sha256(b"referee corrupt").hexdigest()

Document = dict[str, Any]
Make = Callable[[], bytes]

SMALL: dict[str, Make] = {}
"""What is kept in the folder, by file name without its ending."""
LARGE: dict[str, Make] = {}
"""What is made when it is tested."""


class Book:
    """A log in the making: entries as plain data, numbered and chained when they are written."""

    def __init__(self, dice: DiceMode) -> None:
        self.game = find_game("manoover")
        self.history = History(self.game)
        self.documents: list[Document] = []
        options = settle_options(self.game, {})
        board = self.game.board_file(options)
        self.add(
            GameEntry,
            by=REFEREE,
            format=FORMAT,
            game=self.game.name,
            rules=self.game.rules_version,
            options=options,
            rulings=tuple(sorted(r.id for r in self.game.rulebook.rulings.values() if r.option is None)),
            seats={"red": "Anna", "blue": "Bo"},
            dice=dice,
            board=ShippedBoard(board.stem, sha256(board.read_bytes()).hexdigest()),
            position=None,
        )

    def add(self, kind: type, **fields: Any) -> None:
        entry = kind(n=len(self.documents), prev=NO_PARENT, at=AT, **fields)
        self.history.add(entry)
        self.documents.append(msgspec.json.decode(encode(entry)))

    def play(self, text: str, *faces: int) -> None:
        state = self.history.state()
        seat = self.game.to_act(state)
        action = self.game.parse(text, state, seat)
        source = Cup(self.history.header.dice, list(faces), self.history.timeline).source(secret=False)
        verdict = adjudicate(self.game, state, seat, action, source)
        assert isinstance(verdict, Played), verdict
        self.add(PlayEntry, by=seat, action=action, rolls=verdict.rolls, events=verdict.events)

    def position(self) -> Document:
        return msgspec.to_builtins(self.game.position_of(self.history.state()))


# Entries of the good log
THROW_OFF, THROW, TURN, NOTE, TAKEBACK, DONE, AUTO, AMEND, LAST = range(1, 10)


def good(dice: DiceMode | None = None) -> list[Document]:
    """A small log with one entry of every kind, nothing wrong in it."""
    book = Book(dice or OpenDice(SEED))
    typed = isinstance(dice, TableDice)
    book.play("throwoff", *([6, 1] if typed else []))
    book.play("throw", *([1, 2, 3] if typed else []))
    die = book.history.state().dice[0]
    book.play(f"{die} turn NW")
    book.add(NoteEntry, by="blue", text="Bo wonders about é, ü and 龍")
    book.add(TakebackEntry, by="red", to=THROW, agreed=())
    book.play("done")
    book.play("auto")
    book.add(AmendEntry, by=REFEREE, position=book.position(), why="a robot was knocked over", agreed=("red", "blue"))
    book.play("throw", *([4, 5, 6] if typed else []))
    return book.documents


def chain(documents: list[Document], start: int = 0) -> list[bytes]:
    """Lines of these entries, each continuing the one before; those before `start` keep their `n` and `prev`."""
    lines = []
    prev = NO_PARENT
    for n, document in enumerate(documents):
        if n >= start:
            document |= {"n": n, "prev": prev}
        lines.append(frame(encode(document)))
        prev = hash_of(lines[-1][BODY_AT:-2])
    return lines


def lines() -> list[bytes]:
    return chain(good())


def changed(n: int, **fields: Any) -> bytes:
    """The good log with fields of an entry changed, and everything hashed again."""
    documents = good()
    documents[n] |= fields
    return b"".join(chain(documents))


def respelled(n: int, old: bytes, new: bytes, *, last: bool = False) -> bytes:
    """The good log with bytes of an entry changed in place and hashed again; later entries continue it."""
    kept = lines()
    body = kept[n][BODY_AT:-2]
    assert old in body, (old, body)
    respelt = body.replace(old, new, 1)
    kept[n] = frame(respelt)
    if last:
        return b"".join(kept[: n + 1])
    prev = hash_of(respelt)
    for later in range(n + 1, len(kept)):
        document = json.loads(kept[later][BODY_AT:-2]) | {"prev": prev}
        kept[later] = frame(encode(document))
        prev = hash_of(kept[later][BODY_AT:-2])
    return b"".join(kept)


def small(make: Make) -> Make:
    SMALL[make.__name__.replace("_", "-")] = make
    return make


def large(make: Make) -> Make:
    LARGE[make.__name__.replace("_", "-")] = make
    return make


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


# Spelling


@small
def duplicate_key_in_play() -> bytes:
    return respelled(THROW, b'"by":"red",', b'"by":"red","by":"red",')


@small
def duplicate_key_in_note() -> bytes:
    return respelled(NOTE, b'"by":"blue",', b'"by":"red","by":"blue",')


@small
def unsorted_keys() -> bytes:
    return respelled(TURN, b'{"robot":"4","toward":"NW",', b'{"toward":"NW","robot":"4",')


@small
def extra_space_in_play() -> bytes:
    return respelled(THROW, b'"by":"red"', b'"by": "red"')


@small
def extra_space_in_note() -> bytes:
    return respelled(NOTE, b'"by":"blue"', b'"by": "blue"')


@small
def needless_escape() -> bytes:
    return respelled(NOTE, b"wonders", b"\\u0077onders")


@small
def escaped_slash() -> bytes:
    return respelled(AMEND, b"a robot was", b"a\\/robot was")


@small
def float_number() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":0.5')


@small
def float_that_is_whole() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":0.0')


@small
def float_in_play() -> bytes:
    return respelled(THROW, b'"n":2', b'"n":2.0')


@small
def exponent() -> bytes:
    return respelled(TAKEBACK, b'"to":2', b'"to":2e0')


@small
def minus_zero() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":-0')


@small
def not_a_number() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":NaN')


@small
def infinity() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":Infinity')


@small
def number_of_5000_digits() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":' + b"7" * 5000)


@small
def entry_number_of_5000_digits() -> bytes:
    return respelled(THROW, b'"n":2', b'"n":' + b"2" * 5000)


@small
def number_above_2_to_the_53() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":9007199254740993')


@small
def not_json() -> bytes:
    return respelled(THROW, b'"by":"red"', b'"by":red')


# Characters


@small
def nul_byte_in_text() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\0wonders")


@small
def lone_surrogate() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \\ud83d wonders")


@small
def control_character_escape() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\\u0007wonders")


@small
def c1_control_character() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xc2\x9b31m wonders")


@small
def delete_character_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\x7fwonders")


@small
def delete_character_in_play() -> bytes:
    return respelled(THROW, b"red's throw", b"red's\x7fthrow")


@small
def bidi_override_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xe2\x80\xae wonders")


@small
def line_separator_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\xe2\x80\xa8wonders")


@small
def terminal_escape_in_name() -> bytes:
    return changed(0, seats={"red": "\x1b[2JAnna", "blue": "Bo"})


@small
def bidi_override_in_name() -> bytes:
    return changed(0, seats={"red": "\u202eannA", "blue": "Bo"})


@small
def invisible_name() -> bytes:
    return changed(0, seats={"red": "\u3164\u3164", "blue": "Bo"})


@small
def terminal_escape_in_option() -> bytes:
    return changed(0, options=good()[0]["options"] | {"ties": "\x1b]0;owned\x07"})


@small
def invalid_utf_8() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders")


@small
def invalid_utf_8_in_the_last_line() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders", last=True)


@small
def invalid_utf_8_without_newline() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders", last=True)[:-1]


@small
def invalid_utf_8_in_game_entry() -> bytes:
    return respelled(0, b"Anna", b"Ann\xff")


@small
def text_of_5000_letters() -> bytes:
    return changed(NOTE, text="x" * 5000)


# Brackets


def _amended(value: bytes, *, last: bool = False) -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":' + value, last=last)


@small
def brackets_30_deep() -> bytes:
    return _amended(b"[" * 30 + b"]" * 30)


@large
def brackets_30000_deep() -> bytes:
    return _amended(b"[" * 30_000 + b"]" * 30_000)


@large
def brackets_30000_deep_without_newline() -> bytes:
    return _amended(b"[" * 30_000 + b"]" * 30_000, last=True)[:-1]


@large
def brackets_60000_never_closed() -> bytes:
    return _amended(b"[" * 60_000)


@large
def brackets_100000_deep() -> bytes:
    return _amended(b"[" * 100_000 + b"]" * 100_000)


@large
def brackets_100000_bare() -> bytes:
    return b"[" * 100_000


@large
def line_of_10_megabytes() -> bytes:
    return changed(NOTE, text="x" * 10_000_000)


@large
def line_of_10_megabytes_at_the_end() -> bytes:
    return b"".join(lines()) + b"x" * 10_000_000


@large
def first_line_of_10_megabytes() -> bytes:
    return changed(0, seats={"red": "A" * 10_000_000, "blue": "Bo"})


# Fields


@small
def newer_format() -> bytes:
    return changed(0, format=2, weather="fine")


@small
def unknown_game() -> bytes:
    return changed(0, game="chess")


@small
def game_that_is_a_path() -> bytes:
    return changed(0, game="../../etc/passwd")


@small
def unknown_field() -> bytes:
    return changed(TURN, mood="cheerful")


@small
def unknown_entry_type() -> bytes:
    return changed(NOTE, type="gossip")


@small
def missing_field() -> bytes:
    documents = good()
    del documents[TURN]["rolls"]
    return b"".join(chain(documents))


@small
def entry_that_is_a_list() -> bytes:
    kept = lines()
    return b"".join([*kept[:TURN], frame(b"[]"), *kept[TURN + 1 :]])


@small
def second_game_entry() -> bytes:
    documents = good()
    documents.insert(TURN, deepcopy(documents[0]))
    return b"".join(chain(documents))


# The game entry


@small
def option_unknown() -> bytes:
    return changed(0, options=good()[0]["options"] | {"weather": "fine"})


@small
def option_missing() -> bytes:
    return changed(0, options={name: value for name, value in good()[0]["options"].items() if name != "ties"})


@small
def option_value_unknown() -> bytes:
    return changed(0, options=good()[0]["options"] | {"ties": "sometimes"})


@small
def seats_wrong() -> bytes:
    return changed(0, seats={"red": "Anna", "green": "Cleo"})


@small
def shipped_board_with_wrong_hash() -> bytes:
    return changed(0, board=good()[0]["board"] | {"sha256": "0" * 64})


@small
def own_board_that_is_none() -> bytes:
    return changed(0, board={"from": "own", "document": {"name": "nothing"}})


@small
def position_that_is_none() -> bytes:
    return changed(0, position={"turn": "red"})


# Dice


def _table(n: int, **fields: Any) -> bytes:
    documents = good(TableDice())
    documents[n]["rolls"][0] |= fields
    return b"".join(chain(documents))


@small
def forged_dice() -> bytes:
    documents = good()
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    documents[LAST]["events"][0]["kept"] = [6, 6, 6]
    return b"".join(chain(documents))


@small
def forged_dice_without_their_events() -> bytes:
    documents = good()
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    return b"".join(chain(documents))


@small
def forged_draw_number() -> bytes:
    documents = good()
    documents[THROW]["rolls"][0]["draw"] = 7
    return b"".join(chain(documents))


@small
def forged_origin() -> bytes:
    documents = good()
    documents[THROW]["rolls"][0]["origin"] = "table"
    return b"".join(chain(documents))


@small
def dice_left_out() -> bytes:
    return changed(THROW, rolls=[])


@small
def dice_too_many() -> bytes:
    documents = good()
    documents[DONE]["rolls"] = deepcopy(documents[THROW]["rolls"])
    return b"".join(chain(documents))


@small
def typed_dice_out_of_range() -> bytes:
    return _table(THROW, faces=[1, 2, 7])


@small
def typed_dice_of_zero() -> bytes:
    return _table(THROW, faces=[1, 2, 0])


@small
def typed_dice_too_few() -> bytes:
    return _table(THROW, faces=[1, 2])


@small
def typed_dice_with_wrong_draw_number() -> bytes:
    return _table(THROW, draw=0)


@small
def typed_dice_of_another_origin() -> bytes:
    return _table(THROW, origin="open")


@small
def typed_dice_for_another_purpose() -> bytes:
    return _table(THROW, purpose="blue's throw")


@small
def typed_dice_left_out() -> bytes:
    documents = good(TableDice())
    documents[THROW]["rolls"] = []
    return b"".join(chain(documents))


@small
def typed_dice_too_many() -> bytes:
    documents = good(TableDice())
    documents[DONE]["rolls"] = [documents[THROW]["rolls"][0] | {"draw": 2}]
    return b"".join(chain(documents))


# Plays


@small
def illegal_action() -> bytes:
    documents = good()
    dice = documents[THROW]["events"][0]["kept"]
    number = next(str(number) for number in range(1, 7) if number not in dice)
    documents[TURN]["action"]["robot"] = number
    return b"".join(chain(documents))


@small
def play_out_of_turn() -> bytes:
    return changed(TURN, by="blue")


@small
def play_by_nobody() -> bytes:
    return changed(TURN, by="green")


@small
def play_by_the_referee() -> bytes:
    return changed(TURN, by="referee")


def _events(n: int, events: list[Document]) -> bytes:
    return changed(n, events=events)


@small
def wrong_events() -> bytes:
    documents = good()
    documents[TURN]["events"][0]["toward"] = "SE"
    return b"".join(chain(documents))


@small
def events_left_out() -> bytes:
    return _events(TURN, [])


@small
def events_too_many() -> bytes:
    documents = good()
    documents[LAST]["events"].append({"type": "eliminated", "seat": "blue"})
    return b"".join(chain(documents))


@small
def event_that_cannot_happen() -> bytes:
    return _events(TURN, [{"type": "lost", "robot": "R9"}])


@small
def event_with_an_empty_push() -> bytes:
    return _events(AUTO, [{"type": "stepped", "toward": "N", "chain": []}])


@small
def event_to_no_cell() -> bytes:
    return _events(LAST, [{"type": "stepped", "toward": "N", "chain": [["R1", "z99"]]}])


@small
def event_for_a_robot_that_is_none() -> bytes:
    return _events(LAST, [{"type": "stepped", "toward": "N", "chain": [["R9", "a3"]]}])


@small
def event_for_nobody() -> bytes:
    return _events(LAST, [{"type": "turn-passed", "seat": "green", "phase": "throw"}])


@small
def event_with_odd_phase() -> bytes:
    return _events(LAST, [{"type": "phase-begun", "phase": "rethrow"}])


@small
def event_with_terminal_escape() -> bytes:
    return _events(LAST, [{"type": "eliminated", "seat": "\x1b[2J"}])


# Takebacks and amendments


@small
def takeback_to_the_future() -> bytes:
    return changed(TAKEBACK, to=LAST)


@small
def takeback_to_itself() -> bytes:
    return changed(TAKEBACK, to=TAKEBACK)


@small
def takeback_without_agreement() -> bytes:
    return changed(TAKEBACK, to=THROW_OFF)


@small
def takeback_by_another_seat() -> bytes:
    return changed(TAKEBACK, by="blue")


@small
def takeback_agreed_by_nobody() -> bytes:
    return changed(TAKEBACK, agreed=["green"])


@small
def amend_without_agreement() -> bytes:
    return changed(AMEND, agreed=["red"])


@small
def amend_agreed_by_nobody() -> bytes:
    return changed(AMEND, agreed=["red", "blue", "green"])


@small
def amend_with_robot_on_goal() -> bytes:
    documents = good()
    book = find_game("manoover")
    board = book.parse_board(msgspec.toml.decode(book.board_file(documents[0]["options"]).read_bytes()))
    goal = next(iter(book.setup(documents[0]["options"], board).goals))
    robots = documents[AMEND]["position"]["robots"]
    name, _, heading = robots[0].split()
    robots[0] = f"{name} {goal} {heading}"
    return b"".join(chain(documents))


@small
def amend_with_unknown_field() -> bytes:
    documents = good()
    documents[AMEND]["position"]["weather"] = "fine"
    return b"".join(chain(documents))


@small
def note_by_nobody() -> bytes:
    return changed(NOTE, by="green")


@small
def empty_note() -> bytes:
    return changed(NOTE, text="")


def main() -> None:
    """Write the files, and remove those that are made no more."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.jsonl"):
        if path.stem not in SMALL:
            path.unlink()
    for name, make in SMALL.items():
        (FOLDER / f"{name}.jsonl").write_bytes(make())
    print(f"{len(SMALL)} files in {FOLDER.name}")


if __name__ == "__main__":
    main()
