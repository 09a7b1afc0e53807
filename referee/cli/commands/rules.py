"""`referee rules`: a rule or a ruling."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.typed import Of
from referee.engine.choosing import settle_options
from referee.engine.component import read_toml
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.engine.ruling import Rule, RuleBook, Ruling
from referee.engine.secret import UnknownError
from referee.engine.text import listing

MANY = 12
"""Rules in which a word stands are told beside what a thing of that name is, if they are fewer."""

Looked = Annotated[list[str] | None, Argument(metavar="[ID|WORD...]", help="A rule's id, or words in it.")]


Rulings = Annotated[bool, Option("--rulings", help="What we do where the rulebook is silent.")]


def rules(ctx: typer.Context, words: Looked = None, rulings: Rulings = False, game: Of = None) -> Answer:
    """Look up a rule by its id, a family of rules, or words; or what a thing of that name does: a card, a weapon, an
    ability, a stair. Without any, list all ids.

    \b
      referee rules WORD            referee rules --rulings
    """
    book = game_meant(ctx.obj, game).rulebook
    text = " ".join(words or [])
    found = _looked_up(book, text, rulings=rulings)
    told = described(ctx.obj, game, text) if text and not rulings else []
    if told and not (found and found[0].id.startswith(text)):  # ids that begin so are what is meant
        found = _named_first(book, told, found)
    lines = [line for item in found for line in _told(item, full=len(found) == 1)]
    none = [] if lines or told else [f"No rule {text!r}.{_near(book, text)}"]
    return Answer([*told, *lines, *none], lambda: {"things": told, "rules": found}, OK if found or told else NO)


def _looked_up(book: RuleBook, text: str, *, rulings: bool) -> Sequence[Rule | Ruling]:
    """The rules and rulings that are meant; all of a kind where nothing is said. `rulings`: no rules."""
    if not text:
        return list(book.rulings.values() if rulings else book.rules.values())
    found = book.look_up(text) or book.look_up(text.lower())
    return [item for item in found if isinstance(item, Ruling)] if rulings else found


def _named_first(book: RuleBook, told: list[str], found: Sequence[Rule | Ruling]) -> Sequence[Rule | Ruling]:
    """The rules of a thing first; of many that were found, these alone."""
    named = book.meant_by(told)
    return [*named, *(item for item in found if item not in named)] if len(found) < MANY else named


def _near(book: RuleBook, text: str) -> str:
    """What was perhaps meant by a text that no rule has: a game before the rule, or a rule that looks like it."""
    game, _, rule = text.partition(" ")
    if rule and game.lower() in game_names():
        return f" Did you mean: referee rules {rule} --of {game.lower()}?"
    near = book.suggest(text.lower())
    return f" Did you mean {listing(near, 'or')}?" if near else ""


def described(context: Context, name: str | None, word: str) -> list[str]:
    """What a thing of this name is and does, in the game at hand or as it is played without any choice. A word that is
    no name itself is taken for what it stands for: h9 for h09.
    """
    game = game_meant(context, name)
    try:
        look = context.look()
        view = look.sight.view if look.facts.game.name == game.name else None
    except (NoGameError, UnknownError):
        view = None
    if view is None:
        options = settle_options(game, {})
        parts = {part.name: read_toml(part.shipped(options)) for part in game.components}
        view = game.setup(options, game.build(parts, options))
    small = word.lower()
    told = (game.describes(view, name) for name in (small, *game.stands_for(view, small)))
    return list(next(filter(None, told), ()))


def _told(item: Rule | Ruling, *, full: bool) -> Iterator[Shown]:
    if isinstance(item, Rule):
        yield f"{item.id}  {item.says}"
        if full:
            option = f", with {item.option}" if item.option else ""
            yield Text(f"({item.basis}: {item.source}{option})", "faint", indent=4)
        return
    yield f"{item.id}  {item.question}"
    yield Text(item.ruling, indent=4)
    yield Text(f"Because: {item.because}", indent=4)
    switch = f"option {item.option}" if item.option else "fixed"
    also = listing([item.rule, *item.also])
    yield Text(f"(on {also}; {switch}; confidence {item.confidence:.0%})", "faint", indent=4)


def game_meant(context: Context, name: str | None) -> AnyGame:
    """The game meant: named, or of the current log, or the only one installed."""
    if name:
        return find_game(name)
    try:
        return context.session().game
    except NoGameError:
        names = game_names()
        if len(names) == 1:
            return find_game(names[0])
        raise MisuseError(f"say which game: --of {listing(names, 'or')}") from None
