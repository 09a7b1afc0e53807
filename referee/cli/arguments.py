"""Parsing of typed input: options, faces of dice, seats and files."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from referee.cli.errors import LOG_FOLDER, MisuseError
from referee.cli.output import ask_line, write_messages
from referee.cli.screen import format_prompt
from referee.engine.dice import DiceError, TypedDie
from referee.engine.dice_mode import CHOOSABLE_MODES, DEFAULT_MODE, DiceMode, TableDice, find_mode_name
from referee.engine.text import Printable, listing, make_printable, normalize_typing
from referee.gate import UnreadableError
from referee.record.log.field_types import MAX_PACE_DAYS
from referee.record.log.safe_files import check_free_or_file, read_stream, read_user_file

if TYPE_CHECKING:
    from referee.record.table.public_facts import PublicFacts
    from referee.record.table.seat_view import SeatView

COMMAND_LINE_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
"""The settings of every command line."""

PIPS = {0x2680 + at: f" {at + 1} " for at in range(6)}
"""The number, between spaces, for each picture of a die. The key is the code point of the picture."""
BETWEEN_DICE = re.compile(r"(?<=[0-9])\s*[-\u2010-\u2015\u2212/;.+]\s*(?=[0-9])")
"""The signs that people write between the numbers of dice, beside blanks and commas: 2-2-6, 2/2/6."""
QUIT_WORDS = ("quit", "exit", "q")
"""The words that end a dialogue."""

RunOption = Annotated[
    str | None, Option("--run", metavar="COMMAND", help="Your own program to run when another player has to move.")
]
ActionArgument = Annotated[list[str] | None, Argument(metavar="ACTION...", help="Your move; commas separate actions.")]
ActingSeatOption = Annotated[str | None, Option("--by", metavar="SEAT", help="Who acts; default: the seat to move.")]
ViewOption = Annotated[
    str | None, Option("--by", metavar="SEAT", help="Whose view to show; type referee for all that is known.")
]
FacesOption = Annotated[str | None, Option("--dice", metavar="3,6", help="Faces you rolled at the table.")]
DryRunOption = Annotated[bool, Option("-n", "--dry-run", help="Only judge; record nothing.")]
AgreedByOption = Annotated[
    str | None, Option("--agreed-by", metavar="SEATS", help="Seats that agree, with commas; or all.")
]
ForceOption = Annotated[bool, Option("--force", help="Replace an existing file, unless it is a log.")]
OutputOption = Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="The file to write.")]
GameArgument = Annotated[str, Argument(metavar="GAME", help="A game; to list them: referee games.")]
OfGameOption = Annotated[str | None, Option("--of", metavar="GAME", help="The game; default: the current one.")]
SeatsOption = Annotated[str | None, Option(metavar="NAMES", help="Who plays: Anna,Bo in order, or SEAT=Anna,SEAT=Bo.")]
DiceModeOption = Annotated[
    str | None,
    Option("--dice", metavar="MODE", help="table: you type the dice; open: a seed in the log makes them."),
]
DirectorOption = Annotated[
    str | None, Option("--director", metavar="NAME=KEY", help="By mail: who looks on; NAME alone if you know them.")
]
HintsOption = Annotated[bool, Option("--hints", help="By mail: allow hints.")]
PaceOption = Annotated[
    int | None,
    Option("--pace", metavar="DAYS", min=1, max=MAX_PACE_DAYS, help="By mail: the days that a turn may take."),
]
MaySettleOption = Annotated[bool, Option("--may-settle", help="The director may end a stuck game.")]
OwnFilesOption = Annotated[list[str] | None, Option("--own", metavar="PART=FILE", help="Your own board or other part.")]
BoardOption = Annotated[Path | None, Option("--board", metavar="FILE", help="Your own board: TOML or JSON.")]
GameOptionsOption = Annotated[list[str] | None, Option("--option", metavar="K=V", help="An option of the game.")]


def parse_pairs(texts: list[str] | None, like: str = "OPTION=VALUE") -> dict[str, str]:
    """Splits texts such as "key=value" into keys and values.

    Raises MisuseError if a text has no `=`, or if a key comes twice. `like` is the example in its message.
    """
    wrong = [text for text in texts or () if "=" not in text]
    if wrong:
        raise MisuseError(f"{wrong[0]!r} has no = in it; type it like {like}")
    pairs: dict[str, str] = {}
    for name, _, value in (text.partition("=") for text in texts or ()):
        if name.strip() in pairs:
            raise MisuseError(f"you named {name.strip()} twice; name it once")
        pairs[name.strip()] = value.strip()
    return pairs


def parse_own_files(own: list[str] | None, board: Path | None) -> dict[str, Path]:
    """Returns the players' own files by component. `board` is the file for the component "board".

    Raises MisuseError as `parse_pairs` does.
    """
    return {part: Path(file) for part, file in parse_pairs(own, "PART=FILE").items()} | (
        {"board": board} if board else {}
    )


def parse_player_names(text: str | None) -> Mapping[str, str] | list[str]:
    """Parses the players' names: a list in the order of the seats, or a mapping if the seats are named.

    Raises MisuseError if only some names have a seat, or two have the same seat.
    """
    words = split_at_commas(text)
    if not any("=" in word for word in words):
        return words
    if not all("=" in word for word in words):
        raise MisuseError("name a seat for all players, SEAT=Anna,SEAT=Bo, or for none, Anna,Bo")
    names = parse_pairs(words)
    if len(names) < len(words):
        raise MisuseError("you named a seat twice; name it once")
    return names


def split_at_commas(text: str | None) -> list[str]:
    """Returns the parts of a text between commas, without empty ones; [] for None."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def parse_seat(text: str | None, names: Mapping[str, str]) -> str | None:
    """Returns the seat that somebody names: by its name, the beginning of its name, or the player's name.

    `names` holds the player's name for each seat. Returns None if `text` is None. Raises MisuseError if not exactly
    one seat fits.
    """
    if text is None:
        return None
    found = [seat for seat in names if text and seat.startswith(text.lower())]
    if len(found) != 1:
        found = [seat for seat, name in names.items() if name.lower() == text.lower()]
        _check_name_is_distinct(text, found, names)
    if len(found) != 1:
        sitting = [seat if seat == name else f"{seat} ({name})" for seat, name in names.items()]
        raise MisuseError(f"nobody sits at {text!r}; the seats are {listing(sitting)}")
    return found[0]


def _check_name_is_distinct(text: str, found: list[str], names: Mapping[str, str]) -> None:
    """Raises MisuseError if a name looks like another player's; a log from elsewhere may have such names."""
    from referee.record.table.player_names import list_seats_with_similar_names  # most players are named by their seat

    alike = list_seats_with_similar_names(names) if found else ()
    if set(found) & set(alike):
        raise MisuseError(f"{text!r} looks like another player's name; name the seat: {listing(alike, 'or')}")


def find_leading_seat(facts: PublicFacts, words: Sequence[str] | None) -> str | None:
    """Returns the seat that a line names first, by its name or its player's name: "red 6 go" or "red: 6 go".

    Returns None if the line begins with another word or has only one word. Raises MisuseError if nobody has the name
    before a colon.
    """
    first = words[0].removesuffix(":").lower() if words and len(words) > 1 else ""
    if first and words and words[0].endswith(":"):
        return parse_seat(words[0].removesuffix(":"), facts.names)
    return next((seat for seat, name in facts.names.items() if first and first in (seat, name.lower())), None)


def split_off_speaker(
    open_view: Callable[[str | None], SeatView], by: str | None, words: Sequence[str] | None
) -> tuple[SeatView, Sequence[str]]:
    """Returns the game in the speaker's view, and the words without the speaker's name.

    The speaker is `by`, or else the seat that the first word names. `open_view` returns the game in a seat's view.
    """
    look = open_view(by)
    speaker = None if by else find_leading_seat(look.facts, words)
    return (open_view(speaker), words[1:]) if speaker and words else (look, words or ())


def parse_seats(text: str | None, names: Mapping[str, str]) -> list[str]:
    """Returns the seats in a list with commas; "all" means all seats. Raises MisuseError as `parse_seat` does."""
    if text is not None and text.strip().lower() == "all":
        return list(names)
    return [seat for word in split_at_commas(text) if (seat := parse_seat(word, names))]


MAX_FACES = 1_000
"""The most dice typed at once."""


def split_dice(typed: str) -> list[str]:
    """Returns the words of typed dice. People separate numbers by blanks, commas, dashes, slashes, dots and more."""
    plain = normalize_typing(typed.translate(PIPS)).replace(",", " ")
    return BETWEEN_DICE.sub(" ", plain.rstrip().removesuffix(".")).split()


def parse_faces(text: str | None) -> list[TypedDie]:
    """Parses typed faces, such as "3,6" or "3 6", and names of things that are drawn, such as "3 ace".

    A number becomes an int, and a name stays text. Raises MisuseError if there are more than MAX_FACES words, or if a
    word cannot be a face.
    """
    words = split_dice(text or "")
    if len(words) > MAX_FACES:
        raise MisuseError(f"{len(words)} dice are too many at once; type the dice of a few rolls at a time")
    wrong = [word for word in words if not (word.isascii() and word.isprintable() and len(word) < 41)]
    if wrong or any(word.isdigit() and len(word) > 9 for word in words):
        raise MisuseError(f"{(wrong or words)[0][:40]!r} is not a face of a die; type dice like 3,6")
    return [int(word) if word.isdigit() else word for word in words]


YES_WORDS, NO_WORDS = frozenset({"y", "yes"}), frozenset({"", "n", "no"})
DICE_MODE_QUESTION = "Do you roll real dice and type the result? If not, the dice come from a seed in the log."


def ask_dice_mode(question: Callable[[str], str] | None) -> str:
    """Returns the name of the dice mode that somebody at the keyboard chooses; open dice if nobody can be asked."""
    return (
        TableDice().name if question and _ask_yes_or_no(question, DICE_MODE_QUESTION) else find_mode_name(DEFAULT_MODE)
    )


def parse_dice_mode(mode: str, seed: str | None = None) -> DiceMode | None:
    """Returns the dice mode of this name; None for open dice with a fresh seed, the default.

    Raises MisuseError for an unknown mode, or a seed that the mode cannot use.
    """
    if mode == find_mode_name(DEFAULT_MODE) and seed is None:
        return None
    if mode not in CHOOSABLE_MODES:
        raise MisuseError(f"--dice takes {listing([*CHOOSABLE_MODES], 'or')}, not {mode}")
    try:
        return CHOOSABLE_MODES[mode].from_seed(seed, os.urandom)
    except DiceError as error:
        raise MisuseError(str(error)) from error


def confirm_doubt(doubt: str) -> bool:
    """True if somebody confirms at the keyboard. Enter alone means no."""
    return _ask_yes_or_no(ask_line, f"{doubt} Are you sure?")


def _ask_yes_or_no(question: Callable[[Printable], str], words: str) -> bool:
    """Asks a question at the keyboard, and returns True for yes.

    Enter alone means no. After any answer other than yes or no, asks again.
    """
    prompt = format_prompt(f"{words} y/N:", hanging=0, end=" ")
    while (said := question(prompt).strip().lower()) not in YES_WORDS | NO_WORDS:
        prompt = make_printable("Type y or n; Enter means no: ")
    return said in YES_WORDS


POINTER_FILE = ".referee"
"""The file that names the current game. The referee looks for it in this folder, then in each folder above."""
MAX_DOCUMENT_BYTES = 4 * 2**20
"""The largest size of a position, a board or a list of actions, in bytes."""


def read_document(path: Path, data: bytes | None = None) -> dict[str, Any]:
    """Returns the content of a TOML or JSON file as a mapping.

    `data` is the content if it was read already. Raises MisuseError if the content cannot be parsed, with the place of
    the problem. Raises NoFileError if the file is too long, and OSError if it cannot be read.
    """
    from referee.gate.documents import read_json_text, read_toml_text

    data = read_user_file(path, MAX_DOCUMENT_BYTES) if data is None else data
    try:
        document = read_json_text(data) if path.suffix == ".json" else read_toml_text(data)
    except UnreadableError as error:
        raise MisuseError(f"{path.name!r} cannot be read: {_explain_read_error(error, data)}") from error
    if not isinstance(document, dict):
        raise MisuseError(f"{path.name!r} must hold keys and values")
    return document


def _explain_read_error(error: UnreadableError, data: bytes) -> str:
    """Returns a clause that says why a file cannot be read, and where if that is known."""
    from referee.record.log.file_kinds import find_content_kind

    if error.reason == "keys":
        return str(error)
    return find_content_kind(data).no_position or _WHY_UNREAD.get(error.reason) or str(error)


_WHY_UNREAD: dict[str, str] = {
    "depth": "its brackets are nested too deeply",
    "encoding": "it is not text in UTF-8",
    "number": "a number in it has thousands of digits",
}


def parse_path_argument(text: str) -> Path:
    """Returns a typed path. Raises MisuseError if it is empty or holds a null character."""
    if not text.strip() or "\0" in text:
        raise MisuseError(f"{text!r} is not the name of a file")
    return Path(text)


@contextmanager
def reserve_log_path(named: Path | None, stem: str) -> Iterator[Path]:
    """Yields the path for a new log: `named`, or a free name in `logs/` that begins with `stem` and the date.

    Makes the folder `logs/` if needed, and removes it again if it is empty at the end of the block. Raises MisuseError
    if the path cannot be that of a log or its folder does not exist.
    """
    if named is None:
        today = f"{stem}-{date.today().isoformat()}"
        names = chain([today], (f"{today}-{number}" for number in count(2)))
        named = next(path for name in names if not (path := LOG_FOLDER / f"{name}.jsonl").exists())
    if not named.name or named.is_dir() or "\0" in str(named) or named.name == "-":
        raise MisuseError(f"{str(named)!r} cannot be the name of a log; name a file, such as game.jsonl")
    made = named.parent == LOG_FOLDER and not LOG_FOLDER.exists()
    if made:
        LOG_FOLDER.mkdir()
    try:
        check_parent_folder(named)
        check_free_or_file(Path(POINTER_FILE))  # this file will name the log
        yield named
    finally:
        if made:
            with suppress(OSError):  # a log or another file is there now
                LOG_FOLDER.rmdir()


def check_parent_folder(path: Path) -> None:
    """Raises MisuseError if the folder of a new file does not exist. It is not created, as its name may be mistyped."""
    if not path.parent.is_dir():
        raise MisuseError(f"there is no folder {path.parent}; make it first, or name another")


def check_seconds(seconds: float, most: int) -> None:
    """Raises MisuseError unless the thinking time is above 0 and at most `most` seconds."""
    if not 0 < seconds <= most:
        raise MisuseError(f"--seconds takes a number above 0, at most {most}, not {seconds:g}")


def check_options_exclude_each_other(**wanted: bool) -> None:
    """Raises MisuseError if more than one of these options is used."""
    names = [f"--{name.replace('_', '-')}" for name, is_wanted in wanted.items() if is_wanted]
    if len(names) > 1:
        raise MisuseError(f"use only one of {' or '.join(names)}")


def read_stdin(what: str) -> bytes:
    """Returns all input from stdin. At a keyboard, first asks for `what` and says how to end the input."""
    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        write_messages([make_printable(f"Type or paste {what}; to end it, press {end} on an empty line.")])
    return read_stream(sys.stdin.buffer)
