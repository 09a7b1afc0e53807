"""The choice between a command and an action: if the game at hand can read a line, it is an action."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.errors import MisuseError, NoGameError
from referee.engine.plugin_errors import GameError
from referee.engine.registry import UnknownGameError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, split_phrases
from referee.record.log.log_errors import LogError, NotAllowedError
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.context import Context

NO_GAME_ERRORS = (NoGameError, LogError, GameError, UnknownGameError, OSError)
"""The errors after which a line counts as a command, since no game can read it. The command then reports them."""
OFFER_COMMANDS = ("agree", "refuse")
"""Commands that come before words of the game while an offer by mail is open, since nothing else is possible then."""
OPTIONS_WITH_VALUE, VALUELESS_OPTIONS = ("--by", "--dice"), ("-n", "--dry-run")
"""The options of `do` that may stand beside an action: with a value, and without."""


def is_read_by_game(context: Context, words: Sequence[str], name: str) -> bool:
    """True if the game at hand can read a line as an action of its speaker, legal or not.

    `name` is the command that the first word of the line names or may be short for.
    """
    line = split_off_seat_option(words)
    if line is None or context.log == "-":  # piped input can be read only once
        return False
    said, by = line
    notes = list(context.notes)
    try:
        look = context.open_view(by, speaks=True)
        if name in OFFER_COMMANDS and look.protocol and look.protocol.offers:
            return False
        return is_action_line(look, said)
    except NotAllowedError:  # nobody has sat down yet, so no view can read it
        return said[0].lower() in context.open_session().game.verbs.verbs_by_word
    except (MisuseError, *NO_GAME_ERRORS):
        return False
    finally:
        context.notes[:] = notes


def is_action_line(look: SeatView, said: Sequence[str]) -> bool:
    """True if the first phrase of a line is an action, or the beginning of an action that goes on after a comma.

    If only another player knows what the phrase means, it counts as an action if it is a verb followed by other words.
    By mail such a phrase counts as a command, because nobody speaks for another player there.
    """
    first, *others = split_phrases(" ".join(said)) or [""]
    try:
        look.parse_phrase(first)
    except NotUnderstoodError as error:
        return (bool(others) and error.at > len(error.text)) or _is_open_action(look, said)
    except UnknownError:
        return not look.protocol and len(said) > 1 and said[0].lower() in look.facts.game.verbs.verbs_by_word
    return True


def can_begin_action(context: Context, word: str) -> bool:
    """True if `word` is a seat or a player, or begins a verb, of the game at hand. False if there is no such game."""
    if context.log == "-":
        return False
    notes, said = list(context.notes), word.lower()
    try:
        facts = SeatView(context.open_session(), None).facts
        players = {str(name).lower() for pair in facts.names.items() for name in pair}
        return said in players or any(verb.startswith(said) for verb in facts.game.verbs.verbs_by_word)
    except (MisuseError, *NO_GAME_ERRORS):
        return False
    finally:
        context.notes[:] = notes


def _is_open_action(look: SeatView, said: Sequence[str]) -> bool:
    """True if a line that begins with "open" is an action: the game has this verb, and no file follows it."""
    verb, *rest = (word.lower() for word in said)
    is_file = any(set(word) & set("./\\") or Path(word).exists() for word in said[1:])
    return (
        verb == "open" and verb in look.facts.game.verbs.verbs_by_word and bool(rest) and rest != ["-"] and not is_file
    )


def split_off_seat_option(words: Sequence[str]) -> tuple[list[str], str | None] | None:
    """Returns the words of an action, and the seat after `--by` or None.

    Returns None if the line cannot be an action: it has no words besides options, or has an option that no action has.
    """
    said, by, left = list[str](), None, iter(words)
    for word in left:
        if word in OPTIONS_WITH_VALUE:
            value = next(left, None)
            by = value if word == "--by" else by
        elif word.startswith("-") and word not in VALUELESS_OPTIONS:
            return None
        elif word not in VALUELESS_OPTIONS:
            said.append(word)
    return (said, by) if said else None
