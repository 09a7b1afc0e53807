"""The position that a person can type: who stands where, what is smashed, walled or open, and what the Turn holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing, spelled
from referee.games.mutants.answering import check_asked
from referee.games.mutants.board import Board, DoorName, Place, Side, compact, expand, is_square
from referee.games.mutants.sequence import radioactive
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
from referee.games.mutants.telling import told_of
from referee.games.mutants.walls import check_wall

Names = Annotated[str, Meta(max_length=600)]
"""Units as typed: "buck b3 n1..n4"."""
DoorNames = Annotated[tuple[DoorName, ...], Meta(max_length=300)]
Opened = Annotated[str, Meta(pattern="^[A-Ix][A-Za-z0-9]{1,2}-[A-I][1-9] [A-Ix][A-Za-z0-9]{1,2}$")]
"""A door held open, and where the openers stand: "C2-C3 C2"."""


class Position(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A position as a person types it."""

    units: dict[Place, Names] = {}
    """Who stands in each room or square: `C4 = "buck b3"`."""
    phase: Phase = "smash"
    turn: Annotated[int, Meta(ge=1, le=ALTERNATE_TURNS)] = 1
    walls: DoorNames = ()
    smashed: DoorNames = ()
    gone: Names = "rest"
    """Units that are out of the game; "rest": all that are named nowhere, once the set-up is over."""
    pool: Names = ""
    """Mutants of the Alternate Scenario that have not arrived; "rest": all that are named nowhere."""
    attempted: DoorNames = ()
    """Doors attacked this Turn."""
    used: Names = ""
    """Mutants that took part in an attempt this Turn."""
    failed: Names = ""
    """Those of them that lie upside down."""
    opened: Annotated[tuple[Opened, ...], Meta(max_length=300)] = ()
    moved: dict[str, Place] = {}
    """Units that have moved this Turn, and where each came from."""
    arrived: Names = ""
    """Mutants that arrived this Turn."""
    captive: bool = False
    exited: Names = ""
    escape: Literal["none", "mutant", "penny"] = "none"
    told: Told = Told()
    """With Hidden Movement: what both players have been told; what must have been told is added."""
    faded: Names = ""
    """With Hidden Movement: Mutants that died out of the Human player's sight."""
    asked: Question | None = None
    """With Hidden Movement: what a player has to tell next."""
    pending: Attempt | None = None
    """With Hidden Movement: what Mutants have tried, as far as it waits for that."""
    combat: Combat | None = None
    rolled: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]] | None = None
    swapped: bool = False
    """Whether the players have changed chairs after the roll for sides."""
    stop: Side | None = None
    """Who would end the game here."""


SECRETS = ("told", "asked", "pending")
AS_IT_IS = ("phase", "turn", "moved", "captive", "escape", "combat", "rolled", "swapped", "stop", *SECRETS)
DOORS = ("walls", "smashed", "attempted")
GROUPS = ("used", "failed", "arrived", "exited", "faded")
"""Fields that a position has in common with a state: as they are there, doors in order, units as typed."""


def position_of(state: State) -> Position:
    """The position of a state; `place` of it is an equal state, but for a game that is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in AS_IT_IS}
    fields |= {name: tuple(sorted(getattr(state, name))) for name in DOORS}
    fields |= {name: compact(state.board.sorted(getattr(state, name))) for name in (*GROUPS, "gone", "pool")}
    return Position(
        units={place: compact(state.crowds[place]) for place in state.board.places if place in state.crowds},
        opened=tuple(f"{door} {place}" for door, place in sorted(state.opened)),
        **fields,
    )


def setup(options: Options, board: Board) -> State:
    """The state in which a game begins: an empty board, Turn 1 (II.B.1.e); sides are settled or rolled for (II.A-d)."""
    phase: Phase = "sides" if options["sides"] == "roll" else "setup-human"
    return place(Position(phase=phase), options, board)


def place(position: Position, options: Options, board: Board) -> State:
    """The state of a position that `check_position` found nothing wrong with."""
    at = {unit: room for room, units in position.units.items() for unit in expand(units)}
    unnamed = [unit for unit in board.units if unit not in at]
    gone = expand(position.gone)
    mutants = [unit for unit in unnamed if board.side_of(unit) == "mutant"]
    pool = _named_or_rest(position.pool, [unit for unit in mutants if unit not in gone])
    rest = [] if position.phase in SETTING_UP else [unit for unit in unnamed if unit not in pool]
    fields: dict[str, Any] = {name: getattr(position, name) for name in AS_IT_IS}
    fields |= {name: frozenset(getattr(position, name)) for name in DOORS}
    fields |= {name: frozenset(expand(getattr(position, name))) for name in GROUPS}
    state = State(
        board=board,
        options=options,
        at=board.in_order(at),
        gone=frozenset(_named_or_rest(position.gone, rest)),
        pool=board.sorted(pool),
        opened=frozenset((door, beside) for door, _, beside in (text.partition(" ") for text in position.opened)),
        **fields,
    )
    return replace(state, told=told_of(state)) if state.is_hidden else state


def _named_or_rest(text: str, rest: list[str]) -> list[str]:
    return rest if text.strip() == "rest" else expand(text)


# What a position may not be


def check_position(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Every rule that a position breaks, in the order of the index."""
    wrong = [*_check_named(position, board), *_check_doors(position, board)]
    if wrong:
        yield from wrong
        return
    state = place(position, options, board)
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
    """Every counter exists (INTRO.IV.A) and is in one place (INTRO.IV.B-a)."""
    placed = [unit for units in position.units.values() for unit in expand(units)]
    lists = [position.gone, position.pool]
    placed += [unit for text in lists if text.strip() != "rest" for unit in expand(text)]
    marked = [position.used, position.failed, position.arrived, position.exited, position.faded]
    told = (*position.told.humans, *position.told.mutants)
    combat = (*position.combat.laid, *position.combat.paired) if position.combat else ()
    for unit in (*placed, *(unit for text in marked for unit in expand(text)), *position.moved, *combat, *told):
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
        if door not in board.ends:
            one, _, other = door.partition("-")
            written = board.doors.get((other, one))
            hint = f"; write {written}" if written else ""
            yield Refusal("IV.A.2-b", f"there is no door {door}{hint}")
    for text in position.opened:
        door, _, beside = text.partition(" ")
        if beside not in board.ends.get(door, ()):
            yield Refusal("IV.B.3-a", f"{beside} does not have a door {door}")


def _check_complete(state: State) -> Iterator[Refusal]:
    """After the set-up every unit is somewhere. In what a seat sees of a game with secrets some are missing."""
    nowhere = () if state.phase in SETTING_UP else (*state.unplaced("human"), *state.unplaced("mutant"))
    if nowhere:
        named = listing([*nowhere[:5], *(["others"] if len(nowhere) > 5 else [])])
        yield Refusal("INTRO.IV.B-a", f"{named}: neither on the board nor gone nor in the pool")


def _check_places(state: State) -> Iterator[Refusal]:
    for unit, where in state.at.items():
        captive = state.is_captive(unit) or (state.alternate and unit == "penny")
        if state.board.side_of(unit) == "human" and is_square(where) and not captive:
            yield Refusal("IV.C.4", f"{unit} cannot be in a Mutant Set Up square, {where}")
        if state.is_janibot(unit) and where == state.board.tech:
            yield Refusal("IV.C.3", f"{unit} is a Janibot and cannot be in the Tech Room")
    if not state.alternate and state.turn <= CONFINED_UNTIL:
        for unit, where in state.at.items():
            if state.board.units[unit].kind == "tech" and where != state.board.tech:
                yield Refusal("IV.C.1-a", f"{unit} cannot have left the Tech Room by Turn {state.turn}")


def _check_walls(state: State) -> Iterator[Refusal]:
    """Walls obey the rules of the set-up for good, and nobody can have smashed a door behind one (M4)."""
    bare = replace(state, walls=frozenset())
    for door in sorted(state.walls):
        yield from check_wall(bare, door)
        bare = replace(bare, walls=bare.walls | {door})
    for door in sorted(state.walls & (state.smashed | {opened for opened, _ in state.opened})):
        yield Refusal("M4", f"{door} has a Wall and cannot be smashed or open")


def _check_turn(state: State) -> Iterator[Refusal]:
    if state.turn > state.last_turn:
        yield Refusal("VII.B-a", f"the Basic Game has {spelled(BASIC_TURNS)} Turns, not {state.turn}")
    for unit in sorted(state.failed - state.used):
        yield Refusal("IV.B.2.d", f"{unit} cannot have failed at a door that it did not attack")


def _check_phase(state: State) -> Iterator[Refusal]:
    if state.phase == "over":
        yield Refusal("III.F-b", "a game that is over cannot go on")
    is_decided = state.rolled is not None and state.rolled[0] != state.rolled[1]
    if state.phase in ("sides", "choose") and is_decided != (state.phase == "choose"):
        yield Refusal("II.A-c", "sides are chosen after a roll that was no tie")
    if state.swapped and (state.options["sides"] != "roll" or state.phase in ("sides", "choose")):
        yield Refusal("II.A-e", "nobody changes chairs but after a roll for sides")
    if state.stop and state.phase in SETTING_UP:
        yield Refusal("III-a", "a game that has not started cannot be ended")
    if state.phase == "glow" and not radioactive(state) and not state.is_hidden:
        yield Refusal("III-d", "without Radioactive Mutants the Glow and Go Phase is passed over")
    if state.phase in COMBATS and not state.contested() and not state.combat:
        yield Refusal("V.A-a", "no room holds units of both sides")
    if state.phase not in COMBATS:
        yield from _check_peace(state)
    if state.phase in SETTING_UP:
        yield from _check_set_up(state)


def _check_peace(state: State) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V-a", "a Combat is fought in a Combat Phase only")
    arriving = state.alternate and (state.phase in MUTANT_MOVEMENT or (state.phase == "arrival" and state.asked))
    moving = state.phase in ("move", "human-move")
    for room in state.contested():
        entered = moving and not state.moved.keys().isdisjoint(state.crowds[room])
        if not entered and not (arriving and room == state.board.tech):
            yield Refusal("V.A-b", f"in {room} Combat must have been resolved")


def _check_set_up(state: State) -> Iterator[Refusal]:
    if state.gone or state.pool:
        yield Refusal("III-a", "nobody is out of the game before it has started")
    if state.phase != "setup-human":
        missing = state.unplaced("human") if state.phase == "setup-mutant" else tuple(state.at)
        if missing:
            yield Refusal("II.B.1", f"the Human set-up comes first: {listing(missing[:5])}")
    if state.phase == "setup-human" and any(state.board.side_of(unit) == "mutant" for unit in state.at):
        yield Refusal("II.B.1", "no Mutant is set up before the Human set-up is complete")
    if state.alternate and state.phase == "setup-mutant":
        yield Refusal("OPT.VI.A-b", "in the Alternate Scenario the Mutant player sets nothing up")
    yield from _check_set_up_places(state)


def _check_set_up_places(state: State) -> Iterator[Refusal]:
    """Whoever is set up already must stand where he could have been put."""
    bare = replace(state, at={})
    for unit, where in state.at.items():
        yield from check_put(bare, state.board.side_of(unit), Put((unit,), where))
        bare = replace(bare, at={**bare.at, unit: where})


def _check_alternate(state: State) -> Iterator[Refusal]:
    """What exists in the Alternate Scenario only, and what cannot be there."""
    only = {
        "the pool": state.pool,
        "a captive": state.captive,
        "arrivals": state.arrived,
        "Mutants that have left": state.exited,
        "an escape": state.escape != "none",
        "the roll for arrivals": state.phase == "arrival",
    }
    if not state.alternate:
        for what in (name for name, there in only.items() if there):
            yield Refusal("OPT.VI.A-b", f"{what} belongs to the Alternate Scenario")
    if state.captive and not _is_guarded(state):
        yield Refusal("OPT.VI.C-e", "penny cannot be a captive without a Mutant beside her")
    if state.phase == "arrival" and not state.pool and not state.is_hidden:
        yield Refusal("M62", "nobody is left to arrive")
    if state.escape == "penny" and not (state.asked and state.asked.ending):
        yield Refusal("OPT.VI.E.1", "the game ends when a Mutant has left with Penny")


def _is_guarded(state: State) -> bool:
    """Whether Penny can be a captive: in the Movement Step her captors may have left her, and others may come (M51).

    When they have fled, she is free once everything is told.
    """
    if "penny" not in state.at:
        return False
    return state.phase == "move" or state.asked is not None or bool(state.fighters("mutant", state.at["penny"]))


def _check_told(state: State, told: Told) -> Iterator[Refusal]:
    """What was told must be true, and nothing is told or unseen where everything is in plain view."""
    if not state.is_hidden:
        if told != Told() or state.faded:
            yield Refusal("OPT.V.A", "nothing is told or unseen: Hidden Movement is not played")
        return
    due = told_of(state)
    for unit in told.humans:
        if state.board.side_of(unit) != "human" or unit not in state.at:
            yield Refusal("OPT.V.C-d", f"{unit} is no Human-side unit of the board that could be shown")
    for unit in {*told.mutants}.difference(due.mutants):
        yield Refusal("OPT.V.D-c", f"{unit} is no Mutant that shares its room with Human-side units")
    for door in sorted(state.walls.intersection(told.clear)):
        yield Refusal("M23", f"{door} has a Wall, and nobody can have been told that it has none")
    for door in sorted({*told.walls} - state.walls):
        yield Refusal("OPT.V.C-a", f"{door} has no Wall that could have been shown")
    for room in sorted({*told.rooms}.difference(due.rooms)):
        yield Refusal("OPT.V.D-b", f"no Mutants are in {room}")
    for room in told.sighted:
        yield from _check_sighted(state, room)
    for unit in state.board.sorted(state.faded):
        if unit not in state.gone or state.board.units[unit].kind != "radioactive":
            yield Refusal("VI-b", f"{unit} is no Radioactive Mutant that has died")


def _check_sighted(state: State, room: str) -> Iterator[Refusal]:
    """Somebody was reported in a room, and is still there until the Human player moves."""
    doors = {state.door(room, other) for other in state.board.beside[room]}
    if is_square(room) or state.smashed.isdisjoint(doors):
        yield Refusal("OPT.V.C-b", f"no door of {room} is smashed, so nobody can have been reported there")
    elif not state.fighters("human", room):
        yield Refusal("OPT.V.C-b", f"nobody of the Human side is in {room}")
    elif state.phase in ("human-move", *SETTING_UP):
        yield Refusal("OPT.V.C-b", f"nobody knows whether somebody is in {room} any more")


def _check_combat(state: State, combat: Combat) -> Iterator[Refusal]:
    sides = {side: state.fighters(side, combat.room) for side in ("human", "mutant")}
    if combat.stage == "pursue":
        fled = combat.refuge is not None and state.are_beside(combat.room, combat.refuge)
        if sides[combat.first] or not fled or not combat.fled:
            yield Refusal("OPT.IV.A.1-a", "nobody is pursued but a side that has left the room completely")
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
    """Who lies in the boxes is in the room; of the pairs that are through somebody has been hit."""
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
            yield Refusal("V.D.3-b", f"{human} and {mutant} roll until somebody is hit")
    due = min(ENGAGED, *map(len, began.values()))
    for boxes in filter(None, (combat.laid, combat.paired)):
        if len(boxes) != due:
            yield Refusal("V.B.3-c", f"both sides fill {count_of(due, 'box', 'boxes')}, not {len(boxes)}")
    if combat.may_retreat and (combat.odds is None or not state.plays("bugging-out")):
        yield Refusal("OPT.IV.A-a", "only the outnumbered side of a game with Bugging Out may retreat")
