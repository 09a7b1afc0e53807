"""Answers of `referee key` about the other players: who is known, whose key was checked, and who is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.errors import MisuseError
from referee.cli.log_paths import list_logs
from referee.cli.mail.people_text import describe_games
from referee.engine.plugin_errors import GameError
from referee.engine.text import count_of, listing
from referee.mail.key import spell_fingerprint
from referee.mail.people import (
    GameWithPerson,
    Person,
    find_people,
    forget_key,
    list_keys_in_play,
    make_game_with_person,
    mark_key_checked,
    normalize_fingerprint_words,
    read_people_book,
)
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.opening_logs import open_good_part

WORD_COUNT = 6
NO_KNOWN_PEOPLE = (
    "You know nobody yet. Once a player signs their moves in your game by mail, the referee remembers their key. "
    "Only you can see this list."
)


def answer_with_people() -> Answer:
    """Returns everybody who is known, those whose key was checked first.

    Raises KeyProblemError if the book of known people cannot be read.
    """
    people = sorted(read_people_book().people, key=lambda one: (not one.checked, _find_name(one).casefold()))
    return Answer(list(_describe_people(people)), lambda: {"people": list(map(_collect_person_facts, people))})


def _describe_people(people: list[Person]) -> Iterator[AnswerLine]:
    if not people:
        yield NO_KNOWN_PEOPLE
    for one in people:
        yield Text(f"{_find_name(one)}, {'checked' if one.checked else 'not checked yet'}: {one.fingerprint_words}")
        if len(one.names) > 1:
            yield Text(f"also called {listing(one.names[1:])}", indent=4)
        yield Text(f"in {count_of(len(one.games), 'game')}: {describe_games(one.games)}", indent=4)


def trust_person(typed: str) -> Answer:
    """Marks the key with these words as checked for all games.

    Raises MisuseError if there are not six words, and NotAllowedError if no key here has them. Raises KeyProblemError
    if the book of known people cannot be read or written.
    """
    words = _read_six_words(typed)
    key, games = _find_key(words)
    person = mark_key_checked(key, games)
    told = f"You have checked the key of {_find_name(person)}, for all games: {person.fingerprint_words}"
    undo = Text(f"To take that back: referee key --forget {person.fingerprint_words}", indent=2)
    return Answer([Text(told, "good"), undo], lambda: {"trusted": _collect_person_facts(person)})


def _read_six_words(typed: str) -> str:
    """Returns the six words of a key as they are written. Raises MisuseError if they are not six."""
    words = normalize_fingerprint_words(typed)
    count = len(words.split("-")) if words else 0
    if count != WORD_COUNT:
        wrong = f"a key has six words, and you typed {count}"
        raise MisuseError(f'{wrong}; join them with hyphens, or put them in quotes: referee key --trust "..."')
    return words


def _find_key(words: str) -> tuple[str, list[GameWithPerson]]:
    """Returns the key with these words, and a game here in which it plays.

    If the book of known people has the key already, no logs are read and no game is returned. Otherwise logs are read,
    the latest first. Raises NotAllowedError if no key here has these words.
    """
    known = next((one.key for one in read_people_book().people if one.fingerprint_words == words), None)
    if known:
        return known, []
    logs = (_read_keys(log) for log in sorted(list_logs(), key=_read_time_of_change, reverse=True))
    found = ((key, game) for keys in logs for key, game in keys.items() if spell_fingerprint(key) == words)
    key, game = next(found, (None, None))
    if key is None or game is None:
        raise NotAllowedError(
            "no key that you have met has these words. If a player read them to you like this, "
            "the key in your game is not theirs: do not trust it. "
            "To see the keys of a game: referee mail. To see all keys: referee key --people"
        )
    return key, [game]


def _read_time_of_change(log: Path) -> float:
    """Returns the time at which a log was changed last, in seconds; 0 if nobody can tell."""
    try:
        return log.stat().st_mtime
    except OSError:
        return 0


def _read_keys(log: Path) -> Mapping[str, GameWithPerson]:
    """Returns the keys that have signed in a log here; none if it cannot be read or is not played by mail."""
    with suppress(FaultError, GameError, OSError):
        session = open_good_part(log)[0]
        if session.public.protocol:
            return {
                key: make_game_with_person(session, seat) for seat, key, signed in list_keys_in_play(session) if signed
            }
    return {}


def forget_person(typed: str) -> Answer:
    """Removes the person with this name, or with these words of a key, from the book of known people.

    Raises NotAllowedError if nobody or more than one person has this name. Raises KeyProblemError if the book cannot be
    read or written.
    """
    found = find_people(read_people_book(), typed)
    if not found:
        raise NotAllowedError(f"nobody is known as {typed}; to see everybody: referee key --people")
    if len(found) > 1:
        ways = listing([f"referee key --forget {one.fingerprint_words}" for one in found], "or")
        raise NotAllowedError(f"{len(found)} keys were called {typed}; name one by its words: {ways}")
    forget_key(found[0].key)
    told = f"Forgotten: {_find_name(found[0])}, {found[0].fingerprint_words}. The games stay."
    return Answer([told], lambda: {"forgotten": _collect_person_facts(found[0])})


def _find_name(person: Person) -> str:
    """Returns the name that a person used last, or how they are called without one."""
    return next(iter(person.names), "a player without a name")


def _collect_person_facts(person: Person) -> dict[str, Any]:
    return {
        "name": next(iter(person.names), None),
        "names": person.names,
        "words": person.fingerprint_words,
        "key": person.key,
        "checked": person.checked,
        "games": [game.log for game in person.games],
    }
