"""The monster's record in a game that begins from a position which does not tell it: noted in secret (12.0a, 12.0f)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Unseen
from referee.engine.legal import Action, Between, Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.text import listing, match_word
from referee.games.sheboygan.notation import Reader
from referee.games.sheboygan.options import ABILITIES, CREATURE, Ability
from referee.games.sheboygan.order import verb
from referee.games.sheboygan.settling import settle
from referee.games.sheboygan.state import Sheet, State
from referee.games.sheboygan.strengths import Strength, noted, read_strengths

MOST = 99
"""Points that no strength goes beyond."""


class SheetTaken(Event, frozen=True, tag="sheet-taken"):
    """Seen by its player alone: the monster's strengths besides defense, and all its abilities."""

    sheet: Sheet

    def tell(self) -> str:
        """What to note."""
        strengths = noted(self.sheet.attack, self.sheet.destruction, self.sheet.movement)
        return f"Note in secret: {strengths}; abilities {listing(self.sheet.abilities) or 'none'}."

    def apply(self, state: State) -> State:
        """Note it."""
        return replace(state, sheet=Secret(CREATURE, self.sheet))


class SheetNoted(Event, frozen=True, tag="sheet-noted"):
    """What everybody sees of that."""

    told = "The monster's record is noted in secret."

    def apply(self, state: State) -> State:
        """The game goes on."""
        return replace(state, due=state.due[1:])


class NoteSheet(Action, frozen=True, tag="sheet"):
    """Note in secret what the monster has, in a game that begins from a position: its strengths but for defense, and
    the abilities of which not everybody knows (12.0a, 12.0f).
    """

    says = "sheet att={attack} des={destruction} mov={movement} {abilities}"
    attack: Strength
    destruction: Strength
    movement: Strength
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]


def _unknown_abilities(state: State) -> tuple[Ability, ...]:
    """Abilities that the monster may have though it has not shown them."""
    return tuple(one for one in state.scenario.abilities if one not in (*state.known, *state.lacking))


def _sheet_offers(state: State) -> Iterator[Choice]:
    """What was spent in this turn it has at the least."""
    abilities = _unknown_abilities(state)
    yield Choice(
        NoteSheet,
        attack=Between(state.struck, MOST),
        destruction=Between(state.smashed, MOST),
        movement=Between(max(1, state.walked), MOST),
        abilities=Subset(abilities, 0, len(abilities)),
    )


def _check_sheet(state: State, action: NoteSheet) -> Iterator[Refusal]:
    spent = {"attack": state.struck, "destruction": state.smashed, "movement": max(1, state.walked)}
    for name, least in spent.items():
        if getattr(action, name) < least:
            yield Refusal("12.0a", f"{name} is {least} at the least, after what has happened")
    strange = [one for one in action.abilities if one not in _unknown_abilities(state)]
    if strange:
        yield Refusal(
            "12.0a", f"{listing(strange)}: only abilities of this scenario that are not known already are noted"
        )


def _note_sheet(state: State, action: NoteSheet, _dice: Dice) -> Script[State]:
    known = {*state.known, *action.abilities}
    abilities = tuple(one for one in ABILITIES if one in known)
    yield Unseen(SheetTaken(Sheet(action.attack, action.destruction, action.movement, abilities)))
    state = yield SheetNoted()
    yield from settle(state)


def _read_sheet(reader: Reader) -> NoteSheet:
    """Strengths with numbers, and abilities by how they begin: sheet att=3 mov=2 jump."""
    named = [word for word in reader.words if match_word(word.text, ABILITIES)]
    reader.words = [word for word in reader.words if word not in named]
    found = {match_word(word.text, ABILITIES) for word in named}
    strengths = read_strengths(reader)
    abilities = tuple(one for one in ABILITIES if one in found)
    return NoteSheet(strengths["attack"], strengths["destruction"], strengths["movement"], abilities)


VERBS = (verb(NoteSheet, ("noting",), _note_sheet, offers=_sheet_offers, check=_check_sheet, read=_read_sheet),)
