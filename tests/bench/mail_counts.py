"""How many mails a turn takes, and for how many of them a player has to be there: without orders, and with them.

Players move at random. Their computers open mail by themselves and send whatever needs no choice, as
`mail --watch FOLDER -o FOLDER` does. Players who give orders write down at each sitting what else they may do now, as
far as it is still legal when its time comes: one thing after the other, or moves of one kind in one line, whose dice
are then declared together. No line names a piece or a place twice, so its moves stay legal whatever falls.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "mail"))

from players import Player, seated
from simulation import GAMES
from tables import write

from referee.engine.dice import DiceError
from referee.engine.text import NotUnderstoodError
from referee.mail.order_conditions import OrdersError
from referee.mail.order_flow import carry_out_orders
from referee.mail.order_lifecycle import give_orders
from referee.mail.orders import MAX_ORDERS_LENGTH
from referee.mail.roll_shares import owes_share_beside_log
from referee.record.log.log_errors import NotAllowedError

MAILS = 120
"""The mails of a game after which the count stops."""
SEEDS = (1, 2)
MOST = 5_000
"""The most moves of one sitting; a set-up at random takes hundreds."""
ORDERED = 8
"""The most moves that are ordered at one sitting, one after the other."""
IN_LINES = 40
"""The number of moves from which the lines of one sitting are made."""
HEAD = (
    "mails a turn (with somebody there)",
    "no orders",
    "orders, one thing after the other",
    "orders, moves of a kind in one line",
)
TITLES = {
    "secrets": "Attack of the Mutants, hidden",
    "by-step": "the same, answers by Step",
    "zombies": "Zombies for three",
    "sheboygan": "Sheboygan, learning scenario",
    "two": "Manoover",
}


def mail_count_rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields a row for each game: the mails a turn and, in brackets, those for which a player sits down."""
    for kind, title in TITLES.items():
        cells = []
        for manner in ("", "then", "lines"):
            games = [Exchange(folder / f"{kind} {seed} {manner}", kind, seed, manner).counts() for seed in SEEDS]
            mails, sittings, turns = (sum(column) for column in zip(*games, strict=True))
            cells.append(f"{mails / turns:.1f} ({sittings / turns:.1f})")
        yield title, *cells


class Exchange:
    """One game by mail, in which no mail is lost."""

    def __init__(self, folder: Path, kind: str, seed: int, manner: str) -> None:
        """`manner` says how players give orders: one move "then" another, in "lines", or "" for none."""
        game, seats, options, position = GAMES[kind]
        more: dict[str, Any] = {"options": options, "position": position, "derivation": 2}
        self._players = seated(folder, *seats, luck=str(seed), game=game, **more)
        self._random, self._manner = Random(seed), manner
        self._decided: set[Player] = set()
        """The players who have decided something since their last mail."""
        self._mails = self._sittings = 0

    def counts(self) -> tuple[int, int, int]:
        """Plays, and returns the number of mails, of mails for which a player sat down, and of turns."""
        while self._mails < MAILS and not all(player.session.moment().outcome for player in self._players):
            for player in self._players:
                self._sits_down(player)
            self._sends(next(player for player in self._players if player.has_pen))
            for player in self._players:
                if len(self._players) > 2 and owes_share_beside_log(player.session, player.seat):
                    self._sends(player)
        return self._mails, self._sittings, int(self._players[0].session.moment().facts.turn)

    def _sits_down(self, player: Player) -> None:
        def choose(moment: Any, random: Random) -> Any:
            self._decided.add(player)
            return moment.legal().pick(random)

        line = self._orders_now(player)
        before = player in self._decided
        player.plays(choose, self._random, MOST)
        if self._manner and line and player in self._decided and not before:
            with player.at_home():
                try:
                    give_orders(player.desk, line)
                except (NotAllowedError, OrdersError, NotUnderstoodError, DiceError):
                    return

    def _orders_now(self, player: Player) -> str:
        """Returns moves that the player may make now, as orders for later; "" if it is not their turn."""
        moment = player.session.moment()
        if not (player.has_pen and moment.to_act == player.seat and moment.knows_acting_seat_secrets):
            return ""
        legal = moment.legal()
        picks = range(IN_LINES if self._manner == "lines" else ORDERED) if legal else ()
        words = [player.session.game.format(legal.pick(self._random)) for _ in picks]
        steps: dict[str, list[str]] = {}
        for move in dict.fromkeys(words):
            line = steps.setdefault(move.split()[0] if self._manner == "lines" else move, [])
            if not line or not {*move.split()[1:]} & {*" ".join(line).split()}:
                line.append(move)
        return join_orders(steps.values())

    def _sends(self, writer: Player) -> None:
        packet = writer.sends()
        self._mails += 1
        self._sittings += writer in self._decided
        self._decided.discard(writer)
        for player in self._players:
            if player is not writer:
                player.receives(packet)
                with player.at_home():
                    carry_out_orders(player.desk)


def join_orders(lines: Iterable[list[str]]) -> str:
    """Returns lines of moves as orders, with as many of the moves as orders may hold."""
    told = ""
    for moves in lines:
        for count in range(len(moves), 0, -1):
            more = f"{told}{' then ' if told else ''}if can {moves[0]}: {', '.join(moves[:count])}"
            if len(more) <= MAX_ORDERS_LENGTH:
                told = more
                break
    return told


def main() -> None:
    """Prints the table, or writes it."""
    with TemporaryDirectory() as place:
        rows = list(mail_count_rows(Path(place)))
    if "--write" in sys.argv:
        write(HEAD, rows)
    for row in rows:
        print(*row, sep=" | ")


if __name__ == "__main__":
    main()
