"""The book of people: the keys of other players that were met, in which games, and which keys were checked.

It is a file in the settings folder of this computer, and goes nowhere else. Only keys that have signed in a game in
which the owner of this computer plays are written into it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from unicodedata import normalize

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.text import make_printable
from referee.gate import UnreadableError, read_json
from referee.mail import settings_folder
from referee.mail.key import read_own_public_key, spell_fingerprint
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.enrolment import Enrolment, RecoveryWarrant
from referee.record.log.entry import BranchEntry, JoinEntry, SealEntry
from referee.record.log.field_types import Hash, PublicKey
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.log.safe_files import read_user_file
from referee.record.table.player_names import is_look_alike

if TYPE_CHECKING:
    from referee.record.table.session import Session

BOOK_FILE = "people.json"
BOOK_FORM = "people/1"
MAX_BOOK_BYTES = 16 * 2**20
"""The size of the biggest book that is read, in bytes."""
MAX_PEOPLE = 1_000
MAX_GAMES_OF_KEY = 40
"""The most games that are remembered of one key."""
MAX_FORMER_KEYS = 40
"""The most older keys that are remembered of one player."""
MAX_NAME = 60
MAX_LOG_NAME = 255


class GameWithPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A game in which a key has signed."""

    record: Hash
    """The id of the game, or of the branch (`MailProtocol.record_id`)."""
    log: Annotated[str, Meta(min_length=1, max_length=MAX_LOG_NAME)]
    """The name of its log on this computer, without the ending."""
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    """The name of the player in that game, as they chose it; "" if they were called as their seat."""


class Person(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One key of another player."""

    key: PublicKey
    checked: bool
    """True if the owner of this computer has compared its words with the player."""
    games: Annotated[tuple[GameWithPerson, ...], Meta(max_length=MAX_GAMES_OF_KEY)]
    """The games in which the key has signed, in the order in which they were met."""
    former: Annotated[tuple[PublicKey, ...], Meta(max_length=MAX_FORMER_KEYS)] = ()
    """Older keys of the same player, each replaced with their recovery key."""

    @property
    def fingerprint_words(self) -> str:
        """The fingerprint of the key in six words."""
        return spell_fingerprint(self.key)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the player has used, the latest first."""
        return tuple(dict.fromkeys(game.name for game in reversed(self.games) if game.name))


class PeopleBook(Struct, frozen=True, forbid_unknown_fields=True):
    """The players whom the owner of this computer has met in games by mail."""

    referee: Literal["people/1"] = "people/1"
    people: Annotated[tuple[Person, ...], Meta(max_length=MAX_PEOPLE)] = ()

    def find_person(self, key: str) -> Person | None:
        """Returns the person with a key; None if nobody with this key was met."""
        own = next((one for one in self.people if one.key == key), None)
        return own or next((one for one in self.people if key in one.former), None)


class _Form(Struct):
    referee: str = ""


class KeyRecognition(Struct, frozen=True):
    """The entries of the book about the key of one seat, and about the name of its player."""

    seat: Seat
    name: str
    """The name of the player in this game; "" if they are called as their seat."""
    key: str
    has_signed: bool
    """True if the seat has signed with this key since it joined. Otherwise, anybody may have written the key there."""
    is_checked: bool = False
    same_key_games: tuple[GameWithPerson, ...] = ()
    """The other games in which this key has signed."""
    same_name_games: tuple[GameWithPerson, ...] = ()
    """The games in which somebody with another key had exactly this name."""
    similar_name_games: tuple[GameWithPerson, ...] = ()
    """The games in which somebody with another key had a name that looks like this one."""

    @property
    def fingerprint_words(self) -> str:
        """The fingerprint of the key in six words."""
        return spell_fingerprint(self.key)

    @property
    def has_name_clash(self) -> bool:
        """True if somebody with another key had this name in a game, or a name that looks like it."""
        return bool(self.same_name_games or self.similar_name_games)


# The file


def read_people_book() -> PeopleBook:
    """Returns the book; an empty one if there is none. Raises KeyProblemError if it cannot be read."""
    return _read(settings_folder.find_settings_folder() / BOOK_FILE)


def read_people_book_if_possible() -> PeopleBook:
    """Returns the book; an empty one if there is none, or if it cannot be read."""
    try:
        return read_people_book()
    except KeyProblemError:
        return PeopleBook()


def _read(path: Path) -> PeopleBook:
    with settings_folder.raise_as_key_problem(path):
        try:
            data = read_user_file(path, MAX_BOOK_BYTES)
        except FileNotFoundError:
            return PeopleBook()
    try:
        return read_json(data, PeopleBook)
    except UnreadableError:
        raise KeyProblemError(_explain_unreadable(path, data)) from None


def _explain_unreadable(path: Path, data: bytes) -> str:
    """Returns the reason why the book of people cannot be read, and the way out, as a clause."""
    try:
        form = read_json(data, _Form).referee
    except UnreadableError:
        form = ""
    if re.fullmatch(r"people/[0-9]{1,6}", form) and form != BOOK_FORM:
        return f"a newer referee wrote the list of people you know, {path}; update the referee here"
    return f"the list of people you know was changed, {path}; bring it back from a copy, or move it away"


def _change_book(change: Callable[[PeopleBook], PeopleBook]) -> None:
    """Changes the book, while no other program can. Raises KeyProblemError, and the errors of `change`."""
    with settings_folder.lock_settings() as place:
        before = _read(place / BOOK_FILE)
        after = change(before)
        if after != before:
            data = msgspec.json.format(msgspec.json.encode(after, order="sorted"), indent=1) + b"\n"
            settings_folder.write_private_file(place / BOOK_FILE, data)


def restore_people(people: Sequence[Person]) -> None:
    """Adds the people of a back-up to the book. Raises KeyProblemError if the book cannot be read or written."""

    def merge(book: PeopleBook) -> PeopleBook:
        here = {one.key: one for one in book.people}
        brought = {one.key: _merge_person(one, here[one.key]) if one.key in here else one for one in people}
        return replace(book, people=tuple((here | brought).values())[:MAX_PEOPLE])

    if people:
        _change_book(merge)


# People and games


def list_keys_in_play(session: Session) -> Iterator[tuple[Seat, str, bool]]:
    """Yields each seat that has joined, its key, and True if it has signed with the key since."""
    protocol = get_mail_protocol(session)
    joined = {entry.by: entry.n for entry in session.entries if isinstance(entry, JoinEntry)}
    for seat, hand in protocol.chain_positions.items():
        yield seat, hand.enrolment.key, protocol.signed_up_to.get(seat, -1) > joined[seat]


def recognise_key_of_seat(session: Session, seat: Seat, book: PeopleBook) -> KeyRecognition | None:
    """Returns what the book says about a seat's key; None if the seat has not joined.

    Entries of the book about this same game do not count.
    """
    found = next((one for one in list_keys_in_play(session) if one[0] == seat), None)
    if found is None:
        return None
    record, name, key = get_mail_protocol(session).record_id, _find_name(session, seat), found[1]
    seen = KeyRecognition(seat, name, key, has_signed=found[2])
    if not seen.has_signed:
        return seen
    person = book.find_person(key)
    met = [game for one in book.people if one is not person for game in one.games if name and game.record != record]
    return replace(
        seen,
        is_checked=person is not None and person.checked,
        same_key_games=tuple(game for game in (person.games if person else ()) if game.record != record),
        same_name_games=tuple(game for game in met if _is_same_name(game.name, name)),
        similar_name_games=tuple(
            game for game in met if not _is_same_name(game.name, name) and is_look_alike(game.name, name)
        ),
    )


def remember_players(session: Session) -> None:
    """Remembers the keys of the other players of a game in which the player of this computer has a seat.

    Raises KeyProblemError if the book cannot be read or written.
    """
    own, path = find_own_seat(get_mail_protocol(session)), session.path
    if own is None or path is None:
        return
    met = [
        (key, make_game_with_person(session, seat))
        for seat, key, signed in list_keys_in_play(session)
        if signed and seat != own
    ]
    replaced = [pair for pair in _list_recovered_keys(session) if pair[1] in dict(met)]
    book = read_people_book()
    if any(_is_new_game(book, key, game) for key, game in met) or _follow_keys(book, replaced) != book:
        _change_book(lambda book: _add_games(_follow_keys(book, replaced), met))


def _list_recovered_keys(session: Session) -> Iterator[tuple[str, str]]:
    """Yields the old and the new key of each player who sat down again with their recovery key.

    Only an old key that has signed since its player joined is yielded. Anybody could have put another key into the log,
    with a recovery key of their own. A key that the others agreed to instead of a lost one is not yielded either.
    """
    owners: dict[Seat, str] = {}
    signed: set[Seat] = set()
    for entry in session.entries:
        match entry:
            case BranchEntry():
                owners, signed = {}, set()
            case SealEntry():
                signed.add(entry.by)
            case JoinEntry(chair=Enrolment() as chair) if _is_owner_joining(entry, owners):
                if isinstance(entry.warrant, RecoveryWarrant) and entry.by in signed:
                    yield owners[entry.by], chair.key
                owners[entry.by] = chair.key
                signed.discard(entry.by)


def _is_owner_joining(entry: JoinEntry, owners: Mapping[Seat, str]) -> bool:
    """True if a player takes a seat for the first time, or takes their own seat again with their recovery key."""
    return entry.by not in owners or bool(entry.name) or isinstance(entry.warrant, RecoveryWarrant)


def _follow_keys(book: PeopleBook, replaced: Sequence[tuple[str, str]]) -> PeopleBook:
    """Returns the book with each old key joined to the new one, so that both are one person.

    The new key is marked as checked if one of the two was.
    """
    for old, new in replaced:
        before, now = book.find_person(old), book.find_person(new)
        if before is None or before is now:
            continue
        one = _merge_person(before, now or Person(new, checked=False, games=()))
        book = replace(book, people=(*(two for two in book.people if two not in (before, now)), one))
    return book


def _merge_person(before: Person, now: Person) -> Person:
    """Returns one person with the games and older keys of both, and the key of `now`.

    The person's key counts as checked if one of the two keys was checked.
    """
    games = (*before.games, *(game for game in now.games if game not in before.games))[-MAX_GAMES_OF_KEY:]
    former = dict.fromkeys((*before.former, before.key, *now.former))
    older = tuple(key for key in former if key != now.key)[-MAX_FORMER_KEYS:]
    return Person(now.key, before.checked or now.checked, games, older)


def make_game_with_person(session: Session, seat: Seat) -> GameWithPerson:
    """Returns a game as the book has it for the player of one seat."""
    log = make_printable(session.file_path.stem)[:MAX_LOG_NAME]
    return GameWithPerson(get_mail_protocol(session).record_id, log, _find_name(session, seat))


def mark_key_checked(key: str, games: Sequence[GameWithPerson]) -> Person:
    """Marks a key as checked for all games, and returns its person. `games` are those where the key was found.

    Raises NotAllowedError if it is the key of this computer, and KeyProblemError if the book is full or cannot be used.
    """
    if key == read_own_public_key():
        raise NotAllowedError("these are the words of your own key; type those that the other player reads to you")

    def check(book: PeopleBook) -> PeopleBook:
        more = _add_games(book, [(key, game) for game in games])
        return replace(more, people=tuple(replace(one, checked=one.checked or one.key == key) for one in more.people))

    _change_book(check)
    person = read_people_book().find_person(key)
    if person is None:
        raise KeyProblemError(
            f"the list of people you know is full: it has {MAX_PEOPLE:,} checked keys; "
            "to forget one: referee key --forget NAME"
        )
    return person


def forget_key(key: str) -> None:
    """Removes a key from the book. Raises KeyProblemError if the book cannot be used."""
    _change_book(lambda book: replace(book, people=tuple(one for one in book.people if one.key != key)))


def normalize_fingerprint_words(typed: str) -> str:
    """Returns the words of a fingerprint as they are written: small letters, with a hyphen between two words."""
    return "-".join(re.findall(r"[a-z]+", typed.lower()))


def find_people(book: PeopleBook, typed: str) -> tuple[Person, ...]:
    """Returns the people that somebody names: by the six words of the key, or by a name that they have used."""
    named = [one for one in book.people if any(name.casefold() == typed.casefold() for name in one.names)]
    return tuple([one for one in book.people if one.fingerprint_words == normalize_fingerprint_words(typed)] or named)


def _is_new_game(book: PeopleBook, key: str, game: GameWithPerson) -> bool:
    """True if the book does not have this game for this key yet."""
    person = book.find_person(key)
    return person is None or all((one.record, one.name) != (game.record, game.name) for one in person.games)


def _add_games(book: PeopleBook, met: Sequence[tuple[str, GameWithPerson]]) -> PeopleBook:
    """Returns the book with these keys and games.

    If there are too many, the oldest keys that were not checked give way, and the oldest games of a key. A key that was
    checked never gives way.
    """
    people = {one.key: one for one in book.people}
    for key, game in met:
        now = PeopleBook(people=tuple(people.values()))
        if _is_new_game(now, key, game):
            person = now.find_person(key) or Person(key, checked=False, games=())
            people[person.key] = replace(person, games=(*person.games, game)[-MAX_GAMES_OF_KEY:])
    unchecked = [key for key, one in people.items() if not one.checked]
    for key in unchecked[: max(0, len(people) - MAX_PEOPLE)]:
        del people[key]
    return replace(book, people=tuple(people.values())[:MAX_PEOPLE])


def _find_name(session: Session, seat: Seat) -> str:
    name = session.moment().facts.names[seat]
    return "" if name == seat else make_printable(name)[:MAX_NAME]


def _is_same_name(one: str, other: str) -> bool:
    """True if two names are one, however their accents are encoded."""
    return normalize("NFC", one) == normalize("NFC", other)
