"""Error messages: each error becomes an answer with one clear sentence, its facts and an exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from referee.cli.answer import (
    BUG,
    FACES_PLACEHOLDER,
    MOVED_ON,
    NO,
    NO_GAME,
    NOT_UNDERSTOOD,
    UNREADABLE,
    Answer,
    PendingAction,
    Text,
)
from referee.engine.component import BoardError
from referee.engine.dice import DiceError, DiceNeededError, NameNotThereError
from referee.engine.game import AnyGame
from referee.engine.options import OptionError
from referee.engine.plugin_errors import GameError, find_game_error
from referee.engine.registry import UnknownGameError
from referee.engine.rulebook import NoRuleError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, begin_sentence, find_similar_choices
from referee.gate import UnreadableError
from referee.record.log.log_errors import (
    CODES_OF_UNKNOWN_LOGS,
    Fault,
    FaultError,
    LogError,
    MovedOnError,
    NotAgreedError,
    NotAllowedError,
)

PACKAGE_FOLDER = Path(__file__).parent.parent
LOG_FOLDER = Path("logs")
"""The folder for new logs if nobody names another."""


class NoGameError(LookupError):
    """No game is chosen, or several games could be meant."""


class MisuseError(ValueError):
    """A command line that makes no sense."""


class UnforcedError(FileExistsError):
    """A file exists already; --force would replace it."""


EXIT_CODES: dict[int, tuple[type[Exception], ...]] = {
    NOT_UNDERSTOOD: (NotUnderstoodError, MisuseError, DiceError, OptionError, UnknownGameError),
    NO: (NotAllowedError, UnknownError, FileExistsError),
    NO_GAME: (NoGameError,),
    MOVED_ON: (MovedOnError,),
    UNREADABLE: (BoardError, GameError, LogError, OSError, UnicodeDecodeError, UnreadableError),
}
"""The errors for each exit code; the first match counts. Any other error is a bug of ours."""


def find_exit_code(error: Exception) -> int:
    """Returns the exit code for an error."""
    return next((code for code, kinds in EXIT_CODES.items() if isinstance(error, kinds)), BUG)


NOT_RECORDED, NOT_DONE, NOT_FOUND = "Not recorded", "Not done", "Not found"
"""The headings of negative answers that no rule gives; a rule's heading is REFUSED."""


def explain_error(error: Exception, log: Path | None = None, *, records: bool = True) -> Answer:
    """Returns the answer that explains an error.

    `log` is the log that the error is about. `records` is True if the failed command would have recorded something.
    """
    code, lines = find_exit_code(error), _list_error_lines(error, log)
    told = "\n".join(lines)
    message = told if isinstance(error, OSError) else str(error)  # the system's own words help nobody
    facts: dict[str, Any] = {"error": type(error).__name__, "message": message, "exit": code}
    facts |= _collect_facts(error, told)
    if code != NO:
        return Answer((), lambda: facts, code, lines)
    yet = " yet" if isinstance(error, NotAgreedError) else ""
    clause = str(error) if isinstance(error, NotAllowedError) else told[:1].lower() + told[1:]
    return make_negative_answer(clause, lambda: facts, (NOT_RECORDED if records else NOT_DONE) + yet)


def _collect_facts(error: Exception, told: str) -> dict[str, Any]:
    """Returns the facts that only some kinds of errors have."""
    match error:
        case NotUnderstoodError():
            where = {"text": error.text, "at": error.at, "expected": error.expected, "guess": error.guess}
            return {**where, "instead": error.instead, "form": error.form}
        case FaultError():
            return {"fault": error.fault}
        case GameError():
            return {"game": error.name, "place": error.place}
        case UnknownError():
            return {"message": told, "owner": error.owner}
    return {}


def make_negative_answer(clause: str, facts: Callable[[], Any], heading: str = NOT_RECORDED) -> Answer:
    """Returns a negative answer: a heading, then the reason as a clause."""
    end = "" if clause.endswith((".", "?")) else "."
    return Answer([Text(f"{heading}: {clause}{end}", "refused")], facts, NO)


def make_unknown_word_error(error: Exception, words: list[str], commands: list[str]) -> Exception:
    """Returns a better error for a line whose first word is neither a command nor an action.

    `error` is the error of the line; it is returned as it is if its cause is not the first word.
    """
    from referee.cli.foreign_names import NEEDLESS_COMMANDS, find_meant_command  # few lines need this

    first = " ".join(words).split(maxsplit=1)[:1]
    reflex = first[0].lower() if first else ""
    if isinstance(error, NoGameError):
        near = find_meant_command(reflex, commands)
        known = (
            f"{NEEDLESS_COMMANDS[reflex]}; "
            if reflex in NEEDLESS_COMMANDS
            else f"did you mean {near!r}? And "
            if near
            else ""
        )
        return NoGameError(f"there is no command {words[0]!r}; {known}{error}")
    if not isinstance(error, NotUnderstoodError) or not first or error.text.split(maxsplit=1)[:1] != first:
        return error
    if error.at >= len(first[0]):
        return error
    if reflex in NEEDLESS_COMMANDS:
        return MisuseError(f"{first[0]!r} is not a command; {NEEDLESS_COMMANDS[reflex]}")
    near = find_meant_command(reflex, [*filter(None, [error.guess]), *commands])
    meant = f"did you mean {near!r}?" if near else f"expected {error.expected}; to list all actions: referee legal"
    return MisuseError(f"{first[0]!r} is neither a command nor an action here; {meant}")


def answer_dice_missing(pending: PendingAction) -> Answer:
    """Returns the answer that asks for missing dice, with the command to type once they are rolled."""
    need, typed = pending.need, len(pending.held)
    error = DiceNeededError(need, typed)
    facts = {"error": "DiceNeededError", "message": str(error), "exit": NOT_UNDERSTOOD, "needs": need, "typed": typed}
    fall, named = ("Draw", "NAME") if need.names else ("Roll", FACES_PLACEHOLDER)
    how = f"Type {'all of ' if typed else ''}them" if pending.words_left is None else f"{fall}, then type"
    kept = f" {_describe_held_faces(pending)}" if typed else ""
    line = f"referee {' '.join(pending.make_command([named]))}"
    return Answer((), lambda: facts, NOT_UNDERSTOOD, (f"{format_sentence(str(error))}{kept} {how}: {line}.",), pending)


def _describe_held_faces(pending: PendingAction) -> str:
    """Returns a sentence with the faces typed so far and those still missing."""
    from referee.cli.missing_dice import describe_held_faces, describe_missing_faces  # hardly any answer asks for dice

    missing = describe_missing_faces(pending.need, len(pending.held))
    return f"Typed so far: {describe_held_faces(pending.need, pending.held)}. Still missing: {missing}."


def make_faulty_game_error(error: Exception, game: AnyGame | None) -> GameError | None:
    """Returns a GameError if a third-party game's rules file or code caused the error; None otherwise."""
    if isinstance(error, NoRuleError) and game:
        return GameError(game.name, error.file, str(error))
    return find_game_error(error)


def _describe_file_error(error: OSError) -> str:
    """Returns a sentence about a file error, with a similar file if there is one."""
    match error:
        case FileExistsError():
            kind = "folder" if Path(error.filename).is_dir() else "file"
            force = "; to replace it, add --force" if isinstance(error, UnforcedError) else ""
            return f"There is already a {kind} {error.filename}, so nothing was changed{force}."
        case FileNotFoundError(filename=None):  # only the current folder is looked up without a name
            return "The folder you are in no longer exists. Change to another folder and try again."
        case FileNotFoundError() if Path(error.filename).is_relative_to(PACKAGE_FOLDER):
            lacking = Path(error.filename).relative_to(PACKAGE_FOLDER)
            return f"A file of the referee is missing: {lacking.as_posix()}. Install the referee again."
        case FileNotFoundError():
            return f"There is no file {error.filename}{_suggest_file(Path(error.filename)) or '.'}"
        case _:
            return f"{error.filename or 'The file'}: {error.strerror or error}."


def _describe_fault(fault: Fault, log: Path | None) -> str:
    """Returns sentences about a fault of a log, with the command that helps."""
    if fault.code in ("not-a-log", "empty"):
        return f"No log can be read here: {fault.clause} ({fault.detail})."
    if fault.code in CODES_OF_UNKNOWN_LOGS:
        more = f" To see what can be read: referee audit {quote(str(log))}" if log else ""
        return f"This log cannot be read here: {fault.clause} ({fault.detail}).{more}"
    where = f", from entry {fault.n} on" if fault.n else ""
    good = f" To see the part before that, add: --at {fault.n - 1}." if fault.n else ""
    return f"This log cannot be used{where}: {fault.clause} ({fault.detail}).{good}"


def _list_error_lines(error: Exception, log: Path | None) -> tuple[str, ...]:
    if isinstance(error, NotUnderstoodError):
        return ("Cannot read this:", *error.format_with_caret().split("\n"))
    if find_exit_code(error) != BUG:
        return (_describe_error(error, log),)
    return (
        f"This is a bug in the referee: {type(error).__name__}: {error}",
        "To see what was recorded: referee log. Please report the bug with the log and this command.",
        "To see where it happened, set REFEREE_DEBUG=1 and type the command again.",
    )


def _describe_error(error: Exception, log: Path | None) -> str:
    match error:
        case FaultError(fault=fault):
            return _describe_fault(fault, log)
        case OSError():
            return _describe_file_error(error)
        case UnicodeDecodeError() | UnreadableError(reason="encoding"):
            return "The file is not plain text (UTF-8)."
        case NameNotThereError():
            return f"{format_sentence(str(error))} To use cards of your own: referee help own."
        case UnknownError():
            vault = f"{log.name}.{error.owner}.vault is not here" if log else "a log that is piped in has no vaults"
            then = "type the command where the vault is, or name another seat with --by"
            return f"Only {error.owner} knows this, and {vault}; {then}."
    return format_sentence(str(error))


def _suggest_file(path: Path) -> str:
    """Returns the end of a sentence that suggests a file with a similar name; "" if there is none."""
    there: dict[str, Path] = {}
    for folder in (path.parent, *([LOG_FOLDER] if path.parent == Path() else [])):
        with suppress(OSError):
            there |= {other.stem: other for other in folder.iterdir() if other.name.isprintable()}
    near = find_similar_choices(
        path.stem, there, alike=0.75
    )  # stricter than usual, since "sunday" and "monday" look alike
    return f"; did you mean {there[near[0]]}?" if near else ""


def format_sentence(clause: str) -> str:
    """Returns a clause as a sentence: with a capital letter, and a full stop unless it ends with "." or "?"."""
    return begin_sentence(clause) + ("" if clause.endswith((".", "?")) else ".")
