"""Ambush: each of two players hides a chest on an island, and raids the other's."""

from collections.abc import Iterator
from pathlib import Path

from ambush.rules import ORDER, SEATS, Few, Hide, Island, Open, State
from referee.engine.component import Component
from referee.engine.event import Event, Outcome, Seat, ranked
from referee.engine.game import Game
from referee.engine.legal import Action
from referee.engine.options import Option, Options
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.scene import Glyph, Layout, Page, Scene
from referee.engine.secret import Secret


class Position(Open, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player may type: what everybody sees, and the secrets that he knows."""

    chests: dict[Seat, str] = {}
    away: dict[Seat, Few] = {}


class Ambush(Game[State, Action, Event, Position, Island]):
    """The game: hiding is a secret deed, those who were sent out are a secret number, who is raided tells the truth."""

    name = "ambush"
    title = "Ambush"
    options = (Option("nights", ("12", "6", "20"), "how many nights are played", "nights"),)
    components = (Component("board", Island, lambda _: Path(__file__).with_name("island.toml")),)
    topics = ("rules",)
    order = ORDER
    position = Position
    rulebook = RuleBook(Path(__file__).with_name("rules.toml"))
    examples = ("hide reef", "hide adrift", "raid cave 2", "fight", "lose gold")

    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:
        return SEATS

    def keepers(self, options: Options) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, options: Options, board: Island) -> State:
        return self.place(Position(), options, board)

    def check_position(self, position: Position, options: Options, board: Island) -> Iterator[Refusal]:
        if position.phase in ("answer", "fight") and not position.away.get(SEATS[(position.night + 1) % 2]):
            yield Refusal("raid", "who raids has sent a pirate at least")

    def place(self, position: Position, options: Options, board: Island) -> State:
        plain = {name: getattr(position, name) for name in Open.__struct_fields__}
        chests = {seat: Secret(seat, position.chests.get(seat, "")) for seat in SEATS}
        away = {seat: Secret(seat, position.away.get(seat, 0)) for seat in SEATS}
        return State(island=board, nights=int(options["nights"]), chests=chests, away=away, **plain)

    def position_of(self, state: State) -> Position:
        plain = {name: getattr(state, name) for name in Open.__struct_fields__}
        chests = {seat: chest.value for seat, chest in state.chests.items() if chest.known and chest.value}
        away = {seat: crew.value for seat, crew in state.away.items() if crew.known and crew.value}
        return Position(chests=chests, away=away, **plain)

    def turn_of(self, state: State) -> int:
        return max(1, min(state.night, state.nights))

    def hides(self, view: State, action: Action) -> bool:
        return isinstance(action, Hide)

    def outcome(self, state: State) -> Outcome | None:
        worth = {seat: gold * state.pirates[at] for at, (seat, gold) in enumerate(zip(SEATS, state.gold, strict=True))}
        best = tuple(seat for seat in SEATS if worth[seat] == max(worth.values()))
        end = Outcome(ranked(best, SEATS), tuple(worth.items()), f"{' and '.join(best)} came off best")
        return end if state.is_over else None

    def status(self, view: State) -> str:
        has = f"gold {view.gold[0]} : {view.gold[1]}, pirates {view.pirates[0]} : {view.pirates[1]}"
        return f"the game is over; {has}" if view.is_over else f"{view.pen} is to {view.phase}; {has}"

    def draw(self, view: State) -> Scene:
        known = {seat: chest.value for seat, chest in view.chests.items() if chest.known}
        lines = [f"{cove:10}{' '.join(seat for seat in known if known[seat] == cove)}" for cove in view.island.coves]
        glyphs = tuple(Glyph(0, row, line.rstrip()) for row, line in enumerate(lines))
        return Scene(self.status(view), (Page("", (), (), (Layout(20, glyphs),)),), words=(self.status(view),))


GAME = Ambush()
