"""Errors become answers: one clear sentence, the facts, and the designed exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from referee.cli.answer import BUG, FACES, MOVED_ON, NO, NO_GAME, NOT_UNDERSTOOD, UNREADABLE, Answer, Pending, Text
from referee.engine.blame import GameError, game_at_fault
from referee.engine.component import BoardError
from referee.engine.dice import DiceError, DiceNeededError, NotThereError
from referee.engine.game import AnyGame
from referee.engine.options import OptionError
from referee.engine.registry import UnknownGameError
from referee.engine.ruling import NoRuleError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, begin_sentence, nearest
from referee.record.log.faults import OF_OTHERS, Fault, FaultError, LogError, MovedOnError, NotAllowedError

PACKAGE = Path(__file__).parent.parent
LOGS = Path("logs")
"""The folder in which logs are begun unless somebody names another."""


class NoGameError(LookupError):
    """No game is chosen, or several could be meant."""


class MisuseError(ValueError):
    """Something on the command line that cannot be meant so."""


class UnforcedError(FileExistsError):
    """There is a file already that --force would write over."""


EXIT_CODES: dict[int, tuple[type[Exception], ...]] = {
    NOT_UNDERSTOOD: (NotUnderstoodError, MisuseError, DiceError, OptionError, UnknownGameError),
    NO: (NotAllowedError, UnknownError, FileExistsError),
    NO_GAME: (NoGameError,),
    MOVED_ON: (MovedOnError,),
    UNREADABLE: (BoardError, GameError, LogError, OSError, UnicodeDecodeError),
}
"""What each error comes to, the first that fits; all others are our bugs."""


def exit_code_of(error: Exception) -> int:
    """The exit code for an error."""
    return next((code for code, kinds in EXIT_CODES.items() if isinstance(error, kinds)), BUG)


def explain(error: Exception, log: Path | None = None) -> Answer:
    """What there is to say about an error; `log` is the one it is about."""
    code, told = exit_code_of(error), _told(error, log)
    message = told if isinstance(error, OSError) else str(error)  # the system's own words help nobody
    facts: dict[str, Any] = {"error": type(error).__name__, "message": message, "exit": code}
    match error:
        case NotUnderstoodError():
            facts |= {"text": error.text, "at": error.at, "expected": error.expected, "guess": error.guess}
            facts |= {"instead": error.instead, "form": error.form}
        case FaultError():
            facts["fault"] = error.fault
        case GameError():
            facts |= {"game": error.name, "place": error.place}
        case UnknownError():
            facts |= {"message": told, "owner": error.owner}
    return no(told, lambda: facts) if code == NO else Answer((), lambda: facts, code, told)


def no(sentence: str, facts: Callable[[], Any]) -> Answer:
    """The answer is no, in one sentence."""
    return Answer([Text(f"NO  {sentence}", "refused")], facts, NO)


def unknown_word(error: Exception, words: list[str], commands: list[str]) -> Exception:
    """The error about a line that begins with no command, where its first word is no action either."""
    from referee.cli.reflexes import NEEDLESS, meant_by  # hardly any line begins so

    first = " ".join(words).split(maxsplit=1)[:1]
    reflex = first[0].lower() if first else ""
    if isinstance(error, NoGameError):
        near = meant_by(reflex, commands)
        known = f"{NEEDLESS[reflex]}; " if reflex in NEEDLESS else f"did you mean {near!r}? And " if near else ""
        return NoGameError(f"there is no command {words[0]!r}; {known}{error}")
    if not isinstance(error, NotUnderstoodError) or not first or error.text.split(maxsplit=1)[:1] != first:
        return error
    if error.at >= len(first[0]):
        return error
    if reflex in NEEDLESS:
        return MisuseError(f"{first[0]!r} is no command; {NEEDLESS[reflex]}")
    near = meant_by(reflex, [*filter(None, [error.guess]), *commands])
    meant = f"did you mean {near!r}?" if near else f"expected {error.expected}; for all of it: referee legal"
    return MisuseError(f"{first[0]!r} is neither a command nor something to do here; {meant}")


def wanted(pending: Pending) -> Answer:
    """Dice are missing, and nobody sits at the keyboard to be asked for them."""
    need, typed = pending.need, len(pending.held)
    error = DiceNeededError(need, typed)
    facts = {"error": "DiceNeededError", "message": str(error), "exit": NOT_UNDERSTOOD, "needs": need, "typed": typed}
    fall, named = ("Draw", "NAME") if need.names else ("Throw", FACES)
    how = f"Type {'all of ' if typed else ''}them" if pending.left is None else f"{fall}, then say"
    kept = f" {_held_so_far(pending)}" if typed else ""
    line = f"referee {' '.join(pending.said_with([named]))}"
    return Answer((), lambda: facts, NOT_UNDERSTOOD, f"{sentence(str(error))}{kept} {how}: {line}.", pending)


def _held_so_far(pending: Pending) -> str:
    """What is held of a throw and what is missing, each with whom it is for."""
    from referee.cli.missing import asked, held  # hardly any answer asks for dice

    return f"Held: {held(pending.need, pending.held)}; still to be typed: {asked(pending.need, len(pending.held))}."


def blamed_on(error: Exception, game: AnyGame | None) -> GameError | None:
    """An error that is a fault of a game which does not come along with us: of its rules, or in its code."""
    if isinstance(error, NoRuleError) and game:
        return GameError(game.name, error.file, str(error))
    return game_at_fault(error)


def _file_told(error: OSError) -> str:
    """What is wrong with a file, and what is near it."""
    match error:
        case FileExistsError():
            kind = "folder" if Path(error.filename).is_dir() else "file"
            force = "; --force replaces it" if isinstance(error, UnforcedError) else ""
            return f"There is a {kind} {error.filename} already; nothing was changed{force}."
        case FileNotFoundError(filename=None):  # only where one is, is looked for without a name
            return "The folder you are in is not there any more; go to another one, then say it again."
        case FileNotFoundError() if Path(error.filename).is_relative_to(PACKAGE):
            lacking = Path(error.filename).relative_to(PACKAGE)
            return f"The referee lacks {lacking.as_posix()}, which should have come with it; install it again."
        case FileNotFoundError():
            return f"There is no file {error.filename}{_near_file(Path(error.filename)) or '.'}"
        case _:
            return f"{error.filename or 'The file'}: {error.strerror or error}."


def _fault_told(fault: Fault, log: Path | None) -> str:
    """What is wrong with a log, and what can be done with it all the same."""
    if fault.code in ("not-a-log", "empty"):
        return f"No log can be read here: {fault.words} ({fault.detail})."
    if fault.code in OF_OTHERS:
        more = f" What can be told of it: referee audit {quote(str(log))}" if log else ""
        return f"This log cannot be read here: {fault.words} ({fault.detail}).{more}"
    where = f", from entry {fault.n} on" if fault.n else ""
    good = f" To look at what is good: --at {fault.n - 1}." if fault.n else ""
    return f"This log cannot be used{where}: {fault.words} ({fault.detail}).{good}"


def _told(error: Exception, log: Path | None) -> str:
    match error:
        case NotUnderstoodError():
            return f"Cannot read this:\n{error.picture()}"
        case FaultError(fault=fault):
            return _fault_told(fault, log)
        case OSError():
            return _file_told(error)
        case UnicodeDecodeError():
            return "The file is not text in UTF-8."
        case NotThereError():
            return f"{sentence(str(error))} Other cards of your own: referee help own."
        case UnknownError():
            vault = f"{log.name}.{error.owner}.vault is not here" if log else "a log that is piped in has no vaults"
            then = "do this where it is, or say with --by that somebody else speaks."
            return f"Only {error.owner} knows this, and {vault}; {then}"
    if exit_code_of(error) != BUG:
        return sentence(str(error))
    return (
        f"This is a bug in the referee: {type(error).__name__}: {error}\n"
        "To see what was recorded: referee log. Please report it with the log and this command;\n"
        "REFEREE_DEBUG=1 shows where it happened."
    )


def _near_file(path: Path) -> str:
    """The file that is perhaps meant by a name that none has, as the end of a sentence: one beside it, or a log."""
    there: dict[str, Path] = {}
    for folder in (path.parent, *([LOGS] if path.parent == Path() else [])):
        with suppress(OSError):
            there |= {other.stem: other for other in folder.iterdir() if other.name.isprintable()}
    near = nearest(path.stem, there, alike=0.75)  # days of the week are no slips of the fingers
    return f"; did you mean {there[near[0]]}?" if near else ""


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return begin_sentence(clause) + ("" if clause.endswith((".", "?")) else ".")
