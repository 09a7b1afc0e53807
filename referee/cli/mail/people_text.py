"""Keys of other players in words: the same person as in earlier games, somebody else of that name, or nobody known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Text
from referee.cli.errors import format_sentence
from referee.engine.text import listing
from referee.mail.people import (
    GameWithPerson,
    KeyRecognition,
    read_people_book,
    read_people_book_if_possible,
    recognise_key_of_seat,
    remember_players,
)
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.log_errors import KeyProblemError

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

MAX_NAMED_GAMES = 3
"""The most games that are named for one person."""


def describe_keys(look: SeatView, seats: Iterable[Seat]) -> Iterator[Text]:
    """Yields the facts known about the keys of these seats.

    If the book of known people cannot be read, the first sentence says so.
    """
    trouble, book = explain_unreadable_people_book(), read_people_book_if_possible()
    if trouble:
        yield Text(trouble, "refused", indent=2)
    for seat in seats:
        found = recognise_key_of_seat(look.session, seat, book)
        if found:
            yield from _describe_key(look, found)


def explain_unreadable_people_book() -> str | None:
    """Returns a sentence that says why the book of known people cannot be read; None if it can be read."""
    try:
        read_people_book()
    except KeyProblemError as error:
        return f"{format_sentence(str(error))} Until then, nobody is recognised."
    return None


def _describe_key(look: SeatView, found: KeyRecognition) -> Iterator[Text]:
    who = look.facts.format_seat(found.seat)
    yield from warn_of_similar_names(who, found)
    if not found.has_signed:
        yield Text(f"The key of {who}: {found.fingerprint_words}; nothing here is signed with it yet", indent=2)
    elif found.same_key_games:
        yield Text(f"{who} {_describe_met_player(found)}.", "good", indent=2)
    elif found.is_checked:
        yield Text(f"You have checked the key of {who}.", "good", indent=2)
    else:
        yield Text(
            f"The key of {who}: {found.fingerprint_words}; check these six words with them once, then type: "
            "referee key --trust WORDS",
            indent=2,
        )


def _describe_met_player(found: KeyRecognition) -> str:
    """Returns a clause without its subject about a player who was met before."""
    names = dict.fromkeys(game.name for game in reversed(found.same_key_games) if game.name)
    if found.name in names:
        text = f"is the same {found.name} as in {describe_games(found.same_key_games)}"
    elif names:
        text = f"has the key of {next(iter(names))} in {describe_games(found.same_key_games)}"
    else:
        text = f"is the same player as in {describe_games(found.same_key_games)}"
    return f"{text}; you have checked this key" if found.is_checked else text


def describe_known_key(key: str) -> str | None:
    """Returns a sentence about a key that you have met before in any game; None for a key that you have not met."""
    person = read_people_book_if_possible().find_person(key)
    if person is None:
        return None
    who = next(iter(person.names), "a player without a name")
    checked = ", and you have checked it" if person.checked else ""
    return f"You know this key: it is that of {who} in {describe_games(person.games)}{checked}."


def warn_of_similar_names(who: str, found: KeyRecognition) -> Iterator[Text]:
    """Yields a warning for a player with the name of somebody else. `who` is the player's seat with their name.

    The warning asks you to ring up the person you know by that name, unless you have checked the player's key.
    """
    told = [
        (found.name, f"{who} is NOT the {found.name} of {describe_games(found.same_name_games)}: the key is different.")
    ]
    told = told if found.same_name_games else []
    for name in dict.fromkeys(game.name for game in found.similar_name_games):
        games = describe_games([game for game in found.similar_name_games if game.name == name])
        told += [(name, f"{who} is NOT the {name} of {games}: the name only looks the same, and the key is different.")]
    for name, line in told:
        ask = "" if found.is_checked else f" Ask the {name} you know by phone before you go on."
        yield Text(f"{line}{ask}", "refused", indent=2)


def describe_games(games: Sequence[GameWithPerson]) -> str:
    """Returns the names of games, the latest first, and how many more there are."""
    logs = list(dict.fromkeys(game.log for game in reversed(games)))
    return listing(
        [*logs[:MAX_NAMED_GAMES], *([f"{len(logs) - MAX_NAMED_GAMES} more"] if len(logs) > MAX_NAMED_GAMES else [])]
    )


def recognise_other_players(session: Session) -> dict[Seat, KeyRecognition]:
    """Returns what is known about the key of each other player, by seat."""
    protocol, book = get_mail_protocol(session), read_people_book_if_possible()
    own = find_own_seat(protocol)
    found = [recognise_key_of_seat(session, seat, book) for seat in protocol.seats if seat != own]
    return {one.seat: one for one in found if one}


def collect_recognition_facts(found: KeyRecognition) -> dict[str, Any]:
    """Returns, for programs, what is known about one key."""
    return {
        "name": found.name or None,
        "words": found.fingerprint_words,
        "signed": found.has_signed,
        "checked": found.is_checked,
        "same": [game.log for game in found.same_key_games],
        "other_key": [game.log for game in found.same_name_games],
        "looks_like": [{"name": game.name, "log": game.log} for game in found.similar_name_games],
    }


def remember_other_players(session: Session) -> str | None:
    """Writes the other players of a game into the book of known people.

    Returns a sentence if the book cannot be written, otherwise None. A book that cannot be read stays as it is, and
    `describe_keys` reports it.
    """
    if explain_unreadable_people_book():
        return None
    try:
        remember_players(session)
    except KeyProblemError as error:
        return f"The players were not remembered: {error}."
    return None
