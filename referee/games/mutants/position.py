"""The position that people can type: the places of units, the state of doors, and the marks of the Turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.engine.text import count_of, listing, spell_number
from referee.games.mutants.announcements import required_knowledge
from referee.games.mutants.answers import check_asked
from referee.games.mutants.board import Board, DoorName, Place, Side, compact_names, expand_names, is_square
from referee.games.mutants.sequence import radioactive_on_board
from referee.games.mutants.setting_up import Put, check_put
from referee.games.mutants.state import (
    ALTERNATE_TURNS,
    BASIC_TURNS,
    COMBATS,
    CONFINED_UNTIL,
    ENGAGED,
    MUTANT_MOVEMENT,
    SETTING_UP,
    Attempt,
    Combat,
    Phase,
    Question,
    State,
    Told,
    other_side,
)
from referee.games.mutants.walls import check_wall

Names = Annotated[str, Meta(max_length=600)]
"""Units as typed: "buck b3 n1..n4"."""
DoorNames = Annotated[tuple[DoorName, ...], Meta(max_length=300)]
Opened = Annotated[str, Meta(pattern="^[A-Ix][A-Za-z0-9]{1,2}-[A-I][1-9] [A-Ix][A-Za-z0-9]{1,2}$")]
"""A door held open, and the place of the openers: "C2-C3 C2"."""


class Position(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A position as people type it."""

    units: dict[Place, Names] = {}
    """The units in each room or square: `C4 = "buck b3"`."""
    phase: Phase = "smash"
    turn: Annotated[int, Meta(ge=1, le=ALTERNATE_TURNS)] = 1
    walls: DoorNames = ()
    smashed: DoorNames = ()
    gone: Names = "rest"
    """Units that are out of the game; "rest" means all units named nowhere else, once the set-up is over."""
    pool: Names = ""
    """Mutants of the Alternate Scenario that have not arrived; "rest" means all Mutants named nowhere else."""
    attempted: DoorNames = ()
    """Doors attacked this Turn."""
    used: Names = ""
    """Mutants that took part in an attempt this Turn."""
    failed: Names = ""
    """Mutants that failed in an attempt this Turn and lie upside down."""
    opened: Annotated[tuple[Opened, ...], Meta(max_length=300)] = ()
    moved: dict[str, Place] = {}
    """Units that have moved this Turn, each with the place it came from."""
    arrived: Names = ""
    """Mutants that arrived this Turn."""
    captive: bool = False
    exited: Names = ""
    escape: Literal["none", "mutant", "penny"] = "none"
    told: Told = Told()
    """With Hidden Movement: the facts that both players have been told.

    Facts that they must have been told are added.
    """
    faded: Names = ""
    """With Hidden Movement: Mutants that died out of the Human player's sight."""
    asked: Question | None = None
    """With Hidden Movement: the question that a player must answer next."""
    pending: Attempt | None = None
    """With Hidden Movement: an attempt of Mutants that waits for the answer."""
    combat: Combat | None = None
    rolled: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]] | None = None
    swapped: bool = False
    """True if the players changed chairs after the roll for sides."""
    stop: Side | None = None
    """The side that has proposed to end the game here."""


SECRETS = ("told", "asked", "pending")
AS_IT_IS = ("phase", "turn", "moved", "captive", "escape", "combat", "rolled", "swapped", "stop", *SECRETS)
DOORS = ("walls", "smashed", "attempted")
GROUPS = ("used", "failed", "arrived", "exited", "faded")
"""Fields that a position shares with a state. AS_IT_IS are equal; a position has DOORS in order and GROUPS as text."""


def position_from(state: State) -> Position:
    """Returns the position of a state. `state_from` turns it back into an equal state, unless the game is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in AS_IT_IS}
    fields |= {name: tuple(sorted(getattr(state, name))) for name in DOORS}
    fields |= {name: compact_names(state.board.sort_units(getattr(state, name))) for name in (*GROUPS, "gone", "pool")}
    return Position(
        units={
            place: compact_names(state.units_by_place[place])
            for place in state.board.places
            if place in state.units_by_place
        },
        opened=tuple(f"{door} {place}" for door, place in sorted(state.opened)),
        **fields,
    )


def setup(options: Options, board: Board) -> State:
    """Returns the state at the start: an empty board, Turn 1 (II.B.1.e). Sides are settled, or rolled for (II.A-d)."""
    phase: Phase = "sides" if options["sides"] == "roll" else "setup-human"
    return state_from(Position(phase=phase), options, board)


def state_from(position: Position, options: Options, board: Board) -> State:
    """Returns the state of a position. Call `check_position` first: the position must be legal."""
    at = {unit: room for room, units in position.units.items() for unit in expand_names(units)}
    unnamed = [unit for unit in board.units if unit not in at]
    gone = expand_names(position.gone)
    mutants = [unit for unit in unnamed if board.side_of(unit) == "mutant"]
    pool = _named_or_rest(position.pool, [unit for unit in mutants if unit not in gone])
    rest = [] if position.phase in SETTING_UP else [unit for unit in unnamed if unit not in pool]
    fields: dict[str, Any] = {name: getattr(position, name) for name in AS_IT_IS}
    fields |= {name: frozenset(getattr(position, name)) for name in DOORS}
    fields |= {name: frozenset(expand_names(getattr(position, name))) for name in GROUPS}
    state = State(
        board=board,
        options=options,
        at=board.sort_places(at),
        gone=frozenset(_named_or_rest(position.gone, rest)),
        pool=board.sort_units(pool),
        opened=frozenset((door, beside) for door, _, beside in (text.partition(" ") for text in position.opened)),
        **fields,
    )
    return replace(state, told=required_knowledge(state)) if state.has_hidden_movement else state


def _named_or_rest(text: str, rest: list[str]) -> list[str]:
    return rest if text.strip() == "rest" else expand_names(text)


# Checks of a position


def check_position(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a position breaks. If it names unknown units or doors, only those."""
    wrong = [*_check_named(position, board), *_check_doors(position, board)]
    if wrong:
        yield from wrong
        return
    state = state_from(position, options, board)
    yield from _check_complete(state)
    yield from _check_places(state)
    yield from _check_walls(state)
    yield from _check_turn(state)
    yield from _check_phase(state)
    yield from _check_alternate(state)
    yield from check_asked(state)
    yield from _check_told(state, position.told)
    if state.combat:
        yield from _check_combat(state, state.combat)


def _check_named(position: Position, board: Board) -> Iterator[Refusal]:
    """Yields refusals about counters that do not exist (INTRO.IV.A) or are in two places (INTRO.IV.B-a)."""
    placed = [unit for units in position.units.values() for unit in expand_names(units)]
    lists = [position.gone, position.pool]
    placed += [unit for text in lists if text.strip() != "rest" for unit in expand_names(text)]
    marked = [position.used, position.failed, position.arrived, position.exited, position.faded]
    told = (*position.told.humans, *position.told.mutants)
    combat = (*position.combat.laid, *position.combat.paired) if position.combat else ()
    for unit in (*placed, *(unit for text in marked for unit in expand_names(text)), *position.moved, *combat, *told):
        if unit not in board.units:
            yield Refusal("INTRO.IV.A", f"there is no unit {unit}")
    for unit in sorted({unit for unit in placed if placed.count(unit) > 1}):
        yield Refusal("INTRO.IV.B-a", f"{unit} is in more than one place")
    rooms = [*position.units, *position.moved.values(), *position.told.rooms, *position.told.sighted]
    for room in rooms + ([position.combat.room] if position.combat else []):
        if room not in board.places:
            yield Refusal("IV.A.5-a", f"the board has no {room}")


def _check_doors(position: Position, board: Board) -> Iterator[Refusal]:
    for door in (*position.walls, *position.smashed, *position.attempted, *position.told.walls, *position.told.clear):
        if door not in board.door_ends:
            one, _, other = door.partition("-")
            written = board.doors.get((other, one))
            hint = f"; write {written}" if written else ""
            yield Refusal("IV.A.2-b", f"there is no door {door}{hint}")
    for text in position.opened:
        door, _, beside = text.partition(" ")
        if beside not in board.door_ends.get(door, ()):
            yield Refusal("IV.B.3-a", f"{beside} does not have a door {door}")


def _check_complete(state: State) -> Iterator[Refusal]:
    """Yields a refusal if a unit is nowhere after the set-up. In a view some units may be missing."""
    nowhere = () if state.phase in SETTING_UP else (*state.units_in_hand("human"), *state.units_in_hand("mutant"))
    if nowhere:
        named = listing([*nowhere[:5], *(["others"] if len(nowhere) > 5 else [])])
        yield Refusal("INTRO.IV.B-a", f"these units are not on the board, gone or in the pool: {named}")


def _check_places(state: State) -> Iterator[Refusal]:
    for unit, where in state.at.items():
        captive = state.is_captive(unit) or (state.is_alternate_scenario and unit == "penny")
        if state.board.side_of(unit) == "human" and is_square(where) and not captive:
            yield Refusal("IV.C.4", f"{unit} cannot be in a Mutant Set Up square, {where}")
        if state.is_janibot(unit) and where == state.board.tech_room:
            yield Refusal("IV.C.3", f"{unit} is a Janibot and cannot be in the Tech Room")
    if not state.is_alternate_scenario and state.turn <= CONFINED_UNTIL:
        for unit, where in state.at.items():
            if state.board.units[unit].kind == "tech" and where != state.board.tech_room:
                yield Refusal("IV.C.1-a", f"{unit} cannot have left the Tech Room by Turn {state.turn}")


def _check_walls(state: State) -> Iterator[Refusal]:
    """Yields refusals about Walls that break the set-up rules, or that stand in a smashed or open door (M4)."""
    bare = replace(state, walls=frozenset())
    for door in sorted(state.walls):
        yield from check_wall(bare, door)
        bare = replace(bare, walls=bare.walls | {door})
    for door in sorted(state.walls & (state.smashed | {opened for opened, _ in state.opened})):
        yield Refusal("M4", f"{door} has a Wall and cannot be smashed or open")


def _check_turn(state: State) -> Iterator[Refusal]:
    if state.turn > state.last_turn:
        yield Refusal("VII.B-a", f"the Basic Game has {spell_number(BASIC_TURNS)} Turns, not {state.turn}")
    for unit in sorted(state.failed - state.used):
        yield Refusal("IV.B.2.d", f"{unit} cannot have failed at a door that it did not attack")


def _check_phase(state: State) -> Iterator[Refusal]:
    if state.phase == "over":
        yield Refusal("III.F-b", "a game that is over cannot be played on")
    is_decided = state.rolled is not None and state.rolled[0] != state.rolled[1]
    if state.phase in ("sides", "choose") and is_decided != (state.phase == "choose"):
        yield Refusal("II.A-c", "sides are chosen only after a roll that is not a tie")
    if state.swapped and (state.options["sides"] != "roll" or state.phase in ("sides", "choose")):
        yield Refusal("II.A-e", "players change chairs only after a roll for sides")
    if state.stop and state.phase in SETTING_UP:
        yield Refusal("III-a", "a game that has not started cannot be ended")
    if state.phase == "glow" and not radioactive_on_board(state) and not state.has_hidden_movement:
        yield Refusal("III-d", "without Radioactive Mutants the Glow and Go Phase is passed over")
    if state.phase in COMBATS and not state.contested_rooms() and not state.combat:
        yield Refusal("V.A-a", "no room holds units of both sides")
    if state.phase not in COMBATS:
        yield from _check_peace(state)
    if state.phase in SETTING_UP:
        yield from _check_set_up(state)


def _check_peace(state: State) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V-a", "a Combat is fought in a Combat Phase only")
    arriving = state.is_alternate_scenario and (
        state.phase in MUTANT_MOVEMENT or (state.phase == "arrival" and state.asked)
    )
    moving = state.phase in ("move", "human-move")
    for room in state.contested_rooms():
        entered = moving and not state.moved.keys().isdisjoint(state.units_by_place[room])
        if not entered and not (arriving and room == state.board.tech_room):
            yield Refusal("V.A-b", f"the Combat in {room} must be over by now")


def _check_set_up(state: State) -> Iterator[Refusal]:
    if state.gone or state.pool:
        yield Refusal("III-a", "before the game starts no unit can be out of it")
    if state.phase != "setup-human":
        missing = state.units_in_hand("human") if state.phase == "setup-mutant" else tuple(state.at)
        if missing:
            yield Refusal("II.B.1", f"the Human set-up comes first: {listing(missing[:5])}")
    if state.phase == "setup-human" and any(state.board.side_of(unit) == "mutant" for unit in state.at):
        yield Refusal("II.B.1", "Mutants are set up only after the Human set-up is complete")
    if state.is_alternate_scenario and state.phase == "setup-mutant":
        yield Refusal("OPT.VI.A-b", "in the Alternate Scenario the Mutant player sets up nothing")
    yield from _check_set_up_places(state)


def _check_set_up_places(state: State) -> Iterator[Refusal]:
    """Yields refusals about units that were not allowed to be set up in their places."""
    bare = replace(state, at={})
    for unit, where in state.at.items():
        yield from check_put(bare, state.board.side_of(unit), Put((unit,), where))
        bare = replace(bare, at={**bare.at, unit: where})


def _check_alternate(state: State) -> Iterator[Refusal]:
    """Yields refusals about things that exist only in the Alternate Scenario, or cannot exist there."""
    only = {
        "the pool": state.pool,
        "a captive": state.captive,
        "arrivals": state.arrived,
        "Mutants that have left": state.exited,
        "an escape": state.escape != "none",
        "the roll for arrivals": state.phase == "arrival",
    }
    if not state.is_alternate_scenario:
        for what in (name for name, there in only.items() if there):
            yield Refusal("OPT.VI.A-b", f"{what} belongs to the Alternate Scenario")
    if state.captive and not _is_guarded(state):
        yield Refusal("OPT.VI.C-e", "penny cannot be a captive without a Mutant beside her")
    if state.phase == "arrival" and not state.pool and not state.has_hidden_movement:
        yield Refusal("M62", "nobody is left to arrive")
    if state.escape == "penny" and not (state.asked and state.asked.ending):
        yield Refusal("OPT.VI.E.1", "the game ends when a Mutant has left with Penny")


def _is_guarded(state: State) -> bool:
    """True if Penny can be a captive here: Mutants are with her, or may come in the Movement Step (M51).

    After her captors have fled, she stays a captive until the open question is answered.
    """
    if "penny" not in state.at:
        return False
    return state.phase == "move" or state.asked is not None or bool(state.fighters("mutant", state.at["penny"]))


def _check_told(state: State, told: Told) -> Iterator[Refusal]:
    """Yields refusals about told facts that are not true, or that a game without secrets cannot have."""
    if not state.has_hidden_movement:
        if told != Told() or state.faded:
            yield Refusal("OPT.V.A", "a position without Hidden Movement has no told or faded units")
        return
    due = required_knowledge(state)
    for unit in told.humans:
        if state.board.side_of(unit) != "human" or unit not in state.at:
            yield Refusal("OPT.V.C-d", f"{unit} cannot be shown: it is not a Human-side unit on the board")
    for unit in {*told.mutants}.difference(due.mutants):
        yield Refusal("OPT.V.D-c", f"{unit} cannot be shown: it is not a Mutant in a room with Human-side units")
    for door in sorted(state.walls.intersection(told.clear)):
        yield Refusal("M23", f"{door} has a Wall, so nobody can have been told that it has none")
    for door in sorted({*told.walls} - state.walls):
        yield Refusal("OPT.V.C-a", f"{door} has no Wall, so none can have been shown")
    for room in sorted({*told.rooms}.difference(due.rooms)):
        yield Refusal("OPT.V.D-b", f"no Mutants are in {room}")
    for room in told.sighted:
        yield from _check_sighted(state, room)
    for unit in state.board.sort_units(state.faded):
        if unit not in state.gone or state.board.units[unit].kind != "radioactive":
            yield Refusal("VI-b", f"{unit} is not a dead Radioactive Mutant")


def _check_sighted(state: State, room: str) -> Iterator[Refusal]:
    """Yields a refusal if nobody can have been reported in a room, or nobody is there any more."""
    doors = {state.door(room, other) for other in state.board.neighbours[room]}
    if is_square(room) or state.smashed.isdisjoint(doors):
        yield Refusal("OPT.V.C-b", f"no door of {room} is smashed, so nobody can have been reported there")
    elif not state.fighters("human", room):
        yield Refusal("OPT.V.C-b", f"nobody of the Human side is in {room}")
    elif state.phase in ("human-move", *SETTING_UP):
        yield Refusal("OPT.V.C-b", f"in this phase, a report of somebody in {room} no longer counts")


def _check_combat(state: State, combat: Combat) -> Iterator[Refusal]:
    sides = {side: state.fighters(side, combat.room) for side in ("human", "mutant")}
    if combat.stage == "pursue":
        fled = combat.refuge is not None and state.are_beside(combat.room, combat.refuge)
        if sides[combat.first] or not fled or not combat.fled:
            yield Refusal("OPT.IV.A.1-a", "only a side that has left the room completely can be pursued")
        return
    if is_square(combat.room) or not (sides["human"] and sides["mutant"]):
        yield Refusal("V.A-a", f"{combat.room} does not hold units of both sides")
        return
    if combat.refuge or combat.fled:
        yield Refusal("OPT.IV.A.1-a", "nobody has fled")
    for boxes, due in ((combat.laid, combat.stage != "lay"), (combat.paired, combat.stage == "resolve")):
        if bool(boxes) != due or len(set(boxes)) != len(boxes):
            yield Refusal("V.C-a", f"the Engaged boxes do not fit a Round that waits for: {combat.stage}")
    if combat.due >= max(1, len(combat.pairs())):
        yield Refusal("V.C-b", f"there is no pair {combat.due + 1} that could be due")
    else:
        yield from _check_boxes(state, combat)


def _check_boxes(state: State, combat: Combat) -> Iterator[Refusal]:
    """Yields refusals about the boxes: units must be in the room, and each finished pair must have had a hit."""
    through = combat.pairs()[: combat.due]
    fallen = {unit for pair in through for unit in pair if unit in state.gone or state.is_captive(unit)}
    began: dict[Side, list[str]] = {side: [*state.fighters(side, combat.room)] for side in ("human", "mutant")}
    for unit in fallen:
        began[state.board.side_of(unit)].append(unit)
    for side, boxes in ((combat.first, combat.laid), (other_side(combat.first), combat.paired)):
        strangers = [unit for unit in boxes if unit not in began[side]]
        if strangers:
            yield Refusal("V.B.1-a", f"{listing(strangers)} cannot be Engaged by the {side} side in {combat.room}")
    for human, mutant in through:
        if not fallen & {human, mutant}:
            yield Refusal("V.D.3-b", f"{human} and {mutant} must roll until somebody is hit")
    due = min(ENGAGED, *map(len, began.values()))
    for boxes in filter(None, (combat.laid, combat.paired)):
        if len(boxes) != due:
            yield Refusal("V.B.3-c", f"both sides fill {count_of(due, 'box', 'boxes')}, not {len(boxes)}")
    if combat.may_retreat and (combat.odds is None or not state.is_played("bugging-out")):
        yield Refusal("OPT.IV.A-a", "only the outnumbered side of a game with Bugging Out may retreat")
