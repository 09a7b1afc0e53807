"""The game Manoover (Robot Attack, Crash!): players steer robots by dice, and the robots push each other into goals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.component import Component
from referee.engine.event import Event, Outcome, Seat
from referee.engine.game import Game
from referee.engine.options import Options
from referee.engine.rulebook import Invariant, RuleBook, SeatRemoval
from referee.games.manoover import options as settings
from referee.games.manoover.board import HEADINGS, OFF_BOARD, Board, BoardFile
from referee.games.manoover.board_building import build_board
from referee.games.manoover.notation import Reader, expand_filter_word
from referee.games.manoover.order_of_play import ORDER
from referee.games.manoover.pieces import list_pieces, place_piece
from referee.games.manoover.position import (
    Position,
    check_position_names,
    describe_added_facts,
    position_from,
    set_up_game,
    state_from,
)
from referee.games.manoover.state import State
from referee.games.manoover.status import describe_status
from referee.games.manoover.upcasts import UPCASTS

if TYPE_CHECKING:
    from referee.engine.scene import Scene
    from referee.games.manoover.match import ManooverMatchRules


class Manoover(Game[State, Action, Event, Position, Board]):
    """The rules of Manoover, as the engine asks for them. The game has no hidden information."""

    name = "manoover"
    title = "Manoover (Robot Attack)"
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (
        Component("board", BoardFile, settings.find_shipped_board, settings.list_shipped_boards, settings.HASHES),
    )
    topics = ("throwing", "control_phase", "automatic_phase", "pushing", "order_of_play")
    order = ORDER
    reader = Reader
    begins = "a robot's number, throw, auto or done"
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("robots", "captured", "off")
    throw = "throw"
    examples = ("throw", "2 turn ne", "6 go", "6 go, 2 turn n, auto")

    check_options = staticmethod(settings.check_options)
    seats = staticmethod(settings.list_seats)
    build_board = staticmethod(build_board)
    setup = staticmethod(set_up_game)
    check_position_names = staticmethod(check_position_names)
    describe_added_facts = staticmethod(describe_added_facts)
    state_from = staticmethod(state_from)
    position_from = staticmethod(position_from)
    pieces = staticmethod(list_pieces)
    place_piece = staticmethod(place_piece)
    expand_word = staticmethod(expand_filter_word)
    status = staticmethod(describe_status)

    @cached_property
    def match_rules(self) -> ManooverMatchRules:
        """The rules of a match: points, bonuses and running totals."""
        from referee.games.manoover.match import ManooverMatchRules  # takes 3 ms, and only matches need it

        return ManooverMatchRules()

    @property
    def invariants(self) -> tuple[Invariant[State], ...]:
        """The facts that hold in every state that play reaches."""
        from referee.games.manoover.invariants import INVARIANTS  # only positions need it

        return INVARIANTS

    def typical_position(self, options: Options, board: Board) -> Position:
        """Returns the position of the robots at the start, with the first turn settled."""
        first = board.seats[0] if options["first"] == "throw-off" else options["first"]
        return position_from(set_up_game({**options, "first": first}, board))

    def get_turn_number(self, state: State) -> int:
        """Returns the number of the current turn, counted over all players together."""
        return sum(state.taken.values()) + (0 if state.outcome else 1)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result of the game, or None while it goes on. Only end.1 and three.11 end it (r.no-limit)."""
        return state.outcome

    def scores(self, state: State) -> tuple[tuple[Seat, int], ...]:
        """Returns the number of robots in each seat's goal."""
        return state.count_robots_in_goals()

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """Returns a warning about a likely slip; None if there is no such slip.

        Slips are that your own robot leaves the game, that you leave a capture, or that you end a phase with no die
        used.
        """
        from referee.games.manoover.cautions import find_slip_warning  # needed only when a player acts

        return find_slip_warning(view, seat, action)

    def find_seat_removal(self, view: State, seat: Seat) -> SeatRemoval | None:
        """Returns the removal of a player's robots, after which the other two play on (three.10).

        Returns None during that player's own turn, and if fewer than three players are in the game.
        """
        in_game = [other for other in view.board.seats if view.is_in_game(other)]
        if len(in_game) < 3 or seat == view.turn:
            return None
        return SeatRemoval(
            "three.10", tuple(f"{one} {OFF_BOARD}" for one in view.board.robots_by_seat[seat] if one in view.cells)
        )

    def neighbours(self, view: State, place: str) -> Mapping[str, str]:
        """Returns the cells next to a cell, each with its direction."""
        around = ((view.board.next_cells.get((place, heading), OFF_BOARD), heading) for heading in HEADINGS)
        return {cell: heading for cell, heading in around if cell != OFF_BOARD}

    def describe_thing(self, view: State, word: str) -> tuple[str, ...]:
        """Returns sentences about the robot, cell or goal with this name."""
        from referee.games.manoover.glossary import describe_thing

        return describe_thing(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """Returns an estimate of the position for a seat, for bots."""
        from referee.games.manoover.worth import estimate_worth  # only bots need it

        return estimate_worth(view, seat)

    def draw(self, view: State) -> Scene:
        """Draws the board with its robots, and the robots that lie beside it."""
        from referee.games.manoover.scene import draw_scene  # takes 5 ms, and most commands draw nothing

        return draw_scene(view)


GAME = Manoover()
