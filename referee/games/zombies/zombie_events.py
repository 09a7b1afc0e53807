"""What zombies do: bites, steps, hordes that join, part, move and mutate."""

from collections.abc import Iterable

from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.zombies.board import Square
from referee.games.zombies.components import CardId, HeroId, ZombieLevel
from referee.games.zombies.events import Number, Two, discarded, other_than
from referee.games.zombies.state import State, without_card
from referee.games.zombies.tasks import Aim, Bite, Follow, March, Squares, Steps

# Bites


class Bitten(Event, frozen=True, tag="bitten"):
    """A zombie or zombie hero has rolled an attack on a hero (zombie.attack.3, zhero.attack.1)."""

    at: Square
    """Where the attacker stands."""
    hero: HeroId
    faces: Two
    total: Number
    needed: Number
    hit: bool

    def apply(self, state: State) -> State:
        """It has attacked."""
        task = state.agenda[0]
        left = tuple(attack for attack in task.attacks if attack[0] != self.at)  # type: ignore[union-attr]  # a Bite
        return state.with_task(attacks=left) if left else state.done()


class ShieldRaised(Event, frozen=True, tag="shield-raised"):
    """A survivor has taken a successful attack (survivor.6)."""

    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """The survivor is discarded (ruling.shield-discard)."""
        player = state.players[self.hero]
        where = "burdens" if self.card in player.burdens else "survivors"
        left = {where: without_card(getattr(player, where), self.card)}
        spent = tuple(card for card in player.spent if card != self.card)
        return discarded(state.done().with_player(self.hero, **left, spent=spent), self.card)


class Unshielded(Event, frozen=True, tag="unshielded"):
    """Nobody is given up: the hero takes the attack."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """The damage is told next."""
        return state.done()


# Steps of free zombies


class GroupRoused(Event, frozen=True, tag="group-roused"):
    """A group of zombies sees a hero and goes for him (zombie.move.5, zombie.group.2)."""

    hero: HeroId
    """The hero it goes for."""
    march: March
    """How it goes on."""

    def apply(self, state: State) -> State:
        """Its members step next."""
        return replace(state, agenda=(self.march, *state.agenda[1:]))


class Stepped(Event, frozen=True, tag="stepped"):
    """A zombie has taken a step (zombie.move.3)."""

    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Move it; its group remembers."""
        march = state.agenda[0]
        assert isinstance(march, March)
        state = replace(state, zombies=moved(state, ((self.origin, self.to),)))
        whole = state.board.in_order(self.to if square == self.origin else square for square in march.whole)
        made = (*march.made, (self.origin, self.to))
        return state.with_task(movers=march.movers[1:], made=made, whole=whole)


class Stayed(Event, frozen=True, tag="stayed"):
    """A zombie finds no square nearer to the hero (ruling.zombie-toward)."""

    at: Square

    def apply(self, state: State) -> State:
        """The next one steps."""
        march = state.agenda[0]
        assert isinstance(march, March)
        return state.with_task(movers=march.movers[1:])


class TakenBack(Event, frozen=True, tag="taken-back"):
    """A step that would part a group is taken back (zombie.group.3)."""

    origin: Square
    """Where it goes back to."""
    to: Square

    def apply(self, state: State) -> State:
        """Move it back."""
        march = state.agenda[0]
        assert isinstance(march, March)
        state = replace(state, zombies=moved(state, ((self.to, self.origin),)))
        whole = state.board.in_order(self.origin if square == self.to else square for square in march.whole)
        return state.with_task(made=march.made[:-1], whole=whole)


class GroupDone(Event, frozen=True, tag="group-done"):
    """A group has moved; the next one is to."""

    march: March | None
    """What is left; None: all have moved."""

    def apply(self, state: State) -> State:
        """Go on with that."""
        return replace(state, agenda=((self.march,) if self.march else ()) + state.agenda[1:])


# Hordes


class Joined(Event, frozen=True, tag="joined"):
    """Free zombies belong to a zombie hero's horde now (zhero.horde.1)."""

    hero: HeroId
    squares: Squares

    def apply(self, state: State) -> State:
        """Count them to it."""
        horde = state.board.in_order((*state.players[self.hero].horde, *self.squares))
        return state.with_player(self.hero, horde=horde)


class JoiningEnded(Event, frozen=True, tag="joining-ended"):
    """The horde is full; the rest stay free (zhero.horde.6)."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """It has been settled."""
        return state.done()


class Parted(Event, frozen=True, tag="parted"):
    """Zombies cut off from their zombie hero are free (zhero.horde.5)."""

    hero: HeroId
    squares: Squares

    def apply(self, state: State) -> State:
        """They no longer belong to his horde."""
        left = tuple(square for square in state.players[self.hero].horde if square not in self.squares)
        return state.with_player(self.hero, horde=left)


class Swapped(Event, frozen=True, tag="swapped"):
    """A zombie hero has changed places with a zombie of his horde (zhero.move.2, ruling.horde-origin)."""

    hero: HeroId
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Exchange the two."""
        player = state.players[self.hero]
        zombies = other_than(state.zombies, self.to) | {self.origin: state.zombies[self.to]}
        horde = state.board.in_order((*(each for each in player.horde if each != self.to), self.origin))
        return replace(state, zombies=zombies).with_player(self.hero, at=self.to, horde=horde).with_task(led=True)


class HordeMoved(Event, frozen=True, tag="horde-moved"):
    """Zombies of a horde have followed their zombie hero, or one of them has gone elsewhere (zhero.horde.3)."""

    hero: HeroId
    steps: Steps
    """From where to where."""

    def apply(self, state: State) -> State:
        """Move them all at once; who was put elsewhere stays there."""
        to = dict(self.steps)
        horde = state.board.in_order(to.get(square, square) for square in state.players[self.hero].horde)
        state = replace(state, zombies=moved(state, self.steps)).with_player(self.hero, horde=horde)
        if not isinstance(state.task, Follow):
            return state
        return state.with_task(origins=tuple(pair for pair in state.task.origins if pair[0] not in to))


class HordeSettled(Event, frozen=True, tag="horde-settled"):
    """The horde stays as it stands."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """Its move is over."""
        return state.done()


class Exchanged(Event, frozen=True, tag="exchanged"):
    """Zombies of a horde were exchanged for others (mutate.2 to mutate.5)."""

    hero: HeroId
    taken: Squares
    placed: Squares
    level: ZombieLevel
    """Of those that are placed."""

    def apply(self, state: State) -> State:
        """Take the ones off and put the others down."""
        kept = {square: level for square, level in state.zombies.items() if square not in self.taken}
        left = [square for square in state.players[self.hero].horde if square not in self.taken]
        horde = state.board.in_order((*left, *self.placed))
        state = replace(state, zombies=kept | dict.fromkeys(self.placed, self.level))
        acts = replace(state.acts, works=state.acts.works + 1)
        return replace(state, acts=acts).with_player(self.hero, horde=horde)


class AttackBegun(Event, frozen=True, tag="attack-begun"):
    """A zombie hero and his horde attack (zhero.attack.1)."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """It is his one action."""
        return replace(state, acts=replace(state.acts, attacks=state.acts.attacks + 1))


class Aimed(Event, frozen=True, tag="aimed"):
    """It is known whom an attacker attacks who had a choice (ruling.zhero-targets)."""

    at: Square
    hero: HeroId

    def apply(self, state: State) -> State:
        """The next one chooses; then the dice are due."""
        task = state.agenda[0]
        assert isinstance(task, Aim)
        left = tuple(square for square in task.attackers if square != self.at)
        aimed = (*task.aimed, (self.at, self.hero))
        if left:
            return state.with_task(attackers=left, aimed=aimed)
        attacks = tuple(sorted(aimed, key=lambda attack: state.board.index[attack[0]]))
        return replace(state, agenda=(Bite(by=task.by, attacks=attacks, token=False), *state.agenda[1:]))


def moved(state: State, steps: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Where zombies stand after some of them have moved at once."""
    to, zombies = dict(steps), state.zombies
    return dict(zip(map(to.get, zombies, zombies), zombies.values(), strict=True))
