"""`referee help`: a command, a word of the game at hand, or a chapter."""

import errno
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.catalogue import ALIASES, COMMANDS, MANUAL, load
from referee.cli.chapter import printed
from referee.cli.commands.rules import described, game_meant
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.typed import PLAIN, Of
from referee.engine.game import AnyGame
from referee.engine.text import match_word, nearest
from referee.engine.verb import Verb

MOST = 4
"""Chapters that are named at a time."""
Asked = Annotated[list[str] | None, Argument(metavar="[WORD]", help="A command, a word of the game, or a chapter.")]


def help_on(ctx: typer.Context, words: Asked = None, of: Of = None) -> Answer:
    """What a word means that is typed: a word or a thing of the game at hand, a command, or a chapter of the manual.

    \b
      referee help show             referee help VERB
      referee help words
    """
    word = "".join(words[:1] if words else []).lower()
    game = _game(ctx.obj, of)
    verbs = _verbs_named(game, word) if game else []
    name = ALIASES.get(word, word)
    if game and verbs:
        return _on_verbs(game, verbs, name)
    if name in COMMANDS:
        return _on_command(name, ctx.terminal_width)
    things = described(ctx.obj, of, word) if game and word else []
    if game and things and word not in _chapters():
        return Answer([*things, *_rules_of(game, things)], lambda: {"things": things})
    return _chapter(word, game)


def _on_verbs(game: AnyGame, verbs: Sequence[Verb[Any, Any]], name: str) -> Answer:
    """What verbs of the game mean, and that there is a command of that name, if there is one."""
    also = [Text(f"There is a command of that name, too: referee {name} -h", "faint")] if name in COMMANDS else []
    lines = [line for verb in verbs for line in told_of(game, verb)]
    return Answer([*lines, *also], lambda: [facts_of(game, verb) for verb in verbs])


def _on_command(name: str, width: int | None) -> Answer:
    """How a command is called, and the chapter of what it is about, if there is one."""
    command, settings = load(name), {**PLAIN["context_settings"], "terminal_width": width}
    text = command.get_help(typer.Context(command, info_name=f"referee {name}", **settings))
    about = MANUAL / f"{name}.md"
    chapter = about.read_text("utf-8") if about.is_file() else ""
    return Answer([Rows(text.splitlines()), *printed(chapter)], lambda: {"help": text + chapter})


def _rules_of(game: AnyGame, things: list[str]) -> Iterator[Text]:
    """The rules that are named beside what something is and does."""
    for rule in game.rulebook.meant_by(things):
        yield Text(f"{rule.id}  {game.rulebook.title(rule.id)}", "faint", indent=2, hanging=4)


def _game(context: Context, of: str | None) -> AnyGame | None:
    """The game at hand; None: there is none, and none is named."""
    try:
        return game_meant(context, of)
    except (MisuseError, NoGameError):
        if of:
            raise
        return None


def _verbs_named(game: AnyGame, word: str) -> list[Verb[Any, Any]]:
    """The verbs that a word begins, or is the beginning of."""
    named = match_word(word, tuple(game.verbs.by_word)) if word else None
    return [verb for verb in game.verbs.all if named in verb.first_words] if named else []


def meaning_of(verb: Verb[Any, Any]) -> str:
    """What a verb is for, in a sentence or two, with its rules."""
    return " ".join((verb.action.__doc__ or "").split())


def told_of(game: AnyGame, verb: Verb[Any, Any]) -> Iterator[Shown]:
    """What is said with a verb, what it does, and the rules by which it may be said."""
    yield Text(verb.form, "bold")
    yield Text(meaning_of(verb), indent=2)
    others = [word for word in verb.first_words[1:] if "{" not in word]
    if others:
        yield Text(f"Also: {', '.join(others)}", indent=2)
    for rule in game.allowed_by(verb.action):
        yield Text(f"{rule}  {game.rulebook.title(rule)}", indent=2, hanging=4)


def facts_of(game: AnyGame, verb: Verb[Any, Any]) -> dict[str, Any]:
    """The same for programs."""
    rules = game.allowed_by(verb.action)
    return {"says": verb.action.says, "words": verb.first_words, "meaning": meaning_of(verb), "rules": rules}


def _chapters() -> dict[str, Path]:
    return {path.stem: path for path in sorted(MANUAL.glob("*.md"))}


def _chapter(word: str, game: AnyGame | None) -> Answer:
    """A chapter of the manual, as it stands there; FileNotFoundError where the manual did not come along."""
    chapters = _chapters()
    if not chapters:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(MANUAL))
    named = match_word(word, tuple(chapters))
    if named is None:
        raise MisuseError(f"there is no help on {word!r}; {_nearest_to(word, chapters, game)}")
    text = chapters[named].read_text("utf-8")
    return Answer(list(printed(text)), lambda: {"chapter": named, "text": text})


def _nearest_to(word: str, chapters: Mapping[str, Path], game: AnyGame | None) -> str:
    """What to ask for in place of a word that is neither a command nor a chapter, as a clause."""
    near = nearest(word, [*chapters, *COMMANDS, *(game.verbs.by_word if game else ())])
    if near:
        return f"did you mean {near[0]!r}?"
    told = _telling_of(word, chapters)
    return f"chapters that speak of it: {', '.join(told[:MOST])}" if told else f"the chapters are {', '.join(chapters)}"


def _telling_of(word: str, chapters: Mapping[str, Path]) -> list[str]:
    """The chapters in which a word stands, those with a headline of it first, then by how often."""
    found = re.compile(rf"\b{re.escape(word)}\b")
    counts = {name: _count_of(found, path.read_text("utf-8").lower()) for name, path in chapters.items()}
    return sorted(filter(lambda name: counts[name][1], counts), key=lambda name: counts[name], reverse=True)


def _count_of(found: re.Pattern[str], text: str) -> tuple[bool, int]:
    """Whether a word stands in a headline of a chapter, and how often in all of it."""
    headlines = (line for line in text.splitlines() if line.startswith("#"))
    return any(map(found.search, headlines)), len(found.findall(text))
