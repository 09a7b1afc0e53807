"""The reducer: it turns entries into the game in force, one after another.

A judge is handed in. `TRUSTING_JUDGE` takes recorded events as they are and runs no rules; `verifier.Verifier` checks
everything. Both stop at the first bad entry and keep the good ones before it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct

from referee.engine.component import BoardError
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.options import OptionError
from referee.engine.plugin_errors import GameError
from referee.engine.text import listing
from referee.record.log.entry import (
    MAIL_ENTRY_TYPES,
    AnyEntry,
    AnyPlay,
    BranchEntry,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
)
from referee.record.log.game_files import build_board
from referee.record.log.limits import find_name_problem
from referee.record.log.oldest_entry_forms import order_seats
from referee.record.log.sealing import SecretReader
from referee.record.table.agreement import LinkedEntry, changes_state, describe_unknown_seat, find_irreversible_kind
from referee.record.table.deed import JudgedDeed
from referee.record.table.knowledge import Knowledge
from referee.record.table.moment import Moment
from referee.record.table.prescan import Prescan
from referee.record.table.reducer_state import ERRORS_ON_BAD_EVENTS, ReducerState
from referee.record.table.seating import Seating

if TYPE_CHECKING:
    from referee.record.table.mail_protocol import MailProtocol


class PredictedEntry(Struct, frozen=True, gc=False):
    """An entry that need not be decoded, because the position before it already determines its bytes."""

    entry: AnyPlay | DeedEntry | None
    known: Knowledge | None
    """The knowledge after a play; None for other entries."""


NOT_PREDICTED = PredictedEntry(None, None)


class Judge(Protocol):
    """The checks of entries before they are folded. Each may raise FaultError."""

    today: bool
    """True if today's rules apply even where the game keeps the rules of a log's time."""

    needs_line: bool
    """True if the judge needs the line of play, to know which entries a takeback crosses."""

    may_predict: bool
    """True if the judge may work out an entry before it is decoded."""

    def predict_entry(self, reducer: Reducer, body: bytes, prev: str) -> PredictedEntry:
        """Returns a play that could have no other bytes than `body`. `NOT_PREDICTED` if the entry must be decoded."""

    def judge_play(self, reducer: Reducer, entry: AnyPlay) -> Knowledge:
        """Returns the state after a play, as far as it is known on this computer."""

    def check_non_play_entry(self, reducer: Reducer, entry: AnyEntry) -> None:
        """Checks an entry that is not a play."""


class TrustingJudge:
    """A judge that checks no rules and only applies the recorded events.

    With it, a log stays readable for ever, whatever changes in the rules later.
    """

    today = False
    needs_line = False
    may_predict = False

    def predict_entry(self, reducer: Reducer, body: bytes, prev: str) -> PredictedEntry:  # noqa: ARG002
        """Returns `NOT_PREDICTED`: without rules an entry must be decoded first."""
        return NOT_PREDICTED

    def judge_play(self, reducer: Reducer, entry: AnyPlay) -> Knowledge:
        """Returns the knowledge after a play, by applying the recorded events."""
        return reducer.apply_recorded_events(entry)

    def check_non_play_entry(self, reducer: Reducer, entry: AnyEntry) -> None:
        """Accepts the entry."""


TRUSTING_JUDGE = TrustingJudge()


GetMoment = Callable[[int], Moment]
"""A function that returns the game as it stood after an entry."""


class Reducer(ReducerState):
    """Folds entries into the game, one after another: each entry changes the state that the entries before it led to.

    Earlier moments are kept only if a later takeback of the log needs them.
    """

    def __init__(
        self,
        game: AnyGame,
        opener: SecretReader,
        ahead: Prescan,
        judge: Judge,
        log: Path | None = None,
        *,
        follows: bool = False,
        earlier: GetMoment | None = None,
        game_by: Callable[[int], AnyGame] | None = None,
        since: int | None = None,
    ) -> None:
        """Starts a reducer before its first entry.

        `log` is the path of the log, beside which files of the players may lie. If `follows`, the reducer keeps the
        whole line of play, not only what takebacks need. `earlier` returns moments for takebacks that came after the
        prescan. `game_by` returns the game under a version of its rules. `since` is the version of the rules under
        which the game began; give it only if the first entry names another version.
        """
        super().__init__(game, opener)
        self._game_by = game_by or (lambda _rules: game)
        self.since = game.rules_version if since is None else since
        self.protocol: MailProtocol | None = None
        """The state of play by mail; None in other games."""
        self.wanted: dict[int, Moment] = {}
        """Earlier moments that takebacks need, by entry number."""
        self.judge = judge
        """The checks of each entry before it is folded."""
        self._log = log
        self._takebacks, self._earlier = dict(ahead.takebacks), earlier
        self._last_wanted = max(ahead.takebacks.values(), default=-1) if judge.needs_line else -1
        self._follows = follows
        self._to_reveal = tuple(ahead.openings)
        """The leaves that the log reveals, in order."""

    def predict_next_reveal(self, prev: str) -> DeedEntry | None:
        """Returns the reveal that should come next, worked out before it is read. None if none is expected.

        It opens the next leaf in the order of the log. Everything else in it is as in the last reveal.
        """
        last = self.last_reveal
        if last is None or last.n != self.n or self.reveals >= len(self._to_reveal):
            return None
        leaf = self._to_reveal[self.reveals]
        of, found = self.sealed.get(leaf, (0, None))
        opening = self.opener.find_opening(leaf) if found else None
        if opening is None:
            return None
        said = {"of": of, "leaf": leaf, "salt": opening.salt.hex(), "value": msgspec.Raw(opening.value)}
        return msgspec.structs.replace(last, n=self.n + 1, prev=prev, **said)

    def add(self, entry: AnyEntry, known: Knowledge | None = None) -> None:
        """Folds one entry into the game. Raises FaultError if the entry cannot stand here.

        `known` is the knowledge after a play, if it was judged already.
        """
        if self.known.ended is not None:
            self.check_order(entry)
        if self.protocol:
            self.protocol.admit_next_entry(self, entry)
        if type(entry) is PlayEntry:
            if entry.action is None and (entry.secret is None or (entry.is_fully_known and entry.known_action is None)):
                self.raise_fault("bad-secret", "a play without an action")
            known = self.judge.judge_play(self, entry) if known is None or self.opener.found else known
            if self.protocol:
                self.protocol.add(self, entry)
            self.known = known
            if entry.rolls or entry.secret:
                self._count_rolls(entry)
        else:
            self.judge.check_non_play_entry(self, entry)
            self._add_other(entry)
        if self.opener.found:
            self._note_secrets()
        self.n += 1
        if self._follows or self.n <= self._last_wanted:
            self._extend_line(entry)
        if self.n in self._takebacks:
            self.wanted[self.n] = self.moment

    def expect_takebacks(self, ahead: Prescan) -> None:
        """Notes the takebacks of further lines, so that the moments which they need are kept."""
        self._takebacks |= ahead.takebacks

    def get_moment(self, n: int) -> Moment:
        """Returns the moment after entry `n`, the goal of a takeback. Raises FaultError if there is no such entry
        yet.
        """
        if n in self.wanted:
            return self.wanted[n]
        if n > self.n or self._earlier is None:
            self.raise_fault("bad-takeback", f"entry {n} is not an earlier entry")
        return self._earlier(n)

    def _count_rolls(self, entry: AnyPlay) -> None:
        unseen = entry.secret.value.rolls if entry.secret is not None and entry.secret.known else ()
        if not entry.rolls and not unseen:
            return
        draws = {**self.draws}
        if entry.rolls:
            draws[None] = draws.get(None, 0) + len(entry.rolls)
        for roll in unseen:
            draws[roll.to] = draws.get(roll.to, 0) + 1
        self.draws = draws

    def apply_recorded_events(self, entry: AnyPlay) -> Knowledge:
        """Returns the knowledge after a play, if it happened as recorded. Raises FaultError if its events are
        impossible.
        """
        try:
            known = self.compute_knowledge_before_entry()
            if known.views is not None:
                return known.apply_play(self.game, entry.by, entry.known_events, entry.events)
            state = known.truth
            for event in entry.events if entry.secret is None else entry.known_events:
                state = event.apply(state)
            return Knowledge(state)
        except (*ERRORS_ON_BAD_EVENTS, GameError) as error:
            self.raise_fault("bad-event", f"an event that cannot happen here ({type(error).__name__}: {error})")

    def _note_secrets(self) -> None:
        for found in self.opener.found:
            self.remember_secret(found)
        self.opener.found = []

    def _extend_line(self, entry: AnyEntry) -> None:
        """Adds the entry to the line of play if it leads to a new state."""
        if changes_state(entry):
            bar = find_irreversible_kind(entry, secrets=bool(self.keepers))
            self.line = LinkedEntry(
                self.n, sys.intern(entry.by), bar, self.line
            )  # all entries of a seat share one name

    def _add_other(self, entry: AnyEntry) -> None:
        if self.protocol:
            self.protocol.add(self, entry)
        match entry:
            case _ if isinstance(entry, MAIL_ENTRY_TYPES):
                if not self.protocol:
                    self.raise_fault("bad-order", "this game is not played by mail")
            case JudgedDeed():
                entry.apply(self)
            case GameEntry():
                self._apply_game_entry(entry)
            case JoinEntry():
                self._apply_join(entry)
            case BranchEntry():
                self.branched, self.joined = entry, set()  # each seat may join anew, and seal another seed

    def check_order(self, entry: AnyEntry) -> None:
        """Raises FaultError if something is played after the players ended the game, or if they end it twice. Raises
        it, too, if a deed makes no sense at this point.
        """
        if self.known.ended is not None and changes_state(entry):
            self.raise_fault("bad-order", f"the game is over: {self.known.ended.because}")
        if isinstance(entry, JudgedDeed):
            entry.check(self)

    def _apply_join(self, entry: JoinEntry) -> None:
        if not self.protocol and (entry.by not in self.keepers or entry.by in self.joined):
            wrong = "joins a second time" if entry.by in self.joined else "joins, but keeps no secrets here"
            self.raise_fault("bad-secret", f"{entry.by} {wrong}")
        if (entry.seed is not None) != self._must_seal_seed(entry):
            self.raise_fault("bad-secret", "a seat may seal a seed only if its secret dice come from a seed")
        if (entry.chair is None) == (self.protocol is not None) or (entry.warrant is not None and entry.chair is None):
            self.raise_fault("bad-secret", "only games by mail have keys and chains of dice")
        if entry.seed is not None and entry.seed.owner != entry.by:
            self.raise_fault("bad-secret", f"{entry.by} joins with a seed of {entry.seed.owner}")
        if entry.name:
            problem = (
                "only in a game by mail can a join name a new player"
                if not self.protocol
                else find_name_problem(entry.name)
            )
            if problem:
                self.raise_fault("bad-seat", problem)
            self.change_seating(self.seating.with_player(self.game, self.known.public, entry.by, entry.name))
        self.joined.add(entry.by)
        self.seeds.pop(entry.by, None)
        if entry.seed is not None and entry.seed.known:
            self.seeds[entry.by] = entry.seed.value

    def _must_seal_seed(self, entry: JoinEntry) -> bool:
        """True if a seat that joins must seal the seed of its secret dice."""
        return entry.by in self.keepers and self.header.dice.seals_seeds

    def forget_moment_if_unneeded(self, n: int, after: int) -> None:
        """Drops the moment after entry `n`, unless an entry later than `after` goes back to it."""
        if self._takebacks.get(n, 0) <= after:
            self.wanted.pop(n, None)

    def explain_barred_lone_takeback(self, to: int) -> str:
        """Returns, as a clause, why no seat may go back to entry `to` alone; "" if nothing here forbids it."""
        return super().explain_barred_lone_takeback(to) or (
            self.protocol.explain_barred_lone_takeback(to) if self.protocol else ""
        )

    def _apply_game_entry(self, entry: GameEntry) -> None:
        if self.n >= 0:
            self.raise_fault("bad-order", "a game entry stands first and nowhere else")
        self.header, self.rules, self.form, self.options = entry, entry.rules, entry.format, entry.options
        self._check_header(entry)
        self.seating = Seating(self.header.names, self.header.bots)
        self.seeds |= entry.dice.seeds
        if entry.dice.is_joint:
            from referee.record.table.mail_protocol import MailProtocol  # only games by mail need it

            self.protocol = MailProtocol(
                self.opener.game_id,
                self.seats,
                self.keepers,
                is_timeless=entry.dice.ignores_opening_time,
                bound_keys=entry.match.keys if entry.match else None,
                director=entry.director,
            )
        self.board = build_board(self.game, entry.options, entry.files, self._log)
        if entry.position is None:
            self.known = Knowledge(self._set_up_game(entry))
        else:
            self.start_from_position(entry.position)

    def switch_versions(self, form: int, rules: int) -> None:
        """Continues the game under other rules and in another log format."""
        self.rules, self.form, self.since = rules, form, rules
        self.game = self._game_by(rules)
        self.board = build_board(self.game, self.options, self.header.files, self._log)

    def _set_up_game(self, entry: GameEntry) -> Any:
        try:
            return self.game.setup(entry.options, self.board)
        except BoardError as error:
            self.raise_fault("bad-file", str(error))

    def _check_header(self, entry: GameEntry) -> None:
        try:
            settled = fill_options(self.game, entry.options)
        except OptionError as error:
            self.raise_fault("bad-options", str(error))
        refusal = next(self.game.check_options(settled), None)
        if refusal and not self.changed_rules:
            self.raise_fault("bad-options", refusal.because, refusal.rule)
        if settled != entry.options:
            self.raise_fault(
                "bad-options", f"these options are not set: {listing(sorted(settled.keys() - entry.options))}"
            )
        names = entry.names
        self.seats = self.game.seats(settled, tuple(names.values()))
        self.keepers = self.game.list_secret_keepers(settled)
        if self.since == 0:
            entry = self.header = order_seats(entry, self.seats)
        if tuple(seated.seat for seated in entry.seats) != self.seats:
            self.raise_fault("bad-seat", f"the seats must be {listing(self.seats)}")
        stranger = describe_unknown_seat(self.seats, [entry.by])
        if stranger:
            self.raise_fault("bad-seat", stranger)
        problem = next(filter(None, map(find_name_problem, names.values())), None)
        if problem:
            self.raise_fault("bad-seat", problem)
