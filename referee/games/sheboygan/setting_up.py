"""Setting up: the monster's record and the edge at which it will enter, which are kept secret (3.0, 12.0, 13.0)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, SecretEvent
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.secret import Secret
from referee.engine.slots import Between, OneOf, Subset
from referee.engine.text import listing, match_word
from referee.games.sheboygan.board import MapEdge
from referee.games.sheboygan.notation import Reader
from referee.games.sheboygan.options import (
    ABILITIES,
    ABILITY_COSTS,
    FIRE_ABILITIES,
    LEAST_STRENGTH_POINTS,
    MONSTER_SEAT,
    Ability,
    sum_ability_costs,
)
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.state import RecordSheet, SmallNumber, State, find_highest_initial_defense
from referee.games.sheboygan.status import PHASE_NAMES
from referee.games.sheboygan.strengths import StrengthPointsAction, describe_strengths, read_strengths

EDGE_NAMES: Mapping[MapEdge, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}


# The monster's abilities


class AbilitiesChosen(Event, frozen=True, tag="abilities-taken"):
    """The monster's abilities were chosen (13.0a). Only its player sees this event."""

    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]

    def tell(self) -> str:
        """Tells which abilities to note."""
        return f"Note in secret: abilities {listing(self.abilities) or 'none'}."

    def apply(self, state: State) -> State:
        """Notes the abilities."""
        return replace(state, sheet=Secret(MONSTER_SEAT, RecordSheet(abilities=self.abilities)))


class AbilitiesNoted(Event, frozen=True, tag="abilities-noted"):
    """The monster's abilities were noted in secret. Everybody sees this event."""

    told = "The monster's abilities are noted in secret."

    def apply(self, state: State) -> State:
        """Goes on to the writing of the record."""
        return replace(state, sheet=state.sheet or Secret(MONSTER_SEAT), phase="record")


class ChooseAbilities(Action, frozen=True, tag="abilities"):
    """Choose the monster's abilities, in secret (13.0a)."""

    says = "abilities {abilities}"
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]


def _offer_abilities(state: State) -> Iterator[Choice]:
    scenario = state.scenario
    bound = SumConstraint(
        ("abilities",),
        scenario.least_ability_points,
        scenario.monster_points - LEAST_STRENGTH_POINTS,
        {ability: ABILITY_COSTS[ability] for ability in scenario.abilities},
        f"for {scenario.least_ability_points} to {scenario.monster_points - LEAST_STRENGTH_POINTS} points",
    )
    yield Choice(ChooseAbilities, bounds=(bound,), abilities=Subset(scenario.abilities, 1, len(scenario.abilities)))


def _check_abilities(state: State, action: ChooseAbilities) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a choice of abilities breaks.

    Each has its price (3.1j) and must be in the scenario (14.22b). They take a quarter of the points or more (3.1k,
    C3).
    """
    scenario, cost = state.scenario, sum_ability_costs(action.abilities)
    strange = [ability for ability in action.abilities if ability not in scenario.abilities]
    if strange:
        rule = "14.22b" if set(strange) <= set(FIRE_ABILITIES) else "13.0a"
        yield Refusal(rule, f"there is no {listing(strange)} in the scenario {state.options['scenario']}")
    if cost < scenario.least_ability_points:
        yield Refusal(
            "3.1k",
            f"they cost {cost}; {scenario.least_ability_points} of {scenario.monster_points} points "
            "must go on abilities",
        )
    if cost > scenario.monster_points - LEAST_STRENGTH_POINTS:
        yield Refusal(
            "3.1j",
            f"they cost {cost}; defense and movement need {LEAST_STRENGTH_POINTS} of {scenario.monster_points} points",
        )
    if action.abilities != tuple(sorted(set(action.abilities), key=ABILITIES.index)):
        yield Refusal("3.1j", "each ability is taken once")


def _take_abilities(_state: State, action: ChooseAbilities, _dice: Dice) -> Script[State]:
    yield SecretEvent(AbilitiesChosen(action.abilities))
    yield AbilitiesNoted()


def _read_abilities(reader: Reader) -> ChooseAbilities:
    """Reads abilities by their names or by the beginnings of their names, such as fly or fire-breathing."""
    found = set()
    while self_word := reader.words and reader.next("an ability"):
        name = match_word(self_word.text, ABILITIES)
        if name is None:
            raise reader.make_word_error(self_word, f"an ability: {listing(ABILITIES, 'or')}", ABILITIES)
        found.add(name)
    return ChooseAbilities(tuple(ability for ability in ABILITIES if ability in found))


# The monster's strengths


class StrengthsChosen(Event, frozen=True, tag="strengths-taken"):
    """The monster's strengths, except defense, were chosen (12.0a). Only its player sees this event."""

    attack: SmallNumber
    destruction: SmallNumber
    movement: SmallNumber

    def tell(self) -> str:
        """Tells which strengths to note."""
        return f"Note in secret: {describe_strengths(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Notes the strengths beside the abilities."""
        abilities = state.sheet.value.abilities if state.sheet else ()
        sheet = RecordSheet(self.attack, self.destruction, self.movement, abilities)
        return replace(state, sheet=Secret(MONSTER_SEAT, sheet))


class RecordWritten(Event, frozen=True, tag="recorded"):
    """The monster's record was written. Everybody sees its defense strength (12.0h)."""

    told = "The monster's record is written. Its defense strength is {defense}."
    defense: SmallNumber

    def apply(self, state: State) -> State:
        """Records the defense strength, and goes on to the entry edge."""
        return replace(state, sheet=state.sheet or Secret(MONSTER_SEAT), defense=self.defense, phase="edge")


class WriteRecord(StrengthPointsAction, frozen=True, tag="record"):
    """Write the monster's strengths on its record sheet: defense for all to see, the others in secret (12.0a)."""

    says = "record att={attack} def={defense} des={destruction} mov={movement}"


def count_strength_points_left(state: State) -> int:
    """Returns the Initial Strength Points that the abilities leave for the strengths."""
    return state.scenario.monster_points - (sum_ability_costs(state.sheet.value.abilities) if state.sheet else 0)


def _offer_records(state: State) -> Iterator[Choice]:
    left = count_strength_points_left(state)
    bound = SumConstraint(("attack", "defense", "destruction", "movement"), LEAST_STRENGTH_POINTS, left)
    yield Choice(
        WriteRecord,
        bounds=(bound,),
        attack=Between(0, left - LEAST_STRENGTH_POINTS),
        defense=Between(1, min(find_highest_initial_defense(state), left - 1)),
        destruction=Between(0, left - LEAST_STRENGTH_POINTS),
        movement=Between(1, left - 1),
    )


def _check_record(state: State, action: WriteRecord) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a record breaks.

    Each point on a strength costs one point (3.1h) of those that the scenario gives (3.1g, 14.21a to 14.25a). Points
    that are not spent are lost (C49).
    """
    left = count_strength_points_left(state)
    if action.total > left:
        for rule in ("3.1g", SCENARIO_RULES[state.options["scenario"]]):
            yield refuse_price(rule, Price(action.total, left, "point"))
    if action.defense > find_highest_initial_defense(state):
        yield Refusal("3.1i", f"defense takes at most {find_highest_initial_defense(state)} points")
    if action.defense < 1 or action.movement < 1:
        yield Refusal("C50", "defense and movement cannot be zero")


SCENARIO_RULES = {
    "learning": "14.21a",
    "basic": "14.22a",
    "advanced-a": "14.23a",
    "advanced-b": "14.24a",
    "city-eating": "14.25a",
}
"""The rule that gives the points of each scenario."""


def _write_record(_state: State, action: WriteRecord, _dice: Dice) -> Script[State]:
    yield SecretEvent(StrengthsChosen(action.attack, action.destruction, action.movement))
    yield RecordWritten(action.defense)


# The edge


class EdgeChosen(Event, frozen=True, tag="edge-taken"):
    """The edge at which the monster will enter was chosen (3.2a). Only its player sees this event."""

    edge: MapEdge

    def tell(self) -> str:
        """Tells which edge to note."""
        return f"Note in secret: the monster enters at the {EDGE_NAMES[self.edge]} edge."

    def apply(self, state: State) -> State:
        """Notes the edge."""
        return replace(state, edge=Secret(MONSTER_SEAT, self.edge))


class EdgeNoted(Event, frozen=True, tag="edge-noted"):
    """The entry edge was noted in secret. Everybody sees this event."""

    told = "The entry edge is noted in secret. The human player buys units."

    def apply(self, state: State) -> State:
        """Goes on to the purchase of units."""
        return replace(state, edge=state.edge or Secret(MONSTER_SEAT), phase="buy")


class NoteEdge(Action, frozen=True, tag="edge"):
    """Note in secret at which map edge the monster will enter (3.2a)."""

    says = "edge {edge}"
    edge: MapEdge


def _offer_edges(_state: State) -> Iterator[Choice]:
    yield Choice(NoteEdge, edge=OneOf(tuple(EDGE_NAMES)))


def _note_edge(_state: State, action: NoteEdge, _dice: Dice) -> Script[State]:
    yield SecretEvent(EdgeChosen(action.edge))
    yield EdgeNoted()


def _read_edge(reader: Reader) -> NoteEdge:
    word = reader.next("an edge: N, E, S or W")
    edge = next((edge for edge, name in EDGE_NAMES.items() if name.startswith(word.text)), None)
    if edge is None:
        raise reader.make_word_error(word, "an edge: N, E, S or W", tuple(EDGE_NAMES))
    return NoteEdge(edge)


VERBS = (
    make_verb(
        ChooseAbilities,
        ("abilities",),
        _take_abilities,
        offers=_offer_abilities,
        check=_check_abilities,
        late=make_late_check("13.0a", PHASE_NAMES),
        read=_read_abilities,
    ),
    make_verb(
        WriteRecord,
        ("record",),
        _write_record,
        offers=_offer_records,
        check=_check_record,
        read=lambda reader: WriteRecord(**read_strengths(reader)),
    ),
    make_verb(NoteEdge, ("edge",), _note_edge, offers=_offer_edges, read=_read_edge),
)
