"""Attack of the Mutants: Humans hold the Tech Room of the Science Building, Mutants smash their way in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.dice import Dice
from referee.engine.event import Outcome, Script, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Options
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.verb import Verbs
from referee.games.mutants import options as settings
from referee.games.mutants.board import SEATS, Board, BoardFile, build
from referee.games.mutants.events import MutantsEvent
from referee.games.mutants.notation import stands_for
from referee.games.mutants.plan import COLOURS
from referee.games.mutants.position import Position, place, position_of, setup
from referee.games.mutants.state import State, other_side, side_of
from referee.games.mutants.tell import status, tell
from referee.games.mutants.telling import announcing, is_secret, view

if TYPE_CHECKING:
    from referee.engine.palette import Colour
    from referee.engine.scene import Scene


class Mutants(Game[State, Action, MutantsEvent, Position, Board]):
    """The game, its rules imported when first asked for: looking at a board needs none."""

    name = "mutants"
    title = "Attack of the Mutants"
    options = settings.OPTIONS
    components = (Component("board", BoardFile, settings.board_file),)
    events = MutantsEvent
    position = Position
    piece_fields = ("units", "gone", "pool", "failed", "walls", "smashed")
    rulebook = RuleBook(Path(__file__).with_name("rules.toml"))
    examples = (
        "smash n4-d1 2n",
        "open C2-C3 n4",
        "move n1..n4 to D2",
        "move buck b1 b2 to C4",
        "fight C4, auto, resolve",
    )

    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG002
        """The Human and the Mutant player (INTRO.II)."""
        return SEATS

    def keepers(self, options: Options) -> tuple[Seat, ...]:
        """Both, where units and Walls are noted in secret (OPT.V.A)."""
        return SEATS if options["hidden-movement"] == "yes" else ()

    check_options = staticmethod(settings.check_options)
    build = staticmethod(build)
    setup = staticmethod(setup)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    view = staticmethod(view)
    tell = staticmethod(tell)
    status = staticmethod(status)
    stands_for = staticmethod(stands_for)

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Those of the counters."""
        return {"human": COLOURS["human"], "mutant": COLOURS["mutant"]}

    def names(self, view: State, names: Mapping[Seat, str]) -> Mapping[Seat, str]:
        """Players who have changed chairs have changed seats (II.A-e)."""
        return {"human": names["mutant"], "mutant": names["human"]} if view.swapped else names

    def pieces(self, view: State) -> Mapping[str, str]:
        """Every unit and marked door, with where or how it lies."""
        from referee.games.mutants.pieces import pieces

        return pieces(view)

    def put(self, position: Position, piece: str, where: str) -> Position:
        """Put it elsewhere."""
        from referee.games.mutants.pieces import put

        return put(position, piece, where)

    def check_position(self, position: Position, options: Options, board: Board) -> Iterator[Refusal]:
        """Every rule that a position breaks."""
        from referee.games.mutants.checking import check_position

        return check_position(position, options, board)

    def to_act(self, state: State) -> Seat | None:
        """Who holds the pen (III.A to III.F-a)."""
        return state.to_act

    def may_act(self, state: State) -> tuple[Seat, ...]:
        """Who may agree to end the game here (M25), and the Human player while he may hide units (OPT.V.C-e)."""
        if state.outcome or state.asked:
            return ()
        speakers = {other_side(state.stop)} if state.stop else set()
        return tuple(seat for seat in SEATS if seat in speakers or (seat == "human" and state.can_hide))

    def asks(self, state: State) -> bool:
        """Whether a player has to tell what only he knows."""
        return state.asked is not None

    def turn_of(self, state: State) -> int:
        """The Turn being played (INTRO.IV.B.2)."""
        return state.turn

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    @cached_property
    def verbs(self) -> Verbs[State, Action]:
        """Everything that can be said."""
        from referee.games.mutants.verbs import VERBS

        return VERBS

    def resolve(self, view: State, seat: Seat, action: Action, dice: Dice) -> Script[State]:
        """What follows from a legal action, and with Hidden Movement what both players are told of it."""
        script = super().resolve(view, seat, action, dice)
        return announcing(view, side_of(seat), script) if view.is_hidden else script

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """Who ends a movement in which nobody has moved may have meant another Step."""
        from referee.games.mutants.sequence import overlooked

        return overlooked(view, seat, action)

    def hides(self, view: State, action: Action) -> bool:
        """Whether with Hidden Movement this is noted in secret."""
        return view.is_hidden and is_secret(action)

    def draw(self, view: State) -> Scene:
        """The board, and the Combat Display."""
        from referee.games.mutants.draw import draw

        return draw(view)


GAME = Mutants()
