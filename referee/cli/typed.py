"""What people type: options and what they mean, dice as they fall, files that they name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from typer import Argument, Option

from referee.cli.errors import LOGS, MisuseError
from referee.cli.screen import while_typing
from referee.engine.dice import DiceError, Typed
from referee.engine.mode import CHOSEN, USUAL, DiceMode, TableDice, name_of
from referee.engine.text import listing
from referee.record.log.disk import check_free_or_file, drain, read_named

if TYPE_CHECKING:
    from referee.record.table.facts import Facts
    from referee.record.table.sitting import Sitting

PLAIN: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
"""How every command line of ours is set up."""

LEAVING = ("quit", "exit", "q")
"""What people type to leave what answers them line by line."""

Words = Annotated[list[str] | None, Argument(metavar="ACTION...", help="What is done; commas part two actions.")]
By = Annotated[str | None, Option("--by", metavar="SEAT", help="Who speaks; the player on turn if not given.")]
Eyes = Annotated[str | None, Option("--by", metavar="SEAT", help="Through whose eyes; referee: all that is known.")]
Faces = Annotated[str | None, Option("--dice", metavar="3,6", help="Faces thrown at the table.")]
Agreed = Annotated[str | None, Option("--agreed-by", metavar="SEATS", help="Seats that agree, with commas; or all.")]
Force = Annotated[bool, Option("--force", help="Write over a file, if it is no log.")]
Output = Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="The file to write.")]
Game = Annotated[str, Argument(metavar="GAME", help="Which game; referee games lists them.")]
Of = Annotated[str | None, Option("--of", metavar="GAME", help="Which game's.")]
Seats = Annotated[str | None, Option(metavar="NAMES", help="Who plays: Anna,Bo in order, or SEAT=Anna,SEAT=Bo.")]
AskedDice = Annotated[
    str | None,
    Option("--dice", metavar="MODE", help="table: typed in; open: from a seed in the log; else asked."),
]
Own = Annotated[list[str] | None, Option("--own", metavar="PART=FILE", help="Your own board or other part.")]
Board = Annotated[Path | None, Option("--board", metavar="FILE", help="Your own board: TOML or JSON.")]
Options = Annotated[list[str] | None, Option("--option", metavar="K=V", help="An option of the game.")]


def pairs_of(texts: list[str] | None, like: str = "OPTION=VALUE") -> dict[str, str]:
    """Keys and values as typed: `like` says how."""
    wrong = [text for text in texts or () if "=" not in text]
    if wrong:
        raise MisuseError(f"{wrong[0]!r} has no = in it; it is typed like {like}")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts or ())}


def own_files_of(own: list[str] | None, board: Path | None) -> dict[str, Path]:
    """The players' own files by component, as typed."""
    return {part: Path(file) for part, file in pairs_of(own, "PART=FILE").items()} | ({"board": board} if board else {})


def names_of(text: str | None) -> Mapping[str, str] | list[str]:
    """Names of who plays: in the order of the seats, or each with its seat."""
    words = split(text)
    if not any("=" in word for word in words):
        return words
    if not all("=" in word for word in words):
        raise MisuseError("name the seats either all like SEAT=Anna or all like Anna,Bo")
    names = pairs_of(words)
    if len(names) < len(words):
        raise MisuseError("a seat is named twice")
    return names


def split(text: str | None) -> list[str]:
    """What stands between commas."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def seat_of(text: str | None, names: Mapping[str, str]) -> str | None:
    """The seat that somebody names: by its name, the beginning of it, or the name of who sits there."""
    if text is None:
        return None
    found = [seat for seat in names if text and seat.startswith(text.lower())]
    if len(found) != 1:
        found = [seat for seat, name in names.items() if name.lower() == text.lower()]
        _check_told_apart(text, found, names)
    if len(found) != 1:
        sitting = [seat if seat == name else f"{seat} ({name})" for seat, name in names.items()]
        raise MisuseError(f"nobody sits at {text!r}; the seats are {listing(sitting)}")
    return found[0]


def _check_told_apart(text: str, found: list[str], names: Mapping[str, str]) -> None:
    """MisuseError when a name may be taken for another one's; a log from elsewhere may have such names."""
    from referee.record.table.names import alike_in  # hardly anybody is named otherwise than by his seat

    alike = alike_in(names) if found else ()
    if set(found) & set(alike):
        raise MisuseError(f"{text!r} may mean somebody else here; say the seat: {listing(alike, 'or')}")


def named_first(facts: Facts, words: Sequence[str] | None) -> str | None:
    """The seat that a line begins with in full, or the name of who sits there, as the record writes it: "red: 6 go";
    None: it begins with something else, or there is nothing after it. MisuseError: nobody sits at what has a colon.
    """
    first = words[0].removesuffix(":").lower() if words and len(words) > 1 else ""
    if first and words and words[0].endswith(":"):
        return seat_of(words[0].removesuffix(":"), facts.names)
    return next((seat for seat, name in facts.names.items() if first and first in (seat, name.lower())), None)


def heard(
    look_of: Callable[[str | None], Sitting], by: str | None, words: Sequence[str] | None
) -> tuple[Sitting, Sequence[str]]:
    """The game as it is seen by who speaks, whom `by` names or the first word does, and what he says. MisuseError."""
    look = look_of(by)
    speaker = None if by else named_first(look.facts, words)
    return (look_of(speaker), words[1:]) if speaker and words else (look, words or ())


def seats_of(text: str | None, names: Mapping[str, str]) -> list[str]:
    """The seats that somebody lists; "all" are all."""
    if text is not None and text.strip().lower() == "all":
        return list(names)
    return [seat for word in split(text) if (seat := seat_of(word, names))]


MAX_FACES = 1_000
"""Dice that are typed at once, at the most."""


def faces_of(text: str | None) -> list[Typed]:
    """Faces as typed: "3,6" or "3 6"; where something is drawn, its name: "3 ace". MisuseError."""
    words = (text or "").replace(",", " ").split()
    if len(words) > MAX_FACES:
        raise MisuseError(f"nobody throws {len(words)} dice at once; type the dice of a few throws at a time")
    wrong = [word for word in words if not (word.isascii() and word.isprintable() and len(word) < 41)]
    if wrong or any(word.isdigit() and len(word) > 9 for word in words):
        raise MisuseError(f"{(wrong or words)[0][:40]!r} is no face of a die; dice are typed like 3,6")
    return [int(word) if word.isdigit() else word for word in words]


AS_YES, AS_NO = frozenset({"y", "yes"}), frozenset({"", "n", "no"})
REAL_OR_NOT = "Do you throw real dice and type how they fell? Else they come from a seed in the log."


def mode_asked(question: Callable[[str], str] | None) -> str:
    """The dice mode that somebody at the keyboard chooses, who has not said which; where nobody sits there, open."""
    return TableDice().name if question and _says_yes(question, REAL_OR_NOT) else name_of(USUAL)


def dice_of(mode: str, seed: str | None = None) -> DiceMode | None:
    """A dice mode as typed; None: open dice with a fresh seed, as a game has them of which nobody says otherwise."""
    if mode == name_of(USUAL) and seed is None:
        return None
    if mode not in CHOSEN:
        raise MisuseError(f"dice are {listing([*CHOSEN], 'or')}, not {mode}")
    try:
        return CHOSEN[mode].begun(seed, os.urandom)
    except DiceError as error:
        raise MisuseError(str(error)) from error


def confirm(doubt: str) -> bool:
    """Whether somebody means it all the same, typed at the keyboard; Enter alone is no."""
    return _says_yes(input, f"{doubt} All the same?")


def _says_yes(question: Callable[[str], str], words: str) -> bool:
    """What somebody answers; Enter alone is no, and what is neither yes nor no is asked again."""
    prompt = f"{while_typing(f'{words} y/N:', hanging=0)} "
    while (said := question(prompt).strip().lower()) not in AS_YES | AS_NO:
        prompt = "Type y or n; Enter alone is no: "
    return said in AS_YES


POINTER = ".referee"
"""File that names the current game; looked for upward from here, like a `.git`."""
MAX_DOCUMENT = 4 * 2**20
"""Bytes of a position, a board or a list of actions."""


def read_document(path: Path, data: bytes | None = None) -> dict[str, Any]:
    """A TOML or JSON file as a mapping; MisuseError says where it cannot be read. NoFileError, OSError. `data`: what is
    in it, where that was read already.
    """
    import tomllib

    from referee.cli.deep_keys import MOST_DOTS, has_deep_key

    data = read_named(path, MAX_DOCUMENT) if data is None else data
    if path.suffix != ".json" and has_deep_key(data):
        raise MisuseError(f"{path.name!r} cannot be read: a key in it has more than {MOST_DOTS} dots")
    try:
        document = msgspec.json.decode(data) if path.suffix == ".json" else tomllib.loads(data.decode("utf-8"))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise MisuseError(f"{path.name!r} cannot be read: {_why_unread(error, data)}") from error
    if not isinstance(document, dict):
        raise MisuseError(f"{path.name!r} must hold keys and values")
    return document


def _why_unread(error: Exception, data: bytes) -> str:
    """Why a file cannot be read, as a clause; where, if the error tells."""
    from referee.record.log.kinds import kind_in

    told = kind_in(data).no_position
    if told:
        return told
    if isinstance(error, RecursionError):
        return "brackets stand within brackets without end"
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    if "digits" in str(error) and "limit" in str(error):  # Python will not take a number so long
        return "a number in it has thousands of digits"
    return str(error)


def path_of(text: str) -> Path:
    """A path as typed, or as read from a pointer file."""
    if not text.strip() or "\0" in text:
        raise MisuseError(f"{text!r} is no name of a file")
    return Path(text)


@contextmanager
def new_log(named: Path | None, stem: str) -> Iterator[Path]:
    """Where a log is to be written inside: as named, else under a name in `logs/` that no file has. That is the only
    folder that is made unasked, and it goes again if no log comes about.
    """
    if named is None:
        today = f"{stem}-{date.today().isoformat()}"
        names = [today, *(f"{today}-{number}" for number in range(2, 10_000))]
        named = next(path for name in names if not (path := LOGS / f"{name}.jsonl").exists())
    if not named.name or named.is_dir() or "\0" in str(named) or named.name == "-":
        raise MisuseError(f"{str(named)!r} is no name for a log")
    made = named.parent == LOGS and not LOGS.exists()
    if made:
        LOGS.mkdir()
    try:
        check_folder(named)
        check_free_or_file(Path(POINTER))  # it will name the log
        yield named
    finally:
        if made:
            with suppress(OSError):  # a log came about, or something else came to lie there
                LOGS.rmdir()


def check_folder(path: Path) -> None:
    """MisuseError when the folder is not there in which a file is to be written: a slip makes no folders."""
    if not path.parent.is_dir():
        raise MisuseError(f"there is no folder {path.parent}; make it first, or write elsewhere")


def check_seconds(seconds: float, most: int) -> None:
    """MisuseError when somebody gives no time to think, or more than `most` seconds; nan is none either."""
    if not 0 < seconds <= most:
        raise MisuseError(f"--seconds takes a number above 0 and up to {most}, not {seconds:g}")


def check_one(**wanted: bool) -> None:
    """MisuseError where several options are wanted of which each goes alone."""
    names = [f"--{name.replace('_', '-')}" for name, is_wanted in wanted.items() if is_wanted]
    if len(names) > 1:
        raise MisuseError(f"one at a time: {' or '.join(names)}")


def piped(what: str) -> bytes:
    """All that is piped in; where somebody sits at the keyboard instead, he is told that we wait."""
    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        sys.stderr.write(f"Waiting for {what} to be typed or pasted; {end} on a line of its own ends it.\n")
        sys.stderr.flush()
    return drain(sys.stdin.buffer)
