"""Invariants of every position that play can reach, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.rulebook import Invariant, Refusal
from referee.engine.text import count_of, listing, spell_number
from referee.games.mutants.announcements import complete_told_facts
from referee.games.mutants.answers import check_open_question
from referee.games.mutants.board import Side, is_square
from referee.games.mutants.phases import COMBAT_PHASES, MUTANT_MOVEMENT_STEPS, PHASES_BEFORE_PLAY
from referee.games.mutants.sequence import list_radioactive_mutants_on_board
from referee.games.mutants.setting_up import Put, check_placement
from referee.games.mutants.state import (
    BASIC_TURNS,
    ENGAGED_BOX_COUNT,
    LAST_CONFINED_TURN,
    Combat,
    State,
    ToldFacts,
    find_other_side,
)
from referee.games.mutants.status import PHASE_NAMES
from referee.games.mutants.walls import check_wall_placement


def _check_complete(state: State) -> Iterator[Refusal]:
    """Yields a refusal if a unit is nowhere after the set-up. In a view some units may be missing."""
    nowhere = (
        ()
        if state.phase in PHASES_BEFORE_PLAY
        else (*state.list_units_in_hand("human"), *state.list_units_in_hand("mutant"))
    )
    if nowhere:
        named = listing([*nowhere[:5], *(["others"] if len(nowhere) > 5 else [])])
        yield Refusal("INTRO.IV.B-a", f"these units are not on the board, gone or in the pool: {named}")


def _check_places(state: State) -> Iterator[Refusal]:
    for unit, where in state.at.items():
        captive = state.is_captive(unit) or (state.is_alternate_scenario and unit == "penny")
        if state.board.find_side(unit) == "human" and is_square(where) and not captive:
            yield Refusal("IV.C.4", f"{unit} cannot be in a Mutant Set Up square, {where}")
        if state.is_janibot(unit) and where == state.board.tech_room:
            yield Refusal("IV.C.3", f"{unit} is a Janibot and cannot be in the Tech Room")
    if not state.is_alternate_scenario and state.turn <= LAST_CONFINED_TURN:
        for unit, where in state.at.items():
            if state.board.units[unit].kind == "tech" and where != state.board.tech_room:
                yield Refusal("IV.C.1-a", f"{unit} cannot have left the Tech Room by Turn {state.turn}")


def _check_walls(state: State) -> Iterator[Refusal]:
    """Yields refusals about Walls that break the set-up rules, or that stand in a smashed or open door (M4)."""
    bare = replace(state, walls=frozenset())
    for door in sorted(state.walls):
        yield from check_wall_placement(bare, door)
        bare = replace(bare, walls=bare.walls | {door})
    for door in sorted(state.walls & (state.smashed | {opened for opened, _ in state.opened})):
        yield Refusal("M4", f"{door} has a Wall and cannot be smashed or open")


def _check_turn(state: State) -> Iterator[Refusal]:
    if state.turn > state.final_turn:
        yield Refusal("VII.B-a", f"the Basic Game has {spell_number(BASIC_TURNS)} Turns, not {state.turn}")
    for unit in sorted(state.failed - state.used):
        yield Refusal("IV.B.2.d", f"{unit} cannot have failed at a door that it did not attack")


def _check_phase(state: State) -> Iterator[Refusal]:
    is_decided = state.rolled is not None and state.rolled[0] != state.rolled[1]
    if state.phase in ("sides", "choose") and is_decided != (state.phase == "choose"):
        yield Refusal("II.A-c", "sides are chosen only after a roll that is not a tie")
    if state.swapped and (state.options["sides"] != "roll" or state.phase in ("sides", "choose")):
        yield Refusal("II.A-e", "players change chairs only after a roll for sides")
    if state.stop and state.phase in PHASES_BEFORE_PLAY:
        yield Refusal("III-a", "a game that has not started cannot be ended")
    if state.phase == "glow" and not list_radioactive_mutants_on_board(state) and not state.has_hidden_movement:
        yield Refusal("III-d", "without Radioactive Mutants the Glow and Go Phase is passed over")
    if state.phase in COMBAT_PHASES and not state.list_contested_rooms() and not state.combat:
        yield Refusal("V.A-a", "no room holds units of both sides")
    if state.phase not in COMBAT_PHASES:
        yield from _check_peace(state)
    if state.phase in PHASES_BEFORE_PLAY:
        yield from _check_set_up(state)


def _check_peace(state: State) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V-a", "a Combat is fought in a Combat Phase only")
    arriving = state.is_alternate_scenario and (
        state.phase in MUTANT_MOVEMENT_STEPS or (state.phase == "arrival" and state.asked)
    )
    moving = state.phase in ("move", "human-move")
    for room in state.list_contested_rooms():
        entered = moving and not state.moved.keys().isdisjoint(state.units_by_place[room])
        if not entered and not (arriving and room == state.board.tech_room):
            yield Refusal("V.A-b", f"the Combat in {room} must be over by now")


def _check_set_up(state: State) -> Iterator[Refusal]:
    if state.gone or state.pool:
        yield Refusal("III-a", "before the game starts no unit can be out of it")
    if state.phase != "setup-human":
        missing = state.list_units_in_hand("human") if state.phase == "setup-mutant" else tuple(state.at)
        if missing:
            yield Refusal("II.B.1", f"the Human set-up comes first: {listing(missing[:5])}")
    if state.phase == "setup-human" and any(state.board.find_side(unit) == "mutant" for unit in state.at):
        yield Refusal("II.B.1", "Mutants are set up only after the Human set-up is complete")
    if state.is_alternate_scenario and state.phase == "setup-mutant":
        yield Refusal("OPT.VI.A-b", "in the Alternate Scenario the Mutant player sets up nothing")
    yield from _check_set_up_places(state)


def _check_set_up_places(state: State) -> Iterator[Refusal]:
    """Yields refusals about units that were not allowed to be set up in their places."""
    bare = replace(state, at={})
    for unit, where in state.at.items():
        yield from check_placement(bare, state.board.find_side(unit), Put((unit,), where))
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
    return state.phase == "move" or state.asked is not None or bool(state.list_fighters("mutant", state.at["penny"]))


def _check_own_told(state: State) -> Iterator[Refusal]:
    return check_told_facts(state, state.told)


def check_told_facts(state: State, told: ToldFacts) -> Iterator[Refusal]:
    """Yields refusals about facts that a position counts as told.

    A fact is refused if it is not true, or if nobody can have been told it. Without Hidden Movement there are no such
    facts.
    """
    if not state.has_hidden_movement:
        if told != ToldFacts() or state.faded:
            yield Refusal("OPT.V.A", "a position without Hidden Movement has no told or faded units")
        return
    due = complete_told_facts(state)
    for unit in told.humans:
        if state.board.find_side(unit) != "human" or unit not in state.at:
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
    if told.due and (state.options["answers"] != "by-step" or state.phase not in ("smash", "move")):
        yield Refusal("M68", f"this is {PHASE_NAMES[state.phase]}, so no answer is due when a Step of the Mutants ends")
    for room in filter(is_square, told.due):
        yield Refusal("M68", f"{room} is a square, and the Human player tells only about rooms")
    for unit in state.board.sort_units(state.faded):
        if unit not in state.gone or state.board.units[unit].kind != "radioactive":
            yield Refusal("VI-b", f"{unit} is not a dead Radioactive Mutant")


def _check_sighted(state: State, room: str) -> Iterator[Refusal]:
    """Yields a refusal if a room cannot count as one where the Human player has reported somebody.

    A door of the room must be smashed, and somebody must still be there. In some phases no report counts any more.
    """
    doors = {state.find_door_between(room, other) for other in state.board.neighbours[room]}
    if is_square(room) or state.smashed.isdisjoint(doors):
        yield Refusal("OPT.V.C-b", f"no door of {room} is smashed, so nobody can have been reported there")
    elif not state.list_fighters("human", room):
        yield Refusal("OPT.V.C-b", f"nobody of the Human side is in {room}")
    elif state.phase in ("human-move", *PHASES_BEFORE_PLAY):
        yield Refusal("OPT.V.C-b", f"in this phase, a report of somebody in {room} no longer counts")


def _check_combat(state: State) -> Iterator[Refusal]:
    combat = state.combat
    if combat is None:
        return
    sides = {side: state.list_fighters(side, combat.room) for side in ("human", "mutant")}
    if combat.stage == "pursue":
        fled = combat.refuge is not None and state.are_neighbours(combat.room, combat.refuge)
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
    if combat.due >= max(1, len(combat.list_pairs())):
        yield Refusal("V.C-b", f"there is no pair {combat.due + 1} that could be due")
    else:
        yield from _check_boxes(state, combat)


def _check_boxes(state: State, combat: Combat) -> Iterator[Refusal]:
    """Yields refusals about the Engaged boxes: the units in them, their number, and finished pairs without a hit.

    A possible retreat is refused, too, if there is no Bugging Out or no side is outnumbered.
    """
    through = combat.list_pairs()[: combat.due]
    fallen = {unit for pair in through for unit in pair if unit in state.gone or state.is_captive(unit)}
    began: dict[Side, list[str]] = {side: [*state.list_fighters(side, combat.room)] for side in ("human", "mutant")}
    for unit in fallen:
        began[state.board.find_side(unit)].append(unit)
    for side, boxes in ((combat.first, combat.laid), (find_other_side(combat.first), combat.paired)):
        strangers = [unit for unit in boxes if unit not in began[side]]
        if strangers:
            yield Refusal("V.B.1-a", f"{listing(strangers)} cannot be Engaged by the {side} side in {combat.room}")
    for human, mutant in through:
        if not fallen & {human, mutant}:
            yield Refusal("V.D.3-b", f"{human} and {mutant} must roll until somebody is hit")
    due = min(ENGAGED_BOX_COUNT, *map(len, began.values()))
    for boxes in filter(None, (combat.laid, combat.paired)):
        if len(boxes) != due:
            yield Refusal("V.B.3-c", f"both sides fill {count_of(due, 'box', 'boxes')}, not {len(boxes)}")
    if combat.may_retreat and (combat.odds is None or not state.is_option_played("bugging-out")):
        yield Refusal("OPT.IV.A-a", "only the outnumbered side of a game with Bugging Out may retreat")


INVARIANTS: tuple[Invariant[State], ...] = (
    _check_complete,
    _check_places,
    _check_walls,
    _check_turn,
    _check_phase,
    _check_alternate,
    check_open_question,
    _check_own_told,
    _check_combat,
)
"""The facts about a position, in the order in which they are told."""
