"""Attack of the Mutants: Humans hold the Tech Room of the Science Building, Mutants smash their way in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.dice import Dice
from referee.engine.event import Event, Outcome, Script, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.ruling import RuleBook
from referee.engine.versions import RulesVersion
from referee.games.mutants import options as settings
from referee.games.mutants.board import COLOURS, Board, BoardFile
from referee.games.mutants.building import build
from referee.games.mutants.guess import guess
from referee.games.mutants.notation import Reader, stands_for
from referee.games.mutants.order import ORDER, may_act
from referee.games.mutants.pieces import pieces, put
from referee.games.mutants.position import Position, check_position, place, position_of, setup
from referee.games.mutants.sequence import sole
from referee.games.mutants.state import State, side_of
from referee.games.mutants.status import status
from referee.games.mutants.stopping import lapsing
from referee.games.mutants.telling import announcing
from referee.games.mutants.upcasts import UPCASTS
from referee.games.mutants.view import is_secret, unseen, view

if TYPE_CHECKING:
    from referee.engine.palette import Colour
    from referee.engine.scene import Scene


class Mutants(Game[State, Action, Event, Position, Board]):
    """The game."""

    name = "mutants"
    title = "Attack of the Mutants"
    rules_version = 2
    versions = (
        RulesVersion(1, "the dice of a Combat are thrown pair by pair, each throw by itself", ("V.C-b", "V.D-a")),
        RulesVersion(2, "an end that was proposed lapses as soon as somebody plays", ("M25",)),
    )
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (Component("board", BoardFile, settings.shipped_board, hashes=settings.HASHES),)
    topics = (
        "sides",
        "walls",
        "setting_up",
        "filling",
        "doors",
        "moving",
        "combat",
        "bugging_out",
        "telling",
        "answering",
        "sequence",
        "stopping",
        "victory",
    )
    order = ORDER
    reader = Reader
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("units", "gone", "pool", "failed", "walls", "smashed")
    examples = (
        "smash n4-d1 2n",
        "open C2-C3 n4",
        "move n1..n4 to D2",
        "move buck b1 b2 to C4",
        "fight C4, auto, resolve",
    )

    check_options = staticmethod(settings.check_options)
    seats = staticmethod(settings.seats)
    keepers = staticmethod(settings.keepers)
    build = staticmethod(build)
    setup = staticmethod(setup)
    check_position = staticmethod(check_position)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    pieces = staticmethod(pieces)
    put = staticmethod(put)
    may_act = staticmethod(may_act)
    view = staticmethod(view)
    unseen = staticmethod(unseen)
    guess = staticmethod(guess)
    stands_for = staticmethod(stands_for)
    status = staticmethod(status)

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Those of the counters."""
        return COLOURS

    def names(self, view: State, names: Mapping[Seat, str]) -> Mapping[Seat, str]:
        """Players who have changed chairs have changed seats (II.A-e)."""
        return {"human": names["mutant"], "mutant": names["human"]} if view.swapped else names

    def turn_of(self, state: State) -> int:
        """The Turn being played (INTRO.IV.B.2)."""
        return state.turn

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    def resolve(self, view: State, seat: Seat, action: Action, dice: Dice) -> Script[State]:
        """What follows from a legal action, and with Hidden Movement what both players are told of it."""
        script = super().resolve(view, seat, action, dice)
        if view.stop:
            script = lapsing(action, script)
        return announcing(view, side_of(seat), script) if view.is_hidden else script

    def hides(self, view: State, action: Action) -> bool:
        """Whether with Hidden Movement this is noted in secret."""
        return view.is_hidden and is_secret(action)

    def sole(self, state: State) -> Action | None:
        """With Hidden Movement: to roll for Glow and Go, however many dice that takes, and to record a Turn that is not
        the last.
        """
        return sole(state) if state.is_hidden and not may_act(state) else None

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """What may have been overlooked: doors not attacked, units not moved, Walls not placed."""
        from referee.games.mutants.cautions import overlooked  # only what is said is asked about

        return overlooked(view, seat, action)

    def describes(self, view: State, word: str) -> tuple[str, ...]:
        """What a unit, a kind of unit, a place, a door or a Wall of this name is and does."""
        from referee.games.mutants.glossary import describes

        return describes(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """A rule of thumb, for bots."""
        from referee.games.mutants.worth import worth  # they alone ask

        return worth(view, seat)

    def opening(self, view: State, seat: Seat) -> Action | None:
        """A set-up by plan, for bots."""
        from referee.games.mutants.opening import opening  # they alone ask

        return opening(view, seat)

    def draw(self, view: State) -> Scene:
        """The board, and the Combat Display."""
        from referee.games.mutants.draw import draw  # most commands draw nothing, and it takes 5 ms

        return draw(view)


GAME = Mutants()
