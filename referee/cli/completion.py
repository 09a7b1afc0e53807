"""TAB completion: the next words of legal actions, commands, options and their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from referee.cli.catalogue import COMMANDS, load_command, replace_old_command
from referee.cli.commands.show import FORMS
from referee.cli.errors import EXIT_CODES
from referee.cli.game_view import make_current_picture
from referee.cli.log_paths import list_logs
from referee.cli.parser import get_root_command, split_off_global_options
from referee.engine.action_fields import format_value
from referee.engine.choice import Choice
from referee.engine.dice_mode import CHOOSABLE_MODES
from referee.engine.event import REFEREE
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.registry import find_game, game_names
from referee.engine.slots import Between, OneOf, Slot
from referee.record.table.seat_view import SeatView

MAX_WORDS = 200
"""The largest number of words offered at once."""
ERRORS_WHILE_TYPING = tuple(kind for kinds in EXIT_CODES.values() for kind in kinds)
"""The errors that a line may have while somebody is still typing it."""

TypedWords = list[str]


def complete_line(text: str, look: SeatView | None, names: Iterable[str] = ()) -> tuple[str, list[str]]:
    """Returns the word begun at the end of a line, and the words that it may become.

    `names` are the names that can be drawn now.
    """
    begun = re.split(r"[\s,]", text)[-1]
    said = text[: len(text) - len(begun)].split()
    if said[:1] == ["referee"]:
        del said[0]
    drawn = [] if said else [name for name in names if name.lower().startswith(begun.lower())]
    return begun, [*drawn, *list_next_words(said, begun, look)]


def list_next_words(said: TypedWords, begun: str, look: SeatView | None) -> list[str]:
    """Returns the words that can follow those typed and begin with the given letters, each once. Case does not matter.

    `look` is the game in the view of the person who types; None if there is no game, or they may not see it. In a game
    with secrets, spectators are offered no actions.
    """
    whole, small = get_root_command(), begun.lower()
    front, rest = split_off_global_options(said, whole.params)
    waiting = {name: one for one in whole.params for name in one.opts if not one.is_flag}.get(said[-1] if said else "")
    if waiting and front[-1:] == said[-1:]:
        following = list_placeholder_values(waiting.metavar, [], look)
    elif begun.startswith("-") and not rest:
        following = (name for one in whole.params for name in one.opts)
    else:
        following = _find_next_words(rest, begun, look)
    found = (word for word in following if word.lower().startswith(small))
    return list(islice(dict.fromkeys(found), MAX_WORDS))


def _find_next_words(said: TypedWords, begun: str, look: SeatView | None) -> Iterator[str]:
    if not said:
        yield from list_words_after_actions(said, look)
        yield from COMMANDS if begun or look is None else ()
        return
    name, *others = replace_old_command(said)
    if name in COMMANDS:
        yield from _list_words_of_command(load_command(name), others, begun, look)
    else:
        yield from list_words_after_actions(said, look)


# Actions


def list_words_after_actions(said: Iterable[str], look: SeatView | None) -> Iterator[str]:
    """Yields the words that can follow in a line of actions, so that its last action is legal."""
    *before, last = " ".join(said).split(",") if look else ("",)
    if (
        look is None or _must_hide_actions(look) or (before and look.facts.keepers)
    ):  # the result of a line may be a secret
        return
    try:
        line = look.judge_line([phrase.strip() for phrase in before], supposed=bool(before))
        legal = LegalActions() if line.refused or line.awaiting else line.legal
    except ERRORS_WHILE_TYPING:
        return
    for choice in legal.choices:
        yield from list_words_in_choice(choice, last.lower().split())


def _must_hide_actions(look: SeatView) -> bool:
    return bool(look.facts.keepers) and look.eyes is None


def list_words_in_choice(choice: Choice, said: TypedWords) -> Iterator[str]:
    """Yields the words that can follow `said` in an action of the choice. `said` is in small letters."""
    return _list_words_of_parts(choice.kind.says.split(), choice.slots, said)


def _list_words_of_parts(parts: TypedWords, slots: Mapping[str, Slot], said: TypedWords) -> Iterator[str]:
    if not parts:
        return
    part, *rest = parts
    slot = slots.get(part.strip("{}")) if part.startswith("{") else OneOf((part,))
    if slot is None:
        return
    goes_on = partial(_list_words_of_parts, rest, slots)
    if isinstance(slot, OneOf):
        yield from _list_words_of_values(slot, said, goes_on)
    elif isinstance(slot, Between):
        yield from map(str, slot) if not said else goes_on(said[1:])
    else:
        names = {str(value).lower(): str(value) for value in slot.values}
        taken = next((n for n, word in enumerate(said) if word not in names), len(said))
        if taken == len(said) < slot.most:
            yield from (name for small, name in names.items() if small not in said)
        if slot.least <= taken <= slot.most:
            yield from goes_on(said[taken:])


def _list_words_of_values(
    slot: OneOf, said: TypedWords, goes_on: Callable[[TypedWords], Iterator[str]]
) -> Iterator[str]:
    """Yields the next word of each value that fits the words typed, and the words after each complete value."""
    passed = set[int]()
    for value in slot:
        words = format_value(value).split()
        small, length = [word.lower() for word in words], len(words)
        if length > len(said) and small[: len(said)] == said:
            yield words[len(said)]
        elif small == said[:length]:
            passed.add(length)
    for length in sorted(passed):
        yield from goes_on(said[length:])


# Commands


def _split_parameters(command: Any) -> tuple[dict[str, Any], list[Any]]:
    """Returns the options of a command by name, and its arguments."""
    options = {name: one for one in command.params for name in one.opts if name.startswith("-")}
    return options, [one for one in command.params if not any(name.startswith("-") for name in one.opts)]


def _split_options(said: TypedWords, options: Mapping[str, Any]) -> tuple[list[str], Any]:
    """Returns the words that are not options or their values, and the option whose value comes next, or None."""
    plain, waiting = list[str](), None
    for word in said:
        if waiting is None and word in options:
            waiting = None if options[word].is_flag else options[word]
        elif waiting is None:
            plain.append(word)
        else:
            waiting = None
    return plain, waiting


def _list_words_of_command(command: Any, said: TypedWords, begun: str, look: SeatView | None) -> Iterator[str]:
    """Yields the next words of a command: subcommands, options, values of the last option, or arguments."""
    parts = getattr(command, "commands", None)
    if parts is not None:
        yield from _list_words_of_command(parts[said[0]], said[1:], begun, look) if said and said[0] in parts else parts
        return
    options, arguments = _split_parameters(command)
    if begun.startswith("-"):
        yield from options
        return
    plain, waiting = _split_options(said, options)
    expected = waiting or (arguments[min(len(plain), len(arguments) - 1)] if arguments else None)
    if expected is not None and (waiting or expected.nargs == -1 or len(plain) < len(arguments)):
        yield from list_placeholder_values(expected.metavar or "", plain, look)


def list_placeholder_values(metavar: str, said: TypedWords, look: SeatView | None) -> Iterable[str]:
    """Returns the values for a placeholder of the help, such as GAME. `said` are the arguments typed before it."""
    what = metavar.strip("[].")
    if what.islower():
        return what.split("|")
    if what in COMPLETIONS:
        return COMPLETIONS[what](said)
    return COMPLETIONS_IN_GAME[what](look, said) if look and what in COMPLETIONS_IN_GAME else ()


def _list_logs(_said: TypedWords) -> Collection[str]:
    return [str(path) for path in list_logs()]


def _list_game_options(said: TypedWords) -> Iterator[str]:
    games: list[AnyGame] = [find_game(name) for name in said if name in game_names()]
    return (f"{one.name}={value}" for game in games for one in game.options for value in one.values)


def _list_places(look: SeatView, _said: TypedWords) -> list[str]:
    return sorted({place for page in make_current_picture(look).pages for place in page.list_places()})


def _list_pages(look: SeatView, _said: TypedWords) -> list[str]:
    return [page.name for page in make_current_picture(look).pages if page.name]


def _list_filter_words(look: SeatView, _said: TypedWords) -> Iterator[str]:
    """Yields the words that can narrow the list of legal actions: words of actions and of their slots."""
    for choice in () if _must_hide_actions(look) else look.sight.legal.choices:
        yield from (word for word in choice.kind.says.split() if not word.startswith("{"))
        values = (slot for slot in choice.slots.values() if not isinstance(slot, Between))
        yield from (word for slot in values for value in slot.values for word in format_value(value).split())


COMPLETIONS: Mapping[str, Callable[[TypedWords], Iterable[str]]] = {
    "GAME": lambda _: game_names(),
    "LOG": _list_logs,
    "K=V": _list_game_options,
    "FORM": lambda _: FORMS,
    "MODE": lambda _: tuple(CHOOSABLE_MODES),
}
COMPLETIONS_IN_GAME: Mapping[str, Callable[[SeatView, TypedWords], Iterable[str]]] = {
    "ACTION": lambda look, said: list_words_after_actions(said, look),
    "WORD": _list_filter_words,
    "SEAT": lambda look, _: (*look.facts.names, REFEREE),
    "SEATS": lambda look, _: look.facts.names,
    "PLACE": _list_places,
    "NAME": _list_pages,
    "ID|WORD": lambda look, _: (*look.facts.game.rulebook.rules, *look.facts.game.rulebook.rulings),
}
"""The values of each placeholder of the help: those that are always known, and those that need a game."""
