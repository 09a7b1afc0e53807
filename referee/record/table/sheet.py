"""A sheet: a game's words with its dice or its seed, as text for paper. Sheets are written and read here.

    referee words 1
    game chess, rules 1
    seat red=Anna
    seat blue=Bo
    dice table

    1. red: throwoff red blue [5 2]
    2. throw [2 2 6]
    3. *note: well rolled
    4. *back 1, agreed blue

A line without a speaker has the speaker of the line before. Options that are left out have their defaults. Brackets
hold typed dice and the seed of lots. A line with a star is not a play; `*back` names the line to go back to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import DiceError, TypedDie
from referee.engine.dice_mode import DiceMode, TableDice, parse_dice_mode
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.option_resolution import choose_options
from referee.engine.text import listing
from referee.gate import UnreadableError, read_json
from referee.record.log.entry import (
    AnyEntry,
    AnyPlay,
    BranchEntry,
    DeedEntry,
    FileBeside,
    GameEntry,
    GameFile,
    NoteEntry,
    OwnFile,
    PlayEntry,
    encode_for_log,
    list_deed_types,
)
from referee.record.log.log_errors import LogError, NotAllowedError
from referee.record.log.sealing import get_opened_leaf
from referee.record.table.deed import JudgedDeed, SheetDeed
from referee.record.table.entry_draft import Draft

FIRST_LINE = "referee words 1"
"""The first line of every sheet."""
REVEALED_LINE = "# All secrets of this game are revealed. The brackets hold the dice of secret rolls, too."
MAX_DICE_PER_LINE = 1_000
"""The most dice of one line."""
LINE_PATTERN = re.compile(r"\s*(?:(?P<number>\d{1,9})\.\s+)?(?:(?P<by>[a-z][a-z0-9-]{0,23}):\s+)?(?P<rest>\S.*)")
PLAY_PATTERN = re.compile(r"(?P<words>[^\[\]]*?)\s*(?:\[(?P<dice>[^\[\]]*)\])?\s*")
STARRED_PATTERN = re.compile(
    r"\*(?P<what>[a-z]+)(?: (?P<to>\d{1,9}))?(?:, agreed (?P<agreed>[a-z0-9-]+(?: [a-z0-9-]+)*))?"
    r"(?:, won (?P<won>[a-z0-9-]+(?: [a-z0-9-]+)*))?(?:: (?P<more>.*))?"
)


class SheetError(LogError):
    """An error in a sheet, with its line in the file, from 1, and the reason."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(at, why)
        self.at, self.why = at, why

    def __str__(self) -> str:
        return f"line {self.at} of the sheet: {self.why}"


class SheetPlay(Struct, frozen=True):
    """A play on a sheet: its words, its typed dice and its lots."""

    words: str
    faces: tuple[TypedDie, ...] = ()
    """The dice that were typed for the play."""
    lots: bytes | None = None
    """The seed of its lots, 32 bytes; None if it has drawn none."""


class SheetLine(Struct, frozen=True):
    """One line of a sheet."""

    at: int
    """The line of the file, from 1."""
    by: Seat
    what: SheetPlay | Draft
    """A play, or the draft of another entry. The number of the line is the number of its entry."""


class Sheet(Struct, frozen=True):
    """A game as it stands on a sheet."""

    game: str
    rules: int
    """The version of the rules under which the sheet was written."""
    dice: DiceMode
    seats: Mapping[Seat, str]
    options: Mapping[str, str]
    bots: Mapping[Seat, str]
    own: Mapping[str, str]
    """The SHA-256 of the players' own files, by component."""
    position: dict[str, Any] | None
    lines: tuple[SheetLine, ...]


# Writing a sheet


def format_sheet(game: AnyGame, entries: Iterable[AnyEntry]) -> str:
    """Returns a game as a sheet. Raises NotAllowedError if the log still keeps a secret. A sheet would tell it."""
    header, *rest = entries
    assert isinstance(header, GameEntry), "a log begins with its game"
    if game.list_secret_keepers(header.options):
        _check_revealed(rest)
    header = replace(header, dice=find_sheet_dice(game, header))
    return "\n".join([*_format_header(game, header), "", *_format_lines(game, header, rest)]) + "\n"


def find_sheet_dice(game: AnyGame, header: GameEntry) -> DiceMode:
    """Returns the dice mode that a sheet names.

    If any seat keeps secrets, this is the mode for typed dice. A sheet does not hold the seeds of secret dice, so it
    lists all dice as if they were typed.
    """
    return TableDice() if game.list_secret_keepers(header.options) else header.dice


def _check_revealed(entries: Iterable[AnyEntry]) -> None:
    """Raises NotAllowedError if the secret of a play is not revealed in the log."""
    revealed = {get_opened_leaf(entry) for entry in entries if isinstance(entry, DeedEntry) and entry.opens_secret}
    secrets = (entry.secret for entry in entries if isinstance(entry, PlayEntry))
    if any(secret and secret.leaf not in revealed for secret in secrets):
        raise NotAllowedError("a sheet would tell the secrets of this game; first open all of them: referee reveal")


def hash_own_files(files: Mapping[str, GameFile]) -> dict[str, str]:
    """Returns the SHA-256 of the players' own files, by component."""
    found = {}
    for part, file in files.items():
        match file:
            case OwnFile():
                found[part] = sha256(encode_for_log(file.document)).hexdigest()
            case FileBeside():
                found[part] = file.sha256
    return found


def _format_header(game: AnyGame, header: GameEntry) -> Iterator[str]:
    usual, named = choose_options(game, {}), tuple(header.names.values())
    follows = choose_options(game, game.derive_options(named))
    yield FIRST_LINE
    yield f"game {game.name}, rules {header.rules}"
    yield from (f"seat {seat}={name}" for seat, name in header.names.items())
    for option, value in header.options.items():
        if {value} != {usual[option], follows[option]}:
            yield f"option {option}={value}"
    yield from (f"bot {seat}={bot}" for seat, bot in header.bots.items())
    yield from (f"own {part}={digest}" for part, digest in hash_own_files(header.files).items())
    if header.position is not None:
        yield f"position {encode_for_log(header.position).decode()}"
    mode, *below = header.dice.sheet_lines
    yield from (f"dice {mode}", *below)
    if game.list_secret_keepers(header.options):
        yield REVEALED_LINE


def _format_lines(game: AnyGame, header: GameEntry, entries: Iterable[AnyEntry]) -> Iterator[str]:
    """Yields a line for each entry that stands on sheets. Other entries share the number of the line before them."""
    numbers, number, before = [0], 0, ""
    for entry in entries:
        if belongs_on_sheet(entry):
            number += 1
            speaker = f"{entry.by}: " if entry.by != before else ""
            yield f"{number}. {speaker}{_format_line(game, header, entry, numbers)}"
            before = entry.by
        numbers.append(number)


def belongs_on_sheet(entry: AnyEntry) -> bool:
    """True if an entry stands on sheets. Signatures and joint rolls of games by mail do not."""
    return (
        bool(entry.sheet_word)
        if isinstance(entry, JudgedDeed)
        else isinstance(entry, PlayEntry | NoteEntry | BranchEntry)
    )


def _format_line(game: AnyGame, header: GameEntry, entry: AnyEntry, numbers: Sequence[int]) -> str:
    match entry:
        case PlayEntry():
            return game.format(entry.known_action) + ("" if header.dice.is_foreseeable else _format_dice(entry))
        case NoteEntry():
            return f"*note: {entry.text}"
        case JudgedDeed():
            return f"*{entry.format_sheet_text(numbers.__getitem__)}"
        case BranchEntry():
            return f"*branch: {encode_for_log([entry.name, entry.parent]).decode()}"
    raise AssertionError("all that is written has its form")


def _format_dice(entry: AnyPlay) -> str:
    """Returns the dice of a play as they would be typed, and the seed of its lots."""
    said = []
    for roll in entry.known_rolls:
        if roll.purpose == LOT_SEED_PURPOSE:
            said += ["lots", bytes(face - 1 for face in roll.faces).hex()]
        elif roll.origin != "lots":
            names = roll.names or ("",) * len(roll.faces)
            said += [name if _can_be_typed(name) else str(face) for name, face in zip(names, roll.faces, strict=True)]
    return f" [{' '.join(said)}]" if said else ""


def _can_be_typed(name: str) -> bool:
    """True if the name of a drawn item is one word that cannot be mistaken for a number."""
    return re.fullmatch(r"[A-Za-z][!-Z^-~]*", name) is not None


# Reading a sheet


def parse_sheet(text: str) -> Sheet:
    """Reads a sheet. Empty lines and lines that begin with # are skipped. Raises SheetError if a line is wrong."""
    rows = [(at, row) for at, row in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1)]
    said = [(at, row) for at, row in rows if row.strip() and not row.lstrip().startswith("#")]
    if not said or said[0][1].strip() != FIRST_LINE:
        raise SheetError(said[0][0] if said else 1, f"a sheet begins with the line: {FIRST_LINE}")
    head = [(at, row.strip()) for at, row in said[1:] if _is_header(row)]
    return _build_sheet(head, _read_lines([(at, row) for at, row in said[1:] if not _is_header(row)]))


def _is_header(row: str) -> bool:
    return row.lstrip().startswith(HEADING_KEYS)


HEADING_KEYS = ("game ", "seat ", "option ", "bot ", "own ", "position ", "dice ")


def _build_sheet(head: Sequence[tuple[int, str]], lines: tuple[SheetLine, ...]) -> Sheet:
    pairs: dict[str, dict[str, str]] = {key: {} for key in ("seat", "option", "bot", "own")}
    game, rules, dice, position = "", 0, None, None
    for at, row in head:
        key, _, value = row.partition(" ")
        match key:
            case "game":
                game, rules = _parse_game(at, value)
            case "dice":
                dice = _parse_dice(at, value)
            case "position":
                position = _parse_document(at, value)
            case _:
                name, is_pair, named = value.partition("=")
                if not is_pair:
                    raise SheetError(at, f"write it like this: {key} NAME=VALUE")
                pairs[key][name] = named
    if not game or dice is None:
        raise SheetError(1, f"the sheet does not say {'which game it is' if not game else 'where its dice come from'}")
    return Sheet(game, rules, dice, pairs["seat"], pairs["option"], pairs["bot"], pairs["own"], position, lines)


def _parse_game(at: int, value: str) -> tuple[str, int]:
    said = re.fullmatch(r"([a-z][a-z0-9_-]{0,31}), rules (\d{1,9})", value)
    if said is None:
        raise SheetError(at, "write the game like this: game NAME, rules 1")
    return said[1], int(said[2])


def _parse_dice(at: int, value: str) -> DiceMode:
    try:
        return parse_dice_mode(value)
    except DiceError as error:
        raise SheetError(at, str(error)) from error


def _parse_document(at: int, value: str | None) -> dict[str, Any]:
    try:
        return read_json(value or "", dict[str, Any])
    except UnreadableError as error:
        raise SheetError(at, f"this is not a JSON object: {error}") from error


def _read_lines(rows: Sequence[tuple[int, str]]) -> tuple[SheetLine, ...]:
    lines, by = [], ""
    for number, (at, row) in enumerate(rows, 1):
        found = LINE_PATTERN.fullmatch(row)
        assert found, "a line that is not empty"
        if found["number"] and int(found["number"]) != number:
            raise SheetError(at, f"line {number} of the game comes next, but this one is numbered {found['number']}")
        by = found["by"] or by
        if not by:
            raise SheetError(at, "name the speaker first, like this: red: throw")
        rest = found["rest"]
        lines.append(
            SheetLine(at, by, _parse_starred(at, number, by, rest) if rest.startswith("*") else _parse_play(at, rest))
        )
    return tuple(lines)


def _parse_play(at: int, text: str) -> SheetPlay:
    said = PLAY_PATTERN.fullmatch(text)
    if said is None or not said["words"]:
        raise SheetError(at, "write a play as its words, then its dice in brackets, like this: throw [2 2 6]")
    dice, lots = (said["dice"] or "").replace(",", " ").split(), None
    if len(dice) > 1 and dice[0] == "lots":
        if not re.fullmatch("[0-9a-f]{64}", dice[1]):
            raise SheetError(at, "the seed of lots must have 64 hex digits")
        lots, dice = bytes.fromhex(dice[1]), dice[2:]
    if len(dice) > MAX_DICE_PER_LINE or any(len(word) > 40 or (word.isdigit() and len(word) > 9) for word in dice):
        raise SheetError(at, "the brackets hold no dice")
    return SheetPlay(said["words"], tuple(int(word) if word.isdecimal() else word for word in dice), lots)


def _parse_starred(at: int, number: int, by: Seat, text: str) -> Draft:
    """Returns the draft of the entry in a line with a star, such as a note. Raises SheetError if the line means no
    entry.
    """
    found = STARRED_PATTERN.fullmatch(text)
    what, more = (found["what"], found["more"]) if found else ("", None)
    if what == "note" and more and more.strip():
        return partial(NoteEntry, by=by, text=more)
    if what == "branch":
        return _parse_branch(at, by, more)
    deeds = [deed for deed in list_deed_types() if issubclass(deed, JudgedDeed) and deed.sheet_word]
    deed = next((deed for deed in deeds if re.split("[ :]", deed.sheet_word)[0] == what), None)
    said = _parse_starred_parts(at, by, found) if found else None
    draft = deed.draft_from_sheet(said) if deed and said else None
    if draft is None:
        stars = ["note: TEXT", "branch", *(deed.sheet_word for deed in deeds)]
        raise SheetError(at, f"a line with a star is {listing([f'*{star}' for star in sorted(stars)], 'or')}")
    if deed and deed.goes_back and said and said.to is not None and said.to >= number:
        raise SheetError(at, f"it goes back to line {said.to}, which does not come before it")
    return draft


def _parse_starred_parts(at: int, by: Seat, found: re.Match[str]) -> SheetDeed:
    """Returns the parts of a line with a star."""
    agreed, won = (tuple((found[part] or "").split()) for part in ("agreed", "won"))
    to, more = int(found["to"]) if found["to"] else None, found["more"]
    return SheetDeed(by, to, agreed, won, partial(_parse_document, at, more), bool(more))


def _parse_branch(at: int, by: Seat, more: str | None) -> Draft:
    try:
        name, parent = read_json(more or "", tuple[str, str])
    except UnreadableError as error:
        raise SheetError(at, "write a branch like this: *branch: [NAME,PARENT]") from error
    return partial(BranchEntry, by=by, name=name, parent=parent)
