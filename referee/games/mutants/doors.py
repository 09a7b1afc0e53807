"""The Door-Smashing and Door-Opening Steps (IV.B.2, IV.B.3)."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Choices
from referee.engine.rulebook import Refusal
from referee.engine.slots import Subset
from referee.engine.target_number import Target
from referee.engine.text import count_of
from referee.games.mutants.announcements import QuestionAsked
from referee.games.mutants.board import SMASHER_KINDS, Die, DoorName, Place, compact_names, describe_door
from referee.games.mutants.notation import Reader, check_owned_on_board, check_unit_names, make_reader
from referee.games.mutants.order_of_play import ORDER, limit_check_to_turns, make_phase_check
from referee.games.mutants.state import Attempt, Question, State, UnitIds
from referee.games.mutants.status import describe_phase, describe_ways_through_door
from referee.games.mutants.view import SecretlyNotedAction, UnnoticedEvent

# Smashing


class _Attacked(UnnoticedEvent, frozen=True):
    """Mutants have attacked a door, which nobody may attack again this Turn."""

    door: DoorName
    units: UnitIds
    die: Die
    needed: Die

    def apply(self, state: State) -> State:
        """Records the attacked door and its attackers."""
        return replace(state, attempted=state.attempted | {self.door}, used=state.used.union(self.units))


class DoorSmashed(_Attacked, frozen=True, tag="smashed"):
    """An attempt succeeded: the door is smashed for the rest of the game."""

    def tell(self) -> str:
        """Tells the die, and where to put the marker."""
        door = describe_door(self.door)
        return f"Rolled {self.die}, {self.needed} or less smashes: put a Smashed Door marker on {door}."

    def apply(self, state: State) -> State:
        """Marks the door as smashed."""
        return replace(super().apply(state), smashed=state.smashed | {self.door})


class DoorWithstood(_Attacked, frozen=True, tag="withstood"):
    """An attempt failed: the door holds."""

    def tell(self) -> str:
        """Tells the die, and why the door holds."""
        held = f"a Wall blocks {self.door}" if self.die <= self.needed else f"{self.door} holds"
        return (
            f"Rolled {self.die}, {self.needed} or less smashes: {held}. Turn {compact_names(self.units)} upside down."
        )

    def apply(self, state: State) -> State:
        """Turns the attackers upside down."""
        return replace(super().apply(state), failed=state.failed.union(self.units))


class SmashDoor(SecretlyNotedAction, frozen=True, tag="smash"):
    """Try to smash a door with these Mutants (IV.B.2.a-a)."""

    says = "smash {door} {units}"
    door: DoorName
    units: UnitIds


def offer_doors_to_smash(state: State, _seat: Seat) -> Iterator[Choices]:
    """Offers every door that can be attacked, with its possible attackers (IV.B.2-b), one attempt after another
    (III.A.1).

    Groups in one room may attack different doors of it (IV.B.2.e-c). Arrivals held in the Tech Room may attack its
    doors (M55).
    """
    able = _find_smashers(state)
    targets = _list_targets(state, able)
    if targets:
        yield Choices(
            targets, lambda at: Choice(SmashDoor, door=at[0], units=partial(_find_groups, state, able, at[1]))
        )


def _find_smashers(state: State) -> frozenset[str]:
    """Returns the Mutants that can still attack a door this Turn."""
    return state.board.smasher_set - state.used - state.mutants_out_of_play


def _list_targets(state: State, able: frozenset[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Returns the doors that these Mutants can attack, each with the places from which they attack together (M33)."""
    manned, barred = state.find_places_of(able), state.smashed | state.walls | state.attempted
    ends = [(door, ends) for door, ends in state.board.door_ends.items() if door not in barred]
    if state.options["smash-sides"] == "add":
        return [(door, (one, other)) for door, (one, other) in ends if one in manned or other in manned]
    return [(door, (place,)) for door, places in ends for place in places if place in manned]


def _find_groups(state: State, able: frozenset[str], places: tuple[str, ...]) -> Subset:
    """Returns the groups that can be formed of the given Mutants in the given places."""
    here = tuple([unit for unit, place in state.at.items() if place in places and unit in able])
    return Subset(here, 1, len(here))


def _check_smash(state: State, _seat: Seat, action: SmashDoor) -> Iterator[Refusal]:
    """Yields a refusal for every rule that an attempt breaks."""
    names = list(check_unit_names(state, action.units))
    yield from names
    if not action.units:
        yield Refusal("IV.B.2.a-a", f"say which Mutants attack {action.door}")
    if action.door not in state.board.door_ends:
        yield _make_door_refusal(state, action.door)
    elif not names:
        yield from _check_target(state, action.door)
        yield from _check_attackers(state, action)


def _make_door_refusal(state: State, door: str) -> Refusal:
    one, _, other = door.partition("-")
    if one in state.board.squares and state.are_neighbours(one, other):
        return Refusal("IV.B.4-c", f"there is no door between {one} and {other}: squares lie open to one another")
    return Refusal("IV.B.2-a", f"there is no door {door}")


def _check_mutants(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    yield from check_owned_on_board(state, "mutant", units)
    if any(map(state.is_captive, units)):
        yield Refusal("IV.B.2.a-a", "penny is a captive, not a Mutant")


def _check_target(state: State, door: str) -> Iterator[Refusal]:
    if door in state.walls:
        yield Refusal("M4", f"a Wall blocks {door}")
    if door in state.attempted:
        yield Refusal("IV.B.2.e-b", f"{door} was already attacked this Turn, from one side or the other (M9)")
    elif door in state.smashed:
        yield Refusal("IV.B.2.f-b", f"{door} is already smashed (M29)")


def _check_attackers(state: State, action: SmashDoor) -> Iterator[Refusal]:
    yield from _check_mutants(state, action.units)
    ends = state.board.door_ends[action.door]
    for unit in (unit for unit in action.units if state.board.find_side(unit) == "mutant" and unit in state.at):
        if state.board.units[unit].kind not in SMASHER_KINDS:
            yield Refusal("IV.B.2.a-b", f"{unit} is a Leader, and Leaders cannot smash doors")
        if state.at[unit] not in ends:
            yield Refusal("IV.B.2-a", f"{unit} is in {state.at[unit]}, which does not have the door {action.door}")
        if unit in state.used:
            yield Refusal("IV.B.2.e-a", f"{unit} has taken part in an attempt this Turn")
        if unit in state.mutants_out_of_play:
            yield Refusal("M57", f"{unit} has left the building and is out of play")
    if state.options["smash-sides"] == "one-side" and len({state.at.get(unit) for unit in action.units}) > 1:
        yield Refusal("M33", "all attackers of a door must be on the same side of it")


def find_smash_number(state: State, attackers: int) -> int:
    """Returns the Hit Number of the Smashed Door Table (M26) for this number of Mutants.

    More Mutants than the table has rows use its last row (M10).
    """
    file = state.board.file
    other = file.other_smashed_door_tables.get(state.options["smash-table"])
    table = other or file.smashed_door_table
    return table[min(attackers, len(table)) - 1]


def _smash_door(state: State, _seat: Seat, action: SmashDoor, dice: Dice) -> Script[State]:
    """Rolls one die against the Smashed Door Table (IV.B.2.b-a, IV.B.2.b-b, IV.B.2.b-c).

    The table is printed on the gameboard (INTRO.IV.B.3). Attackers on both sides of a door add up (M33). A smashed door
    gets a marker (IV.B.2.c), or any other object when the markers run out (M34). A door with a hidden Wall holds,
    whatever the die shows (M4).
    """
    needed = find_smash_number(state, len(action.units))
    purpose = f"smash {action.door}, {count_of(len(action.units), 'Mutant')}: {needed} or less"
    effect = f"smashes the door{', unless it has a Wall' if state.has_hidden_movement else ''}"
    (die,) = dice.throw(Need(purpose, 1, 6, aims=(Target(most=needed, does=effect),), rule="IV.B.2.b-a"))
    yield from _begin_attempt(state, Attempt(action.door, action.units, die))


# An attempt at a door that may have a hidden Wall


class DoorAttemptBegun(UnnoticedEvent, frozen=True, tag="tried"):
    """Mutants have tried a door that may have a hidden Wall. The result waits for an answer (M23)."""

    attempt: Attempt

    def tell(self) -> str:
        """Tells the players what was tried, and what it waits for."""
        attempt = self.attempt
        thrown = f"Rolled {attempt.die}" if attempt.die else f"{compact_names(attempt.units)} open {attempt.door}"
        return f"{thrown}: the Human player first tells whether a Wall blocks {attempt.door}."

    def apply(self, state: State) -> State:
        """Keeps the attempt until the answer."""
        return replace(state, pending=self.attempt)


class AttemptSettled(Event, frozen=True, tag="attempt-settled"):
    """An attempt at a door is settled. Everybody sees whether the door is smashed."""

    told = "The attempt at {door} is over."
    door: DoorName

    def apply(self, state: State) -> State:
        """Clears the attempt and its question."""
        return replace(state, asked=None, pending=None)


def _begin_attempt(state: State, attempt: Attempt) -> Script[State]:
    """Settles an attempt, or first asks the Human player whether the door has a hidden Wall (M23).

    The player is asked only if Walls are shown on contact and nobody has told yet whether this door has one.
    """
    door = attempt.door
    known = door not in state.board.doors_for_walls or door in {*state.told.walls, *state.told.clear}
    if known or not state.has_hidden_movement or state.options["wall-reveal"] == "either-room":
        yield _find_result(state, attempt)
    else:
        yield DoorAttemptBegun(attempt)
        yield QuestionAsked(Question("human", doors=(door,)))


def settle_attempt(state: State, attempt: Attempt) -> Script[State]:
    """Settles an attempt after the Human player told whether the door has a Wall."""
    state = yield AttemptSettled(attempt.door)
    yield _find_result(state, attempt)


def _find_result(state: State, attempt: Attempt) -> Event:
    """Returns the event that tells the result of an attempt, once it is known whether the door has a Wall."""
    door, units, die = attempt.door, attempt.units, attempt.die
    blocked = door in state.walls
    if die is None:
        return DoorFoundBlocked(door, units) if blocked else _make_opened_event(state, door, units)
    needed = find_smash_number(state, len(units))
    return (DoorSmashed if die <= needed and not blocked else DoorWithstood)(door, units, die, needed)


# Opening


class DoorOpened(UnnoticedEvent, frozen=True, tag="opened"):
    """Mutants hold a door open until the Movement Step ends."""

    door: DoorName
    units: UnitIds
    places: tuple[Place, ...]
    """The places where the openers stand."""
    ways: tuple[tuple[Place, Place], ...]
    """The ways through the door that are open now, each as (from, to) (M30)."""

    def tell(self) -> str:
        """Tells who may pass the door now, and how long."""
        by = compact_names(self.units)
        if not self.ways:
            return f"{self.door} is held by {by}. Nobody can pass until Mutants on its other side hold it too."
        return (
            f"{self.door} is open {describe_ways_through_door(self.ways)} until the end of the Movement Step, by {by}."
        )

    def apply(self, state: State) -> State:
        """Records the open door."""
        return replace(state, opened=state.opened.union((self.door, place) for place in self.places))


class DoorFoundBlocked(UnnoticedEvent, frozen=True, tag="blocked"):
    """Mutants tried to open a door and found a hidden Wall."""

    door: DoorName
    units: UnitIds

    def tell(self) -> str:
        """Tells who found the Wall."""
        return f"A Wall blocks {self.door}: {compact_names(self.units)} cannot open it."

    def apply(self, state: State) -> State:
        """Records that the door was tried; it stays shut."""
        return replace(state, attempted=state.attempted | {self.door})


class OpenDoor(SecretlyNotedAction, frozen=True, tag="open"):
    """Open a door with these Mutants for those on its other side (IV.B.3-b)."""

    says = "open {door} {units}"
    door: DoorName
    units: UnitIds


def offer_doors_to_open(state: State, _seat: Seat) -> Iterator[Choice]:
    """Offers every door that can be opened, with its possible openers.

    Leaders can open doors too, and one unit can open several (M7).
    """
    present = state.board.units_by_side["mutant"] - state.mutants_out_of_play
    able = present - state.used
    crowded, manned = state.find_places_of(present), state.find_places_of(able)
    for door, ends in state.board.door_ends.items():
        if crowded.issuperset(ends) and door not in state.smashed and door not in state.walls:
            places = tuple(place for place in ends if place in manned and not _is_opened(state, door, place))
            if places:
                yield Choice(OpenDoor, door=door, units=partial(_find_groups, state, able, places))


def _is_opened(state: State, door: str, place: str) -> bool:
    """True if units in this place would change nothing by opening the door (M30)."""
    if state.options["opener-side"] == "either":
        return any(opened == door for opened, _ in state.opened)
    return (door, place) in state.opened


def _check_open(state: State, _seat: Seat, action: OpenDoor) -> Iterator[Refusal]:
    """Yields a refusal for every rule that opening a door breaks. Both groups must be in place now (M8)."""
    names = list(check_unit_names(state, action.units))
    yield from names
    if not action.units:
        yield Refusal("IV.B.3-b", f"say which Mutants open {action.door}")
    if action.door not in state.board.door_ends:
        yield _make_door_refusal(state, action.door)
    elif not names:
        if action.door in state.walls:
            yield Refusal("M4", f"a Wall blocks {action.door}")
        if action.door in state.smashed:
            yield Refusal("IV.B.2.f-b", f"{action.door} is smashed, so nobody needs to open it")
        yield from _check_mutants(state, action.units)
        for unit in (unit for unit in action.units if state.board.find_side(unit) == "mutant" and unit in state.at):
            yield from _check_opener(state, action.door, unit)


def _check_opener(state: State, door: str, unit: str) -> Iterator[Refusal]:
    place, ends = state.at[unit], state.board.door_ends[door]
    if place not in ends:
        yield Refusal("IV.B.3-a", f"{unit} is in {place}, which does not have the door {door}")
        return
    beyond = ends[1] if place == ends[0] else ends[0]
    if all(other in state.mutants_out_of_play for other in state.list_fighters("mutant", beyond)):
        yield Refusal("IV.B.3-a", f"no Mutant is on the other side, in {beyond}")
    if unit in state.used:
        yield Refusal("IV.B.3.b", f"{unit} took part in a smashing attempt this Turn")
    if unit in state.mutants_out_of_play:
        yield Refusal("M57", f"{unit} has left the building and is out of play")
    if _is_opened(state, door, place):
        yield Refusal("IV.B.3-b", f"{door} is already open for those in {beyond}")


def _open_door(state: State, _seat: Seat, action: OpenDoor, _dice: Dice) -> Script[State]:
    """Opens a door without a die (IV.B.3-b). A door with a hidden Wall stays shut (M4).

    Players may mark the door with the units that will pass, as a reminder (IV.B.3.a-a).
    """
    yield from _begin_attempt(state, Attempt(action.door, action.units))


def _make_opened_event(state: State, door: str, units: tuple[str, ...]) -> DoorOpened:
    places = tuple(sorted({state.at[unit] for unit in units}))
    held = replace(state, opened=state.opened.union((door, place) for place in places))
    return DoorOpened(door, units, places, held.list_ways_held_open(door))


# How attempts are typed


def _read_smash(reader: Reader) -> SmashDoor:
    """Reads a door and Mutants. With "all", each Mutant that can attack only one door attacks it, door after door."""
    if not reader.read_word_if_last("all"):
        return make_reader(SmashDoor, offer_doors_to_smash)(reader)
    groups = _group_smashers_by_only_door(reader.state) if reader.seat == ORDER.to_act(reader.state) else {}
    if not groups:
        raise reader.make_early_end_error("a door, because no Mutant has exactly one door to attack")
    (door, units), *others = groups.items()
    reader.rest = ", ".join(f"smash {other} {' '.join(group)}" for other, group in others)
    return SmashDoor(door, units)


def _group_smashers_by_only_door(state: State) -> dict[str, tuple[str, ...]]:
    """Returns the doors that can be attacked, each with the Mutants that can attack no other door.

    A door is left out if two groups could each attack it, but not both together.
    """
    able = _find_smashers(state)
    offered = [(door, _find_groups(state, able, places).values) for door, places in _list_targets(state, able)]
    times = Counter(unit for _, units in offered for unit in units)
    groups = [(door, tuple(unit for unit in units if times[unit] == 1)) for door, units in offered]
    manned = Counter(door for door, units in groups if units)
    return {door: units for door, units in groups if units and manned[door] == 1}


# Refusals at other times, and to the other player


@limit_check_to_turns
def _refuse_late_smash(state: State, _seat: Seat) -> Iterator[Refusal]:
    rule = {"open": "IV.B.2-c", "move": "IV.B.2-c", "record": "III.F-a"}.get(state.phase, "III-b")
    yield Refusal("OPT.VI.A-d" if state.is_alternate_scenario and state.turn == 1 else rule, describe_phase(state))


def _refuse_other_player(_state: State) -> Iterator[Refusal]:
    yield Refusal("INTRO.III-a", "the Mutant player smashes and opens doors")


VERBS = (
    Verb(
        SmashDoor,
        ("smash",),
        offer_doors_to_smash,
        _check_smash,
        _smash_door,
        read=_read_smash,
        carries=True,
        late=_refuse_late_smash,
        theirs=_refuse_other_player,
    ),
    Verb(
        OpenDoor,
        ("open",),
        offer_doors_to_open,
        _check_open,
        _open_door,
        read=make_reader(OpenDoor, offer_doors_to_open),
        carries=True,
        late=make_phase_check(move="III.A.2", smash="III-c"),
        theirs=_refuse_other_player,
    ),
)
