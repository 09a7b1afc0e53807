"""Entries of a log: what each kind of line says.

An entry is spelt as JSON with sorted keys and no floats: one spelling for each. A secret is spelt
`{"leaf":"<64 hex>","of":"<seat>"}` wherever it stands. How its bytes stand in a line says `frame`.
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
from referee.engine.game import AnyGame
from referee.engine.mode import DiceMode
from referee.engine.secret import Secret
from referee.record.log.chair import Chair, OnRecovery, OnWord
from referee.record.log.fields import (
    BRANCH_NAME,
    FORMAT,
    MAX_NUMBER,
    MAX_PARENT,
    Agreed,
    Hash,
    Name,
    Number,
    Signature,
    Text,
    Time,
    is_time,
)
from referee.record.log.offer import Offer


class Entry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """One line of a log: what every entry holds."""

    n: Number
    """Number of the entry, from 0."""
    prev: Hash
    """Hash of the line before; 64 zeros for the first."""
    by: SeatName
    """The seat that made the entry, or `referee`."""
    at: Time
    """When, in UTC. Information only; nothing depends on it."""

    def __post_init__(self) -> None:
        """Refuses a time that no clock can show: no entry has one, wherever it comes from. ValueError."""
        if not is_time(self.at):
            raise ValueError(f"the time of an entry is a day and an hour of the calendar, not {self.at[:40]!r}")


class ShippedFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="shipped"):
    """A file that comes along, by name and SHA-256."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    """Its name, without the ending."""
    sha256: Hash
    """SHA-256 of its bytes."""


class OwnFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="own"):
    """The players' own file, whole."""

    document: dict[str, Any]
    """What it holds, in the form of its schema."""


class FileBeside(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="beside"):
    """The players' own file, too big for a line: it lies in `<log>.files/` under its SHA-256."""

    sha256: Hash
    """SHA-256 of its bytes."""


AnyFile = ShippedFile | OwnFile | FileBeside


class Seated(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat and the name of who sits there."""

    seat: SeatName
    """The seat."""
    name: Annotated[str, Meta(max_length=60)]
    """The name of the player, or of the bot, who sits there."""


class GameEntry(Entry, frozen=True, tag="game", omit_defaults=True):
    """The first entry: what is played, by whom, under which options. Its hash is the game's id."""

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    """Number of the log format."""
    game: Name
    """What is played."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    """Version of the rule module."""
    options: dict[str, str]
    """All options in force."""
    rulings: tuple[str, ...]
    """Ids of the rulings in force that no option switches."""
    seats: Annotated[tuple[Seated, ...], Meta(min_length=1, max_length=8)]
    """Who sits where, in playing order."""
    dice: DiceMode
    """Where dice come from."""
    files: dict[Name, AnyFile]
    """What it is played with: the board, and other components."""
    position: dict[str, Any] | None
    """The position from which the game starts; None: from its beginning."""
    nonce: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    """16 random bytes, so that no two games have one id."""
    bots: dict[SeatName, Name] = {}
    """The seats that bots play, each with the name of its bot; they stand in no log without any."""
    hints: bool = False
    """Whether who plays by mail may ask for hints; all see it before they join."""
    program: Annotated[str, Meta(max_length=60)] = ""
    """The version of the referee that wrote it; none where that did not say. Information only."""

    @property
    def names(self) -> dict[str, str]:
        """The name of who sits at each seat, in playing order."""
        return {seated.seat: seated.name for seated in self.seats}


class JoinEntry(Entry, frozen=True, tag="join", omit_defaults=True):
    """A seat that keeps secrets has its vault, and has sealed the seed of all dice that it throws in secret.

    From the seed in the log anybody could work out what was thrown, and so what was done. In a game by mail every seat
    joins, once, and again when its chains come to their end or it has lost its key. What only such games have is left
    out in others, whose logs are older.
    """

    seed: Secret[SeedHex] | None
    """Where dice come from a seed, that of its own secret ones; by mail, the end of its chain of them; else None."""
    chair: Chair | None = None
    """None where the game is not played by mail."""
    agreed: Agreed = ()
    """Seats that agreed that a seat comes with another key, where they said so in the log, as older logs do."""
    warrant: OnWord | OnRecovery | None = None
    """What lets a seat come with another key; None where it does not, and in older logs."""


A = TypeVar("A")
K = TypeVar("K")
E = TypeVar("E")
F = TypeVar("F", bound=Offer)
P = TypeVar("P", bound=Hash)
S = TypeVar("S", bound=SeatName)
T = TypeVar("T", bound=Time)


class Deed(Struct, Generic[A, E], frozen=True, forbid_unknown_fields=True):
    """What of a play only its seat sees."""

    action: A | None
    """None: everybody sees the action."""
    rolls: tuple[Roll, ...]
    """Dice thrown in secret."""
    events: tuple[tuple[int, E], ...]
    """What happened unseen, each with its place among all events of the play, from 0, in rising order."""


class PlayEntry(Entry, Generic[A, E, P, S, T], frozen=True, tag="play"):
    """An action, the dice it took, and what happened."""

    # Nearly all entries are plays: who knows what `prev` and `by` are reads them there as any text (`terse_play`).

    prev: P
    by: S
    at: T
    action: A | None
    """What was done. None: the very deed is a secret."""
    rolls: tuple[Roll, ...]
    """The dice that everybody sees, in the order of their draws."""
    events: tuple[E, ...]
    """What everybody sees."""
    secret: Secret[Deed[A, E]] | None
    """What only the seat sees; None: there is nothing else."""

    @property
    def is_open(self) -> bool:
        """Whether all of it is known here."""
        return self.secret is None or self.secret.known

    @property
    def deed(self) -> Deed[A, E]:
        """The whole play, as far as it is known here."""
        return Deed(self.done, self.all_rolls, tuple(enumerate(self.all_events)))

    @property
    def done(self) -> A | None:
        """The action; None where it is a secret that is not known here."""
        if self.action is not None or self.secret is None or not self.secret.known:
            return self.action
        return self.secret.value.action

    @property
    def all_rolls(self) -> tuple[Roll, ...]:
        """All dice thrown for it, those in the open first, as far as they are known here."""
        if self.secret is None or not self.secret.known:
            return self.rolls
        return self.rolls + self.secret.value.rolls

    @property
    def all_events(self) -> tuple[E, ...]:
        """Everything that happened, as far as it is known here."""
        if self.secret is None or not self.secret.known:
            return self.events
        events = list(self.events)
        for place, event in self.secret.value.events:
            events.insert(place, event)
        return tuple(events)


class DeclareEntry(Entry, Generic[A], frozen=True, tag="declare"):
    """What a seat does next, one action after another as long as they are legal, said before its dice are thrown."""

    cast: Annotated[int, Meta(ge=0, le=65_536)]
    """Number of the throw that all seats make together, from 0. Each is used once, also after a takeback."""
    value: Hash
    """What the seat gives to it: the next value of its chain."""
    actions: Annotated[tuple[A, ...], Meta(max_length=64)]
    """What is declared, in its order. Empty where it is secret."""
    secret: Secret[tuple[A, ...]] | None
    """The actions, where the very deed of one of them is a secret of the seat."""

    @property
    def said(self) -> tuple[A, ...] | None:
        """The actions; None where they are a secret that is not known here."""
        if self.secret is None:
            return self.actions
        return self.secret.value if self.secret.known else None


class AnswerEntry(Entry, frozen=True, tag="answer", omit_defaults=True):
    """What a seat gives to a throw. Where none was declared, it opens the one that the next player has to make."""

    cast: Annotated[int, Meta(ge=0, le=65_536)]
    """Number of the throw."""
    value: Hash
    """What the seat gives to it: the next value of its chain."""
    signature: Signature | None = None
    """Where its seat gave it beside the log, and who throws put it there; else the seat's next seal covers it."""


class SealEntry(Entry, frozen=True, tag="seal"):
    """A seat has signed all that stands before, and hands the pen over: only its new holder adds to the log."""

    to: SeatName
    """Who holds the pen now. The seat itself, where more than two play and it waits for parts of a throw."""
    signature: Signature
    """Made with the key of the seat, under all that stands before."""


class OfferEntry(Entry, Generic[F], frozen=True, tag="offer"):
    """A seat asks the others to agree to something. It holds until somebody refuses it or plays on."""

    offer: F
    """What the others are to agree to."""
    on: Number
    """The last entry that who offers had seen."""
    signature: Signature | None
    """None where who offers held the pen: his next seal covers it."""


class AgreeEntry(Entry, frozen=True, tag="agree"):
    """A seat agrees to an offer."""

    to: Number
    """The entry that holds it."""


class RefuseEntry(Entry, frozen=True, tag="refuse"):
    """A seat does not agree to an offer, which holds no longer."""

    to: Number
    """The entry that holds it."""


class DeedEntry(Entry, frozen=True):
    """What players do with a record beside playing on: they take back, amend, resign.

    Each deed is one file of the folder `DEEDS`. Here stands what has to be known of any to read a log.
    """

    if TYPE_CHECKING:
        agreed: Agreed
        """Seats that agreed; each deed says which are needed."""

    bar: ClassVar[Literal["agreed", "ended"] | None] = None
    """Why nobody goes back over it alone, where the game stands otherwise after it: the line of play goes through such
    deeds, and through no others.
    """
    goes_back: ClassVar[bool] = False
    """Whether the game goes on from an earlier entry."""
    opens: ClassVar[bool] = False
    """Whether it opens a `leaf`, with `salt` and `value`. Then it adds nothing to the game."""
    is_bounded: ClassVar[bool] = False
    """Whether its type leaves nothing to be bounded but what text may hold: what is plain has no fault."""
    names_entry: ClassVar[str] = ""
    """The field that names an earlier entry, if there is one."""

    @property
    def called(self) -> str:
        """What it is called where a log that counts is found changed."""
        return "a play"

    @property
    def back_to(self) -> int | None:
        """The earlier entry from which the game goes on; None: it goes on from here."""
        return None

    @property
    def versions(self) -> tuple[int, int] | None:
        """The log format and the rules that hold after it; None: those that held before."""
        return None


class NoteEntry(Entry, frozen=True, tag="note"):
    """A remark."""

    text: Text
    """The remark."""


class BranchEntry(Entry, frozen=True, tag="branch"):
    """From here on this log is a branch: the entries before are its parent's, byte for byte."""

    name: Annotated[str, Meta(pattern=f"^{BRANCH_NAME}$")]
    """What the branch is called."""
    parent: Annotated[str, Meta(max_length=MAX_PARENT)]
    """Name of the log that it left. Where it left it, `n` and `prev` tell."""


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
        | AnyPlay
        | DeedEntry
        | NoteEntry
        | BranchEntry
    )
else:
    AnyPlay = PlayEntry
    AnyEntry = Entry  # a union takes longer to make than all entries of a short game to decode

PLAY = b',"type":"play"}'
"""How the bytes of a play end, and those of no other entry: keys are sorted."""
MAILED = (DeclareEntry, AnswerEntry, SealEntry, OfferEntry, AgreeEntry, RefuseEntry)
"""Entries of games by mail."""
DEEDS = "referee.record.table.deeds"
"""The folder of all deeds. What is found there can be read, as with games; nothing below it names one of them."""


def _spell_secret(value: Any) -> dict[str, str]:
    if not isinstance(value, Secret):
        raise NotImplementedError(f"no spelling for {type(value).__name__}")
    return {"leaf": value.leaf, "of": value.owner}


_encoder = msgspec.json.Encoder(order="sorted", enc_hook=_spell_secret)


def encode(value: Any) -> bytes:
    """The one spelling of a value that stands in a log: a secret is its leaf."""
    return _encoder.encode(value)


def terse_play(game: AnyGame) -> Any:
    """The type of this game's plays for who looks at `prev`, `by` and `at` himself."""
    return cast(Any, PlayEntry)[game.actions, game.events, str, str, str]


def entry_types(game: AnyGame) -> Any:
    """The union of this game's entry types, for a decoder or a schema."""
    return _entries_of(game.actions, game.events)


ANY_ACTION = Annotated[dict[str, Any], Meta(description="An action of the game.")]
ANY_EVENT = Annotated[dict[str, Any], Meta(description="An event of the game.")]


def common_types() -> Any:
    """Returns the union of the entry types of all games, in which an action and an event are any object."""
    return _entries_of(ANY_ACTION, ANY_EVENT)


def _entries_of(actions: Any, events: Any) -> Any:
    play = cast(Any, PlayEntry)[actions, events, Hash, SeatName, Time]
    offer = cast(Any, OfferEntry)[offer_types()]
    mail = cast(Any, DeclareEntry)[actions] | AnswerEntry | SealEntry | offer | AgreeEntry | RefuseEntry
    return reduce(or_, all_deeds(), GameEntry | JoinEntry | mail | play | NoteEntry | BranchEntry)


def offer_types() -> Any:
    """The union of all that seats can be asked to agree to by mail."""
    return reduce(or_, [offer for offer in _found(Offer) if offer.by_mail])


def all_deeds() -> tuple[type[DeedEntry], ...]:
    """The deeds of a record: in each file of their folder, none or one."""
    return _found(DeedEntry)


@cache
def _found(kind: type[K]) -> tuple[type[K], ...]:
    """The classes of this kind that the files of deeds define."""
    folder = Path(import_module(DEEDS).__file__ or "").parent
    files = [import_module(f"{DEEDS}.{file.stem}") for file in folder.glob("[a-z]*.py")]
    files.sort(key=lambda file: file.NUMBER)  # as they came: schemas list them so, which is a part of their form
    classes = [one for file in files for one in vars(file).values() if getattr(one, "__module__", "") == file.__name__]
    return tuple(one for one in classes if isinstance(one, type) and issubclass(one, kind))


def now() -> str:
    """The time as entries hold it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
