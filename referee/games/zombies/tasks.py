"""The tasks that can be due before the turn goes on.

Two more tasks are defined beside their rules: `MarchTask` and `PlaceZombiesTask`. The referee does a part of them by
itself.
"""

from typing import Annotated, ClassVar, get_args

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.engine.text import count_of
from referee.engine.turn_order import Obligation
from referee.games.zombies.board import Square, SquarePairs, Squares
from referee.games.zombies.components import CardId, CardIds, HeroId, ZombieLevel
from referee.games.zombies.marching import MarchTask
from referee.games.zombies.spawning import PlaceZombiesTask
from referee.games.zombies.state import State, Task


class GoTask(Task, frozen=True, tag="go"):
    """A die was rolled for movement: say where to go (move.1, breakaway.2, zhero.move.1)."""

    rule: ClassVar[str] = "move.1"
    steps: Annotated[int, Meta(ge=0, le=12)]
    """The most squares that the figure may go."""
    fleeing: bool = False
    """True if it is the MOVE of a break away."""
    led: bool = False
    """True if the zombie hero has changed places with a zombie of the horde (zhero.move.2)."""

    @property
    def todo(self) -> str:
        """The task as a clause, with the number of squares."""
        return f"go up to {count_of(self.steps, 'square')}"


class DrawForTokenTask(Task, frozen=True, tag="draw"):
    """Draw for a token that was reached (token.2)."""

    rule: ClassVar[str] = "token.2"
    asks_to: ClassVar[str] = "draw for the token"
    free: bool = False
    """True if a hero under stealth may leave the token alone (move.8)."""


class DrawForStarTask(Task, frozen=True, tag="star"):
    """Draw the cards of a bonus star (bonus.1)."""

    rule: ClassVar[str] = "bonus.1"
    asks_to: ClassVar[str] = "draw for the bonus star"
    at: Square


class TakeStarCardTask(Task, frozen=True, tag="keep"):
    """Choose one of the cards at a star (bonus.2, bonus.3)."""

    rule: ClassVar[str] = "bonus.2"
    asks_to: ClassVar[str] = "choose a card of the bonus star"
    at: Square


class TestCardTask(Task, frozen=True, tag="test"):
    """Roll for an infected survivor or a horde card that was just drawn (survivor.2, horde.1)."""

    rule: ClassVar[str] = "survivor.2"
    card: CardId

    @property
    def todo(self) -> str:
        """The task as a clause, with the card."""
        return f"roll for {self.card}"

    def make_obligation(self, state: State) -> Obligation:
        """Returns the task as an obligation. A horde card has its own rule."""
        due = super().make_obligation(state)
        return replace(due, rule="horde.1") if state.get_card(self.card).kind == "horde" else due


class HordeSizeTask(Task, frozen=True, tag="count"):
    """Roll how many zombies a horde has (horde.3, card.zombie.7)."""

    rule: ClassVar[str] = "horde.3"
    asks_to: ClassVar[str] = "roll the size of the horde"
    level: ZombieLevel
    distance: Annotated[int, Meta(ge=0, le=20)]
    in_sight: bool = True
    """True if the horde has to be placed in sight of the player."""


class BiteTask(Task, frozen=True, tag="bite"):
    """Roll the attacks of zombies, or of a zombie hero and their horde (zombie.attack.3, zhero.attack.1)."""

    rule: ClassVar[str] = "zombie.attack.1"
    attacks: Annotated[tuple[tuple[Square, HeroId], ...], Meta(max_length=100)]
    """The square of each attacker, and the hero whom it attacks."""
    token: bool = True
    """True if the attackers obey a token: then the attacked player does not roll for them (zombie.attack.5)."""

    @property
    def todo(self) -> str:
        """The task as a clause, with the attacker and the target."""
        return f"roll the attack from {self.attacks[0][0]} on {self.attacks[0][1]}"


class ShieldTask(Task, frozen=True, tag="shield"):
    """Say whether a survivor is given up to take a successful attack (survivor.6)."""

    rule: ClassVar[str] = "survivor.6"
    asks_to: ClassVar[str] = "say whether a survivor is the shield"


class ChooseTargetTask(Task, frozen=True, tag="aim"):
    """Choose the target of attackers that are next to several heroes (ruling.zhero-targets)."""

    rule: ClassVar[str] = "zhero.attack.1"
    attackers: Squares
    """The squares of the attackers whose target has still to be chosen, the next one first."""
    aimed: Annotated[tuple[tuple[Square, HeroId], ...], Meta(max_length=100)] = ()
    """The attackers whose target is known, each with its target."""

    @property
    def todo(self) -> str:
        """The task as a clause, with the attacker."""
        return f"say whom the zombie on {self.attackers[0]} attacks"


class ChooseJoiningZombiesTask(Task, frozen=True, tag="join"):
    """Choose who joins a horde that has not room for all (ruling.horde-limit-join)."""

    rule: ClassVar[str] = "zhero.horde.6"
    asks_to: ClassVar[str] = "say which zombies join the horde"
    zombies: Squares
    """The squares of the zombies that could join when the task was added."""


class TradeTask(Task, frozen=True, tag="deal"):
    """Agree to a trade, or not (ruling.trade-partners)."""

    rule: ClassVar[str] = "turn.free.4"
    partner: HeroId
    """The player who offers the trade."""
    give: CardIds
    take: CardIds
    tiles: Annotated[int, Meta(ge=-3, le=3)] = 0
    """Blocking tiles that this player gives; negative if they take tiles."""

    @property
    def todo(self) -> str:
        """The task as a clause, with the player who offers the trade."""
        return f"agree to the trade that {self.partner} offers, or decline it"


class LobTask(Task, frozen=True, tag="lob"):
    """Say where a grenade falls (grenade.2)."""

    rule: ClassVar[str] = "grenade.2"
    card: CardId
    reach: Annotated[int, Meta(ge=1, le=6)]

    @property
    def todo(self) -> str:
        """The task as a clause, with the distance that the grenade can fly."""
        return f"say where the grenade falls, up to {count_of(self.reach, 'square')} away"


class ChangeFollowersTask(Task, frozen=True, tag="follow"):
    """The horde has followed its zombie hero; each of its zombies may still go elsewhere (zhero.horde.3)."""

    rule: ClassVar[str] = "zhero.horde.3"
    asks_to: ClassVar[str] = "say how the horde follows"
    steps: Annotated[int, Meta(ge=0, le=20)]
    """The steps that the zombie hero took, and so the most for each zombie."""
    origins: SquarePairs
    """The square of each zombie that may still go elsewhere, and the square that it came from."""


AnyTask = (
    GoTask
    | DrawForTokenTask
    | DrawForStarTask
    | TakeStarCardTask
    | TestCardTask
    | HordeSizeTask
    | PlaceZombiesTask
    | BiteTask
    | ShieldTask
    | ChooseTargetTask
    | MarchTask
    | ChooseJoiningZombiesTask
    | TradeTask
    | LobTask
    | ChangeFollowersTask
)
TASK_PHASES: tuple[str, ...] = tuple(kind.__struct_config__.tag for kind in get_args(AnyTask))
"""The phases in which a task is due: the tags of the tasks."""


class TasksAdded(Event, frozen=True, tag="due"):
    """Tasks are due before the turn goes on."""

    tasks: tuple[AnyTask, ...]

    def tell(self) -> str:
        """Tells the first task. A march has no player, since zombies move in it."""
        first = self.tasks[0]
        return "Zombies that see a hero move." if isinstance(first, MarchTask) else f"{first.by} has to {first.todo}."

    def apply(self, state: State) -> State:
        """Puts the tasks before those that are due already."""
        return replace(state, agenda=(*self.tasks, *state.agenda))
