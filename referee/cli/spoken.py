"""Whether a line is something to do in the game at hand, or a command: what a game can read is the game's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.errors import MisuseError, NoGameError
from referee.engine.blame import GameError
from referee.engine.registry import UnknownGameError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, phrases_of
from referee.record.log.faults import LogError, NotAllowedError

if TYPE_CHECKING:
    from referee.cli.context import Context
    from referee.record.table.sitting import Sitting

NO_GAME_AT_HAND = (NoGameError, LogError, GameError, UnknownGameError, OSError)
"""Why no game may be at hand that could read anything. What is wrong with its log, the command tells."""
OFFERS_ONLY = ("agree", "refuse")
"""Commands that come before all words of the game while something is offered by mail: nothing else is done then."""
VALUED, FLAGS = ("--by", "--dice"), ("-n", "--dry-run")
"""Options of `do` that stand beside what is done: with a value, and without."""


def is_read_by_game(context: Context, words: Sequence[str], name: str) -> bool:
    """Whether the game at hand can read a line as something that its speaker does, legal or not. `name`: the command
    that begins with the same word, or one that it may be short for.
    """
    line = parted(words)
    if line is None or context.log == "-":  # what is piped in can be read once
        return False
    said, by = line
    notes = list(context.notes)
    try:
        look = context.look(by, speaks=True)
        if name in OFFERS_ONLY and look.pact and look.pact.offers:
            return False
        return reads(look, said)
    except NotAllowedError:  # nobody has sat down at the screen yet, through whose eyes it could be read
        return said[0].lower() in context.session().game.verbs.by_word
    except (MisuseError, *NO_GAME_AT_HAND):
        return False
    finally:
        context.notes[:] = notes


def reads(look: Sitting, said: Sequence[str]) -> bool:
    """Whether the first of what is said is something to do: it may go on after a comma that parts no actions. Where
    only another knows what it means, its verb tells; a verb alone is the command then, and by mail, where nobody speaks
    for another, any line is.
    """
    first, *others = phrases_of(" ".join(said)) or [""]
    try:
        look.read(first)
    except NotUnderstoodError as error:
        return (bool(others) and error.at > len(error.text)) or _opens_no_file(look, said)
    except UnknownError:
        return not look.pact and len(said) > 1 and said[0].lower() in look.facts.game.verbs.by_word
    return True


def begins_in_game(context: Context, word: str) -> bool:
    """Returns whether something to do in the game at hand begins with a word or with the beginning of it."""
    if context.log == "-":
        return False
    notes = list(context.notes)
    try:
        return any(verb.startswith(word.lower()) for verb in context.session().game.verbs.by_word)
    except (MisuseError, *NO_GAME_AT_HAND):
        return False
    finally:
        context.notes[:] = notes


def _opens_no_file(look: Sitting, said: Sequence[str]) -> bool:
    """Returns whether somebody opens what can be no file: the game has the word, and what follows looks like none."""
    verb, *rest = (word.lower() for word in said)
    is_file = any(set(word) & set("./\\") or Path(word).exists() for word in said[1:])
    return verb == "open" and verb in look.facts.game.verbs.by_word and bool(rest) and rest != ["-"] and not is_file


def parted(words: Sequence[str]) -> tuple[list[str], str | None] | None:
    """What is said among the words of a line, and who says it; None where nothing is, or where an option stands that
    only commands have.
    """
    said, by, left = list[str](), None, iter(words)
    for word in left:
        if word in VALUED:
            value = next(left, None)
            by = value if word == "--by" else by
        elif word.startswith("-") and word not in FLAGS:
            return None
        elif word not in FLAGS:
            said.append(word)
    return (said, by) if said else None
