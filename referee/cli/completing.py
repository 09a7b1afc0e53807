"""What can come next: the words of legal actions, slot by slot; commands, their options, and what these take."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from referee.cli.catalogue import ALIASES, COMMANDS, load
from referee.cli.commands.show import FORMS
from referee.cli.errors import EXIT_CODES
from referee.cli.logs import logs_here
from referee.cli.look import picture_of
from referee.cli.parser import command_line, hoist
from referee.engine.action_fields import spoken
from referee.engine.event import REFEREE
from referee.engine.game import AnyGame
from referee.engine.legal import Between, Choice, Legal, OneOf, Slot
from referee.engine.mode import CHOSEN
from referee.engine.registry import find_game, game_names
from referee.record.table.sitting import Sitting

MOST = 200
"""Words that are offered at once."""
EXPECTED = tuple(kind for kinds in EXIT_CODES.values() for kind in kinds)
"""What can be wrong with a line that somebody is still typing."""

Words = list[str]


def completed(text: str, look: Sitting | None, names: Iterable[str] = ()) -> tuple[str, list[str]]:
    """What is begun at the end of a line, and the words that it may become; `names`: what may be drawn now."""
    begun = re.split(r"[\s,]", text)[-1]
    said = text[: len(text) - len(begun)].split()
    if said[:1] == ["referee"]:
        del said[0]
    drawn = [] if said else [name for name in names if name.lower().startswith(begun.lower())]
    return begun, [*drawn, *next_words(said, begun, look)]


def next_words(said: Words, begun: str, look: Sitting | None) -> list[str]:
    """The words that can follow those said and begin as the one begun does, none twice; case does not matter.

    `look`: the game, through the eyes of who types; None: there is none, or it is not for these eyes. In a game with
    secrets nothing is told of what may be done to eyes that are nobody's.
    """
    whole, small = command_line(), begun.lower()
    front, rest = hoist(said, whole.params)
    waiting = {name: one for one in whole.params for name in one.opts if not one.is_flag}.get(said[-1] if said else "")
    if waiting and front[-1:] == said[-1:]:
        following = values_of(waiting.metavar, [], look)
    elif begun.startswith("-") and not rest:
        following = (name for one in whole.params for name in one.opts)
    else:
        following = _following(rest, begun, look)
    found = (word for word in following if word.lower().startswith(small))
    return list(islice(dict.fromkeys(found), MOST))


def _following(said: Words, begun: str, look: Sitting | None) -> Iterator[str]:
    if not said:
        yield from actions_after(said, look)
        yield from COMMANDS if begun or look is None else ()
        return
    name = ALIASES.get(said[0], said[0])
    if name in COMMANDS:
        yield from _of_command(load(name), said[1:], begun, look)
    else:
        yield from actions_after(said, look)


# Actions


def actions_after(said: Iterable[str], look: Sitting | None) -> Iterator[str]:
    """The words that can follow in what is said: a line of actions, of which the last is not complete."""
    *before, last = " ".join(said).split(",") if look else ("",)
    if look is None or _is_shut(look) or (before and look.facts.keepers):  # what comes of a line might be a secret
        return
    try:
        line = look.line([phrase.strip() for phrase in before], supposed=bool(before))
        legal = Legal() if line.refused or line.awaiting else line.legal
    except EXPECTED:
        return
    for choice in legal.choices:
        yield from words_after(choice, last.lower().split())


def _is_shut(look: Sitting) -> bool:
    return bool(look.facts.keepers) and look.eyes is None


def words_after(choice: Choice, said: Words) -> Iterator[str]:
    """The words that can follow those of an action, in small letters, where its choice leaves several."""
    return _rest(choice.kind.says.split(), choice.slots, said)


def _rest(parts: Words, slots: Mapping[str, Slot], said: Words) -> Iterator[str]:
    if not parts:
        return
    part, *rest = parts
    slot = slots.get(part.strip("{}")) if part.startswith("{") else OneOf((part,))
    if slot is None:
        return
    goes_on = partial(_rest, rest, slots)
    if isinstance(slot, OneOf):
        yield from _one_of(slot, said, goes_on)
    elif isinstance(slot, Between):
        yield from map(str, slot) if not said else goes_on(said[1:])
    else:
        names = {str(value).lower(): str(value) for value in slot.values}
        taken = next((n for n, word in enumerate(said) if word not in names), len(said))
        if taken == len(said) < slot.most:
            yield from (name for small, name in names.items() if small not in said)
        if slot.least <= taken <= slot.most:
            yield from goes_on(said[taken:])


def _one_of(slot: OneOf, said: Words, goes_on: Callable[[Words], Iterator[str]]) -> Iterator[str]:
    """The next word of each value that goes on as was said; and what follows the values that are said in full."""
    passed = set[int]()
    for value in slot:
        words = spoken(value).split()
        small, length = [word.lower() for word in words], len(words)
        if length > len(said) and small[: len(said)] == said:
            yield words[len(said)]
        elif small == said[:length]:
            passed.add(length)
    for length in sorted(passed):
        yield from goes_on(said[length:])


# Commands


def _taken_by(command: Any) -> tuple[dict[str, Any], list[Any]]:
    """The options of a command by their names, and its arguments."""
    options = {name: one for one in command.params for name in one.opts if name.startswith("-")}
    return options, [one for one in command.params if not any(name.startswith("-") for name in one.opts)]


def _parted(said: Words, options: Mapping[str, Any]) -> tuple[list[str], Any]:
    """What was said beside options and their values; and the option whose value is to follow, or None."""
    plain, waiting = list[str](), None
    for word in said:
        if waiting is None and word in options:
            waiting = None if options[word].is_flag else options[word]
        elif waiting is None:
            plain.append(word)
        else:
            waiting = None
    return plain, waiting


def _of_command(command: Any, said: Words, begun: str, look: Sitting | None) -> Iterator[str]:
    """What can follow in a command: its parts, its options, what the option before takes, or its arguments."""
    parts = getattr(command, "commands", None)
    if parts is not None:
        yield from _of_command(parts[said[0]], said[1:], begun, look) if said and said[0] in parts else parts
        return
    options, arguments = _taken_by(command)
    if begun.startswith("-"):
        yield from options
        return
    plain, waiting = _parted(said, options)
    expected = waiting or (arguments[min(len(plain), len(arguments) - 1)] if arguments else None)
    if expected is not None and (waiting or expected.nargs == -1 or len(plain) < len(arguments)):
        yield from values_of(expected.metavar or "", plain, look)


def values_of(metavar: str, said: Words, look: Sitting | None) -> Iterable[str]:
    """What stands where the help has this word."""
    what = metavar.strip("[].")
    if what.islower():
        return what.split("|")
    if what in EVERYWHERE:
        return EVERYWHERE[what](said)
    return IN_A_GAME[what](look, said) if look and what in IN_A_GAME else ()


def _logs(_said: Words) -> Collection[str]:
    return [str(path) for path in logs_here()]


def _options(said: Words) -> Iterator[str]:
    games: list[AnyGame] = [find_game(name) for name in said if name in game_names()]
    return (f"{one.name}={value}" for game in games for one in game.options for value in one.values)


def _places(look: Sitting, _said: Words) -> list[str]:
    return sorted({place for page in picture_of(look).pages for place in page.places()})


def _pages(look: Sitting, _said: Words) -> list[str]:
    return [page.name for page in picture_of(look).pages if page.name]


def _words(look: Sitting, _said: Words) -> Iterator[str]:
    """Words by which a legal list can be narrowed: of its actions, and of their slots."""
    for choice in () if _is_shut(look) else look.sight.legal.choices:
        yield from (word for word in choice.kind.says.split() if not word.startswith("{"))
        values = (slot for slot in choice.slots.values() if not isinstance(slot, Between))
        yield from (word for slot in values for value in slot.values for word in spoken(value).split())


EVERYWHERE: Mapping[str, Callable[[Words], Iterable[str]]] = {
    "GAME": lambda _: game_names(),
    "LOG": _logs,
    "K=V": _options,
    "FORM": lambda _: FORMS,
    "MODE": lambda _: tuple(CHOSEN),
}
IN_A_GAME: Mapping[str, Callable[[Sitting, Words], Iterable[str]]] = {
    "ACTION": lambda look, said: actions_after(said, look),
    "WORD": _words,
    "SEAT": lambda look, _: (*look.facts.names, REFEREE),
    "SEATS": lambda look, _: look.facts.names,
    "PLACE": _places,
    "NAME": _pages,
    "ID|WORD": lambda look, _: (*look.facts.game.rulebook.rules, *look.facts.game.rulebook.rulings),
}
"""What stands for a word of the help, wherever one is, and where a game is being played."""
