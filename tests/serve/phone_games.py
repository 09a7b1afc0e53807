"""Games that phones play: a log in a folder, and the requests of each phone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

import msgspec
from third_party import installed

from referee.cli.session.phones import PhoneRequestHandler
from referee.engine.dice_mode import DiceMode, OpenDice
from referee.engine.registry import find_game, game_names
from referee.record.table.opening_logs import open_log, start

SEED = "7" * 64


class Table:
    """A game with a phone for each seat."""

    def __init__(
        self, folder, game: str, dice: DiceMode | None = None, bots: dict[str, str] | None = None, **options: str
    ) -> None:
        given = {name.replace("_", "-"): value for name, value in options.items()}
        self.log = folder / f"{game}.jsonl"
        self.session = start(game, self.log, options=given, dice=dice or OpenDice(SEED), bots=bots)
        self.phones = PhoneRequestHandler(open_log(self.log))

    def ask(self, seat: str, **request: Any) -> dict[str, Any]:
        """Sends a request from a phone and returns the answer as JSON."""
        return msgspec.json.decode(msgspec.json.encode(self.phones(seat, request)))

    def say(self, seat: str, *taps: Any, **more: Any) -> dict[str, Any]:
        """Sends whole phrases or taps from a phone."""
        spelt = [[tap, "says"] if isinstance(tap, str) else list(tap) for tap in taps]
        return self.ask(seat, do="say", taps=spelt, on=self.ask(seat)["on"], **more)

    @property
    def entries(self) -> int:
        """The number of entries in the log."""
        return len(self.log.read_text("utf-8").splitlines())

    @property
    def mover(self) -> str:
        """The seat to move."""
        return open_log(self.log).moment().to_act


GAMES = (*game_names(), "race", "ambush")


@contextmanager
def found(name):
    """A game, found by its name as long as it lasts."""
    if name in ("race", "ambush"):
        with installed(name) as module:
            yield module.GAME
    else:
        yield find_game(name)


def of(name):
    with found(name) as game:
        return game
