"""The good log that most bad ones are made from, and the small edits that spoil it.

A bad log is a base and edits: `good(put(TURN, "by", "blue"))` is the good log in which entry TURN is blue's, numbered,
chained and hashed again. Edits of entries come first, then those of lines, then those of the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache, partial
from hashlib import sha256
from itertools import chain as chained
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from long_log import AT, always_same

from referee.engine.dice_mode import DiceMode, OpenDice, TableDice
from referee.engine.event import REFEREE
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line, hash_entry
from referee.record.table.deeds.amend import AmendEntry
from referee.record.table.opening_logs import start
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo

SEED = sha256(b"referee corrupt").hexdigest()
BOTH = ["red", "blue"]

Document = dict[str, Any]
Edit = Callable[[list[Document]], object]
"""Changes entries as plain data, before they are numbered and chained."""
Respelling = tuple[int, Callable[[bytes], bytes]]
"""Changes the bytes of an entry; it is hashed again, and later entries continue it."""
Make = Callable[[], bytes]

# Entries of the good log
THROW_OFF, THROW, TURN, NOTE, TAKEBACK, DONE, AUTO, AMEND, LAST = range(1, 10)


@cache
def _good(dice: DiceMode) -> tuple[Document, ...]:
    typed = isinstance(dice, TableDice)
    with TemporaryDirectory() as folder, always_same():
        session = start("manoover", Path(folder) / "good.jsonl", dice=dice, seats=("Anna", "Bo"))
        session.do("throwoff", faces=[6, 1] if typed else ())
        session.do("throw", faces=[1, 2, 3] if typed else ())
        session.do(f"{session.moment().state.dice[0]} turn nw")
        record_note(session, "Bo wonders about é, ü and 龍", "blue")
        undo(session)
        session.do("done")
        session.do("auto")
        position = msgspec.to_builtins(session.game.position_from(session.moment().state))
        why = "a robot was knocked over"  # and was put back where it had stood: no session amends to what is so anyway
        session.append([(partial(AmendEntry, by=REFEREE, position=position, why=why, agreed=tuple(BOTH)), None)])
        session.do("throw", faces=[4, 5, 6] if typed else ())
        assert session.path is not None
        return tuple(json.loads(line)["entry"] for line in session.path.read_bytes().splitlines())


def entries(dice: DiceMode | None = None) -> list[Document]:
    """A small log with one entry of almost every kind, nothing wrong in it."""
    return deepcopy(list(_good(dice or OpenDice(SEED))))


def chain(documents: Iterable[Document], start: int = 0) -> list[bytes]:
    """Lines of these entries, each continuing the one before; those before `start` keep their `n` and `prev`."""
    lines, prev = [], NO_PREVIOUS_HASH
    for n, document in enumerate(documents):
        if n >= start:
            document |= {"n": n, "prev": prev}
        lines.append(format_entry_line(encode_for_log(document)))
        prev = hash_entry(lines[-1][BODY_OFFSET:-2])
    return lines


def lines() -> list[bytes]:
    """The lines of the good log."""
    return chain(entries())


def good(*edits: Edit, dice: DiceMode | None = None) -> Make:
    """The good log with these edits."""

    def make() -> bytes:
        documents = entries(dice)
        for edit in edits:
            edit(documents)
        return b"".join(chain(documents))

    return make


def typed(*edits: Edit) -> Make:
    """The good log with dice that were typed in, with these edits."""
    return good(*edits, dice=TableDice())


def respelt(n: int, old: bytes, new: bytes, *, last: bool = False, cut: int = 0) -> Make:
    """The good log with bytes of an entry changed in place and hashed again; later entries continue it, unless it is
    the `last`; then so many bytes are `cut` off.
    """

    def make() -> bytes:
        kept = lines()
        body = kept[n][BODY_OFFSET:-2]
        assert old in body, (old, body)
        respelt = body.replace(old, new, 1)
        before = [*kept[:n], format_entry_line(respelt)]
        if last:
            return b"".join(before)[: -cut or None]
        return b"".join([*before, *_continued(kept[n + 1 :], hash_entry(respelt))])

    return make


def _continued(lines: list[bytes], prev: str) -> Iterable[bytes]:
    for line in lines:
        body = encode_for_log(json.loads(line[BODY_OFFSET:-2]) | {"prev": prev})
        prev = hash_entry(body)
        yield format_entry_line(body)


def file(change: Callable[[list[bytes]], Iterable[bytes]]) -> Make:
    """The good log with its lines changed."""
    return lambda: b"".join(change(lines()))


def line(n: int, change: Callable[[bytes], bytes]) -> Make:
    """The good log with one of its lines changed."""
    return file(lambda kept: [*kept[:n], change(kept[n]), *kept[n + 1 :]])


# Edits


def _at(documents: list[Document], n: int, path: str) -> tuple[Any, Any]:
    """Where a value stands: what holds it, and its name or number in there. A path is like `rolls.0.faces`."""
    holder: Any = documents[n]
    *names, last = (int(name) if name.isdigit() else name for name in path.split("."))
    for name in names:
        holder = holder[name]
    return holder, last


def put(n: int, path: str, value: Any) -> Edit:
    """Put something in the place of a value; a function is given what stands there."""

    def edit(documents: list[Document]) -> None:
        holder, name = _at(documents, n, path)
        holder[name] = value(deepcopy(holder[name])) if callable(value) else deepcopy(value)

    return edit


def drop(n: int, path: str) -> Edit:
    """Leave something out."""

    def edit(documents: list[Document]) -> None:
        holder, name = _at(documents, n, path)
        del holder[name]

    return edit


def more(n: int, path: str, value: Any) -> Edit:
    """Put one more at the end of a list."""
    return put(n, path, lambda values: [*values, value])


def twice(n: int, path: str, **fields: Any) -> Edit:
    """A list that holds its first value once more, with some fields changed."""
    return put(n, path, lambda values: [*values, values[0] | fields])


def insert(n: int, kind: str, by: str, **fields: Any) -> Edit:
    """One more entry; what others say of later ones is moved along."""

    def edit(documents: list[Document]) -> None:
        for document in documents:
            if document["type"] in ("reveal", "takeback"):
                name = "of" if document["type"] == "reveal" else "to"
                document[name] += document[name] >= n
        documents.insert(n, {"type": kind, "by": by, "at": AT, **deepcopy(fields)})

    return edit


def add(kind: str, by: str, **fields: Any) -> Edit:
    """One more entry at the end."""
    return lambda documents: documents.append({"type": kind, "by": by, "at": AT, **deepcopy(fields)})


def again(n: int, at: int, **fields: Any) -> Edit:
    """An entry once more, somewhere else, with fields changed."""
    return lambda documents: documents.insert(at, deepcopy(documents[n]) | deepcopy(fields))


def end(n: int) -> Edit:
    """Nothing from this entry on."""

    def edit(documents: list[Document]) -> None:
        del documents[n:]

    return edit


def each(*edits: Edit) -> Edit:
    """Several edits, one after another."""
    return lambda documents: list(chained([edit(documents)] for edit in edits))
