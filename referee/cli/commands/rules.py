"""`referee rules`: looks up a rule or a ruling."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.action_text import describe_house_rules
from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.arguments import OfGameOption
from referee.cli.command_or_action import NO_GAME_ERRORS
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.engine.component import read_toml
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game, game_names
from referee.engine.rulebook import Rule, RuleBook, Ruling
from referee.engine.secret import UnknownError
from referee.engine.text import listing

MANY_RULES = 12
"""If at least this many rules match a word that is also a thing's name, only the thing's rules are shown."""

RuleOrWordArgument = Annotated[
    list[str] | None, Argument(metavar="[ID|WORD...]", help="The id of a rule, or words in it.")
]


RulingsOption = Annotated[bool, Option("--rulings", help="List our rulings where the rulebook is silent.")]


def rules(
    ctx: typer.Context, words: RuleOrWordArgument = None, rulings: RulingsOption = False, game: OfGameOption = None
) -> Answer:
    """Look up a rule by its id or by words in it. Or look up what a thing does: a card, a weapon, an ability, a stair.

    Without words, list all ids.

    \b
      referee rules WORD            referee rules --rulings
    """
    book = find_meant_game(ctx.obj, game).rulebook
    text = " ".join(words or [])
    found = _look_up(book, text, rulings=rulings)
    told = describe_named_thing(ctx.obj, game, text) if text and not rulings else []
    if told and not (found and found[0].id.startswith(text)):  # a word that begins an id means this id
        found = _put_cited_first(book, told, found)
    lines = [line for item in found for line in _describe_rule(item, full=len(found) == 1)]
    lines += _list_house_rules(ctx.obj, book, [item.id for item in found])
    none = [] if lines or told else [f"There is no rule {text!r}.{_suggest_rule(book, text)}"]
    return Answer([*told, *lines, *none], lambda: {"things": told, "rules": found}, OK if found or told else NO)


def _list_house_rules(context: Context, book: RuleBook, ids: Sequence[str]) -> Iterator[AnswerLine]:
    """Yields the house rules on the rules `ids` in the current game, if `book` is the rulebook of that game."""
    try:
        look = context.open_view()
    except (MisuseError, *NO_GAME_ERRORS):
        return
    if look.facts.game.rulebook is book:
        yield from describe_house_rules(look, ids)


def _look_up(book: RuleBook, text: str, *, rulings: bool) -> Sequence[Rule | Ruling]:
    """Returns the rules and rulings that match a text; with `rulings`, only rulings.

    If the text is empty, returns all rules, or with `rulings`, all rulings.
    """
    if not text:
        return list(book.rulings.values() if rulings else book.rules.values())
    found = book.look_up(text) or book.look_up(text.lower())
    return [item for item in found if isinstance(item, Ruling)] if rulings else found


def _put_cited_first(book: RuleBook, told: list[str], found: Sequence[Rule | Ruling]) -> Sequence[Rule | Ruling]:
    """Returns the rules that the description of a thing cites, then the other matches unless they are too many."""
    named = book.find_cited(told)
    return [*named, *(item for item in found if item not in named)] if len(found) < MANY_RULES else named


def _suggest_rule(book: RuleBook, text: str) -> str:
    """Returns a suggestion for a text that matches no rule; "" if there is none.

    If the text begins with a game, suggests to look the rest up there. Otherwise suggests similar ids.
    """
    game, _, rule = text.partition(" ")
    if rule and game.lower() in game_names():
        return f" Did you mean: referee rules {rule} --of {game.lower()}?"
    near = book.suggest_ids(text.lower())
    return f" Did you mean {listing(near, 'or')}?" if near else ""


def describe_named_thing(context: Context, name: str | None, word: str) -> list[str]:
    """Returns the description of the thing that `word` names, in lines; [] if there is none.

    The thing is that of the game at hand, or of the game `name` with default options. A word that is not a name may
    stand for one, as h9 for h09. Raises MisuseError if no game is meant.
    """
    game = find_meant_game(context, name)
    try:
        look = context.open_view()
        view = look.sight.view if look.facts.game.name == game.name else None
    except (NoGameError, UnknownError):
        view = None
    if view is None:
        options = fill_options(game, {})
        parts = {part.name: read_toml(part.shipped(options)) for part in game.components}
        view = game.setup(options, game.build_board(parts, options))
    small = word.lower()
    told = (game.describe_thing(view, name) for name in (small, *game.expand_word(view, small)))
    return list(next(filter(None, told), ()))


def _describe_rule(item: Rule | Ruling, *, full: bool) -> Iterator[AnswerLine]:
    if isinstance(item, Rule):
        yield f"{item.id}  {item.says}"
        if full:
            option = f", with {item.option}" if item.option else ""
            yield Text(f"(basis: {item.basis}; in the rulebook: {item.source}{option})", "faint", indent=4)
        return
    yield f"{item.id}  {item.question}"
    yield Text(item.ruling, indent=4)
    yield Text(f"Because: {item.because}", indent=4)
    switch = f"option {item.option}" if item.option else "no option"
    also = listing([item.rule, *item.also])
    yield Text(f"(on {also}; {switch}; confidence {item.confidence:.0%})", "faint", indent=4)


def find_meant_game(context: Context, name: str | None) -> AnyGame:
    """Returns the game that is meant: the named one, else that of the current log, else the only installed one.

    Raises MisuseError if several are installed and none is meant.
    """
    if name:
        return find_game(name)
    try:
        return context.open_session().game
    except NoGameError:
        names = game_names()
        if len(names) == 1:
            return find_game(names[0])
        raise MisuseError(f"name the game: --of {listing(names, 'or')}") from None
