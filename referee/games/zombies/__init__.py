"""Zombie Mutation: heroes fight their way through four levels to the helipad; who dies comes back as a zombie hero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.engine.component import Component
from referee.engine.dice import Dice
from referee.engine.event import Event, Outcome, Script, Seat
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Options
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.versions import RulesVersion
from referee.games.zombies import options as settings
from referee.games.zombies.board import Board, BoardFile
from referee.games.zombies.building import build
from referee.games.zombies.components import Components
from referee.games.zombies.healing import may_speak
from referee.games.zombies.notation import Reader, stands_for
from referee.games.zombies.order import ORDER
from referee.games.zombies.pieces import pieces, put
from referee.games.zombies.position import Position, place, position_of, setup
from referee.games.zombies.state import State
from referee.games.zombies.status import status
from referee.games.zombies.turns import go_on

if TYPE_CHECKING:
    from referee.engine.scene import Overlay, Scene


class Zombies(Game[State, Action, Event, Position, Board]):
    """The game. Nothing in it is hidden. Pictures and what is checked of positions are imported when asked for: most
    commands need neither, and both take some milliseconds.
    """

    name = "zombies"
    title = "Zombie Mutation: City of Mayhem"
    rules_version = 3
    versions = (
        RulesVersion(
            2,
            "groups go as far as they can, hordes move as a block, and who places zombies is not surrounded",
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
            "ledges and thin walls, and as many of a large group step as can",
            ("zhero.horde.4", "ruling.horde-move", "ruling.group-move"),
        ),
    )
    options = settings.OPTIONS
    components = (
        Component("board", BoardFile, settings.shipped_board, hashes=settings.HASHES),
        Component("components", Components, settings.shipped_components, hashes=settings.HASHES),
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
        "hurrying",
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
    options_of = staticmethod(settings.options_of)
    seats = staticmethod(settings.seats)
    build = staticmethod(build)
    setup = staticmethod(setup)
    place = staticmethod(place)
    position_of = staticmethod(position_of)
    pieces = staticmethod(pieces)
    put = staticmethod(put)
    may_act = staticmethod(may_speak)
    stands_for = staticmethod(stands_for)
    status = staticmethod(status)

    def turn_of(self, state: State) -> int:
        """Turns are counted for all players together."""
        return max(1, state.turn)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    def resolve(self, view: State, seat: Seat, action: Action, dice: Dice) -> Script[State]:
        """What follows from an action, and from that what nobody chooses. A script that returns no state has done
        nothing that anybody was waiting for.
        """
        state: State | None = yield from super().resolve(view, seat, action, dice)
        if state:
            yield from go_on(state)

    def check_position(self, position: Position, options: Options, board: Board) -> Iterator[Refusal]:
        """Every rule that a position breaks."""
        from referee.games.zombies.checking import check_position

        return check_position(position, options, board)

    def caution(self, view: State, seat: Seat, action: Action) -> str | None:
        """What is left undone, or surrounds who does it."""
        from referee.games.zombies.cautions import overlooked

        return overlooked(view, seat, action)

    def describes(self, view: State, word: str) -> tuple[str, ...]:
        """What a card, an ability, a hero or a square of this name is and does."""
        from referee.games.zombies.glossary import describes

        return describes(view, word)

    def worth(self, view: State, seat: Seat) -> float:
        """A rule of thumb, for bots."""
        from referee.games.zombies.worth import worth  # they alone ask

        return worth(view, seat)

    def draw(self, view: State) -> Scene:
        """The four levels, with all that lies and stands on them."""
        from referee.games.zombies.draw import draw

        return draw(view)

    def overlay(self, view: State, name: Overlay, of: str) -> tuple[str, ...]:
        """Squares in sight of a square, or in reach of a figure."""
        from referee.games.zombies.draw import overlay

        return overlay(view, name, of)


GAME = Zombies()
