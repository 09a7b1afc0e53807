"""The game Attack of the Mutants: Humans hold the Tech Room of the building while Mutants smash their way in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.component import Component
from referee.engine.dice import Dice
from referee.engine.event import Event, Outcome, Script, Seat
from referee.engine.game import Game
from referee.engine.rulebook import Invariant, RuleBook
from referee.engine.versions import RulesVersion
from referee.games.mutants import options as settings
from referee.games.mutants.agreed_end import add_proposal_lapse
from referee.games.mutants.announcements import add_announcements
from referee.games.mutants.board import SEAT_COLOURS, Board, BoardFile
from referee.games.mutants.board_building import build_board
from referee.games.mutants.guess import guess_state
from referee.games.mutants.notation import Reader, expand_filter_word
from referee.games.mutants.order_of_play import ORDER, list_out_of_turn_seats
from referee.games.mutants.pieces import list_pieces, place_piece
from referee.games.mutants.position import (
    Position,
    check_position_names,
    describe_added_facts,
    position_from,
    set_up_game,
    state_from,
)
from referee.games.mutants.sequence import find_forced_action
from referee.games.mutants.state import State, find_side
from referee.games.mutants.status import describe_status
from referee.games.mutants.upcasts import UPCASTS
from referee.games.mutants.view import is_secret, keep_other_views, make_view

if TYPE_CHECKING:
    from referee.engine.palette import Colour
    from referee.engine.scene import Scene


class Mutants(Game[State, Action, Event, Position, Board]):
    """The rules of Attack of the Mutants, as the engine asks for them."""

    name = "mutants"
    title = "Attack of the Mutants"
    rules_version = 3
    versions = (
        RulesVersion(1, "the dice of a Combat are rolled pair by pair, each roll by itself", ("V.C-b", "V.D-a")),
        RulesVersion(2, "a proposed end lapses as soon as somebody plays on", ("M25",)),
        RulesVersion(3, "the option `answers`: the Human player may tell what Mutants find when their Step ends"),
    )
    upcasts = UPCASTS
    options = settings.OPTIONS
    components = (Component("board", BoardFile, settings.find_shipped_board, hashes=settings.HASHES),)
    topics = (
        "sides",
        "walls",
        "setting_up",
        "set_up_completion",
        "doors",
        "moving",
        "combat_rounds",
        "combat",
        "engaging",
        "resolving",
        "bugging_out",
        "announcements",
        "answers",
        "sequence",
        "agreed_end",
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
    seats = staticmethod(settings.list_seats)
    list_secret_keepers = staticmethod(settings.list_keepers)
    build_board = staticmethod(build_board)
    setup = staticmethod(set_up_game)
    check_position_names = staticmethod(check_position_names)
    describe_added_facts = staticmethod(describe_added_facts)
    state_from = staticmethod(state_from)
    position_from = staticmethod(position_from)
    pieces = staticmethod(list_pieces)
    place_piece = staticmethod(place_piece)
    list_other_actors = staticmethod(list_out_of_turn_seats)
    view = staticmethod(make_view)
    on_secret_play = staticmethod(keep_other_views)
    guess = staticmethod(guess_state)
    expand_word = staticmethod(expand_filter_word)
    status = staticmethod(describe_status)

    @property
    def invariants(self) -> tuple[Invariant[State], ...]:
        """The facts that hold in every state that play reaches."""
        from referee.games.mutants.invariants import INVARIANTS  # only positions need it

        return INVARIANTS

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:  # noqa: ARG002 - always the same two
        """Returns the colours of each side's counters."""
        return SEAT_COLOURS

    def find_current_names(self, view: State, names: Mapping[Seat, str]) -> Mapping[Seat, str]:
        """Returns the players' names by seat. Players who changed chairs have also changed seats (II.A-e)."""
        return {"human": names["mutant"], "mutant": names["human"]} if view.swapped else names

    def get_turn_number(self, state: State) -> int:
        """Returns the current Turn (INTRO.IV.B.2)."""
        return state.turn

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result of the game; None while it goes on."""
        return state.outcome

    def resolve(self, view: State, seat: Seat, action: Action, dice: Dice) -> Script[State]:
        """Yields the events of a legal action.

        If an end is proposed, any action but `stop` lets the proposal lapse (M25). With Hidden Movement, the facts that
        both players learn are announced too (OPT.V).
        """
        script = super().resolve(view, seat, action, dice)
        if view.stop:
            script = add_proposal_lapse(action, script)
        return add_announcements(view, find_side(seat), script) if view.has_hidden_movement else script

    def is_secret(self, view: State, action: Action) -> bool:
        """True if the action is noted in secret, which only happens with Hidden Movement."""
        return view.has_hidden_movement and is_secret(action)

    def find_publicly_forced_action(self, state: State) -> Action | None:
        """Returns the only possible action in a game with Hidden Movement, if it reveals no secret; else None.

        This is the Glow and Go roll, or recording a Turn that is not the last. None while a player may act out of turn.
        """
        return find_forced_action(state) if state.has_hidden_movement and not list_out_of_turn_seats(state) else None

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """Returns a warning about a likely slip; None if there is no such slip.

        Slips are a door not attacked, a unit not moved, a Wall not placed, or notes that would be laid open.
        """
        from referee.games.mutants.cautions import find_slip_warning  # needed only when a player acts

        return find_slip_warning(view, seat, action)

    def neighbours(self, view: State, place: str) -> Mapping[str, str]:
        """Returns the places next to a room or a Set Up square, each with the door to it; "" between two squares."""
        return {other: door or "" for other, door in view.board.neighbours.get(place, {}).items()}

    def describe_thing(self, view: State, word: str) -> tuple[str, ...]:
        """Returns sentences about the unit, kind of unit, place, door or Wall with this name; empty if none has it."""
        from referee.games.mutants.glossary import describe_thing

        return describe_thing(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """Returns an estimate of the position for a seat, for bots."""
        from referee.games.mutants.worth import estimate_worth  # only bots need it

        return estimate_worth(view, seat)

    def recommend_opening(self, view: State, seat: Seat) -> Action | None:
        """Returns the next action of a planned set-up, for bots; None if the plan has no action here."""
        from referee.games.mutants.set_up_plan import find_planned_action  # only bots need it

        return find_planned_action(view, seat)

    def draw(self, view: State) -> Scene:
        """Draws the board and the Combat Display."""
        from referee.games.mutants.scene import draw_scene  # takes 5 ms, and most commands draw nothing

        return draw_scene(view)


GAME = Mutants()
