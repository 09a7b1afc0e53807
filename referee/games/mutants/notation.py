"""What players type, and how actions are written: `smash xN4-D1 n1 n2`, `move buck b1 to C4`, `pair auto`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from referee.engine.game import Seat
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, match_word
from referee.games.mutants.actions import (
    Arrive,
    Ask,
    ChooseSide,
    End,
    Fight,
    Glow,
    Hide,
    Hold,
    Lay,
    Move,
    MutantsAction,
    OpenDoor,
    Pair,
    PlaceWall,
    Pursue,
    Put,
    PutBoth,
    PutRandom,
    PutRest,
    Ready,
    Record,
    Remove,
    Resolve,
    Retreat,
    RollSides,
    Smash,
)
from referee.games.mutants.board import OFF, Side, expand
from referee.games.mutants.combat import engaged
from referee.games.mutants.state import State, other_side

BARE: Mapping[str, Callable[[], MutantsAction]] = {
    "sides": RollSides,
    "rest": PutRest,
    "random": PutRandom,
    "ready": Ready,
    "arrive": Arrive,
    "end": End,
    "resolve": Resolve,
    "hold": Hold,
    "glow": Glow,
    "record": Record,
}
VERBS = (
    *BARE,
    "choose",
    "wall",
    "put",
    "place",
    "smash",
    "open",
    "move",
    "fight",
    "lay",
    "pair",
    "retreat",
    "pursue",
    "hide",
)
SPEAKERS = ("h", "m", "human", "mutant")
LINKS = ("to", "in", ">", "with", "and")
"""Words that only make a phrase readable."""
SQUARE = re.compile("x?([nesw][1-9])")
ROOM = re.compile("[a-i][1-9]")


def parse(text: str, state: State, seat: Seat) -> MutantsAction:
    """The action that a phrase means here; NotUnderstoodError shows the word that cannot be read."""
    return _Reader(text, state, seat).action()


class _Reader(PhraseReader):
    """Reads one phrase, word by word."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text)
        self.words = [word for word in self.words if word.text not in LINKS]
        self.state, self.seat = state, seat

    def action(self) -> MutantsAction:
        first = self.next("a verb such as move, smash, fight or end")
        if first.text in SPEAKERS and self.words:
            first = self.next("a verb")
        verb = match_word(first.text, (*VERBS, "ask", "remove"))
        if verb is None:
            raise self.misread(first, "a verb such as move, smash, fight or end", VERBS)
        if verb in BARE:
            action = BARE[verb]()
        elif verb in ("put", "place"):
            action = self._put()
        else:
            action = self._of(verb)
        return self.finish(action)

    def _of(self, verb: str) -> MutantsAction:
        match verb:
            case "choose":
                return ChooseSide(self._side())
            case "wall":
                return PlaceWall(self._door())
            case "smash":
                return Smash(self._door(), self._units())
            case "open":
                return OpenDoor(self._door(), self._units())
            case "fight":
                return Fight(self._place())
            case "lay":
                return Lay(self._boxes(lay=True))
            case "pair":
                return Pair(self._boxes(lay=False))
            case "pursue":
                return Pursue(*self._company(self._units()))
            case "hide":
                return Hide(self._units())
            case "ask":
                return Ask(self._subject())
            case "remove":
                return Remove(self._units())
        place = self._place_at_the_end()
        group = self._company(self._units())
        return Retreat(*group, place) if verb == "retreat" else Move(*group, place)

    def _put(self) -> MutantsAction:
        if [word.text for word in self.words] == ["rest"]:
            self.words = []
            return PutRest()
        place = self._place_at_the_end()
        units = self._units()
        chiefs = [unit for unit in units if self._kind(unit) in ("guard", "leader")]
        if len(chiefs) == 1 and len(units) > 1:
            return PutBoth(chiefs[0], tuple(unit for unit in units if unit != chiefs[0]), place)
        return Put(units, place)

    def _company(self, units: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Who goes by himself, and who only along with them: Janibots, captive Penny."""
        along = tuple(
            unit
            for unit in units
            if self._kind(unit) == "janibot" or (self.state.is_captive(unit) and self.seat == "mutant")
        )
        return tuple(unit for unit in units if unit not in along), along

    def _kind(self, unit: str) -> str:
        return self.state.board.units[unit].kind if unit in self.state.board.units else ""

    def _units(self) -> tuple[str, ...]:
        """All words left, as units in the order of the counters."""
        named = self._named()
        return self.state.board.sorted(dict.fromkeys(named))

    def _named(self) -> list[str]:
        names: list[str] = []
        for word in self.words:
            found = expand(word.text)
            if not all(re.fullmatch("[a-z]{1,8}[0-9]{0,2}", name) for name in found):
                raise self.misread(word, "a unit, such as buck, b3 or n1..n4", tuple(self.state.board.units))
            names += found
        self.words = []
        return names

    def _boxes(self, *, lay: bool) -> tuple[str, ...]:
        """Units by box, as typed; "auto" lets the referee name the strongest first, for the player who says it."""
        if [word.text for word in self.words] != ["auto"]:
            return tuple(self._named())
        self.words = []
        combat = self.state.combat
        if combat is None:
            return ()
        side: Side = combat.first if lay else other_side(combat.first)
        count = len(combat.laid) or engaged(self.state, combat)
        units = self.state.board.units
        ranked = sorted(self.state.fighters(side, combat.room), key=lambda unit: -units[unit].hit)
        return tuple(ranked[:count])

    def _side(self) -> str:
        word = self.next("human or mutant")
        side = match_word(word.text, ("human", "mutant"))
        if side is None:
            raise self.misread(word, "human or mutant")
        return side

    def _place_at_the_end(self) -> str:
        if not self.words:
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, "units and a room")
        return self._read_place(self.words.pop())

    def _place(self) -> str:
        return self._read_place(self.next("a room, such as C4"))

    def _read_place(self, word: Word) -> str:
        place = _place_of(word.text)
        if place is None:
            raise self.misread(word, "a room such as C4 or a square such as xN4")
        return place

    def _subject(self) -> str:
        """A room, a square or a door."""
        is_door = bool(self.words) and "-" in self.words[0].text
        return self._door() if is_door else self._place()

    def _door(self) -> str:
        """A door as the board names it, whichever place is typed first."""
        word = self.next("a door, such as C3-C4")
        places = [_place_of(part) for part in word.text.split("-")]
        if len(places) != 2 or None in places or OFF in places:
            raise self.misread(word, "a door, such as C3-C4 or xN4-D1")
        one, other = str(places[0]), str(places[1])
        return self.state.board.doors.get((one, other), f"{one}-{other}")


def _place_of(word: str) -> str | None:
    """A place as typed. E1 to E7 alone are rooms, so the squares of the east side keep their x."""
    if word == OFF:
        return OFF
    if ROOM.fullmatch(word):
        return word.upper()
    found = SQUARE.fullmatch(word)
    return f"x{found[1].upper()}" if found else None
