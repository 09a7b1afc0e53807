"""The parser's errors in words for players: one sentence, with a suggestion.

We rely on the kinds of the parser's errors, not on their wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from referee.cli.catalogue import COMMANDS, load_command, replace_old_command
from referee.cli.parser import get_root_command
from referee.engine.text import find_similar_choices, listing

PROGRAM_NAME = "referee"
"""The name of the program as it is typed."""
EXTRA_WORDS_MESSAGE = "Got unexpected extra argument"
"""The parser's message about surplus words. It has no error class for them."""
RANGE_MESSAGE = re.compile(r"in the range (?:(\d+)<=x<=(\d+)|x>=(\d+))")
"""The parser's way to write the bounds of a number."""
NO_VALUE = "{} takes no value"
IN_WORDS = {
    "a valid int": "a whole number",
    "a valid int range": "a whole number",
    "a valid float": "a number",
    "a valid float range": "a number",
}
"""Our words for the parser's kinds of values."""


def explain_misuse(error: Any, words: Sequence[str]) -> str:
    """Returns an error of the parser as a clause. `words` are those of the line without its global options."""
    command, path = _find_command(error, words)
    clause = _explain_error(error, command, path, words)
    return clause if clause.endswith("?") else f"{clause} (help: {path} {'help' if path == PROGRAM_NAME else '-h'})"


def _explain_error(error: Any, command: Any, path: str, words: Sequence[str]) -> str:
    """Returns an error of the parser as a clause that does not yet point to the help.

    The kind of error shows only in the attributes that it has.
    """
    if hasattr(error, "possibilities"):
        return _explain_unknown_option(error.option_name, command, path)
    if hasattr(error, "option_name"):
        return _explain_missing_value(error.option_name, command)
    if hasattr(error, "param_type"):
        return f"{path!r} needs {_describe_missing(error.param)}"
    if getattr(error, "param", None) is not None:
        return f"{_find_name(error.param)} {_reword_message(error.message)}"
    if hasattr(command, "commands") and not _has_following_word(words, command.commands):
        return f"add one of: {path} {listing(list(command.commands), 'or')}"
    if error.message.startswith(EXTRA_WORDS_MESSAGE):
        return _explain_surplus(
            error.message.removeprefix(EXTRA_WORDS_MESSAGE).removeprefix("(s)").strip(" ()"), command, path
        )
    return str(error.format_message()).rstrip(".")


def _has_following_word(words: Sequence[str], commands: Any) -> bool:
    """True if no command is missing after the name of a group: a word follows, or the group has no commands."""
    return not commands or len([word for word in words if not word.startswith("-")]) > 1


def _find_command(error: Any, words: Sequence[str]) -> tuple[Any, str]:
    """Returns the command that an error is about, and the words by which it is called, such as "referee log".

    If the error does not name its command, the command is found in the words of the line. Without a known command,
    returns `referee` itself.
    """
    ctx = getattr(error, "ctx", None)
    if ctx is not None:
        return ctx.command, ctx.command_path
    words = replace_old_command(words) if words else [""]
    name = words[0]
    if name not in COMMANDS:
        return get_root_command(), PROGRAM_NAME
    command, path = load_command(name), f"{PROGRAM_NAME} {name}"
    within = getattr(command, "commands", {}).get(words[1]) if len(words) > 1 else None
    return (within, f"{path} {words[1]}") if within else (command, path)


def _explain_unknown_option(name: str, command: Any, path: str) -> str:
    """Returns a clause about an option that is unknown, or that takes no value.

    For an unknown option, the clause suggests a similar one, if there is one.
    """
    bare = sorted({*_list_options(command), *_list_options(get_root_command())})
    if name[2:] in bare:
        return NO_VALUE.format(name)
    near = find_similar_choices(name.lstrip("-"), bare)
    if near:
        return f"{path!r} has no option {name}; did you mean --{near[0]}?"
    if path == PROGRAM_NAME:
        return f"there is no option {name} here; options of a command come after it: {PROGRAM_NAME} COMMAND {name}"
    return f"{path!r} has no option {name}"


def _list_options(command: Any) -> Iterator[str]:
    """Yields a command's long options without their dashes."""
    return (name[2:] for param in command.params for name in param.opts if name.startswith("--"))


def _explain_missing_value(name: str, command: Any) -> str:
    """Returns a clause about an option with a missing or surplus value."""
    params = [*command.params, *get_root_command().params]
    param = next((param for param in params if name in param.opts), None)
    if param is None or param.is_flag:
        return NO_VALUE.format(name)
    return f"{name} needs {_describe_with_help(param)}"


def _describe_missing(param: Any) -> str:
    """Returns a missing argument or option in words, with its meaning from the help."""
    if param.param_type_name == "argument":
        return _describe_with_help(param)
    return f"{param.opts[0]} {_describe_with_help(param)}"


def _describe_with_help(param: Any) -> str:
    shown, meaning = _find_placeholder(param), (param.help or "").partition(";")[0].rstrip(".")
    return f"{shown}: {meaning[:1].lower()}{meaning[1:]}" if meaning else shown


def _find_placeholder(param: Any) -> str:
    """Returns the placeholder of an option's value, or of an argument, as the help shows it."""
    return str(param.metavar or param.name).strip("[]").removesuffix("...").upper()


def _find_name(param: Any) -> str:
    """Returns the name of an option or argument for use in a sentence, such as --by or LOG."""
    return _find_placeholder(param) if param.param_type_name == "argument" else str(param.opts[-1])


def _reword_message(message: str) -> str:
    """Returns the end of a sentence about a wrong value. `message` is like "'x' is not a valid int."."""
    value, middle, what = message.rstrip(".").partition(" is not ")
    bounds = RANGE_MESSAGE.fullmatch(what)
    if bounds:
        what = f"from {bounds[1]} to {bounds[2]}" if bounds[2] else f"{bounds[3]} or more"
    return f"must be {IN_WORDS.get(what, what)}, not {value}" if middle else message.rstrip(".")


def _explain_surplus(extra: str, command: Any, path: str) -> str:
    """Returns a clause about surplus words. If one is a log, the clause says where to type its name."""
    misplaced = explain_misplaced_log(extra.split(), path)
    if misplaced:
        return misplaced
    takes = [param for param in command.params if param.param_type_name == "argument"]
    after = (
        f"takes only {listing([_find_placeholder(param) for param in takes])}" if takes else "takes no further words"
    )
    return f"{path!r} {after}; remove: {extra}"


def explain_misplaced_log(words: Sequence[str], path: str) -> str | None:
    """Returns a clause that says where to type the name of a log; None if none of the words is an existing log."""
    log = next((word for word in words if word.endswith((".jsonl", ".html")) and Path(word).exists()), None)
    return log and f"name the log before the command: {PROGRAM_NAME} -g {log}{path.removeprefix(PROGRAM_NAME)}"
