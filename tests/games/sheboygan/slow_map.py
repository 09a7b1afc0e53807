"""The map of Sheboygan as it lies on the table, slowly: boxes, ways and prices, from the map file alone.

Written from the rules, without the quick code of the game.
"""

from __future__ import annotations

SIDES = ("north", "east", "south", "west")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
COST = {"street": 1, "park": 2, "low": 3, "high": 3, "bridge": 1, "tunnel": 1, "river": 1, "rubble": 2}
"""Movement Points by the Terrain Effects Chart (5.4)."""
AT_R = 4


class Map:
    """The map as it lies on the table now."""

    def __init__(self, state):
        self.state, self.boxes = state, {box.id: box for box in state.board.file.box}
        self.doubtful = state.board.file.doubtful if state.options["doubtful-links"] == "adjacent" else ()

    def beside(self, box):
        """The adjacent boxes: those with a dividing line, and doubtful ones if the players agreed (5.0c, C39)."""
        ours = {one for link in self.doubtful for one, other in ((link.a, link.b), (link.b, link.a)) if other == box}
        return {*self.boxes[box].neighbours, *ours}

    def on_side(self, box, side):
        """The adjacent boxes on one side (C29)."""
        near = {*getattr(self.boxes[box], side)}
        near |= {link.b for link in self.doubtful if link.a == box and link.b_lies == side}
        return near | {link.a for link in self.doubtful if link.b == box and link.b_lies == OPPOSITE[side]}

    def terrain(self, box):
        """The terrain of a box; rubble, whatever is printed (7.11)."""
        return "rubble" if box in self.state.rubble else self.boxes[box].terrain

    def within(self, box, most):
        """Boxes at most so many boxes away (6.13)."""
        found = {box}
        for _ in range(most):
            found |= {near for one in found for near in self.beside(one)}
        return found - {box}

    def ways(self, start, points, price, ends=()):
        """The least cost of each box, by trying every step again until nothing gets cheaper; no step from `ends`."""
        cost, changed = {start: 0}, True
        while changed:
            changed = False
            for box in [box for box in cost if box == start or box not in ends]:
                for to in self.beside(box):
                    spent = cost[box] + price(to) if price(to) is not None else points + 1
                    if spent <= points and spent < cost.get(to, points + 1):
                        cost[to], changed = spent, True
        return {box for box in cost if box != start}

    def units_in(self, box):
        return [unit for unit, at in self.state.at.items() if at == box]

    def has_room(self, box):
        """True if one more unit that counts for stacking may stay in a box (5.21b, C21)."""
        return sum(unit[0] in "ptigb" for unit in self.units_in(box)) < 2


def price_for(state, unit):
    """The cost of entering a box, as a function; None where the unit may not go (5.11 to 5.13, 8.0, 13.22b)."""
    table, controlled = Map(state), unit == state.control
    enemies = {state.at[state.control]} if state.control and not controlled else set()
    humans = {at for other, at in state.at.items() if other != unit} if controlled else set()  # C60
    monster = set() if controlled or state.monster is None else {state.monster}

    def price(box):
        if box in state.webs or box in enemies or box in humans or box in state.ruins:
            return None
        if unit[0] == "h":
            return None if box in monster and state.aloft else 1
        if box in monster and not state.aloft:
            return None
        terrain = table.terrain(box)
        if unit[0] == "b":
            return COST[terrain] if terrain == "river" else None
        closed = ("low", "high", "river") if unit[0] in "tg" else ("river",)
        return None if terrain in closed else COST[terrain]

    return price


def monster_price(state):
    """The cost of a box for the monster (5.11a, 5.22d, 13.28b, 13.28g)."""
    table = Map(state)
    closed = {at for unit, at in state.at.items() if unit != state.control and (unit[0] == "h" or not state.aloft)}

    def price(box):
        if box in closed or box in state.ruins:
            return None
        if state.aloft:
            return 1
        terrain = table.terrain(box)
        shut = ("low", "high") if state.options["monster-in-tunnel"] == "yes" else ("low", "high", "tunnel")
        return None if terrain in shut else COST[terrain]

    return price


def has(state, ability):
    return ability in state.known or ability in state.sheet.value.abilities
