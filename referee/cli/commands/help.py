"""`referee help`: explains a command, a word of the game at hand, or a chapter of the manual."""

import errno
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import COMMAND_LINE_SETTINGS, OfGameOption
from referee.cli.catalogue import COMMANDS, MANUAL_FOLDER, is_command_word, load_command, replace_old_command
from referee.cli.commands.rules import describe_named_thing, find_meant_game
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.manual_page import format_chapter
from referee.engine.action_grammar import Verb
from referee.engine.game import AnyGame
from referee.engine.text import find_similar_choices, match_word

MAX_CHAPTERS = 4
"""The most chapters that are named at a time."""
WORD_ROW = re.compile(r"^\| ([^|]+) \| (.+) \|$", re.MULTILINE)
"""A row of the chapter `words`: a word and its meaning."""
ALL_COMMANDS = "commands"
"""The word after `help` for the list of all commands and options."""
TopicArgument = Annotated[
    list[str] | None, Argument(metavar="[WORD]", help="A command, a word of the game, or a chapter.")
]


def help_on(ctx: typer.Context, words: TopicArgument = None, of: OfGameOption = None) -> Answer:
    """Explain a word: a move or a thing of the current game, a command, or a chapter of the manual.

    \b
      referee help show             referee help VERB
      referee help words            referee help commands
    """
    word = "".join(words[:1] if words else []).lower()
    if word == ALL_COMMANDS:
        return _answer_everything(ctx)
    game = _find_game(ctx.obj, of)
    verbs = _find_verbs(game, word) if game else []
    name = " ".join(part for part in replace_old_command([word]) if not part.startswith("-"))
    if game and verbs:
        return _answer_on_verbs(game, verbs, name)
    if is_command_word(word):
        return _answer_on_command(name, word, ctx.terminal_width)
    things = describe_named_thing(ctx.obj, of, word) if game and word else []
    if game and things and word not in _list_chapters():
        return Answer([*things, *_list_rules(game, things)], lambda: {"things": things})
    meaning = _find_meaning(word)
    if meaning and word not in _list_chapters():
        return Answer([f"{word}: {meaning}.", "All our words: referee help words"], lambda: {word: meaning})
    return _answer_with_chapter(word, game)


def _answer_everything(ctx: typer.Context) -> Answer:
    """Returns the list of all commands and options."""
    top: Any = ctx.find_root()
    text = top.command.format_full_help(top)
    return Answer([FixedRows(text.splitlines())], lambda: {"help": text})


def _answer_on_verbs(game: AnyGame, verbs: Sequence[Verb[Any, Any]], name: str) -> Answer:
    """Returns the help on verbs of the game, with a line about a command of the same name if there is one."""
    also = [Text(f"There is also a command of this name: referee {name} -h", "faint")] if name in COMMANDS else []
    lines = [line for verb in verbs for line in describe_verb(game, verb)]
    return Answer([*lines, *also], lambda: [collect_verb_facts(game, verb) for verb in verbs])


def _answer_on_command(name: str, word: str, width: int | None) -> Answer:
    """Returns the help of a command, and the chapter of the typed word if there is one."""
    command, settings = load_command(name), {**COMMAND_LINE_SETTINGS["context_settings"], "terminal_width": width}
    text = command.get_help(typer.Context(command, info_name=f"referee {name}", **settings))
    about = MANUAL_FOLDER / f"{word}.md"
    chapter = about.read_text("utf-8") if about.is_file() else ""
    return Answer([FixedRows(text.splitlines()), *format_chapter(chapter)], lambda: {"help": text + chapter})


def _list_rules(game: AnyGame, things: list[str]) -> Iterator[Text]:
    """Yields the rules cited in the descriptions `things`."""
    for rule in game.rulebook.find_cited(things):
        yield Text(f"{rule.id}  {game.rulebook.find_text(rule.id)}", "faint", indent=2, hanging=4)


def _find_game(context: Context, of: str | None) -> AnyGame | None:
    """Returns the game named by `of`, or else the game at hand; None if no game is at hand.

    Raises an error if there is no game named `of`.
    """
    try:
        return find_meant_game(context, of)
    except (MisuseError, NoGameError):
        if of:
            raise
        return None


def _find_verbs(game: AnyGame, word: str) -> list[Verb[Any, Any]]:
    """Returns the verbs that begin with this word.

    If `word` is short for exactly one first word of a verb, that first word counts in its place.
    """
    named = match_word(word, tuple(game.verbs.verbs_by_word)) if word else None
    return [verb for verb in game.verbs.all if named in verb.first_words] if named else []


def describe_verb_meaning(verb: Verb[Any, Any]) -> str:
    """Returns the meaning of a verb in a sentence or two, from the docstring of its action."""
    return " ".join((verb.action.__doc__ or "").split())


def describe_verb(game: AnyGame, verb: Verb[Any, Any]) -> Iterator[AnswerLine]:
    """Yields the form of a verb, its meaning, and the rules that allow it."""
    yield Text(verb.form, "bold")
    yield Text(describe_verb_meaning(verb), indent=2)
    others = [word for word in verb.first_words[1:] if "{" not in word]
    if others:
        yield Text(f"Also: {', '.join(others)}", indent=2)
    for rule in game.allowing_rules(verb.action):
        yield Text(f"{rule}  {game.rulebook.find_text(rule)}", indent=2, hanging=4)


def collect_verb_facts(game: AnyGame, verb: Verb[Any, Any]) -> dict[str, Any]:
    """Returns the form of a verb, its meaning, and the ids of the rules that allow it, for programs."""
    rules = game.allowing_rules(verb.action)
    return {"says": verb.action.says, "words": verb.first_words, "meaning": describe_verb_meaning(verb), "rules": rules}


def _find_meaning(word: str) -> str:
    """Returns the meaning of a word from the chapter `words`, in the singular or the plural; "" for another word."""
    chapter = MANUAL_FOLDER / "words.md"
    meanings: dict[str, str] = dict(WORD_ROW.findall(chapter.read_text("utf-8"))) if chapter.is_file() else {}
    meanings.pop("word", None)  # the head of the tables
    return meanings.get(word) or meanings.get(word.removesuffix("s"), "")


def _list_chapters() -> dict[str, Path]:
    return {path.stem: path for path in sorted(MANUAL_FOLDER.glob("*.md"))}


def _answer_with_chapter(word: str, game: AnyGame | None) -> Answer:
    """Returns the chapter of the manual that a word names.

    Raises FileNotFoundError if there is no manual, and MisuseError if no chapter has this name.
    """
    chapters = _list_chapters()
    if not chapters:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(MANUAL_FOLDER))
    named = match_word(word, tuple(chapters))
    if named is None:
        raise MisuseError(f"there is no help on {word!r}; {_suggest_similar(word, chapters, game)}")
    text = chapters[named].read_text("utf-8")
    return Answer(list(format_chapter(text)), lambda: {"chapter": named, "text": text})


def _suggest_similar(word: str, chapters: Mapping[str, Path], game: AnyGame | None) -> str:
    """Returns a clause with something similar to a word that is neither a command nor a chapter."""
    near = find_similar_choices(word, [*chapters, *COMMANDS, *(game.verbs.verbs_by_word if game else ())])
    if near:
        return f"did you mean {near[0]!r}?"
    told = _find_chapters_with(word, chapters)
    return (
        f"these chapters mention it: {', '.join(told[:MAX_CHAPTERS])}"
        if told
        else f"the chapters are {', '.join(chapters)}"
    )


def _find_chapters_with(word: str, chapters: Mapping[str, Path]) -> list[str]:
    """Returns the chapters that contain a word: those with the word in a headline first, then by frequency."""
    found = re.compile(rf"\b{re.escape(word)}\b")
    counts = {name: _count_uses(found, path.read_text("utf-8").lower()) for name, path in chapters.items()}
    return sorted(filter(lambda name: counts[name][1], counts), key=lambda name: counts[name], reverse=True)


def _count_uses(found: re.Pattern[str], text: str) -> tuple[bool, int]:
    """Returns True if a word is in a headline of a chapter, and its number of uses in the chapter."""
    headlines = (line for line in text.splitlines() if line.startswith("#"))
    return any(map(found.search, headlines)), len(found.findall(text))
