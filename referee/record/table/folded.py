"""What a log has come to where the next entry is folded: the game in force, and what entries have told beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import msgspec

from referee.engine.component import Board, BoardError
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.position import decode_position
from referee.engine.versions import changed_rules
from referee.record.log.entry import BranchEntry, DeedEntry, GameEntry
from referee.record.log.faults import Code, Fault, FaultError
from referee.record.log.fields import FORMAT
from referee.record.log.sealing import Found, Opener
from referee.record.table.agreement import Step
from referee.record.table.known import Known
from referee.record.table.moment import Moment

NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a game's code may raise on events that no rule has made."""


class Folded:
    """A game, as far as its log was folded."""

    def __init__(self, game: AnyGame, opener: Opener) -> None:
        self.game = game
        self.header: GameEntry
        self.board: Board
        self.seats: tuple[Seat, ...] = ()
        """The seats in playing order."""
        self.keepers: tuple[Seat, ...] = ()
        """The seats that keep secrets."""
        self.rules = game.rules_version
        """The version of the rules that the game is played under."""
        self.form = FORMAT
        """The log format that it is written in."""
        self.since = game.rules_version
        """The same version as `rules`, but 0 for the first form of all, whose rules call themselves 1 too."""
        self.known = Known()
        self.n = -1
        """Number of the entry folded last."""
        self.draws: Mapping[str | None, int] = {}
        """Draws of dice so far, those taken back included: open ones under None, secret ones under their seat."""
        self.seeds: dict[str | None, str] = {}
        """Seeds of open dice that are known here, under the same names."""
        self.joined: set[Seat] = set()
        """The seats that have sealed their seed."""
        self.sealed: dict[str, tuple[int, Found]] = {}
        """Secrets that no entry has revealed yet, by leaf, each with its entry."""
        self.last_reveal: DeedEntry | None = None
        """The last entry that revealed something."""
        self.reveals = 0
        """How many entries have revealed something."""
        self.branched: BranchEntry | None = None
        """Where this log left another one last, if it did."""
        self.line: Step | None = None
        """The line of play, kept as far back as somebody will ask for it."""
        self.opener = opener

    @property
    def moment(self) -> Moment:
        """How the game stands now."""
        here = frozenset(self.opener.vaults)
        lasting = (self.game, self.header, self.seats, self.keepers)
        return Moment(*lasting, self.n, self.known, self.line, here, self.draws, {**self.seeds})

    @property
    def changed(self) -> tuple[str, ...]:
        """Ids of the rules that were others when this was played than they are here; mostly none."""
        return changed_rules(self.game.versions, self.since) if self.since < self.game.rules_version else ()

    def now(self) -> Known:
        """What is known before the entry at hand, once it is clear whose secrets cannot be opened."""
        if not self.opener.found:
            return self.known
        unknown = [found.owner for found in self.opener.found if not found.known]
        return self.known.without(self.game, self.seats, unknown) if unknown else self.known

    def note(self, found: Found) -> None:
        """Remember a secret of the entry at hand until it is revealed."""
        if found.owner not in self.keepers:
            self.fail("bad-secret", f"{found.owner} keeps no secrets in this game")
        self.sealed[found.leaf] = (self.n + 1, found)

    # What deeds do with it

    def at(self, n: int) -> Moment:
        """How it stood after entry `n`, to which a takeback goes back; FaultError when there is none yet."""
        raise NotImplementedError

    def forget(self, n: int, after: int) -> None:
        """Drops how it stood after entry `n`, if no entry from `after` on goes back there."""
        raise NotImplementedError

    def why_fixed(self, to: int) -> str:
        """What has happened since an entry that cannot be undone, as a clause; "": nothing."""
        return "secrets were revealed since" if self.last_reveal and self.last_reveal.n > to else ""

    def go_under(self, form: int, rules: int) -> None:
        """Goes on under other rules, and in another log format."""
        raise NotImplementedError

    def check_not_over(self) -> None:
        """Fails where the game is over already: players end it only once."""
        if self.known.outcome(self.game):
            self.fail("bad-order", "the game is over already")

    def scores(self) -> tuple[tuple[Seat, int], ...]:
        """How many points each seat has."""
        return self.game.scores(self.known.public)

    def end(self, outcome: Outcome) -> None:
        """Ends the game as its players say."""
        self.known = msgspec.structs.replace(self.known, ended=outcome)

    def open(self, leaf: str, deed: DeedEntry) -> None:
        """Opens a secret to everybody."""
        del self.sealed[leaf]
        self.last_reveal = deed
        self.reveals += 1

    def placed(self, document: Mapping[str, Any]) -> Any:
        """The state of a position from a file; FaultError says every rule that it breaks."""
        try:
            position = decode_position(self.game, document)
            refusals = list(self.game.check_position(position, self.header.options, self.board))
        except (msgspec.ValidationError, BoardError) as error:
            self.fail("bad-position", str(error))
        if refusals and not self.changed:
            *others, last = refusals
            told = [f"{refusal.because} ({refusal.rule})" for refusal in others]
            self.fail("bad-position", "; ".join([*told, last.because]), last.rule)
        return self.game.place(position, self.header.options, self.board)

    def fail(self, code: Code, cause: str, rule: str | None = None) -> NoReturn:
        """Stop at the entry that is being folded; who reads the file adds where it stands."""
        raise FaultError(Fault(code, self.n + 1, 0, cause, rule))
