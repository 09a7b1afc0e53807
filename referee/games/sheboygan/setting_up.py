"""Setting up: the monster's record, which is kept secret, and the human player's units (3.0, 12.0, 13.0).

Firemen are put on the map as other units are, when they come (11.31c, 11.31d).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Unseen
from referee.engine.legal import Action, Between, Choice, OneOf, Subset, Total
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.text import count_of, listing, match_word
from referee.games.sheboygan.board import Edge
from referee.games.sheboygan.counters import LETTERS, STACKED, Pieces, UnitIds, in_order, listed, numbered
from referee.games.sheboygan.notation import Box, Reader
from referee.games.sheboygan.options import ABILITIES, COSTS, CREATURE, FIRE_ABILITIES, LEAST, Ability, cost_of
from referee.games.sheboygan.order import late, verb
from referee.games.sheboygan.state import BoxName, Few, Sheet, State, most_defense
from referee.games.sheboygan.status import PHASES
from referee.games.sheboygan.turns import PhaseBegun

EDGES: Mapping[Edge, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}
Strength = Annotated[int, Meta(ge=0, le=99)]


# The monster's abilities


class AbilitiesTaken(Event, frozen=True, tag="abilities-taken"):
    """Seen by its player alone: the monster's abilities (13.0a)."""

    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]

    def tell(self) -> str:
        """What to note."""
        return f"Note in secret: abilities {listing(self.abilities) or 'none'}."

    def apply(self, state: State) -> State:
        """Note them."""
        return replace(state, sheet=Secret(CREATURE, Sheet(abilities=self.abilities)))


class AbilitiesNoted(Event, frozen=True, tag="abilities-noted"):
    """What everybody sees of that."""

    told = "The monster's abilities are noted in secret."

    def apply(self, state: State) -> State:
        """There is a record sheet now."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), phase="record")


class TakeAbilities(Action, frozen=True, tag="abilities"):
    """Choose the monster's abilities, in secret (13.0a)."""

    says = "abilities {abilities}"
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]


def _abilities_offers(state: State) -> Iterator[Choice]:
    scenario = state.scenario
    bound = Total(
        ("abilities",),
        scenario.quota,
        scenario.monster - LEAST,
        {ability: COSTS[ability] for ability in scenario.abilities},
        f"for {scenario.quota} to {scenario.monster - LEAST} points",
    )
    yield Choice(TakeAbilities, bounds=(bound,), abilities=Subset(scenario.abilities, 1, len(scenario.abilities)))


def _check_abilities(state: State, action: TakeAbilities) -> Iterator[Refusal]:
    """Each at its price (3.1j), those of the scenario (14.22b), for a quarter of the points at the least (3.1k, C3)."""
    scenario, cost = state.scenario, cost_of(action.abilities)
    strange = [ability for ability in action.abilities if ability not in scenario.abilities]
    if strange:
        rule = "14.22b" if set(strange) <= set(FIRE_ABILITIES) else "13.0a"
        yield Refusal(rule, f"there is no {listing(strange)} in the scenario {state.options['scenario']}")
    if cost < scenario.quota:
        yield Refusal("3.1k", f"they cost {cost}; {scenario.quota} of {scenario.monster} points must go on abilities")
    if cost > scenario.monster - LEAST:
        yield Refusal("3.1j", f"they cost {cost}; defense and movement need {LEAST} of {scenario.monster} points")
    if action.abilities != tuple(sorted(set(action.abilities), key=ABILITIES.index)):
        yield Refusal("3.1j", "each ability is taken once")


def _take_abilities(_state: State, action: TakeAbilities, _dice: Dice) -> Script[State]:
    yield Unseen(AbilitiesTaken(action.abilities))
    yield AbilitiesNoted()


def _read_abilities(reader: Reader) -> TakeAbilities:
    """Abilities by their names or how these begin, such as fly or fire-breathing."""
    found = set()
    while self_word := reader.words and reader.next("an ability"):
        name = match_word(self_word.text, ABILITIES)
        if name is None:
            raise reader.misread(self_word, f"an ability: {listing(ABILITIES, 'or')}", ABILITIES)
        found.add(name)
    return TakeAbilities(tuple(ability for ability in ABILITIES if ability in found))


# Its strengths


def noted(attack: int, destruction: int, movement: int) -> str:
    """Strengths with their points, as they are noted in secret."""
    points = {"attack": attack, "destruction": destruction, "movement": movement}
    return listing([f"{strength} {count}" for strength, count in points.items() if count]) or "nothing"


class StrengthsTaken(Event, frozen=True, tag="strengths-taken"):
    """Seen by its player alone: the monster's strengths besides defense (12.0a)."""

    attack: Few
    destruction: Few
    movement: Few

    def tell(self) -> str:
        """What to note."""
        return f"Note in secret: {noted(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Note them beside the abilities."""
        abilities = state.sheet.value.abilities if state.sheet else ()
        sheet = Sheet(self.attack, self.destruction, self.movement, abilities)
        return replace(state, sheet=Secret(CREATURE, sheet))


class Recorded(Event, frozen=True, tag="recorded"):
    """What everybody sees of that: the defense strength (12.0h)."""

    told = "The monster's record is written. Its defense strength is {defense}."
    defense: Few

    def apply(self, state: State) -> State:
        """The record is written."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), defense=self.defense, phase="edge")


class Strengths(Action, frozen=True):
    """Points on strengths."""

    attack: Strength
    defense: Strength
    destruction: Strength
    movement: Strength

    @property
    def total(self) -> int:
        """All points together."""
        return self.attack + self.defense + self.destruction + self.movement


class Record(Strengths, frozen=True, tag="record"):
    """Write the monster's strengths on its record sheet: defense for all to see, the others in secret (12.0a)."""

    says = "record att={attack} def={defense} des={destruction} mov={movement}"


def _points_left(state: State) -> int:
    """Points that are left for the strengths."""
    return state.scenario.monster - (cost_of(state.sheet.value.abilities) if state.sheet else 0)


def _record_offers(state: State) -> Iterator[Choice]:
    left = _points_left(state)
    bound = Total(("attack", "defense", "destruction", "movement"), LEAST, left)
    yield Choice(
        Record,
        bounds=(bound,),
        attack=Between(0, left - LEAST),
        defense=Between(1, min(most_defense(state), left - 1)),
        destruction=Between(0, left - LEAST),
        movement=Between(1, left - 1),
    )


def _check_record(state: State, action: Record) -> Iterator[Refusal]:
    """A point each (3.1h), as many as the scenario gives (3.1g, 14.21a to 14.25a); what is not spent is lost (C49)."""
    left = _points_left(state)
    if action.total > left:
        spent = f"{action.total} points on strengths; {left} of {state.scenario.monster} are left for them"
        yield Refusal("3.1g", spent)
        yield Refusal(SCENARIO_RULES[state.options["scenario"]], spent)
    if action.defense > most_defense(state):
        yield Refusal("3.1i", f"defense takes {most_defense(state)} points at the most")
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


def _record(_state: State, action: Record, _dice: Dice) -> Script[State]:
    yield Unseen(StrengthsTaken(action.attack, action.destruction, action.movement))
    yield Recorded(action.defense)


STRENGTHS = {"att": "attack", "def": "defense", "des": "destruction", "mov": "movement"}
"""How strengths are typed."""


def read_strengths(reader: Reader) -> dict[str, int]:
    """Strengths with numbers: att=9 def=8, or att 9 def 8; a strength without one counts 1."""
    found = dict.fromkeys(STRENGTHS.values(), 0)
    while reader.words:
        word = reader.next("a strength")
        name, _, number = word.text.partition("=")
        strength = match_word(name[:3], tuple(STRENGTHS))
        if strength is None:
            raise reader.misread(word, "a strength: att, def, des or mov, such as att=9", tuple(STRENGTHS))
        if not number and reader.words and reader.words[0].text.isdecimal():
            number = reader.next("a number").text
        if not (number or "1").isdecimal() or len(number) > 2:
            raise reader.misread(word, f"a number of points, such as {strength}=9")
        found[STRENGTHS[strength]] += int(number or 1)
    return found


# The edge


class EdgeTaken(Event, frozen=True, tag="edge-taken"):
    """Seen by its player alone: the edge at which the monster will enter (3.2a)."""

    edge: Edge

    def tell(self) -> str:
        """What to note."""
        return f"Note in secret: the monster enters at the {EDGES[self.edge]} edge."

    def apply(self, state: State) -> State:
        """Note it."""
        return replace(state, edge=Secret(CREATURE, self.edge))


class EdgeNoted(Event, frozen=True, tag="edge-noted"):
    """What everybody sees of that."""

    told = "The entry edge is noted in secret. The human player buys his units."

    def apply(self, state: State) -> State:
        """The human player buys."""
        return replace(state, edge=state.edge or Secret(CREATURE), phase="buy")


class NoteEdge(Action, frozen=True, tag="edge"):
    """Note in secret at which map edge the monster will enter (3.2a)."""

    says = "edge {edge}"
    edge: Edge


def _edge_offers(_state: State) -> Iterator[Choice]:
    yield Choice(NoteEdge, edge=OneOf(tuple(EDGES)))


def _note_edge(_state: State, action: NoteEdge, _dice: Dice) -> Script[State]:
    yield Unseen(EdgeTaken(action.edge))
    yield EdgeNoted()


def _read_edge(reader: Reader) -> NoteEdge:
    word = reader.next("an edge: N, E, S or W")
    edge = next((edge for edge, name in EDGES.items() if name.startswith(word.text)), None)
    if edge is None:
        raise reader.misread(word, "an edge: N, E, S or W", tuple(EDGES))
    return NoteEdge(edge)


# Buying units


class Bought(Event, frozen=True, tag="bought"):
    """Units were bought."""

    units: UnitIds
    cost: Few

    def tell(self) -> str:
        """What to take, and for how much."""
        return f"Take {listed(self.units)} for {count_of(self.cost, 'point')}."

    def apply(self, state: State) -> State:
        """They are in the hand."""
        return replace(state, hand=in_order(state.hand + self.units), budget=state.budget - self.cost)


class Buy(Action, frozen=True, tag="buy"):
    """Buy so many units of a kind, for their combat strength each (3.1d)."""

    says = "buy {counter} {count}"
    counter: Annotated[str, Meta(pattern="^[a-z]{1,20}$")]
    count: Annotated[int, Meta(ge=1, le=99)]


def _limit(state: State, letter: str) -> int:
    """How many units of a kind can be had in all: the countermix, as far as anybody knows it (3.1e, C71)."""
    kind = state.board.tables.units[letter]
    return kind.limit or (kind.reported if state.options["countermix"] == "reported" else MANY)


MANY = 99
"""More than anybody can pay for."""


def _owned(state: State, letter: str) -> int:
    return sum(unit[0] == letter for unit in (*state.hand, *state.at))


def _for_sale(state: State) -> Iterator[tuple[str, int]]:
    """The letters of kinds that can be bought, and how many of each."""
    for letter, kind in state.board.tables.units.items():
        allowed = kind.combat and (letter != "h" or state.scenario.helicopters)
        most = min(_limit(state, letter) - _owned(state, letter), state.budget // max(1, kind.cost))
        if allowed and most > 0:
            yield letter, most


def _buy_offers(state: State) -> Iterator[Choice]:
    for letter, most in _for_sale(state):
        yield Choice(Buy, counter=state.board.tables.units[letter].type, count=Between(1, most))


def _check_buy(state: State, action: Buy) -> Iterator[Refusal]:
    """Any kind that is for sale, as many as points and counters allow (3.1a, 3.1b)."""
    letter = LETTERS.get(action.counter)
    if letter is None:
        yield Refusal("2.0a", f"there is no counter called {action.counter!r}; there are {listing(tuple(LETTERS))}")
        return
    kind, cost = state.board.tables.units[letter], state.board.tables.units[letter].cost * action.count
    if letter == "c":
        yield Refusal("3.1c", "populace is not bought: all of it is on the map already")
    elif not kind.combat:
        yield Refusal("3.1f", f"{action.counter} is not bought: it comes when the monster breathes fire")
    elif letter == "h" and not state.scenario.helicopters:
        rule = "14.21b" if state.options["scenario"] == "learning" else "14.22b"
        yield Refusal(rule, f"there are no helicopters in the scenario {state.options['scenario']}")
    elif cost > state.budget:
        yield Refusal("3.1a", f"that costs {cost} points; {state.budget} are left")
        yield Refusal("3.1d", f"{action.counter} costs {kind.cost} each")
    elif _owned(state, letter) + action.count > _limit(state, letter):
        yield Refusal("3.1e", f"there are only {_limit(state, letter)} counters of {action.counter}")


def _buy(state: State, action: Buy, _dice: Dice) -> Script[State]:
    letter = LETTERS[action.counter]
    units = numbered(letter, _owned(state, letter) + 1, action.count)
    yield Bought(units, state.board.tables.units[letter].cost * action.count)


def _read_buy(reader: Reader) -> Buy:
    """A kind and a number, whichever comes first: tank 3, 3 tanks."""
    if reader.words and reader.words[0].text.isdecimal():
        count = reader.number()
        return Buy(reader.kind(), count)
    kind = reader.kind()
    return Buy(kind, reader.number() if reader.words else 1)


# Putting units on the map


class Placed(Event, frozen=True, tag="placed"):
    """Units were put on the map."""

    units: UnitIds
    box: BoxName

    def tell(self) -> str:
        """Who is put where."""
        return f"Put {listed(self.units)} in {self.box}."

    def apply(self, state: State) -> State:
        """Put them there."""
        hand = tuple(unit for unit in state.hand if unit not in self.units)
        at = {**state.at, **dict.fromkeys(self.units, self.box)}
        return replace(state, hand=hand, at={unit: at[unit] for unit in in_order(at)})


class Place(Action, frozen=True, tag="place"):
    """Put units in a box."""

    says = "place {units} {box}"
    units: Pieces
    box: Box


def _groups(state: State) -> Iterator[tuple[str, ...]]:
    """Units of the hand that are put in the same boxes: those on foot, tanks and guns, helicopters, and so on."""
    for letters in ("pi", "tg", "h", "f", "b"):
        units = tuple(unit for unit in state.hand if unit[0] in letters)
        if units:
            yield units


def _may_stand(state: State, unit: str, box: str) -> bool:
    """Whether a unit may be put there, as far as stacking is left aside.

    At the start nowhere at a map edge (3.2d), where its kind may stand (C51); firemen anywhere but in the monster's
    box, burning boxes and edges included (11.31c, C52).
    """
    if box not in state.costs(unit) or box in state.webs:
        return False
    return box != state.monster if state.phase == "arrival" else not state.board.boxes[box].edges


def _room(state: State, unit: str, box: str) -> int:
    """How many more of such units a box takes (5.21b, 5.21c)."""
    return STACKED - state.counting(box) if state.kind(unit).stacks else len(state.hand)


def _place_offers(state: State) -> Iterator[Choice]:
    for units in _groups(state):
        boxes, free = _spots(state, units[0]), min(len(units), _room(state, units[0], ""))
        rooms = {box: min(len(units), _room(state, units[0], box)) for box in state.stacks}
        for room in sorted({free, *rooms.values()}, reverse=True):
            if room > 0 and any(rooms.get(box, free) == room for box in boxes):
                slot = partial(_with_room, boxes, rooms, free, room)
                yield Choice(Place, units=Subset(units, 1, room), box=slot)


def _spots(state: State, unit: str) -> tuple[str, ...]:
    """All boxes where such units may be put, stacking left aside."""
    key, memo = (_may_stand, state.phase, state.gait(unit)), state.ways.memo
    if key not in memo:
        memo[key] = tuple(box for box in state.costs(unit) if _may_stand(state, unit, box))
    found: tuple[str, ...] = memo[key]
    return found


def _with_room(boxes: tuple[str, ...], rooms: Mapping[str, int], free: int, room: int) -> OneOf:
    """Those of them that take so many more, where empty boxes take `free`."""
    return OneOf(tuple(box for box in boxes if rooms.get(box, free) == room))


def _check_place(state: State, action: Place) -> Iterator[Refusal]:
    strangers = [unit for unit in action.units if unit not in state.hand]
    if strangers or not action.units:
        yield from _why_not_in_hand(state, strangers)
    elif action.box not in state.board.boxes:
        yield Refusal("2.0b", f"the map has no box {action.box}")
    elif not any(set(action.units) <= set(group) for group in _groups(state)):
        yield Refusal("3.2c", "only units that may stand in the same boxes are placed together")
    elif not _may_stand(state, action.units[0], action.box):
        yield _why_not_there(state, action.units[0], action.box)
    elif len(action.units) > _room(state, action.units[0], action.box):
        yield Refusal("5.21b", f"{action.box} takes no more than {STACKED} units that count")
        yield Refusal("3.2c", f"{action.box} would be too full")


def _why_not_in_hand(state: State, strangers: Iterable[str]) -> Iterator[Refusal]:
    populace = [unit for unit in strangers if unit[0] == "c"]
    if populace:
        yield Refusal("3.2e", f"populace stands where its symbols are, at {listing(state.board.populace)}")
    else:
        yield Refusal("3.2b", f"{listing(tuple(strangers)) or 'nobody'} is not in the hand")


def _why_not_there(state: State, unit: str, box: str) -> Refusal:
    if state.phase == "arrival" and box == state.monster:
        return Refusal("11.31c", f"the monster is in {box}")
    if box in state.webs:
        return Refusal("13.22b", f"{box} is webbed")
    if box not in state.costs(unit):
        rule = "11.31d" if unit[0] == "b" else "C51"
        terrain = state.terrain(box)
        return Refusal(rule, f"{state.kind(unit).type} cannot stand in {box}: it is {terrain}")
    return Refusal("3.2d", f"{box} is at a map edge")


def _place(state: State, action: Place, _dice: Dice) -> Script[State]:
    state = yield Placed(action.units, action.box)
    if state.phase == "arrival" and not state.hand:
        yield PhaseBegun("human-move")


def _read_place(reader: Reader) -> Place:
    """Units and then a box; "rest" is all of the hand."""
    box = reader.box_at_the_end()
    return Place(reader.units(), box)


VERBS = (
    verb(
        TakeAbilities,
        ("abilities",),
        _take_abilities,
        offers=_abilities_offers,
        check=_check_abilities,
        late=late("13.0a", PHASES),
        read=_read_abilities,
    ),
    verb(
        Record,
        ("record",),
        _record,
        offers=_record_offers,
        check=_check_record,
        read=lambda reader: Record(**read_strengths(reader)),
    ),
    verb(NoteEdge, ("edge",), _note_edge, offers=_edge_offers, read=_read_edge),
    verb(Buy, ("buy",), _buy, offers=_buy_offers, check=_check_buy, read=_read_buy),
    verb(
        Place,
        ("place", "arrival"),
        _place,
        offers=_place_offers,
        check=_check_place,
        late=late("3.2f", PHASES),
        read=_read_place,
    ),
)
