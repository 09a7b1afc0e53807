"""Names of players where a game is begun: each can be read, and none be taken for another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing, printable
from referee.record.log.entry import Seated
from referee.record.log.faults import NotAllowedError
from referee.record.log.limits import name_problem

WORDS = (REFEREE, "all", "draw", "nobody")
"""Words that stand where seats are named: who writes for all, that everybody agrees, that nobody has won."""
ALPHABETS = frozenset(("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU"))
"""Alphabets with letters that look like those of another."""
ALIKE = str.maketrans(
    "АВЕЗЅІЈКМНОРСТУХҮаезѕіјкорсухүһԁԛԝёЁ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ" + "ıɑɡɩʟǀ",
    "ABE3SIJKMHOPCTYXYae3sijkopcyxyhdqwëË" + "ABEZHIKMNOPTYXaiKvopux" + "iagiLl",
)
"""Letters of Cyrillic, of Greek and rare ones that look like Latin ones, each with the one that it looks like."""
PARTS = frozenset(':;,"=“”„«»')
"""Signs that end what a name is said in; brackets of all kinds do, too."""
DIGITS = str.maketrans("I1|0", "lllO")
"""What people take for a small L or a large O."""


Names = Mapping[Seat, str] | Sequence[str] | Sequence[Seated]
"""Who plays: names by seat, names in the order of the seats, or who sits there already, by an earlier log."""


def named_in(names: Names) -> tuple[str, ...]:
    """The names alone."""
    given = names.values() if isinstance(names, Mapping) else names
    return tuple(one.name if isinstance(one, Seated) else one for one in given)


def seated(places: Sequence[Seat], names: Names) -> tuple[Seated, ...]:
    """Every seat with the name of who sits there, or with its own; NotAllowedError for a name nobody may have. Who sits
    there already keeps the name, which may be an old one that nobody is given any more.
    """
    known = [one for one in names if isinstance(one, Seated)]
    return tuple(known) if known else _seated(places, cast(Mapping[Seat, str] | Sequence[str], names))


def _seated(places: Sequence[Seat], names: Mapping[Seat, str] | Sequence[str]) -> tuple[Seated, ...]:
    if not isinstance(names, Mapping):
        if len(names) > len(places):
            raise NotAllowedError(f"{len(names)} names for {len(places)} seats: {listing(places)}")
        names = dict(zip(places, names, strict=False))
    for seat in names:
        if seat not in places:
            raise NotAllowedError(f"there is no seat {seat!r}; the seats are {listing(places)}")
    named = {seat: names.get(seat, seat) for seat in places}
    problem = why_misnamed(named)
    if problem:
        raise NotAllowedError(problem)
    return tuple(Seated(seat, name) for seat, name in named.items())


def why_misnamed(names: Mapping[Seat, str]) -> str | None:
    """Returns why nobody may be called so at these seats, as a clause; None if each name can be read and told from all
    others. Whoever gave no name is called as the seat is.
    """
    given = {seat: name for seat, name in names.items() if name != seat}
    each = (_why_not_called(name, {*WORDS, *({*names} - {seat})}) for seat, name in given.items())
    return next(filter(None, each), None) or why_not_apart(given.values())


def _why_not_called(name: str, others: Collection[str]) -> str | None:
    """Returns why somebody may not have this name, where others are called so."""
    if any(_alike(name, other) for other in others):
        return f"nobody may be called {name}: it means somebody else; choose another name"
    return name_problem(name) or _problem(name)


def alike_in(names: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """The seats whose names somebody may take for another one's, or for another seat. A log from elsewhere may have
    such names, whatever is refused where a game is begun.
    """
    called = {seat: {seat, name} for seat, name in names.items()}
    return tuple(seat for seat in names if any(_meet(called[seat], called[other]) for other in names if other != seat))


def _meet(some: Iterable[str], others: Collection[str]) -> bool:
    return any(_alike(one, other) for one in some for other in others)


def why_not_apart(names: Iterable[str]) -> str | None:
    """Returns which name two people have, as a clause: nobody could tell who speaks or agrees; None if none."""
    before: list[str] = []
    for name in names:
        if any(_alike(name, other) for other in before):
            return f"two people are called {name}; tell them apart: {name} B, or a second name"
        before.append(name)
    return None


def check_apart(names: Iterable[str]) -> None:
    """Refuses two people of one name; NotAllowedError."""
    problem = why_not_apart(names)
    if problem:
        raise NotAllowedError(problem)


def _problem(name: str) -> str | None:
    """Why a name cannot be read as it is written, as a clause; None when it can."""
    from unicodedata import normalize  # only where a game is begun

    if printable(name) != name:
        return "a name must be readable: no invisible letters, and no heaps of accents"
    if any(_parts_words(char) for char in normalize("NFKC", name)):
        return f"the name {name} has brackets or signs that part words; write it without"
    if any(len(_alphabets_in(word)) > 1 for word in name.split()):
        return f"the name {name} mixes alphabets in one word, and some of their letters look alike; write it in one"
    return None


def _parts_words(char: str) -> bool:
    """Whether with this sign a name could say something beside the name, as `red (Bo)` is told of a seat."""
    from unicodedata import category

    return char in PARTS or category(char) in ("Ps", "Pe")


def _alphabets_in(word: str) -> set[str]:
    from unicodedata import name, normalize  # only where a game is begun

    return {name(char, "").partition(" ")[0] for char in normalize("NFKC", word) if char.isalpha()} & ALPHABETS


def _alike(one: str, other: str) -> bool:
    """Whether two names sound alike or look alike."""
    one, other = _latin(one), _latin(other)
    return one.casefold() == other.casefold() or one.translate(DIGITS).casefold() == other.translate(DIGITS).casefold()


def _latin(name: str) -> str:
    """A name without doubled spaces, letters of another width, or letters that look like Latin ones."""
    from unicodedata import normalize

    return " ".join(normalize("NFKC", name).split()).translate(ALIKE)
