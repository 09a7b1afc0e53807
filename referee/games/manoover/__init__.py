"""Manoover (Robot Attack, Crash!): robots that obey the dice, push one another and fall into goals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.event import Outcome, Seat
from referee.engine.game import Game
from referee.engine.options import Options
from referee.engine.order import Untimed
from referee.engine.ruling import RuleBook
from referee.games.manoover import options as settings
from referee.games.manoover.board import Board, BoardFile, build
from referee.games.manoover.events import ManooverEvent
from referee.games.manoover.position import Position, check_position, place, position_of, setup
from referee.games.manoover.state import State

if TYPE_CHECKING:
    from referee.engine.scene import Scene
    from referee.engine.verb import Verbs
    from referee.games.manoover.match import ManooverSeries
    from referee.games.manoover.verbs import ManooverAction


class Manoover(Game[State, "ManooverAction", ManooverEvent, Position, Board]):
    """The game, its rules imported when first asked for: looking at a board needs none. Nothing in it is hidden."""

    name = "manoover"
    title = "Manoover (Robot Attack)"
    options = settings.OPTIONS
    components = (Component("board", BoardFile, settings.shipped_board, settings.shipped_boards),)
    order = Untimed(lambda state: state.phase)
    events = ManooverEvent
    position = Position
    piece_fields = ("robots", "captured", "off")
    rulebook = RuleBook(settings.HERE / "rules.toml")
    throw = "throw"
    examples = ("throw", "2 turn ne", "6 go", "6 go, 2 turn n, auto")

    @cached_property
    def series(self) -> ManooverSeries:
        """Matches, with points, bonuses and running totals."""
        from referee.games.manoover.match import ManooverSeries

        return ManooverSeries()

    check_options = staticmethod(settings.check_options)
    seats = staticmethod(settings.seats)
    build = staticmethod(build)
    setup = staticmethod(setup)
    check_position = staticmethod(check_position)
    place = staticmethod(place)
    position_of = staticmethod(position_of)

    def typical(self, options: Options, board: Board) -> Position:
        """The robots at the start, once it is settled who goes first."""
        first = board.seats[0] if options["first"] == "throw-off" else options["first"]
        return position_of(setup({**options, "first": first}, board))

    def pieces(self, view: State) -> Mapping[str, str]:
        """Every robot, with where it lies."""
        from referee.games.manoover.pieces import pieces

        return pieces(view)

    def put(self, position: Position, piece: str, where: str) -> Position:
        """Put it elsewhere."""
        from referee.games.manoover.pieces import put

        return put(position, piece, where)

    def to_act(self, state: State) -> Seat | None:
        """The player on turn, all phase long (turn.2, three.6)."""
        return None if state.outcome else state.turn

    def turn_of(self, state: State) -> int:
        """Turns are counted for all players together."""
        return sum(state.taken.values()) + (0 if state.outcome else 1)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended. Nothing ends it but end.1 and three.11 (r.no-limit)."""
        return state.outcome

    def scores(self, state: State) -> tuple[tuple[Seat, int], ...]:
        """How many robots each seat has captured."""
        return state.scores()

    @cached_property
    def verbs(self) -> Verbs[State, ManooverAction]:
        """Everything that can be said."""
        from referee.games.manoover.verbs import VERBS

        return VERBS

    def tell(self, event: ManooverEvent) -> str:
        """What to do with the pieces on the board."""
        from referee.games.manoover.tell import tell

        return tell(event)

    def status(self, view: State) -> str:
        """What is waited for, and the score."""
        from referee.games.manoover.tell import status

        return status(view)

    def draw(self, view: State) -> Scene:
        """The board with its robots, and those beside it."""
        from referee.games.manoover.draw import draw

        return draw(view)


GAME = Manoover()
