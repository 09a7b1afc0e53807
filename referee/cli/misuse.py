"""What the parser of command lines cannot read, told as a player would want it: in one sentence, with what was perhaps
meant. How the parser words its own errors is no concern of ours; here is known of what kind each is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from referee.cli.catalogue import ALIASES, COMMANDS, load
from referee.cli.parser import command_line
from referee.engine.text import listing, nearest

ROOT = "referee"
"""How the program is typed."""
EXTRA = "Got unexpected extra argument"
"""What the parser says of words that are too many; it has no kind of error of its own for them."""
RANGE = re.compile(r"in the range (?:(\d+)<=x<=(\d+)|x>=(\d+))")
"""How it writes what a number may be."""
NO_VALUE = "{} takes nothing after it"
IN_WORDS = {
    "a valid int": "a whole number",
    "a valid int range": "a whole number",
    "a valid float": "a number",
    "a valid float range": "a number",
}
"""How the parser calls what a value should be, and how people do."""


def told(error: Any, words: Sequence[str]) -> str:
    """An error of the parser as a clause. `words`: the line without its global options."""
    command, path = _command_of(error, words)
    clause = _clause(error, command, path, words)
    return clause if clause.endswith("?") else f"{clause} (more: {path} {'help' if path == ROOT else '-h'})"


def _clause(error: Any, command: Any, path: str, words: Sequence[str]) -> str:
    """The same without where to read more; the kinds of errors are told apart by what they carry."""
    if hasattr(error, "possibilities"):
        return _no_option(error.option_name, command, path)
    if hasattr(error, "option_name"):
        return _no_value(error.option_name, command)
    if hasattr(error, "param_type"):
        return f"{path!r} needs {_wanted(error.param)}"
    if getattr(error, "param", None) is not None:
        return f"{_name_of(error.param)} {_in_words(error.message)}"
    if hasattr(command, "commands") and not _follows(words, command.commands):
        return f"say which: {path} {listing(list(command.commands), 'or')}"
    if error.message.startswith(EXTRA):
        return _too_much(error.message.removeprefix(EXTRA).removeprefix("(s)").strip(" ()"), command, path)
    return str(error.format_message()).rstrip(".")


def _follows(words: Sequence[str], commands: Any) -> bool:
    """Whether something is said after a command that has commands of its own."""
    return not commands or len([word for word in words if not word.startswith("-")]) > 1


def _command_of(error: Any, words: Sequence[str]) -> tuple[Any, str]:
    """The command that an error is about, and how it is typed: the parser does not always say."""
    ctx = getattr(error, "ctx", None)
    if ctx is not None:
        return ctx.command, ctx.command_path
    name = ALIASES.get(words[0], words[0]) if words else ""
    if name not in COMMANDS:
        return command_line(), ROOT
    command, path = load(name), f"{ROOT} {name}"
    within = getattr(command, "commands", {}).get(words[1]) if len(words) > 1 else None
    return (within, f"{path} {words[1]}") if within else (command, path)


def _no_option(name: str, command: Any, path: str) -> str:
    """An option that a command has not: the nearest it has, or that can stand anywhere."""
    bare = sorted({*_options_of(command), *_options_of(command_line())})
    if name[2:] in bare:
        return NO_VALUE.format(name)
    near = nearest(name.lstrip("-"), bare)
    if near:
        return f"{path!r} has no option {name}; did you mean --{near[0]}?"
    if path == ROOT:
        return f"{name} is no option, or stands behind its command: {ROOT} COMMAND {name}"
    return f"{path!r} has no option {name}"


def _options_of(command: Any) -> Iterator[str]:
    """Its long options without their dashes."""
    return (name[2:] for param in command.params for name in param.opts if name.startswith("--"))


def _no_value(name: str, command: Any) -> str:
    """An option that stands there alone, or that takes no value and has one."""
    params = [*command.params, *command_line().params]
    param = next((param for param in params if name in param.opts), None)
    if param is None or param.is_flag:
        return NO_VALUE.format(name)
    return f"{name} needs {_with_help(param)}"


def _wanted(param: Any) -> str:
    """What has to be said: an argument as the help names it, or an option with its value."""
    if param.param_type_name == "argument":
        return _with_help(param)
    return f"{param.opts[0]} {_with_help(param)}"


def _with_help(param: Any) -> str:
    shown, meaning = _value_of(param), (param.help or "").partition(";")[0].rstrip(".")
    return f"{shown}: {meaning[:1].lower()}{meaning[1:]}" if meaning else shown


def _value_of(param: Any) -> str:
    """How the help shows the value of an option, or an argument."""
    return str(param.metavar or param.name).strip("[]").removesuffix("...").upper()


def _name_of(param: Any) -> str:
    """What an option or argument is called in a sentence."""
    return _value_of(param) if param.param_type_name == "argument" else str(param.opts[-1])


def _in_words(message: str) -> str:
    """What is wrong with a value, as the end of a sentence: "'x' is not a valid int."."""
    value, middle, what = message.rstrip(".").partition(" is not ")
    bounds = RANGE.fullmatch(what)
    if bounds:
        what = f"from {bounds[1]} to {bounds[2]}" if bounds[2] else f"{bounds[3]} or more"
    return f"must be {IN_WORDS.get(what, what)}, not {value}" if middle else message.rstrip(".")


def _too_much(extra: str, command: Any, path: str) -> str:
    """Words that are too many; the name of a log among them is perhaps the game that is meant."""
    log = next((word for word in extra.split() if word.endswith((".jsonl", ".html")) and Path(word).exists()), None)
    if log:
        return f"say the log before the command: {ROOT} -g {log}{path.removeprefix(ROOT)}"
    takes = [param for param in command.params if param.param_type_name == "argument"]
    after = f"takes only {listing([_value_of(param) for param in takes])}" if takes else "takes no more words"
    return f"{path!r} {after}; too much is: {extra}"
