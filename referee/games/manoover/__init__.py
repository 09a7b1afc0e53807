"""Manoover (Robot Attack, Crash!): robots that obey the dice, push one another and fall into goals."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.event import Event, Outcome, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Options
from referee.engine.ruling import RuleBook
from referee.games.manoover import options as settings
from referee.games.manoover.board import Board, BoardFile
from referee.games.manoover.building import build
from referee.games.manoover.notation import Reader, stands_for
from referee.games.manoover.order import ORDER
from referee.games.manoover.pieces import pieces, put
from referee.games.manoover.position import Position, check_position, place, position_of, setup
from referee.games.manoover.state import State
from referee.games.manoover.status import status
from referee.games.manoover.upcasts import UPCASTS

if TYPE_CHECKING:
    from referee.engine.scene import Scene
    from referee.games.manoover.match import ManooverSeries


class Manoover(Game[State, Action, Event, Position, Board]):
    """The game. Nothing in it is hidden."""

    name = "manoover"
    title = "Manoover (Robot Attack)"
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (Component("board", BoardFile, settings.shipped_board, settings.shipped_boards, settings.HASHES),)
    topics = ("throwing", "control", "automatic", "pushing", "order")
    order = ORDER
    reader = Reader
    begins = "a robot's number, throw, auto or done"
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("robots", "captured", "off")
    throw = "throw"
    examples = ("throw", "2 turn ne", "6 go", "6 go, 2 turn n, auto")

    check_options = staticmethod(settings.check_options)
    seats = staticmethod(settings.seats)
    build = staticmethod(build)
    setup = staticmethod(setup)
    check_position = staticmethod(check_position)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    pieces = staticmethod(pieces)
    put = staticmethod(put)
    stands_for = staticmethod(stands_for)
    status = staticmethod(status)

    @cached_property
    def series(self) -> ManooverSeries:
        """Matches, with points, bonuses and running totals."""
        from referee.games.manoover.match import ManooverSeries  # 3 ms that a game outside a match never needs

        return ManooverSeries()

    def typical(self, options: Options, board: Board) -> Position:
        """The robots at the start, once it is settled who goes first."""
        first = board.seats[0] if options["first"] == "throw-off" else options["first"]
        return position_of(setup({**options, "first": first}, board))

    def turn_of(self, state: State) -> int:
        """Turns are counted for all players together."""
        return sum(state.taken.values()) + (0 if state.outcome else 1)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended. Nothing ends it but end.1 and three.11 (r.no-limit)."""
        return state.outcome

    def scores(self, state: State) -> tuple[tuple[Seat, int], ...]:
        """How many robots each seat has captured."""
        return state.scores()

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """What may have been overlooked: a robot of one's own driven out, a capture left."""
        from referee.games.manoover.cautions import overlooked  # only what is said is asked about

        return overlooked(view, seat, action)

    def describes(self, view: State, word: str) -> tuple[str, ...]:
        """What a robot, a cell or a goal of this name is and does."""
        from referee.games.manoover.glossary import describes

        return describes(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """A rule of thumb, for bots."""
        from referee.games.manoover.worth import worth  # they alone ask

        return worth(view, seat)

    def draw(self, view: State) -> Scene:
        """The board with its robots, and those beside it."""
        from referee.games.manoover.draw import draw  # 5 ms that most commands do without

        return draw(view)


GAME = Manoover()
