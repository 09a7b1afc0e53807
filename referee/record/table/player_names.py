"""Checks of players' names when a game begins: each name is readable, and none can be mistaken for another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from referee.engine.event import REFEREE, Seat
from referee.engine.text import JOINING_CHARACTERS, listing, make_printable
from referee.record.log.entry import SeatedPlayer
from referee.record.log.limits import find_name_problem
from referee.record.log.log_errors import NotAllowedError

RESERVED_WORDS = (REFEREE, "all", "draw", "nobody")
"""Words that have a meaning of their own where seats are named: the referee, everybody, a draw, and no winner."""
LOOK_ALIKE_ALPHABETS = frozenset(("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU"))
"""Alphabets with letters that look like letters of another alphabet."""
LATIN_LOOK_ALIKES = str.maketrans(
    "АВЕЗЅІЈКМНОРСТУХҮаезѕіјкорсухүһԁԛԝёЁ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ" + "ıɑɡɩʟǀ",
    "ABE3SIJKMHOPCTYXYae3sijkopcyxyhdqwëË" + "ABEZHIKMNOPTYXaiKvopux" + "iagiLl",
)
"""Cyrillic, Greek and rare letters that look like Latin ones, each with its Latin look-alike."""
NAME_END_SIGNS = frozenset(':;,"=“”„«»')
"""Signs that end a name in a sentence; brackets of all kinds do, too."""
LOWEST_ACCENT_CLASS = 200
"""The lowest combining class of accents. Marks of lower classes are letters of their alphabets, such as vowels."""
LOOK_ALIKE_DIGITS = str.maketrans("I1|0", "lllO")
"""Characters that people mistake for a small L or a large O."""
LOOK_ALIKE_LETTERS = str.maketrans("i1|0øłđ", "lll" + "oold")
"""Small letters and digits that people mistake for one another in a name that they know."""


PlayerNames = Mapping[Seat, str] | Sequence[str] | Sequence[SeatedPlayer]
"""The players: names by seat, names in the order of the seats, or the seated players of an earlier log."""


def list_player_names(names: PlayerNames) -> tuple[str, ...]:
    """Returns the names without their seats."""
    given = names.values() if isinstance(names, Mapping) else names
    return tuple(one.name if isinstance(one, SeatedPlayer) else one for one in given)


def pair_seats_with_players(places: Sequence[Seat], names: PlayerNames) -> tuple[SeatedPlayer, ...]:
    """Returns every seat with the name of its player, or with the name of the seat.

    Players of an earlier log keep their names, even if those would not be allowed today. Raises NotAllowedError for a
    name that is not allowed.
    """
    known = [one for one in names if isinstance(one, SeatedPlayer)]
    return tuple(known) if known else _pair_seats_with_names(places, cast(Mapping[Seat, str] | Sequence[str], names))


def _pair_seats_with_names(
    places: Sequence[Seat], names: Mapping[Seat, str] | Sequence[str]
) -> tuple[SeatedPlayer, ...]:
    if not isinstance(names, Mapping):
        if len(names) > len(places):
            raise NotAllowedError(f"{len(names)} names for {len(places)} seats: {listing(places)}")
        names = dict(zip(places, names, strict=False))
    for seat in names:
        if seat not in places:
            raise NotAllowedError(f"there is no seat {seat!r}; the seats are {listing(places)}")
    named = {seat: names.get(seat, seat) for seat in places}
    problem = explain_unfit_names(named)
    if problem:
        raise NotAllowedError(problem)
    return tuple(SeatedPlayer(seat, name) for seat, name in named.items())


def explain_unfit_names(names: Mapping[Seat, str]) -> str | None:
    """Returns why a name is not allowed at these seats, as a clause. None if each can be read and told apart.

    A player without a name is called by the name of the seat.
    """
    given = {seat: name for seat, name in names.items() if name != seat}
    each = (_explain_unfit_name(name, {*RESERVED_WORDS, *({*names} - {seat})}) for seat, name in given.items())
    return next(filter(None, each), None) or explain_duplicate_name(given.values())


def _explain_unfit_name(name: str, others: Collection[str]) -> str | None:
    """Returns why a player may not have this name, as a clause; None if they may. `others` are names that are taken."""
    if any(_is_alike(name, other) for other in others):
        return f"the name {name} is taken, or looks like one that is; choose another name"
    return find_name_problem(name) or _find_spelling_problem(name)


def explain_unfit_newcomer(name: str, seat: Seat, others: Mapping[Seat, str], former: Iterable[str]) -> str | None:
    """Returns why somebody with this name may not sit down at a seat in mid-game, as a clause; None if they may.

    `others` are the names at the other seats. `former` are all players of the game so far: one of them may come back,
    but only by the same name.
    """
    alike = next((known for known in former if known != name and _is_alike(known, name)), None)
    if alike and alike not in others.values():
        return f"{alike} played here before; type {alike} for the same player, or choose another name"
    return None if name == seat else _explain_unfit_name(name, {*RESERVED_WORDS, *others, *others.values()})


def list_seats_with_similar_names(names: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """Returns the seats whose names look like those of another player or seat.

    A log from elsewhere may have such names, although none can be chosen when a game begins here.
    """
    called = {seat: {seat, name} for seat, name in names.items()}
    return tuple(
        seat for seat in names if any(_has_look_alike(called[seat], called[other]) for other in names if other != seat)
    )


def _has_look_alike(some: Iterable[str], others: Collection[str]) -> bool:
    return any(_is_alike(one, other) for one in some for other in others)


def explain_duplicate_name(names: Iterable[str]) -> str | None:
    """Returns a clause about a name that two people share, or two names that look alike; None if all are distinct."""
    before: list[str] = []
    for name in names:
        alike = next((other for other in before if _is_alike(name, other)), None)
        if alike and _is_same(name, alike):
            return f"two people are called {name}; tell them apart: {name} B, or a second name"
        if alike:
            return f"the names {alike} and {name} look alike; choose another name for one of them"
        before.append(name)
    return None


def _is_same(one: str, other: str) -> bool:
    """True if two names are the same, apart from capitals, wide letters and doubled spaces."""
    from unicodedata import normalize

    first, second = (" ".join(normalize("NFKC", name).split()).casefold() for name in (one, other))
    return first == second


def is_look_alike(one: str, other: str) -> bool:
    """True if people could mistake one of the names for the other. Case, accents, signs and similar letters are
    ignored.

    This is stricter than the check of names in one game.
    """
    return _blur_name(one) == _blur_name(other)


def _blur_name(name: str) -> str:
    """Returns a name as it looks to somebody who only glances at it."""
    from unicodedata import normalize

    seen = normalize("NFKD", _to_latin(name)).casefold().translate(LOOK_ALIKE_LETTERS)
    return "".join(filter(str.isalnum, seen)).replace("rn", "m").replace("vv", "w")


def check_distinct_names(names: Iterable[str]) -> None:
    """Raises NotAllowedError if two people have the same name, or names that look alike."""
    problem = explain_duplicate_name(names)
    if problem:
        raise NotAllowedError(problem)


def _find_spelling_problem(name: str) -> str | None:
    """Returns why a name cannot be read as it is written, as a clause; None if it can."""
    from unicodedata import normalize  # only where a game begins

    if make_printable(name) != name:
        return "a name must be readable: no invisible letters, no piles of accents"
    if any(_can_end_name(char) for char in normalize("NFKC", name)):
        return f"the name {name} has brackets or punctuation; leave them out"
    if any(len(_find_alphabets(word)) > 1 for word in name.split()):
        return f"the name {name} mixes alphabets in one word; use only one, since some letters look alike"
    return None


def _can_end_name(char: str) -> bool:
    """True if readers could take this sign for the end of a name, as the bracket in "red (Bo)"."""
    from unicodedata import category

    return char in NAME_END_SIGNS or category(char) in ("Ps", "Pe")


def _find_alphabets(word: str) -> set[str]:
    from unicodedata import name, normalize  # only where a game begins

    return {
        name(char, "").partition(" ")[0] for char in normalize("NFKC", word) if char.isalpha()
    } & LOOK_ALIKE_ALPHABETS


def _is_alike(one: str, other: str) -> bool:
    """True if two names look alike."""
    return any(mine == theirs for mine, theirs in zip(_list_looks(one), _list_looks(other), strict=True))


def _list_looks(name: str) -> tuple[str, str]:
    """Returns a name as it looks in small letters, and as it looks if digits are taken for letters."""
    plain = _to_latin(name)
    return plain.casefold(), plain.translate(LOOK_ALIKE_DIGITS).casefold()


def group_similar_names(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Returns the groups of different names that look alike, such as "José" and "Jose", each in order."""
    groups: dict[tuple[int, str], list[str]] = {}
    for name in sorted(set(names)):
        for key in enumerate(_list_looks(name)):
            groups.setdefault(key, []).append(name)
    return sorted({tuple(group) for group in groups.values() if len(group) > 1})


def _to_latin(name: str) -> str:
    """Returns a name without doubled spaces, accents, joiners, wide letters, or letters that look like Latin ones."""
    from unicodedata import combining, normalize

    plain = "".join(
        char
        for char in normalize("NFKD", name)
        if combining(char) < LOWEST_ACCENT_CLASS and char not in JOINING_CHARACTERS
    )
    return " ".join(normalize("NFKC", plain).split()).translate(LATIN_LOOK_ALIKES)
