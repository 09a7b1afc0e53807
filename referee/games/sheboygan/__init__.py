"""The Creature That Ate Sheboygan: a monster comes out of Lake Michigan, and a town defends itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.event import Outcome, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Options
from referee.engine.ruling import RuleBook
from referee.games.sheboygan import options as settings
from referee.games.sheboygan.board import Board, MapFile, build
from referee.games.sheboygan.events import SheboyganEvent
from referee.games.sheboygan.position import Position, check_position, place, position_of, setup
from referee.games.sheboygan.state import Question, State
from referee.games.sheboygan.tables import TablesFile
from referee.games.sheboygan.tell import status, tell
from referee.games.sheboygan.view import is_secret, view

if TYPE_CHECKING:
    from referee.engine.palette import Colour
    from referee.engine.scene import Overlay, Scene
    from referee.engine.verb import Verbs


class Sheboygan(Game[State, Action, SheboyganEvent, Position, Board]):
    """The game, its rules imported when first asked for: looking at a map needs none."""

    name = "sheboygan"
    title = "The Creature That Ate Sheboygan"
    options = settings.OPTIONS
    components = (
        Component("board", MapFile, settings.shipped_board),
        Component("tables", TablesFile, settings.shipped_tables),
    )
    events = SheboyganEvent
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("units", "monster", "hand", "lost")
    overlays = ("sight", "reach")
    examples = ("t1 H09", "m H10", "wreck I09 4", "attack t1 i1 with 9", "attack m with t1 i1", "end")

    seats = staticmethod(settings.seats)
    build = staticmethod(build)
    setup = staticmethod(setup)
    check_position = staticmethod(check_position)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    view = staticmethod(view)
    tell = staticmethod(tell)
    status = staticmethod(status)

    def keepers(self, options: Options) -> tuple[Seat, ...]:  # noqa: ARG002 - in all scenarios
        """The monster's player, who keeps a record sheet (12.0a)."""
        return (settings.CREATURE,)

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Those of the counters: the monster's are red."""
        return {settings.HUMAN: "blue", settings.CREATURE: "red"}

    def to_act(self, state: State) -> Seat | None:
        """Who holds the pen: the player of the phase, or who has to choose something first (4.0b)."""
        return None if state.outcome else state.holder

    def asks(self, state: State) -> bool:
        """Whether the monster's player has to tell what only he knows."""
        return bool(state.due) and isinstance(state.due[0], Question)

    def shows(self, state: State, seat: Seat) -> bool:
        """When the monster has entered, its player may open the note of its edge (3.2g, C76)."""
        return seat == settings.CREATURE and state.turn == 1 and state.monster is not None

    def turn_of(self, state: State) -> int:
        """The Game-Turn being played (4.0a)."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    def hides(self, view: State, action: Action) -> bool:  # noqa: ARG002 - whatever is known
        """Whether it is noted on the record in secret (12.0f)."""
        return is_secret(action)

    @cached_property
    def verbs(self) -> Verbs[State, Action]:
        """Everything that can be said."""
        from referee.games.sheboygan.verbs import VERBS

        return VERBS

    def pieces(self, view: State) -> Mapping[str, str]:
        """The monster and the units, with their boxes."""
        from referee.games.sheboygan.pieces import pieces

        return pieces(view)

    def put(self, position: Position, piece: str, where: str) -> Position:
        """The position with one of them elsewhere."""
        from referee.games.sheboygan.pieces import put

        return put(position, piece, where)

    def overlay(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Boxes in sight of one, or in reach of a piece."""
        from referee.games.sheboygan.marking import overlay

        return overlay(view, name, of)

    def draw(self, view: State) -> Scene:
        """The map with its counters."""
        from referee.games.sheboygan.draw import draw

        return draw(view)


GAME = Sheboygan()
