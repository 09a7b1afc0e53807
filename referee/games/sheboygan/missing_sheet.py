"""Noting the monster's record in secret, if a game begins from a position that does not give it (12.0a, 12.0f)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, SecretEvent
from referee.engine.rulebook import Refusal
from referee.engine.secret import Secret
from referee.engine.slots import Between, Subset
from referee.engine.text import listing, match_word
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.notation import Reader
from referee.games.sheboygan.options import ABILITIES, MONSTER_SEAT, Ability
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import RecordSheet, State
from referee.games.sheboygan.strengths import Strength, describe_strengths, read_strengths

MAX_STRENGTH = 99
"""The most points that a strength can have."""


class SheetFilledIn(Event, frozen=True, tag="sheet-taken"):
    """The monster's strengths, except defense, and all its abilities. Only its player sees this event."""

    sheet: RecordSheet

    def tell(self) -> str:
        """Tells which strengths and abilities to note."""
        strengths = describe_strengths(self.sheet.attack, self.sheet.destruction, self.sheet.movement)
        return f"Note in secret: {strengths}; abilities {listing(self.sheet.abilities) or 'none'}."

    def apply(self, state: State) -> State:
        """Notes the strengths and abilities."""
        return replace(state, sheet=Secret(MONSTER_SEAT, self.sheet))


class SheetNoted(Event, frozen=True, tag="sheet-noted"):
    """The monster's record was noted in secret. Everybody sees this event."""

    told = "The monster's record is noted in secret."

    def apply(self, state: State) -> State:
        """Removes the duty to note the record."""
        return replace(state, due=state.due[1:])


class NoteSheet(Action, frozen=True, tag="sheet"):
    """Note in secret what the monster has, in a game that begins from a position (12.0a, 12.0f).

    That is its strengths except defense, and the abilities that not everybody knows.
    """

    says = "sheet att={attack} des={destruction} mov={movement} {abilities}"
    attack: Strength
    destruction: Strength
    movement: Strength
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]


def _list_unknown_abilities(state: State) -> tuple[Ability, ...]:
    """Returns the abilities that the monster may have although it has not shown them."""
    return tuple(one for one in state.scenario.abilities if one not in (*state.known, *state.lacking))


def _offer_sheets(state: State) -> Iterator[Choice]:
    """Offers every record with at least the points that were spent in this turn."""
    abilities = _list_unknown_abilities(state)
    yield Choice(
        NoteSheet,
        attack=Between(state.struck, MAX_STRENGTH),
        destruction=Between(state.smashed, MAX_STRENGTH),
        movement=Between(max(1, state.walked), MAX_STRENGTH),
        abilities=Subset(abilities, 0, len(abilities)),
    )


def _check_sheet(state: State, action: NoteSheet) -> Iterator[Refusal]:
    spent = {"attack": state.struck, "destruction": state.smashed, "movement": max(1, state.walked)}
    for name, least in spent.items():
        if getattr(action, name) < least:
            yield Refusal("12.0a", f"{name} must be at least {least} after what has happened")
    strange = [one for one in action.abilities if one not in _list_unknown_abilities(state)]
    if strange:
        yield Refusal(
            "12.0a", f"{listing(strange)}: only abilities of this scenario that are not known already are noted"
        )


def _note_sheet(state: State, action: NoteSheet, _dice: Dice) -> Script[State]:
    known = {*state.known, *action.abilities}
    abilities = tuple(one for one in ABILITIES if one in known)
    yield SecretEvent(SheetFilledIn(RecordSheet(action.attack, action.destruction, action.movement, abilities)))
    state = yield SheetNoted()
    yield from settle_duties(state)


def _read_sheet(reader: Reader) -> NoteSheet:
    """Reads strengths with numbers, and abilities by their beginnings: `sheet att=3 mov=2 jump`."""
    named = [word for word in reader.words if match_word(word.text, ABILITIES)]
    reader.words = [word for word in reader.words if word not in named]
    found = {match_word(word.text, ABILITIES) for word in named}
    strengths = read_strengths(reader)
    abilities = tuple(one for one in ABILITIES if one in found)
    return NoteSheet(strengths["attack"], strengths["destruction"], strengths["movement"], abilities)


VERBS = (make_verb(NoteSheet, ("noting",), _note_sheet, offers=_offer_sheets, check=_check_sheet, read=_read_sheet),)
