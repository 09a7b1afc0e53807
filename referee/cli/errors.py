"""Errors become one clear sentence and the designed exit code.

0   done, legal, clean
1   the answer is no: refused, fault found, logs differ
2   not understood
3   unreadable input: not a log, cut short, newer format
4   no game chosen, or several
5   the log moved on underneath
70  a bug in the referee
"""

from __future__ import annotations

from typing import Any

from referee.engine.dice import DiceError, DiceNeededError
from referee.engine.game import BoardError, OptionError, UnknownGameError, find_game, game_names
from referee.engine.text import NotUnderstoodError, begin_sentence, nearest
from referee.record.faults import FaultError, MovedOnError, NotRecordedError, UnknownError
from referee.record.session import NotAllowedError

OK = 0
NO = 1
NOT_UNDERSTOOD = 2
UNREADABLE = 3
NO_GAME = 4
MOVED_ON = 5
BUG = 70


class NoGameError(LookupError):
    """No game is chosen, or several could be meant."""


class MisuseError(ValueError):
    """Something on the command line that cannot be meant so."""


EXIT_CODES: tuple[tuple[type[Exception], int], ...] = (
    (NotUnderstoodError, NOT_UNDERSTOOD),
    (MisuseError, NOT_UNDERSTOOD),
    (DiceError, NOT_UNDERSTOOD),
    (OptionError, NOT_UNDERSTOOD),
    (UnknownGameError, NOT_UNDERSTOOD),
    (BoardError, UNREADABLE),
    (NotAllowedError, NO),
    (FileExistsError, NO),
    (FaultError, UNREADABLE),
    (NotRecordedError, UNREADABLE),
    (UnknownError, UNREADABLE),
    (OSError, UNREADABLE),
    (UnicodeDecodeError, UNREADABLE),
    (NoGameError, NO_GAME),
    (MovedOnError, MOVED_ON),
)


def unknown_command(words: list[str], commands: list[str]) -> str:
    """What to say about a command that does not exist; it may be one that is misspelt, or an action."""
    verbs = {phrase.split()[0] for name in game_names() for phrase in find_game(name).phrases.values()}
    guess = [] if words[0].lower() in verbs else nearest(words[0], commands)
    meant = f" Did you mean {guess[0]!r}?" if guess else ""
    return f"there is no command {words[0]!r}.{meant} To say what you do: referee do {' '.join(words)}"


def exit_code_of(error: Exception) -> int:
    """The exit code for an error."""
    if hasattr(error, "format_message"):  # the command line parser's own, whose class is not public
        return NOT_UNDERSTOOD
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), BUG)


def explain(error: Exception) -> str:
    """One sentence for a person."""
    match error:
        case NotUnderstoodError():
            return f"Cannot read this:\n{error.picture()}"
        case FaultError(fault=fault):
            return f"This log cannot be used: {fault}"
        case FileExistsError():
            return f"There is a file {error.filename} already; nothing was changed."
        case FileNotFoundError():
            return f"There is no file {error.filename}."
        case UnicodeDecodeError():
            return "The file is not text in UTF-8."
        case DiceNeededError():
            how = getattr(error, "__notes__", ["Throw, then type them: --dice FACES with the action."])
            return f"{_sentence(str(error))} {how[0]}"
        case OSError():
            return f"{error.filename or 'The file'}: {error.strerror or error}."
    if hasattr(error, "format_message"):
        return f"{_sentence(error.format_message())} See: referee help"
    return _sentence(str(error))


def _sentence(text: str) -> str:
    return begin_sentence(text) + ("" if text.endswith((".", "?")) else ".")


def as_json(error: Exception) -> dict[str, Any]:
    """The same facts as JSON."""
    facts: dict[str, Any] = {"error": type(error).__name__, "message": str(error), "exit": exit_code_of(error)}
    match error:
        case NotUnderstoodError():
            facts |= {"text": error.text, "at": error.at, "expected": error.expected, "guess": error.guess}
        case FaultError(fault=fault):
            facts["fault"] = fault
    return facts
