"""What the rulebook's sentences say about moves, doors and Combat, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two. Groups are too many to
be listed, so each definition judges one group at a time.
"""

from __future__ import annotations

from itertools import combinations

from own_boards import own_board
from slow_set_up import may_put, try_puts

from referee.games.mutants.answers import HideUnits
from referee.games.mutants.bugging_out import Pursue, Retreat
from referee.games.mutants.combat import Fight
from referee.games.mutants.doors import OpenDoor, SmashDoor
from referee.games.mutants.engaging import LayOutUnits, PairOffUnits
from referee.games.mutants.moving import MoveUnits
from referee.games.mutants.resolving import ResolvePair
from referee.games.mutants.setting_up import Put
from referee.games.mutants.walls import PlaceWall
from referee.testing import Definition

# The building


def file_of(state):
    return state.board.file


def is_room(place):
    return not place.startswith("x")


def doors(state):
    return [*file_of(state).inner_doors, *file_of(state).outer_doors]


def door_between(state, one, other):
    """The door that joins two places (IV.A.2-b); None if there is none."""
    return next((door for door in doors(state) if set(door.split("-")) == {one, other}), None)


def lie_open(state, one, other):
    """True for two squares side by side (IV.B.4-c), and round a corner if the players agreed on it (M2)."""
    links = [*file_of(state).links, *(file_of(state).corner_links if state.options["corner-squares"] == "yes" else ())]
    return any(set(link.split("-")) == {one, other} for link in links)


def kind(state, unit):
    """The kind of a counter, as the board file has it."""
    return state.board.units[unit].kind if unit in state.board.units else ""


def is_human(state, unit):
    """True for a Tech or Guard who is no captive (INTRO.IV.A.1-b, OPT.VI.C-b)."""
    return kind(state, unit) in ("tech", "guard") and not is_captive(state, unit)


def is_mutant(state, unit):
    return kind(state, unit) in ("leader", "radioactive", "normal")


def is_captive(state, unit):
    return unit == "penny" and state.captive


def own(state, seat, unit):
    if seat == "human":
        return is_human(state, unit) or kind(state, unit) == "janibot"
    return is_mutant(state, unit)


def there(state, seat, place):
    """The units of a side in a place; a captive is of neither (M49)."""
    return [unit for unit, at in state.at.items() if at == place and own(state, seat, unit)]


def is_canonical(state, units):
    """True if a group is written as the log has it: somebody, nobody twice, in the order of the counters."""
    return bool(units) and list(units) == [unit for unit in state.board.units if unit in units]


def takes_part(state, unit):
    """True unless a Mutant has left the building, where the players agreed that it then does nothing (M57)."""
    return unit not in state.exited or state.options["exited-mutants"] == "active"


# Moving


def may_move(state, seat, action):
    """All units of a group go one room or square, through doors that let them pass (IV.A.2-a, IV.A.2-b)."""
    units = [unit for unit in action.units if unit in state.at]
    if len(units) < len(action.units) or not is_canonical(state, action.units):
        return False
    can = human_can_move if seat == "human" else mutant_can_move
    return all(can(state, unit, action.to, units) for unit in units)


def human_can_move(state, unit, to, group):
    """Techs and Guards pass any door without a Wall (IV.C-a, IV.A.3) and enter no square (IV.C.4, M61)."""
    place, door = state.at[unit], door_between(state, state.at[unit], to)
    if not own(state, "human", unit) or unit in state.moved:
        return False
    if door is None or door in state.walls or not is_room(to) or not is_room(place):
        return False
    tech_room = file_of(state).tech_room
    if kind(state, unit) == "tech" and place == tech_room and state.turn < 5:  # IV.C.1-a, M53
        return False
    if kind(state, unit) != "janibot":
        return True
    led = any(is_human(state, other) and state.at[other] == place for other in group)
    return led and to != tech_room  # IV.C.2-a, IV.C.2-b, IV.C.3


def mutant_can_move(state, unit, to, group):
    """Mutants pass smashed and opened doors, and go from square to square (IV.B.1, IV.B.4-b); Penny goes with them."""
    place = state.at[unit]
    if unit in state.moved or not mutants_pass(state, place, to):
        return False
    if is_captive(state, unit):  # OPT.VI.C-d
        return any(is_mutant(state, other) and state.at[other] == place for other in group)
    held = unit in state.arrived and there(state, "human", file_of(state).tech_room)  # OPT.VI.B-c
    stays = unit in state.failed or held or not takes_part(state, unit)  # IV.B.4-a
    returns = unit in state.exited and is_room(to)  # OPT.VI.E.NOTE-a
    return is_mutant(state, unit) and not stays and not returns


def mutants_pass(state, place, to):
    door = door_between(state, place, to)
    if door is None or door in state.walls:
        return door is None and lie_open(state, place, to)
    far, near = (door, to) in state.opened, (door, place) in state.opened
    held = {"far": far, "either": far or near, "both": far and near}[state.options["opener-side"]]  # M30
    return door in state.smashed or held


def try_moves(state, seat, random):
    """Every unit alone to every place beside it, and groups at random."""
    links = [*doors(state), *file_of(state).links, *file_of(state).corner_links]
    for unit, place in state.at.items():
        for link in links:
            ends = link.split("-")
            if place in ends:
                yield MoveUnits((unit,), ends[place == ends[0]])
    for link in random.sample(links, min(40, len(links))):
        for to in link.split("-"):
            near = [unit for unit, at in state.at.items() if at in link.split("-") and at != to]
            yield from (MoveUnits(group, to) for group in groups(state, near, random))


def groups(state, units, random, most=4):
    """A few groups of these units, sometimes with a stranger, each in the order of the counters."""
    for _ in range(4):
        some = random.sample(units, random.randint(0, min(most, len(units))))
        some += random.sample(list(state.at), 1) if state.at and random.random() < 0.2 else []
        if some:
            yield tuple(unit for unit in state.board.units if unit in some)


# Doors


def may_smash(state, seat, action):
    """Mutants beside a door attack it, each door and each Mutant once a Turn, no Leaders (IV.B.2-a to IV.B.2.e-b)."""
    door, units = action.door, action.units
    if seat != "mutant" or door not in doors(state) or not is_canonical(state, units):
        return False
    if door in {*state.walls, *state.smashed, *state.attempted}:  # M4, M29, IV.B.2.e-b
        return False
    sides = {state.at.get(unit) for unit in units}
    if not sides <= set(door.split("-")) or (len(sides) > 1 and state.options["smash-sides"] == "one-side"):  # M33
        return False
    kinds = {kind(state, unit) for unit in units}
    return (
        kinds <= {"radioactive", "normal"} and not state.used & set(units) and all(takes_part(state, u) for u in units)
    )


def try_smashing(state, seat, random):
    for door in random.sample(doors(state), min(40, len(doors(state)))):
        near = [unit for unit, at in state.at.items() if at in door.split("-")]
        yield from (SmashDoor(door, group) for group in groups(state, near, random, 6))


def may_open(state, seat, action):
    """Mutants open a door for Mutants on its other side, unless they have attacked one (IV.B.3-a, IV.B.3.b)."""
    door, units = action.door, action.units
    if seat != "mutant" or door not in doors(state) or not is_canonical(state, units):
        return False
    if door in state.walls or door in state.smashed:
        return False
    one, other = door.split("-")
    for unit in units:
        place = state.at.get(unit)
        beyond = there(state, "mutant", other if place == one else one)
        able = is_mutant(state, unit) and unit not in state.used and takes_part(state, unit)
        if place not in (one, other) or not able or not any(takes_part(state, each) for each in beyond):
            return False
        either = state.options["opener-side"] == "either"
        if (door, place) in state.opened or (either and any(opened == door for opened, _ in state.opened)):
            return False  # it is open for them already
    return True


def try_opening(state, seat, random):
    for door in random.sample(doors(state), min(40, len(doors(state)))):
        near = [unit for unit, at in state.at.items() if at in door.split("-")]
        yield from (OpenDoor(door, group) for group in groups(state, near, random))


# Combat


def fight(state, seat):
    """In every room with units of both sides, in the order that the player who has just moved likes (V.A-a, V.B-a)."""
    for room in sorted({place for place in state.at.values() if is_room(place)}):  # M61
        if there(state, "human", room) and there(state, "mutant", room):
            yield Fight(room)


def pairs_due(state):
    """All units of the smaller side, or five (V.B.2-a, V.B.3-c, M37)."""
    room = state.combat.room
    return min(5, len(there(state, "human", room)), len(there(state, "mutant", room)))


def may_lay(state, seat, action):
    """The player with fewer units lays out first, any units from the room, one to a box (V.B.3-a, V.B.3-c, V.B.3-f)."""
    units = action.units
    return len(units) == len(set(units)) == pairs_due(state) and set(units) <= set(
        there(state, seat, state.combat.room)
    )


def may_pair(state, seat, action):
    """The other player puts an equal number opposite them (V.B.3-d)."""
    units, here = action.units, set(there(state, seat, state.combat.room))
    return len(units) == len(set(units)) == len(state.combat.laid) and set(units) <= here


def try_boxes(action):
    def tries(state, seat, random):
        here = [unit for unit, at in state.at.items() if at == state.combat.room]
        for _ in range(40):
            count = random.choice((pairs_due(state), random.randint(1, 5)))
            yield action(tuple(random.sample(here, min(count, len(here)))))

    return tries


def after_resolve(state, seat, action, faces):
    """Both roll until one of them is hit, at the Hit Number or less (V.D-a to V.D.3-b)."""
    combat = state.combat
    boxes = (combat.laid, combat.paired) if combat.first == "human" else (combat.paired, combat.laid)
    human, mutant = boxes[0][combat.due], boxes[1][combat.due]
    mutant_falls = faces[0] <= hit_number(state, "human", human, mutant)
    human_falls = faces[1] <= hit_number(state, "mutant", mutant, human)
    taken = human_falls and human == "penny" and state.options["scenario"] == "alternate"  # OPT.VI.C-a
    gone = {mutant} if mutant_falls else set()
    gone |= {human} if human_falls and not taken else set()
    captors = [unit for unit in there(state, "mutant", combat.room) if unit not in gone]
    penny_is_here = taken or (state.captive and state.at["penny"] == combat.room)
    captive = state.captive or taken
    told = {"gone": state.gone | gone}
    return told | ({} if penny_is_here and captors else {"captive": captive and not penny_is_here})


def hit_number(state, side, unit, enemy):
    """The Hit Number on the counter, J against Janibots (V.D.2-b, V.D.2-c); one more with Overwhelming Odds (M42)."""
    counter = state.board.units[unit]
    number = counter.hit_number_against_janibots if kind(state, enemy) == "janibot" else counter.hit_number
    if kind(state, unit) == "janibot":
        number = min(counter.hit_number, 2 if state.options["help-mutants"] == "yes" else 6)  # OPT.II.B, M64
    if state.options["overwhelming-odds"] == "yes" and state.combat.odds == side:
        number = min(number + 1, 5 if state.options["odds-floor"] == "six-misses" else 6)
    return number


# Bugging Out


def may_retreat(state, seat, action):
    """The outnumbered side may run to one room or square beside, without enemies (OPT.IV.A-a, OPT.IV.A.6, M44)."""
    combat, to, units = state.combat, action.to, action.units
    if not combat.may_retreat or combat.odds in (None, seat) or not is_canonical(state, units):
        return False
    if any(
        state.at.get(unit) != combat.room or not (own(state, seat, unit) or is_captive(state, unit)) for unit in units
    ):
        return False
    door = door_between(state, combat.room, to)
    if door is None or door in state.walls or there(state, "mutant" if seat == "human" else "human", to):
        return False
    told = state.told.rooms if seat == "human" else state.told.sighted
    if to in told:  # somebody was told to be there
        return False
    if seat == "mutant":  # OPT.IV.A.4, M51
        return door in state.smashed and any(is_mutant(state, unit) for unit in units)
    return is_room(to) and humans_leave(state, units, to)


def humans_leave(state, units, to):
    """Janibots go with a Human unit and not into the Tech Room; Techs stay there before Turn 5 (OPT.IV.A.3 to .8)."""
    tech_room = file_of(state).tech_room
    held = any(kind(state, u) == "tech" and state.at[u] == tech_room and state.turn < 5 for u in units)
    janibots = any(kind(state, unit) == "janibot" for unit in units)
    led = any(is_human(state, unit) for unit in units)
    return led and not held and not (janibots and to == tech_room) and not any(is_captive(state, u) for u in units)


def try_retreats(state, seat, random):
    room = state.combat.room
    near = [unit for unit, at in state.at.items() if at == room]
    for door in [door for door in doors(state) if room in door.split("-")]:
        to = next(end for end in door.split("-") if end != room)
        yield from (Retreat(group, to) for group in groups(state, near, random, 8))


def may_pursue(state, seat, action):
    """No more follow than fled, and Janibots only with a Human unit (OPT.IV.A.1-b, OPT.IV.A.1-e, M43)."""
    combat, units = state.combat, action.units
    if not combat.refuge or not is_canonical(state, units) or len(units) > combat.fled:
        return False
    if not set(units) <= set(there(state, seat, combat.room)):
        return False
    return seat == "mutant" or (is_room(combat.refuge) and humans_leave(state, units, combat.refuge))


def try_pursuits(state, seat, random):
    near = [unit for unit, at in state.at.items() if at == state.combat.room]
    for _ in range(6):
        yield from (Pursue(group) for group in groups(state, near, random, 6))


# Hidden Movement


def may_hide(state, seat, action):
    """Human-side units in a room without Mutants may be noted in secret again, but in no Combat (OPT.V.C-e, M49)."""
    if state.options["hidden-movement"] == "no" or seat != "human" or not is_canonical(state, action.units):
        return False
    for unit in action.units:
        place = state.at.get(unit, "")
        is_shown = unit in state.told.humans and own(state, "human", unit)
        with_mutants = place in state.told.rooms or there(state, "mutant", place)
        if not is_shown or with_mutants or not is_room(place) or (state.combat and state.combat.room == place):
            return False
    return True


def try_hiding(state, seat, random):
    yield from (HideUnits((unit,)) for unit in state.at)
    yield from (HideUnits(group) for group in groups(state, [*state.told.humans], random))


# Walls


def walls(state, seat):
    """Every inner door but those of the Tech Room, as long as no three Walls are adjacent (II.B.1.a, M5)."""
    file = file_of(state)
    stock = file.walls + (file.more_walls if state.options["help-humans"] == "yes" else 0)
    free = [door for door in file.inner_doors if file.tech_room not in door.split("-") and door not in state.walls]
    for door in free if len(state.walls) < stock else ():
        if not any(are_adjacent(state, {door, *two}) for two in combinations(state.walls, 2)):
            yield PlaceWall(door)


def are_adjacent(state, three):
    """True if three Walls are adjacent in the sense that the players chose (M5)."""
    rule, ends = state.options["wall-adjacent"], [ends_of(door) for door in three]
    if rule == "same-room":
        return bool(set.intersection(*(set(door.split("-")) for door in three)))
    touching = sum(bool(one & other) for one, other in combinations(ends, 2))
    if rule == "chain":
        return touching >= 2
    columns, rows = ({point[axis] for wall in ends for point in wall} for axis in (0, 1))
    return touching == 2 and 1 in (len(columns), len(rows))


def ends_of(door):
    """The two corners that the rooms on both sides of a door share, as columns and rows of lines."""
    places = [(ord(room[0]), int(room[1:])) for room in door.split("-")]
    one, other = ({(x + dx, y + dy) for dx in (0, 1) for dy in (0, 1)} for x, y in places)
    return one & other


MEANS = (
    Definition(MoveUnits, "IV.A.2-b", allows=may_move, tries=try_moves),
    Definition(PlaceWall, "II.B.1.a-f", lists=walls),
    Definition(Put, "II.B.2-b", allows=may_put, tries=try_puts),
    Definition(SmashDoor, "IV.B.2-a", allows=may_smash, tries=try_smashing),
    Definition(OpenDoor, "IV.B.3-a", allows=may_open, tries=try_opening),
    Definition(Fight, "V.A-a", fight),
    Definition(HideUnits, "OPT.V.C-e", allows=may_hide, tries=try_hiding),
    Definition(LayOutUnits, "V.B.3-c", allows=may_lay, tries=try_boxes(LayOutUnits)),
    Definition(PairOffUnits, "V.B.3-d", allows=may_pair, tries=try_boxes(PairOffUnits)),
    Definition(ResolvePair, "V.D.3-b", leads_to=after_resolve),
    Definition(Retreat, "OPT.IV.A-a", allows=may_retreat, tries=try_retreats),
    Definition(Pursue, "OPT.IV.A.1-b", allows=may_pursue, tries=try_pursuits),
)
OWN = (
    {"board": own_board(3, 3)},
    {"board": own_board(5, 4)},
    {"board": own_board(2, 5, {"N": 2, "E": 3, "S": 4, "W": 5})},
)
