"""Zombie Mutation: heroes fight their way through four levels to the helipad; who dies comes back as a zombie hero."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.event import Outcome, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Options
from referee.engine.order import Untimed
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.verb import Verbs
from referee.games.zombies import options as settings
from referee.games.zombies.board import Board, BoardFile
from referee.games.zombies.building import build
from referee.games.zombies.components import Components
from referee.games.zombies.happenings import ZombiesEvent
from referee.games.zombies.notation import stands_for
from referee.games.zombies.position import Position, place, position_of, setup
from referee.games.zombies.state import State
from referee.games.zombies.tell import status, tell

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


class Zombies(Game[State, Action, ZombiesEvent, Position, Board]):
    """The game, its rules imported when first asked for: looking at a board needs none. Nothing in it is hidden."""

    name = "zombies"
    title = "Zombie Mutation: City of Mayhem"
    options = settings.OPTIONS
    components = (
        Component("board", BoardFile, settings.board_file),
        Component("components", Components, settings.components_file),
    )
    order = Untimed(lambda state: state.phase)
    events = ZombiesEvent
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    overlays = ("sight", "reach")
    piece_fields = ("players", "zombies", "tiles", "used", "loose", "loot", "agenda")
    examples = ("fill", "pick lee", "move", "go d7", "hit e5 fists", "shoot g4 pistol", "done", "bite")

    check_options = staticmethod(settings.check_options)
    options_of = staticmethod(settings.options_of)
    seats = staticmethod(settings.seats)
    build = staticmethod(build)
    setup = staticmethod(setup)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    tell = staticmethod(tell)
    stands_for = staticmethod(stands_for)

    def status(self, view: State) -> str:
        """Whose part it is, what is waited for, and how everybody stands."""
        return status(view)

    def check_position(self, position: Position, options: Options, board: Board) -> Iterator[Refusal]:
        """Every rule that a position breaks."""
        from referee.games.zombies.checking import check_position

        return check_position(position, options, board)

    def to_act(self, state: State) -> Seat | None:
        """The player on turn, or who has to do something first (turn.1)."""
        return state.to_act

    def may_act(self, state: State) -> tuple[Seat, ...]:
        """Who may use a health card in another's turn (supply.health.1), or roll attacks on somebody else
        (zombie.attack.5).
        """
        if state.outcome or not state.players or state.phase in ("pick", "put"):
            return ()
        from referee.games.zombies.healing import may_speak

        return may_speak(state)

    def turn_of(self, state: State) -> int:
        """Turns are counted for all players together."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    @cached_property
    def verbs(self) -> Verbs[State, Action]:
        """Everything that can be said."""
        from referee.games.zombies.verbs import VERBS

        return VERBS

    def pieces(self, view: State) -> dict[str, str]:
        """Figures, cards, and what lies on the squares."""
        from referee.games.zombies.pieces import pieces

        return pieces(view)

    def put(self, position: Position, piece: str, where: str) -> Position:
        """The position with one of them otherwise."""
        from referee.games.zombies.pieces import put

        return put(position, piece, where)

    def draw(self, view: State) -> Scene:
        """The four levels, with all that lies and stands on them."""
        from referee.games.zombies.draw import draw

        return draw(view)

    def overlay(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Squares in sight of a square, or in reach of a figure."""
        from referee.games.zombies.marking import overlay

        return overlay(view, name, of)


GAME = Zombies()
