"""The Creature That Ate Sheboygan: a monster comes out of Lake Michigan, and a town defends itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.event import Event, Outcome, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.palette import Colour
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.versions import RulesVersion
from referee.games.sheboygan import options as settings
from referee.games.sheboygan.board import Board, MapFile
from referee.games.sheboygan.building import build
from referee.games.sheboygan.notation import Reader, stands_for
from referee.games.sheboygan.order import OF_HUMAN, ORDER
from referee.games.sheboygan.pieces import pieces, put
from referee.games.sheboygan.position import Position, check_position, fills_in, place, position_of, setup
from referee.games.sheboygan.sequence import goes_on
from referee.games.sheboygan.state import State
from referee.games.sheboygan.status import status
from referee.games.sheboygan.tables import TablesFile
from referee.games.sheboygan.upcasts import UPCASTS
from referee.games.sheboygan.view import boldest, guess, is_secret, view, with_any_edge

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


class Sheboygan(Game[State, Action, Event, Position, Board]):
    """The game."""

    name = "sheboygan"
    title = "The Creature That Ate Sheboygan"
    rules_version = 3
    versions = (
        RulesVersion(
            2,
            "phases in which nothing can be done are over, a take-off holds for its phase, lightning afar feeds none",
            ("C85", "C24", "C5", "C83", "C84", "5.22a", "C60"),
        ),
        RulesVersion(
            3,
            "positions that play cannot reach are refused, and a box that burns at R is rubble",
            ("11.12a", "11.25a", "11.25b", "7.12a", "13.22c", "9.1a", "C61"),
        ),
    )
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (
        Component("board", MapFile, settings.shipped_board, hashes=settings.HASHES),
        Component("tables", TablesFile, settings.shipped_tables, hashes=settings.HASHES),
    )
    topics = (
        "setting_up",
        "mustering",
        "prowling",
        "flying",
        "moving",
        "escorting",
        "wrecking",
        "fire",
        "wind",
        "powers",
        "striking",
        "assault",
        "settling",
        "record",
        "noting",
        "victory",
        "sequence",
        "turns",
    )
    order = ORDER
    reader = Reader
    begins = "a unit, attack, end, or another verb"
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("units", "monster", "hand", "lost")
    overlays = ("sight", "reach")
    certain = True
    examples = ("t1 H09", "m H10", "wreck I09 4", "attack t1 i1 with 9", "attack m with t1 i1", "end")

    seats = staticmethod(settings.seats)
    keepers = staticmethod(settings.keepers)
    build = staticmethod(build)
    setup = staticmethod(setup)
    check_position = staticmethod(check_position)
    fills_in = staticmethod(fills_in)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    pieces = staticmethod(pieces)
    put = staticmethod(put)
    view = staticmethod(view)
    guess = staticmethod(guess)
    stands_for = staticmethod(stands_for)
    status = staticmethod(status)

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Those of the counters: the monster's are red."""
        return {settings.HUMAN: "blue", settings.CREATURE: "red"}

    def shows(self, state: State, seat: Seat) -> bool:
        """When the monster has entered, its player may open the note of its edge (3.2g, C76)."""
        return seat == settings.CREATURE and state.turn == 1 and state.monster is not None

    def turn_of(self, state: State) -> int:
        """The Game-Turn being played (4.0a)."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    def forbids(self, public: State, seat: Seat, action: Action) -> Iterator[Refusal]:
        """What no record could allow: a monster with all points on each strength, and every ability it may have."""
        refused = tuple(super().forbids(public, seat, action))
        if refused or self.asks(public):
            yield from refused
            return
        truths = with_any_edge(boldest(public))
        yield from min((tuple(self.check(truth, seat, action)) for truth in truths), key=len)

    def hides(self, view: State, action: Action) -> bool:  # noqa: ARG002 - whatever is known
        """Whether it is noted on the record in secret (12.0f)."""
        return is_secret(action)

    def asks_first(self, view: State, action: Action) -> bool:
        """Whether it is an attack of which radiation, if the monster has it, keeps units of several boxes (13.26a)."""
        from referee.games.sheboygan import assault

        return isinstance(action, assault.Assail) and assault.asks_first(view, action)

    def sole(self, state: State) -> Action | None:
        """The end of a phase in which nothing is left to the human player: no points, nobody to place or to move. What
        the monster could still do, its sheet tells.
        """
        if state.outcome or state.due or state.phase not in OF_HUMAN or goes_on(state):
            return None
        end: Action | None = self.legal(state, settings.HUMAN).forced()
        return end

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """What may have been overlooked: points left over, units in flames, attacks not made."""
        from referee.games.sheboygan.cautions import overlooked

        return overlooked(view, seat, action)

    def describes(self, view: State, word: str) -> tuple[str, ...]:
        """What an ability or a unit of this name is and does."""
        from referee.games.sheboygan.glossary import describes

        return describes(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """A rule of thumb, for bots."""
        from referee.games.sheboygan.worth import worth  # they alone ask

        return worth(view, seat)

    def draw(self, view: State) -> Scene:
        """The map with its counters."""
        from referee.games.sheboygan.draw import draw

        return draw(view)

    def overlay(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Boxes in sight of one, or in reach of a piece."""
        from referee.games.sheboygan.draw import overlay

        return overlay(view, name, of)


GAME = Sheboygan()
