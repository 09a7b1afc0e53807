"""Setting up: the monster's record, which is kept secret, and the human player's units (3.0, 12.0, 13.0)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from referee.engine.dice import Dice
from referee.engine.event import Script, Unseen
from referee.engine.legal import Action, Between, Choice, OneOf, Subset, Total
from referee.engine.ruling import Refusal
from referee.engine.text import listing, match_word
from referee.games.sheboygan.counters import LETTERS, numbered
from referee.games.sheboygan.events import (
    AbilitiesNoted,
    AbilitiesTaken,
    Bought,
    EdgeNoted,
    EdgeTaken,
    Recorded,
    StrengthsTaken,
)
from referee.games.sheboygan.notation import Reader
from referee.games.sheboygan.scenarios import ABILITIES, COSTS, FIRE_ABILITIES, Ability, cost_of
from referee.games.sheboygan.state import Edge, State, most_defense
from referee.games.sheboygan.timing import timed

EDGES: tuple[Edge, ...] = ("N", "E", "S", "W")
LEAST = 2
"""Points that the strengths take at the least: defense and movement cannot be zero (C50)."""
Strength = Annotated[int, Meta(ge=0, le=99)]


# The monster's abilities


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


class Record(Action, frozen=True, tag="record"):
    """Write the monster's strengths on its record sheet: defense for all to see, the others in secret (12.0a)."""

    says = "record att={attack} def={defense} des={destruction} mov={movement}"
    attack: Strength
    defense: Strength
    destruction: Strength
    movement: Strength


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
    total = action.attack + action.defense + action.destruction + action.movement
    if total > left:
        spent = f"{total} points on strengths; {left} of {state.scenario.monster} are left for them"
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


class NoteEdge(Action, frozen=True, tag="edge"):
    """Note in secret at which map edge the monster will enter (3.2a)."""

    says = "edge {edge}"
    edge: Edge


def _edge_offers(_state: State) -> Iterator[Choice]:
    yield Choice(NoteEdge, edge=OneOf(EDGES))


def _note_edge(_state: State, action: NoteEdge, _dice: Dice) -> Script[State]:
    yield Unseen(EdgeTaken(action.edge))
    yield EdgeNoted()


def _read_edge(reader: Reader) -> NoteEdge:
    word = reader.next("an edge: N, E, S or W")
    edge = next((edge for edge in EDGES if edge.lower() == word.text[:1]), None)
    if edge is None or not {"n": "north", "e": "east", "s": "south", "w": "west"}[word.text[0]].startswith(word.text):
        raise reader.misread(word, "an edge: N, E, S or W", EDGES)
    return NoteEdge(edge)


# Buying units


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


VERBS = (
    timed(
        TakeAbilities,
        ("abilities",),
        _take_abilities,
        offers=_abilities_offers,
        check=_check_abilities,
        late="13.0a",
        read=_read_abilities,
    ),
    timed(
        Record,
        ("record",),
        _record,
        offers=_record_offers,
        check=_check_record,
        read=lambda reader: Record(**read_strengths(reader)),
    ),
    timed(NoteEdge, ("edge",), _note_edge, offers=_edge_offers, read=_read_edge),
    timed(Buy, ("buy",), _buy, offers=_buy_offers, check=_check_buy, read=_read_buy),
)
