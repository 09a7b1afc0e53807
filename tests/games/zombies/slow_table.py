"""What lies on the table of Zombie Mutation, slowly: who stands where, and what a hero may still do.

Written from the rules, without the quick code of the game.
"""

from __future__ import annotations

from slow_city import city_of


class Table:
    """What lies on the table, in names of squares."""

    def __init__(self, state):
        self.state, self.city = state, city_of(state.board, state.opened)
        self.floor, self.beside, self.touching = self.city.floor, self.city.beside, self.city.touching
        self.figures = {player.at: player for player in state.players.values() if player.at}
        self.zombies = set(state.zombies)
        self.free = self.floor - self.zombies - set(self.figures) - set(state.tiles)

    def is_diagonal(self, level):
        """True if a movement mutation is in force on a level (mutation.2, mutation.4, zhero.move.5)."""
        cards = self.state.board.components.cards
        return any(at == level and cards[card].mutation == "diagonal" for card, at in self.state.mutations.items())

    def steps_from(self, start):
        """The squares one step from a square in a move that begins at `start`, over stairs too (zhero.move.4).

        A movement mutation counts for the whole move (zhero.move.5, ruling.horde-move).
        """
        near = self.touching if self.is_diagonal(start[0]) else self.beside
        return lambda square: near(square) | self.city.over_stairs(square)

    def tokens(self, kinds):
        """Squares with an unused token of these kinds (token.4)."""
        return {square for square, (_, sign) in self.city.signs.items() if sign in kinds} - set(self.state.used)

    def near(self, squares):
        """These squares, and all that touch them."""
        return set(squares) | {other for square in squares for other in self.touching(square)}


def spread(step, start, most, entered, halts=()):
    """The fewest steps to each square that can be reached, through squares of `entered` and not on from `halts`."""
    away, fresh = {start: 0}, {start}
    for number in range(1, most + 1):
        fresh = {to for one in fresh if one not in halts or one == start for to in step(one)} & entered - set(away)
        away |= dict.fromkeys(fresh, number)
    return away


def is_stealthed(state, player):
    """True if a hero is undetected: noisy survivors and mutations undo it (stealth.1, stealth.5, mutation.7)."""
    cards = state.board.components.cards
    noisy = any(cards[card].kind == "noisy" for card in player.survivors)
    keen = any(at == player.at[:1] and cards[card].mutation == "no-stealth" for card, at in state.mutations.items())
    return bool(player.stealth) and not noisy and not keen


def attacks_left(state):
    """One after a MOVE, none after a BREAK AWAY, else two (turn.action.1 to turn.action.4); more by cards (move.5)."""
    acts = state.acts
    return {"no": 2, "move": 1, "break": 0}[acts.moved] + acts.extra - acts.attacks - acts.works


def owes_roll(state, player):
    """True if a held card has to be rolled for before the first action (turn.free.7)."""
    return state.phase == "start" and any(card not in state.tested for card in player.burdens)


def figures_left(state, level):
    """The figures of a level that are not on the board (comp.zombies-1 to comp.zombies-3)."""
    return state.board.components.figures_by_level[level] - list(state.zombies.values()).count(level)
