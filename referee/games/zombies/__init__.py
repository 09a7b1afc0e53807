"""Zombie Mutation: heroes fight their way through four levels to the helipad. A hero who dies comes back as a zombie
hero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.component import Component
from referee.engine.dice import Dice
from referee.engine.event import Event, Outcome, Script, Seat
from referee.engine.game import Game
from referee.engine.options import Options
from referee.engine.rulebook import Invariant, Refusal, RuleBook
from referee.engine.versions import RulesVersion
from referee.games.zombies import options as settings
from referee.games.zombies.board import Board, BoardFile
from referee.games.zombies.board_building import build_board
from referee.games.zombies.components import Components
from referee.games.zombies.healing import list_out_of_turn_seats
from referee.games.zombies.notation import Reader, expand_filter_word
from referee.games.zombies.order_of_play import ORDER
from referee.games.zombies.pieces import list_pieces, place_piece
from referee.games.zombies.position import Position, describe_added_facts, position_from, set_up_game, state_from
from referee.games.zombies.state import State
from referee.games.zombies.status import describe_status
from referee.games.zombies.turns import carry_on_play

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


class Zombies(Game[State, Action, Event, Position, Board]):
    """The game of Zombie Mutation. It has no secrets.

    The modules that draw pictures and check positions are imported on first use. Most commands need neither, and each
    import takes some milliseconds.
    """

    name = "zombies"
    title = "Zombie Mutation: City of Mayhem"
    rules_version = 4
    versions = (
        RulesVersion(
            2,
            "groups go as far as they can, hordes move as a block, "
            "and `place rest` puts zombies beside the player last",
            (
                "ruling.place-rest",
                "ruling.group-move",
                "ruling.horde-move",
                "ruling.zombie-order",
                "ruling.stairs-horde",
                "ruling.stair-past",
                "ruling.red-heart-between",
            ),
        ),
        RulesVersion(
            3,
            "a zombie that holds its horde together may go where it holds it too, a horde goes as a block beside "
            "ledges and thin walls and goes wherever it can be one unit, as many of a large group step as can, and "
            "positions that play cannot reach are refused",
            ("zhero.horde.4", "zhero.horde.5", "ruling.horde-move", "ruling.group-move", "turn.1"),
        ),
        RulesVersion(
            4,
            "with three-sides=zombies-only, a wall or the end of the map leaves a side of a hero open",
            ("ruling.three-sides",),
        ),
    )
    options = settings.OPTIONS
    components = (
        Component("board", BoardFile, settings.find_shipped_board, hashes=settings.HASHES),
        Component("components", Components, settings.find_shipped_components, hashes=settings.HASHES),
    )
    topics = (
        "setting_up",
        "burdens",
        "free_actions",
        "moving",
        "mutating",
        "attacking",
        "horde_turn",
        "tokens",
        "spawning",
        "biting",
        "marching",
        "automatic_march",
        "acting",
        "healing",
        "trading",
        "tasks",
        "hordes",
        "turns",
        "victory",
    )
    order = ORDER
    reader = Reader
    position = Position
    rulebook = RuleBook(settings.HERE / "rules.toml")
    piece_fields = ("players", "zombies", "tiles", "used", "loose", "loot", "agenda")
    overlays = ("sight", "reach")
    examples = ("fill", "pick lee", "move", "go d7", "hit e5 fists", "shoot g4 pistol", "done", "bite")

    check_options = staticmethod(settings.check_options)
    derive_options = staticmethod(settings.derive_options_from_names)
    seats = staticmethod(settings.list_seats)
    build_board = staticmethod(build_board)
    setup = staticmethod(set_up_game)
    describe_added_facts = staticmethod(describe_added_facts)
    state_from = staticmethod(state_from)
    position_from = staticmethod(position_from)
    pieces = staticmethod(list_pieces)
    place_piece = staticmethod(place_piece)
    list_other_actors = staticmethod(list_out_of_turn_seats)
    expand_word = staticmethod(expand_filter_word)
    status = staticmethod(describe_status)

    def get_turn_number(self, state: State) -> int:
        """Returns the number of the turn, counted over all players together. It is 1 during the set-up too."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """Returns how the game ended; None while it goes on."""
        return state.outcome

    def resolve(self, view: State, seat: Seat, action: Action, dice: Dice) -> Script[State]:
        """Yields the events of an action, then those that follow without a choice, such as the end of a turn.

        If the script of the action returns no state, nothing can follow from it.
        """
        state: State | None = yield from super().resolve(view, seat, action, dice)
        if state:
            yield from carry_on_play(state)

    @property
    def invariants(self) -> tuple[Invariant[State], ...]:
        """The facts that hold in every state that play reaches."""
        from referee.games.zombies.invariants import INVARIANTS  # only positions need it

        return INVARIANTS

    def check_position_names(self, position: Position, options: Options, board: Board) -> Iterator[Refusal]:
        """Yields a refusal for names and cards that the game does not have."""
        from referee.games.zombies.typed_names import check_position_names  # only positions need it

        return check_position_names(position, options, board)

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """Returns a warning as a clause; None if there is nothing to warn about.

        It warns of actions that are still possible when a player ends their turn, and of zombies placed beside that
        player.
        """
        from referee.games.zombies.cautions import find_slip_warning

        return find_slip_warning(view, seat, action)

    def neighbours(self, view: State, place: str) -> Mapping[str, str]:
        """Returns the squares around a square, corners included, and the other end of its stair, marked "stair".

        Walls are ignored. All other squares are marked "".
        """
        board = view.board
        if place not in board.square_bits:
            return {}
        around = dict.fromkeys(board.list_squares(next(islice(board.find_rings(place), 1, None), 0)), "")
        return around | ({board.stairs[place]: "stair"} if place in board.stairs else {})

    def describe_thing(self, view: State, word: str) -> tuple[str, ...]:
        """Returns sentences about the card, ability, hero, square or other thing of this name; empty for any other
        word.
        """
        from referee.games.zombies.glossary import describe_thing

        return describe_thing(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """Returns a rough estimate of a view for a seat, for bots: from -1 (lost) to 1 (won)."""
        from referee.games.zombies.worth import estimate_worth  # only bots need it

        return estimate_worth(view, seat)

    def draw(self, view: State) -> Scene:
        """Returns a picture of the four levels with everything on them."""
        from referee.games.zombies.scene import draw_scene

        return draw_scene(view)

    def list_overlay_places(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Returns the squares in sight of a square or figure, or within reach of a figure.

        Raises NoPlaceError if there is no such square or figure.
        """
        from referee.games.zombies.scene import list_overlay_squares

        return list_overlay_squares(view, name, of)


GAME = Zombies()
