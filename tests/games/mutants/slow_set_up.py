"""What the rulebook's sentences say about the set-up of Mutants, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from referee.games.mutants.setting_up import Put

OTHERS = ("radioactive", "normal")


def may_put(state, seat, action):
    """The Human side sets up in rooms, Mutants in Set Up squares (II.B.1.b to II.B.2.c)."""
    units, place = action.units, action.place
    kinds = {unit: kind_of(state, unit) for unit in units}
    if not units or list(units) != [unit for unit in state.board.units if unit in units]:
        return False
    if seat == "human":
        return may_put_humans(state, kinds, place)
    leaders = [unit for unit, kind in kinds.items() if kind == "leader"]
    led = [u for u, at in state.at.items() if kind_of(state, u) == "leader" and at[:2] == place[:2] and u not in units]
    is_mutant = all(kind in ("leader", *OTHERS) for kind in kinds.values())
    return is_mutant and place in squares(state) and len(leaders) <= 1 and not (leaders and led)  # II.B.2.a, II.B.2-b


def may_put_humans(state, kinds, place):
    """Techs in the Tech Room; elsewhere at most one Guard and one Janibot a room (II.B.1.b to II.B.1.d-c).

    A unit that stands there already is not set up there again.
    """
    tech_room = state.board.file.tech_room
    if set(kinds.values()) == {"tech"}:
        return place == tech_room and not any(unit in state.at for unit in kinds)
    if not set(kinds.values()) <= {"guard", "janibot"} or len(set(kinds.values())) < len(kinds):
        return False
    there = [kind_of(state, unit) for unit, at in state.at.items() if at == place]
    return place in rooms(state) and place != tech_room and not set(kinds.values()) & set(there)


def kind_of(state, unit):
    return state.board.units[unit].kind if unit in state.board.units else ""


def places(state):
    file = state.board.file
    return sorted({end for door in (*file.inner_doors, *file.outer_doors) for end in door.split("-")})


def rooms(state):
    return [place for place in places(state) if not place.startswith("x")]


def squares(state):
    """Set Up squares: those that doors lead to, and those that lie beside squares (INTRO.IV.B.1-a)."""
    file = state.board.file
    linked = {end for link in (*file.links, *file.corner_links) for end in link.split("-")}
    return sorted({place for place in (*places(state), *linked) if place.startswith("x")})


def try_puts(state, seat, random):
    """Every kind alone in some places, pairs of kinds, and groups at random."""
    everywhere = [*rooms(state), *squares(state)]
    by_kind = {}
    for unit in state.board.units:
        by_kind.setdefault(kind_of(state, unit), []).append(unit)
    for place in random.sample(everywhere, min(12, len(everywhere))):
        for units in by_kind.values():
            yield Put((random.choice(units),), place)
        for _ in range(6):
            some = [random.choice(by_kind[kind]) for kind in random.sample([*by_kind], 2)]
            some += random.sample([*state.board.units], random.choice((0, 0, 2)))
            yield Put(tuple(unit for unit in state.board.units if unit in some), place)
    techs, tech_room = by_kind.get("tech", []), state.board.file.tech_room
    yield from (Put(tuple(techs[:count]), tech_room) for count in range(1, len(techs) + 1))
    yield from (Put((unit,), tech_room) for unit in state.board.units)
