"""The entries of a log: the fields of each kind of line.

An entry is JSON with sorted keys and no floats, so it has only one spelling. A secret is spelled `{"leaf":"<64
hex>","of":"<seat>"}` everywhere. The module `line_format` puts the bytes into a line.
"""

from datetime import UTC, datetime
from functools import cache, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from referee.engine.dice import Roll, SeatName, SeedHex
from referee.engine.dice_mode import DiceMode
from referee.engine.game import AnyGame
from referee.engine.secret import Secret
from referee.record.log.enrolment import Consent, ConsentWarrant, Enrolment, RecoveryWarrant
from referee.record.log.field_types import (
    BRANCH_NAME_PATTERN,
    LOG_FORMAT,
    MAX_NUMBER,
    MAX_PACE_DAYS,
    MAX_PARENT_CHARACTERS,
    AgreedSeats,
    EntryNumber,
    Hash,
    Identifier,
    PublicKey,
    Signature,
    Text,
    Time,
    is_time,
)
from referee.record.log.offer import Offer


class Entry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """One line of a log, with the fields that every entry has."""

    n: EntryNumber
    """The number of the entry, from 0."""
    prev: Hash
    """The hash of the line before; 64 zeros for the first."""
    by: SeatName
    """The seat that made the entry, or `referee`."""
    at: Time
    """The time of the entry in UTC. It has no effect on the game."""

    def __post_init__(self) -> None:
        """Raises ValueError for a time that no clock can show."""
        if not is_time(self.at):
            raise ValueError(f"the time of an entry must be a real date and time, not {self.at[:40]!r}")


class ShippedFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="shipped"):
    """A file that comes with the program, by name and SHA-256."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    """The name of the file without its ending."""
    sha256: Hash
    """The SHA-256 of its content."""


class OwnFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="own"):
    """A file of the players' own, stored here whole."""

    document: dict[str, Any]
    """The content of the file, in the form of its schema."""


class FileBeside(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="beside"):
    """A file of the players' own that is too big for a line. It lies in `<log>.files/` under its SHA-256."""

    sha256: Hash
    """The SHA-256 of its bytes."""


GameFile = ShippedFile | OwnFile | FileBeside


class SeatedPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat with the name of its player."""

    seat: SeatName
    """The seat."""
    name: Annotated[str, Meta(max_length=60)]
    """The name of the player or of the bot at this seat."""


class MatchPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The place of a game in a match by mail. Everybody who sits down in the first game agrees to the whole match."""

    number: Annotated[int, Meta(ge=1, le=10_000)]
    """The number of the game in the match, from 1."""
    terms: Annotated[dict[Identifier, Annotated[str, Meta(max_length=60)]], Meta(max_length=16)]
    """The terms of the match, all of them, as players type them."""
    first: Hash | None = None
    """The id of the first game; left out in that game."""
    after: Hash | None = None
    """The hash of the line that ended the game before; left out in the first game."""
    keys: Annotated[dict[SeatName, PublicKey], Meta(max_length=8)] = {}
    """The key of each seat at the end of the game before, with which it sits down; left out in the first game."""


class Director(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A third person who gets the mails of a game and looks on. Everybody sees this before joining."""

    name: Annotated[str, Meta(max_length=60)]
    """The name of the director."""
    key: PublicKey
    """The director's public key."""
    settles: bool = False
    """True if the director may end a stuck game in place of a player who does not answer (`RulingEntry`)."""


class GameEntry(Entry, frozen=True, tag="game", omit_defaults=True):
    """The first entry: the game, its players and its options. Its hash is the id of the game."""

    format: Annotated[int, Meta(ge=1, le=LOG_FORMAT)]
    """The number of the log format."""
    game: Identifier
    """The name of the game."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    """The version of the game's rules."""
    options: dict[str, str]
    """All options in force."""
    rulings: tuple[str, ...]
    """The ids of the rulings in force that no option switches."""
    seats: Annotated[tuple[SeatedPlayer, ...], Meta(min_length=1, max_length=8)]
    """The seats and their players, in playing order."""
    dice: DiceMode
    """The dice mode: where dice come from."""
    files: dict[Identifier, GameFile]
    """The files of the game: the board and other components."""
    position: dict[str, Any] | None
    """The position from which the game starts; null for the usual start."""
    nonce: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    """16 random bytes, so that no two games have the same id."""
    bots: dict[SeatName, Identifier] = {}
    """The seats that bots play, each with the name of its bot. Left out if there are none."""
    hints: bool = False
    """True if players by mail may ask for hints. Everybody sees this before joining."""
    pace: Annotated[int, Meta(ge=0, le=MAX_PACE_DAYS)] = 0
    """By mail, the days that a turn may take; left out if the players agreed on none. No verdict depends on it."""
    match: MatchPlace | None = None
    """By mail, the place of the game in a match; left out if it belongs to none."""
    director: Director | None = None
    """By mail, the director of the game; left out if it has none."""
    program: Annotated[str, Meta(max_length=60)] = ""
    """The version of the referee that wrote the log; empty in older logs. It has no effect on the game."""

    @property
    def names(self) -> dict[str, str]:
        """The name of the player at each seat, in playing order."""
        return {seated.seat: seated.name for seated in self.seats}


class JoinEntry(Entry, frozen=True, tag="join", omit_defaults=True):
    """A seat joins: it has its vault, and has sealed the seed of its secret dice.

    If that seed were in the log, anybody could work out those dice, and so the secret actions. In a game by mail every
    seat joins once. It joins again when its chains run out or its key is lost. Fields that only games by mail have are
    left out in other games, as in older logs.
    """

    seed: Secret[SeedHex] | None
    """The sealed seed of the seat's secret dice. By mail, the end of its chain of secret dice. Null if there is
    neither.
    """
    chair: Enrolment | None = None
    """The seat's keys and chains; null if the game is not played by mail."""
    agreed: AgreedSeats = ()
    """The seats that agreed to another key in the log itself, as in older logs."""
    warrant: ConsentWarrant | RecoveryWarrant | None = None
    """The proof that the seat may come with another key. Null if it has the same key, and in older logs."""
    name: Annotated[str, Meta(max_length=60)] = ""
    """The name of the player who takes the seat by mail; left out if the player stays the same."""


A = TypeVar("A")
ClassInDeeds = TypeVar("ClassInDeeds")
E = TypeVar("E")
F = TypeVar("F", bound=Offer)
P = TypeVar("P", bound=Hash)
S = TypeVar("S", bound=SeatName)
T = TypeVar("T", bound=Time)


class SecretPlay(Struct, Generic[A, E], frozen=True, forbid_unknown_fields=True):
    """The part of a play that only its seat sees."""

    action: A | None
    """The action; null if everybody sees it."""
    rolls: tuple[Roll, ...]
    """The dice that were rolled in secret."""
    events: tuple[tuple[int, E], ...]
    """The secret events, each with its place among all events of the play, from 0, in rising order."""


class PlayEntry(Entry, Generic[A, E, P, S, T], frozen=True, tag="play"):
    """An action with its dice and its events."""

    # Nearly all entries are plays. `make_unchecked_play_type` reads `prev` and `by` as any text, if the caller checks
    # them.

    prev: P
    by: S
    at: T
    action: A | None
    """The action; null if the whole action is a secret."""
    rolls: tuple[Roll, ...]
    """The dice that everybody sees, in the order of their draws."""
    events: tuple[E, ...]
    """The events that everybody sees."""
    secret: Secret[SecretPlay[A, E]] | None
    """The part that only the seat sees; null if there is none."""

    @property
    def is_fully_known(self) -> bool:
        """True if the whole play is known here."""
        return self.secret is None or self.secret.known

    @property
    def known_play(self) -> SecretPlay[A, E]:
        """The whole play, as far as it is known here."""
        return SecretPlay(self.known_action, self.known_rolls, tuple(enumerate(self.known_events)))

    @property
    def known_action(self) -> A | None:
        """The action; None if it is a secret that is not known here."""
        if self.action is not None or self.secret is None or not self.secret.known:
            return self.action
        return self.secret.value.action

    @property
    def known_rolls(self) -> tuple[Roll, ...]:
        """All dice of the play, open ones first, as far as they are known here."""
        if self.secret is None or not self.secret.known:
            return self.rolls
        return self.rolls + self.secret.value.rolls

    @property
    def known_events(self) -> tuple[E, ...]:
        """All events of the play, as far as they are known here."""
        if self.secret is None or not self.secret.known:
            return self.events
        events = list(self.events)
        for place, event in self.secret.value.events:
            events.insert(place, event)
        return tuple(events)


class DeclareEntry(Entry, Generic[A], frozen=True, tag="declare", omit_defaults=True):
    """The next actions of a seat, declared before their dice are rolled. They are made in order, as long as they are
    legal.
    """

    cast: Annotated[int, Meta(ge=0, le=65_536)]
    """The number of the joint roll, from 0. Each number is used once, even after a takeback."""
    value: Hash
    """The seat's share of the roll: the next value of its chain."""
    actions: Annotated[tuple[A, ...], Meta(max_length=64)]
    """The declared actions in order. Empty if they are a secret."""
    secret: Secret[tuple[A, ...]] | None
    """The declared actions, if one of them is entirely a secret of the seat."""
    count: Annotated[int, Meta(ge=1, le=64)] = 1
    """The number of secret actions. Everybody sees it, so nobody can add or leave out one later."""

    @property
    def known_actions(self) -> tuple[A, ...] | None:
        """The declared actions; None if they are a secret that is not known here."""
        if self.secret is None:
            return self.actions
        return self.secret.value if self.secret.known else None


class AnswerEntry(Entry, frozen=True, tag="answer", omit_defaults=True):
    """A seat's share of a joint roll. If no action was declared, the share opens the roll that the next player must
    make.
    """

    cast: Annotated[int, Meta(ge=0, le=65_536)]
    """The number of the joint roll."""
    value: Hash
    """The seat's share of the roll: the next value of its chain."""
    signature: Signature | None = None
    """The signature, if the seat gave its part beside the log and another seat recorded it. Otherwise, the seat's next
    seal covers it.
    """


class SealEntry(Entry, frozen=True, tag="seal"):
    """A seat has signed everything before and hands over the pen. Only the new holder adds to the log."""

    to: SeatName
    """The new holder of the pen. It is the seat itself if more than two play and it waits for shares of a roll."""
    signature: Signature
    """The signature, made with the seat's key, under everything before."""


class OfferEntry(Entry, Generic[F], frozen=True, tag="offer"):
    """A seat asks the others to agree to something. The offer ends when a seat refuses it or plays on."""

    offer: F
    """The offered deed."""
    on: EntryNumber
    """The last entry that the offering seat had seen."""
    signature: Signature | None
    """The signature; null if the seat held the pen, because its next seal covers the offer."""


class AgreeEntry(Entry, frozen=True, tag="agree"):
    """A seat agrees to an offer."""

    to: EntryNumber
    """The number of the offer's entry."""


class RefuseEntry(Entry, frozen=True, tag="refuse"):
    """A seat refuses an offer, which ends it."""

    to: EntryNumber
    """The number of the offer's entry."""


class RulingEntry(Entry, Generic[F], frozen=True, tag="ruling", omit_defaults=True):
    """A seat makes an offer, and the director agrees to it in place of a seat that the game waits for in vain.

    From then on the offering seat has the pen. Only a director who may end a stuck game (`Director.settles`) can do so.
    """

    offer: F
    """The offered deed, to end the game."""
    seat: SeatName
    """The seat in whose place the director agrees."""
    signature: Signature
    """The signature, made with the director's key, under the offer and the entry before this one."""
    consents: Annotated[tuple[Consent, ...], Meta(max_length=8)] = ()
    """In a game for more than two, the signatures of all other seats under the same text. A seat that has agreed to
    the same offer in the log need not sign again.
    """


class DeedEntry(Entry, frozen=True):
    """A deed: something that players do with a record besides playing, such as taking back, amending or resigning.

    Each deed is one file of the folder `DEEDS_PACKAGE`. This class holds only what is needed to read a log.
    """

    if TYPE_CHECKING:
        agreed: AgreedSeats
        """The seats that agreed. Each kind of entry says which seats must."""

    irreversible: ClassVar[Literal["agreed", "ended", "seated", "switched"] | None] = None
    """The reason that no seat may take back the deed alone, a key of `agreement.IRREVERSIBLE_REASONS`.
    None if the deed does not change the state of the game. Only deeds with a reason are steps of the line of play.
    """
    goes_back: ClassVar[bool] = False
    """True if the game goes on from an earlier entry after the deed."""
    opens_secret: ClassVar[bool] = False
    """True if the deed reveals a secret, by its fields `leaf`, `salt` and `value`. It changes nothing in the game."""
    has_bounded_fields: ClassVar[bool] = False
    """True if the types of the fields bound every value, apart from special characters. Then an entry of plain bytes
    (`limits.is_short_plain_ascii`) holds no forbidden value.
    """
    names_entry: ClassVar[str] = ""
    """The name of the field that holds an earlier entry; "" if there is none."""

    @property
    def noun_phrase(self) -> str:
        """The words for the deed in messages about changed logs, such as "a takeback to entry 3"."""
        return "a play"

    @property
    def back_to(self) -> int | None:
        """The earlier entry from which the game goes on; None if it goes on from here."""
        return None

    @property
    def versions(self) -> tuple[int, int] | None:
        """The log format and the version of the rules after the deed; None if it changes neither."""
        return None


class NoteEntry(Entry, frozen=True, tag="note"):
    """A remark."""

    text: Text
    """The text of the remark."""


class BranchEntry(Entry, frozen=True, tag="branch"):
    """The start of a branch: all entries before it are its parent's, byte for byte."""

    name: Annotated[str, Meta(pattern=f"^{BRANCH_NAME_PATTERN}$")]
    """The name of the branch."""
    parent: Annotated[str, Meta(max_length=MAX_PARENT_CHARACTERS)]
    """The name of the log that it left. The fields `n` and `prev` give the place."""


if TYPE_CHECKING:
    AnyPlay = PlayEntry[Any, Any, str, str, str]
    AnyEntry = (
        GameEntry
        | JoinEntry
        | DeclareEntry[Any]
        | AnswerEntry
        | SealEntry
        | OfferEntry[Any]
        | AgreeEntry
        | RefuseEntry
        | RulingEntry[Any]
        | AnyPlay
        | DeedEntry
        | NoteEntry
        | BranchEntry
    )
else:
    AnyPlay = PlayEntry
    AnyEntry = Entry  # making a union takes longer than decoding all entries of a short game

PLAY_LINE_END = b',"type":"play"}'
"""The end of the bytes of every play, and of no other entry, since keys are sorted."""
MAIL_ENTRY_TYPES = (DeclareEntry, AnswerEntry, SealEntry, OfferEntry, AgreeEntry, RefuseEntry, RulingEntry)
"""The types of entries that only games by mail have."""
DEEDS_PACKAGE = "referee.record.table.deeds"
"""The package of all deeds. Every deed in it can be read. Modules of lower layers name no deed."""


def _spell_secret(value: Any) -> dict[str, str]:
    if not isinstance(value, Secret):
        raise NotImplementedError(f"no spelling for {type(value).__name__}")
    return {"leaf": value.leaf, "of": value.owner}


_encoder = msgspec.json.Encoder(order="sorted", enc_hook=_spell_secret)


def encode_for_log(value: Any) -> bytes:
    """Returns a value as a log spells it: JSON with sorted keys. A secret becomes its leaf."""
    return _encoder.encode(value)


def make_unchecked_play_type(game: AnyGame) -> Any:
    """Returns the type of this game's plays in which `prev`, `by` and `at` are any text. The caller must check them."""
    return cast(Any, PlayEntry)[game.action_types, game.event_types, str, str, str]


def make_entry_types(game: AnyGame) -> Any:
    """Returns the union of this game's entry types, for a decoder or a schema."""
    return _make_union_of_entries(game.action_types, game.event_types)


ANY_ACTION = Annotated[dict[str, Any], Meta(description="An action of the game.")]
ANY_EVENT = Annotated[dict[str, Any], Meta(description="An event of the game.")]


def make_common_entry_types() -> Any:
    """Returns the union of the entry types of all games, in which actions and events are any objects."""
    return _make_union_of_entries(ANY_ACTION, ANY_EVENT)


def _make_union_of_entries(actions: Any, events: Any) -> Any:
    play = cast(Any, PlayEntry)[actions, events, Hash, SeatName, Time]
    offer = cast(Any, OfferEntry)[make_offer_types()]
    ruling = cast(Any, RulingEntry)[make_offer_types()]
    mail = cast(Any, DeclareEntry)[actions] | AnswerEntry | SealEntry | offer | AgreeEntry | RefuseEntry | ruling
    return reduce(or_, list_deed_types(), GameEntry | JoinEntry | mail | play | NoteEntry | BranchEntry)


def make_offer_types() -> Any:
    """Returns the union of all offers that can be made by mail."""
    return reduce(or_, [offer for offer in _list_classes_in_deeds(Offer) if offer.by_mail])


def list_deed_types() -> tuple[type[DeedEntry], ...]:
    """Returns the types of all deeds. Each file of `DEEDS_PACKAGE` defines at most one."""
    return _list_classes_in_deeds(DeedEntry)


@cache
def _list_classes_in_deeds(kind: type[ClassInDeeds]) -> tuple[type[ClassInDeeds], ...]:
    """Returns the classes of this kind in the modules of `DEEDS_PACKAGE`, in the order of their `DEED_NUMBER`."""
    folder = Path(import_module(DEEDS_PACKAGE).__file__ or "").parent
    files = [import_module(f"{DEEDS_PACKAGE}.{file.stem}") for file in folder.glob("[a-z]*.py")]
    files.sort(
        key=lambda file: file.DEED_NUMBER
    )  # in the order of their numbers, since the order is a part of the schemas
    classes = [one for file in files for one in vars(file).values() if getattr(one, "__module__", "") == file.__name__]
    return tuple(one for one in classes if isinstance(one, type) and issubclass(one, kind))


def get_current_time() -> str:
    """Returns the present time in UTC, as entries hold it: `2026-11-26T18:30:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
