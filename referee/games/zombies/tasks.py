"""What has to be done before the turn goes on, one thing after another: who has to do it, and all that it takes."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.games.zombies.board import Square
from referee.games.zombies.components import CardId, HeroId, ZombieLevel

Squares = Annotated[tuple[Square, ...], Meta(max_length=100)]
Cards = Annotated[tuple[CardId, ...], Meta(max_length=80)]
Steps = Annotated[tuple[tuple[Square, Square], ...], Meta(max_length=100)]


class Task(Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", kw_only=True):
    """Something that has to be done; its tag names the phase of the game while it stands first."""

    by: HeroId
    """Whose player has to do it."""


class Go(Task, frozen=True, tag="go"):
    """A die was thrown for movement: say where to (move.1, breakaway.2, zhero.move.1)."""

    steps: Annotated[int, Meta(ge=0, le=12)]
    """The most squares."""
    fleeing: bool = False
    """Whether it is the MOVE of a break away."""
    led: bool = False
    """Whether the zombie hero has changed places with one of his horde (zhero.move.2)."""


class Draw(Task, frozen=True, tag="draw"):
    """Draw for a token that was reached (token.2)."""

    free: bool = False
    """Whether it may be left alone, by a stealthed hero (move.8)."""


class Star(Task, frozen=True, tag="star"):
    """Draw the cards of a bonus star (bonus.1)."""

    at: Square


class Keep(Task, frozen=True, tag="keep"):
    """Choose one of the cards at a star (bonus.2, bonus.3)."""

    at: Square


class Test(Task, frozen=True, tag="test"):
    """Roll for an infected survivor or a horde card that was just drawn (survivor.2, horde.1)."""

    card: CardId


class Count(Task, frozen=True, tag="count"):
    """Roll how many zombies a horde has (horde.3, card.zombie.7)."""

    level: ZombieLevel
    distance: Annotated[int, Meta(ge=0, le=20)]
    in_sight: bool = True


class Place(Task, frozen=True, tag="place"):
    """Place zombies, one after another (card.zombie.2)."""

    level: ZombieLevel
    count: Annotated[int, Meta(ge=0, le=40)]
    how: Literal["spawn", "horde", "turned"]
    """Around a token (card.zombie.3), at a distance (horde.4), or next to the hero (survivor.3)."""
    at: Square
    distance: Annotated[int, Meta(ge=0, le=20)] = 1
    in_sight: bool = False


class Bite(Task, frozen=True, tag="bite"):
    """Roll the attacks of zombies, or of a zombie hero and his horde (zombie.attack.3, zhero.attack.1)."""

    attacks: Annotated[tuple[tuple[Square, HeroId], ...], Meta(max_length=100)]
    """Where each attacker stands, and whom it attacks."""
    token: bool = True
    """Whether they are zombies of the token, for which the attacked player does not roll (zombie.attack.5)."""


class Shield(Task, frozen=True, tag="shield"):
    """Say whether a survivor is given up to take a successful attack (survivor.6)."""


class Aim(Task, frozen=True, tag="aim"):
    """Choose whom attackers next to several heroes attack (ruling.zhero-targets)."""

    attackers: Squares
    aimed: Annotated[tuple[tuple[Square, HeroId], ...], Meta(max_length=100)] = ()


class March(Task, frozen=True, tag="march"):
    """Zombies that see a hero step towards him, group by group (zombie.move.1)."""

    groups: Annotated[tuple[Squares, ...], Meta(max_length=100)]
    """Groups that have not moved, with all members."""
    movers: Squares = ()
    """Of the group that moves: who has still to step, in order."""
    made: Steps = ()
    """Steps that it has made."""
    whole: Squares = ()
    """Squares of all that hung together with it when it began, as they are now."""
    target: HeroId | None = None
    again: Annotated[int, Meta(ge=0, le=5)] = 0
    """Rounds of steps that the group has left after this one, under a speed mutation."""


class Join(Task, frozen=True, tag="join"):
    """Choose who joins a horde that has not room for all (ruling.horde-limit-join)."""

    zombies: Squares


class Deal(Task, frozen=True, tag="deal"):
    """Agree to a trade, or not (ruling.trade-partners)."""

    partner: HeroId
    """Who offers it."""
    give: Cards
    take: Cards
    tiles: Annotated[int, Meta(ge=-3, le=3)] = 0
    """Blocking tiles handed over by who offers; fewer than none: taken."""


class Lob(Task, frozen=True, tag="lob"):
    """Say where a grenade falls (grenade.2)."""

    card: CardId
    reach: Annotated[int, Meta(ge=1, le=6)]


class Follow(Task, frozen=True, tag="follow"):
    """The horde has followed its zombie hero; each of its zombies may still go elsewhere (zhero.horde.3)."""

    steps: Annotated[int, Meta(ge=0, le=20)]
    origins: Steps
    """Where each zombie that may go elsewhere stands, and where it came from."""


AnyTask = Go | Draw | Star | Keep | Test | Count | Place | Bite | Shield | Aim | March | Join | Deal | Lob | Follow
