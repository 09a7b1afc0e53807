"""A short game with secrets, from which the bad logs of secrets are made: a last night of Ambush.

Leaves bind the line before them, so they are made when the log is written. In the documents here a secret is spelt
`{"of": seat, "sealed": value}`, and a reveal says by `opens` which one it opens: its entry, and its number in there.
What else a reveal says, is as in a log; where it says nothing, the truth is filled in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from long_log import AT, always_same
from third_party import installed

from corrupt.book import Document, Edit, Make
from referee.engine.commitment import derive_salt, make_commitment
from referee.engine.dice_mode import DiceMode, OpenDice, TableDice
from referee.engine.event import REFEREE
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line, hash_entry
from referee.record.table.opening_logs import start
from referee.record.table.session import Session
from referee.record.table.undo_redo import undo

SEED = sha256(b"referee corrupt hidden").hexdigest()
MASTER = sha256(b"referee corrupt salts").digest()
POSITION = {"gold": [1, 3]}

# Entries of the game
JOIN_RED, JOIN_BLUE, HIDE, HIDE_BLUE, BACK, ADRIFT, RAID, ANSWER, FIGHT, LOSE, REVEAL = range(1, 12)
AT_SEA = REVEAL + 2
"""The reveal of where the chest came ashore; with a seed, two more come before it."""


class Opening(NamedTuple):
    """What opens a secret."""

    leaf: str
    salt: str
    value: bytes


@cache
def _played(dice: DiceMode) -> tuple[Document, ...]:
    """Both hide their chests, Blue twice; Red raids Blue's, is beaten and has no gold left."""
    typed = isinstance(dice, TableDice)
    with TemporaryDirectory() as folder, always_same(), installed():
        session = start("ambush", Path(folder) / "hidden.jsonl", dice=dice, position=POSITION)
        session.do("hide cave")
        session.do("hide reef")
        undo(session, by="blue", agreed=["red"])
        session.do("hide adrift", faces=[3] if typed else ())
        session.do(f"raid {session.moment().state.chests['blue'].value} 1")
        session.do("fight", faces=[2, 6, 5, 4] if typed else ())
        session.do("lose gold")
        assert session.moment().outcome
        return tuple(unsealed(session))


def unsealed(session: Session) -> Iterator[Document]:
    """The entries of a session with their secrets in plain view."""
    assert session.path is not None
    values = {leaf: value for vault in session.reducer.opener.vaults.values() for leaf, value in vault.values.items()}

    def plain(value: Any) -> Any:
        if isinstance(value, dict) and value.keys() == {"leaf", "of"}:
            return {"of": value["of"], "sealed": json.loads(values[value["leaf"]])}
        if isinstance(value, dict):
            return {name: plain(item) for name, item in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    for line in session.path.read_bytes().splitlines():
        yield plain(json.loads(line)["entry"])


def entries(dice: DiceMode | None = None, *, reveal: bool = True) -> list[Document]:
    """The game, then every secret revealed, or none."""
    documents = deepcopy(list(_played(dice or TableDice())))
    if reveal:
        for n, document in enumerate(list(documents)):
            documents += [reveal_of(n, item) for item, _ in enumerate(secrets_in(document))]
    return documents


def reveal_of(n: int, item: int = 0, by: str = REFEREE, agreed: list[str] | None = None) -> Document:
    return {"type": "reveal", "by": by, "at": AT, "of": n, "opens": [n, item], "agreed": agreed or []}


def secrets_in(value: Any) -> list[Document]:
    """The secrets of an entry in the order in which they are spelt."""
    if isinstance(value, dict):
        if "sealed" in value:
            return [value]
        return [secret for name in sorted(value) for secret in secrets_in(value[name])]
    return [secret for item in value for secret in secrets_in(item)] if isinstance(value, list) else []


def written(documents: list[Document]) -> bytes:
    """The log of these entries: secrets sealed, reveals filled in, everything hashed."""
    return written_with(documents)[0]


def written_with(documents: list[Document]) -> tuple[bytes, dict[tuple[int, int], Opening]]:
    """The same, and what opens each secret."""
    lines: list[bytes] = []
    game_id = prev = NO_PREVIOUS_HASH
    opened: dict[tuple[int, int], Opening] = {}
    for n, document in enumerate(documents):
        entry = deepcopy(document) | {"n": n, "prev": prev}
        for item, secret in enumerate(secrets_in(entry)):
            opened[n, item] = opening = _opening(game_id, secret["of"], f"{prev}.{item}", secret.pop("sealed"))
            secret["leaf"] = opening.leaf
        if "opens" in entry:
            opening = opened.get(tuple(entry.pop("opens")), Opening("0" * 64, "00" * 32, b"null"))
            entry = {"leaf": opening.leaf, "salt": opening.salt, "value": msgspec.Raw(opening.value)} | entry
        lines.append(format_entry_line(encode_for_log(entry)))
        prev = hash_entry(lines[-1][BODY_OFFSET:-2])
        game_id = game_id if n else prev
    return b"".join(lines), opened


def _opening(game_id: str, seat: str, item: str, sealed: Any) -> Opening:
    value = encode_for_log(sealed)
    salt = derive_salt(MASTER, game_id, f"{item}.{sha256(value).hexdigest()}")
    return Opening(make_commitment(game_id, seat, item, salt, value), salt.hex(), value)


# Bases


def _made(edits: tuple[Edit, ...], dice: DiceMode, *, reveal: bool) -> Make:
    def make() -> bytes:
        documents = entries(dice, reveal=reveal)
        for edit in edits:
            edit(documents)
        return written(documents)

    return make


def revealed(*edits: Edit) -> Make:
    """The game with dice from a table and every secret revealed, with these edits."""
    return _made(edits, TableDice(), reveal=True)


def never(*edits: Edit) -> Make:
    """The game with dice from a table of which no secret is revealed, with these edits."""
    return _made(edits, TableDice(), reveal=False)


def seeded(*edits: Edit) -> Make:
    """The game with dice from seeds and every secret revealed, with these edits."""
    return _made(edits, OpenDice(SEED), reveal=True)


def seeded_never(*edits: Edit) -> Make:
    """The game with dice from seeds of which no secret is revealed, with these edits."""
    return _made(edits, OpenDice(SEED), reveal=False)


def reveal(n: int, at: int | None = None, item: int = 0, by: str = REFEREE, agreed: list[str] | None = None) -> Edit:
    """One more reveal: at the end, or earlier; then what is said of later entries is moved along."""

    def edit(documents: list[Document]) -> None:
        entry = reveal_of(n, item, by, agreed)
        if at is None:
            documents.append(entry)
            return
        make_room(documents, at)
        documents.insert(at, entry)

    return edit


def make_room(documents: list[Document], at: int) -> None:
    """Move along what is said of entries from here on."""
    for document in documents:
        if document["type"] == "reveal":
            document["of"] += document["of"] >= at
            document["opens"][0] += document["opens"][0] >= at
        if document["type"] == "takeback":
            document["to"] += document["to"] >= at


def room(n: int, kind: str, by: str, **fields: Any) -> Edit:
    """One more entry."""

    def edit(documents: list[Document]) -> None:
        make_room(documents, n)
        documents.insert(n, {"type": kind, "by": by, "at": AT, **deepcopy(fields)})

    return edit


def without(n: int) -> Edit:
    """One entry less."""

    def edit(documents: list[Document]) -> None:
        del documents[n]
        documents[:] = [document for document in documents if document.get("opens", [None])[0] != n]
        for document in documents:
            if document["type"] == "reveal":
                document["of"] -= document["of"] > n
                document["opens"][0] -= document["opens"][0] > n
            if document["type"] == "takeback":
                document["to"] -= document["to"] > n

    return edit


def opening_at(n: int, *edits: Edit) -> Opening:
    """What opens the first secret of an entry in the game as it is written, with these edits."""
    documents = entries()
    for edit in edits:
        edit(documents)
    return written_with(documents)[1][n, 0]


def leaf_at(n: int, *edits: Edit) -> Document:
    """How that secret is spelt."""
    return {"leaf": opening_at(n, *edits).leaf, "of": "red" if n in (HIDE, RAID) else "blue"}


def opening(n: int, with_: Opening) -> Edit:
    """A reveal that opens this."""

    def edit(documents: list[Document]) -> None:
        del documents[n]["opens"]
        documents[n] |= {"leaf": with_.leaf, "salt": with_.salt, "value": msgspec.Raw(with_.value)}

    return edit


def raw(n: int, path: str, respell: Callable[[bytes], bytes]) -> Edit:
    """Seal a secret, or say a value, in other bytes than it has."""

    def edit(documents: list[Document]) -> None:
        holder: Any = documents[n]
        *names, last = path.split(".")
        for name in names:
            holder = holder[name]
        if last not in holder:  # a reveal that says nothing of its own yet
            holder[last] = secrets_in(documents[holder["opens"][0]])[holder["opens"][1]]["sealed"]
        holder[last] = msgspec.Raw(respell(encode_for_log(holder[last])))

    return edit
