"""The Creature That Ate Sheboygan: a monster comes out of Lake Michigan, and a town defends itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.component import Component
from referee.engine.event import Event, Outcome, Seat
from referee.engine.game import Game
from referee.engine.palette import Colour
from referee.engine.rulebook import Invariant, Refusal, RuleBook
from referee.engine.versions import RulesVersion
from referee.games.sheboygan import options as settings
from referee.games.sheboygan.board import Board, MapFile
from referee.games.sheboygan.board_building import build_board
from referee.games.sheboygan.notation import Reader, expand_filter_word
from referee.games.sheboygan.order_of_play import ORDER, PHASES_ENDED_BY_HUMAN
from referee.games.sheboygan.pieces import find_piece_places, place_piece
from referee.games.sheboygan.position import (
    Position,
    check_position_names,
    describe_added_facts,
    position_from,
    set_up_game,
    state_from,
)
from referee.games.sheboygan.sequence import can_units_be_placed_or_moved
from referee.games.sheboygan.state import State
from referee.games.sheboygan.status import describe_status
from referee.games.sheboygan.tables import TablesFile
from referee.games.sheboygan.upcasts import UPCASTS
from referee.games.sheboygan.view import (
    assume_each_edge,
    assume_strongest_monster,
    guess_state,
    is_secret_action,
    make_view,
)

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


class Sheboygan(Game[State, Action, Event, Position, Board]):
    """The rules of The Creature That Ate Sheboygan, as the engine asks for them."""

    name = "sheboygan"
    title = "The Creature That Ate Sheboygan"
    rules_version = 4
    versions = (
        RulesVersion(
            2,
            "a phase in which nothing can be done ends by itself, a take-off lasts for its whole phase, "
            "and a monster grows only by what it destroys nearby",
            ("C85", "C24", "C5", "C83", "C84", "5.22a", "C60"),
        ),
        RulesVersion(
            3,
            "positions that play cannot reach are refused, and a box that burns at R is rubble",
            ("11.12a", "11.25a", "11.25b", "7.12a", "13.22c", "9.1a", "C61", "5.0g", "2.0a"),
        ),
        RulesVersion(
            4,
            "a monster may enter the map by an overrun, and it is not on the map before its first turn",
            ("C36", "3.2g"),
        ),
    )
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (
        Component("board", MapFile, settings.find_shipped_board, hashes=settings.HASHES_FILE),
        Component("tables", TablesFile, settings.find_shipped_tables, hashes=settings.HASHES_FILE),
    )
    topics = (
        "setting_up",
        "purchase_and_placement",
        "monster_movement",
        "flying",
        "unit_movement",
        "towing_carrying_fording",
        "wrecking",
        "fire",
        "wind",
        "special_abilities",
        "monster_attacks",
        "unit_attacks",
        "duties",
        "monster_record",
        "missing_sheet",
        "victory",
        "sequence",
        "turns",
    )
    order = ORDER
    reader = Reader
    begins = "a unit, attack, end, or another verb"
    position = Position
    rulebook = RuleBook(settings.GAME_FOLDER / "rules.toml")
    piece_fields = ("units", "monster", "hand", "lost")
    overlays = ("sight", "reach")
    certain = True
    examples = ("t1 H09", "m H10", "wreck I09 4", "attack t1 i1 with 9", "attack m with t1 i1", "end")

    seats = staticmethod(settings.list_seats)
    list_secret_keepers = staticmethod(settings.list_secret_keepers)
    build_board = staticmethod(build_board)
    setup = staticmethod(set_up_game)
    check_position_names = staticmethod(check_position_names)
    describe_added_facts = staticmethod(describe_added_facts)
    state_from = staticmethod(state_from)
    position_from = staticmethod(position_from)
    pieces = staticmethod(find_piece_places)
    place_piece = staticmethod(place_piece)
    view = staticmethod(make_view)
    guess = staticmethod(guess_state)
    expand_word = staticmethod(expand_filter_word)
    status = staticmethod(describe_status)

    @property
    def invariants(self) -> tuple[Invariant[State], ...]:
        """The facts that hold in every state that play reaches."""
        from referee.games.sheboygan.invariants import INVARIANTS  # only positions need it

        return INVARIANTS

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Returns the colours of each side's counters."""
        return {settings.HUMAN_SEAT: "blue", settings.MONSTER_SEAT: "red"}

    def may_reveal(self, state: State, seat: Seat) -> bool:
        """True for the monster's player in the first Game-Turn, once the monster has entered the map.

        Then the player may reveal the note of the edge where the monster entered (3.2g, C76).
        """
        return seat == settings.MONSTER_SEAT and state.turn == 1 and state.monster is not None

    def get_turn_number(self, state: State) -> int:
        """Returns the Game-Turn being played (4.0a)."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result of the game; None while it goes on."""
        return state.outcome

    def check_publicly(self, public: State, seat: Seat, action: Action) -> Iterator[Refusal]:
        """Yields the refusals of an action that no record of the monster could allow.

        The action is judged for a monster with the highest strengths and all abilities, and for every edge that may be
        noted.
        """
        refused = tuple(super().check_publicly(public, seat, action))
        if refused or self.awaits_answer(public):
            yield from refused
            return
        truths = assume_each_edge(assume_strongest_monster(public))
        yield from min((tuple(self.check(truth, seat, action)) for truth in truths), key=len)

    def is_secret(self, view: State, action: Action) -> bool:  # noqa: ARG002 - whatever is known
        """True if the monster's player takes the action in secret (12.0f)."""
        return is_secret_action(action)

    def is_question(self, view: State, action: Action) -> bool:
        """True for an attack by units of several boxes while nobody knows whether radiation forbids it (13.26a).

        The monster's player must first tell whether it has radiation.
        """
        from referee.games.sheboygan import unit_attacks

        return isinstance(action, unit_attacks.AttackWithUnits) and unit_attacks.must_ask_about_radiation(view, action)

    def find_publicly_forced_action(self, state: State) -> Action | None:
        """Returns the end of a phase of the human player in which nothing else is possible; None otherwise.

        Everybody can see the points, the units to be placed and their moves. The monster's possible actions depend on
        its secret sheet, so its phases are left out.
        """
        if (
            state.outcome
            or state.due
            or state.phase not in PHASES_ENDED_BY_HUMAN
            or can_units_be_placed_or_moved(state)
        ):
            return None
        end: Action | None = self.legal(state, settings.HUMAN_SEAT).forced_action()
        return end

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """Returns a warning about a likely slip: points left over, units in flames, attacks not made; else None."""
        from referee.games.sheboygan.cautions import find_slip_warning

        return find_slip_warning(view, seat, action)

    def neighbours(self, view: State, place: str) -> Mapping[str, str]:
        """Returns the boxes next to a box, each with the sides on which it lies."""
        found: dict[str, str] = {}
        for side, beside in view.board.neighbours_by_side.items():
            for box in beside.get(place, ()):
                found[box] = " ".join(filter(None, [found.get(box, ""), side]))
        return found

    def describe_thing(self, view: State, word: str) -> tuple[str, ...]:
        """Returns sentences about the ability, unit, box, or kind of unit or box that has this name.

        The result is empty if nothing has it.
        """
        from referee.games.sheboygan.glossary import describe_thing

        return describe_thing(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """Returns an estimate of the position for a seat, from -1 (lost) to 1 (won), for bots."""
        from referee.games.sheboygan.worth import estimate_worth  # only bots need it

        return estimate_worth(view, seat)

    def draw(self, view: State) -> Scene:
        """Draws the map with its counters."""
        from referee.games.sheboygan.scene import draw_scene

        return draw_scene(view)

    def list_overlay_places(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Returns the boxes in sight of a box or piece, or in reach of a piece.

        Raises NoPlaceError if the map has no such box or piece, or if this view does not know its reach.
        """
        from referee.games.sheboygan.scene import list_overlay_boxes

        return list_overlay_boxes(view, name, of)


GAME = Sheboygan()
