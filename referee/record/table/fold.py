"""From entries to the game in force: what they come to, one after another.

What is done with each entry is handed in: `BELIEVE` folds what is recorded and runs no rules; `judge.JUDGE_AGAIN` takes
nothing for granted. Both stop at the first entry that cannot be, and what was good before it stands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct

from referee.engine.blame import GameError
from referee.engine.choosing import settle_options
from referee.engine.component import BoardError
from referee.engine.game import AnyGame
from referee.engine.options import OptionError
from referee.engine.text import listing
from referee.record.log.entry import (
    MAILED,
    AnyEntry,
    AnyPlay,
    BranchEntry,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
)
from referee.record.log.files import board_of
from referee.record.log.limits import name_problem
from referee.record.log.older import seated_in
from referee.record.log.sealing import Opener
from referee.record.table.agreement import Step, bar_of, sets_a_state, why_stranger
from referee.record.table.ahead import Ahead
from referee.record.table.deed import JudgedDeed
from referee.record.table.folded import NONSENSE, Folded
from referee.record.table.known import Known
from referee.record.table.moment import Moment

if TYPE_CHECKING:
    from referee.record.table.pact import Pact


class Proved(Struct, frozen=True, gc=False):
    """An entry that need not be read, for what is known already leads to just its bytes."""

    entry: AnyPlay | DeedEntry | None
    known: Known | None
    """What is known after a play."""


UNPROVED = Proved(None, None)


class Judge(Protocol):
    """What is done with entries before they are folded: any of these may fail the fold."""

    today: bool
    """Whether today's rules are meant where the game keeps those that a log was played under."""

    needs_line: bool
    """Whether it asks for the line of play, to know what a takeback crosses."""

    proves: bool
    """Whether it may tell what an entry holds before that is read."""

    def proved(self, fold: Fold, body: bytes, prev: str) -> Proved:
        """A play whose bytes, which are plain, are all that they can be; none where the entry has to be read."""

    def play(self, fold: Fold, entry: AnyPlay) -> Known:
        """What is known after a play."""

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Look at an entry that is no play."""


class Believe:
    """Folds what is recorded: a log stays readable for ever, whatever is mended in the rules later."""

    today = False
    needs_line = False
    proves = False

    def proved(self, fold: Fold, body: bytes, prev: str) -> Proved:  # noqa: ARG002
        """None: without rules nothing can be told before it is read."""
        return UNPROVED

    def play(self, fold: Fold, entry: AnyPlay) -> Known:
        """Apply the recorded events."""
        return fold.believed(entry)

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Take it as it is."""


BELIEVE = Believe()


Earlier = Callable[[int], Moment]
"""How the game stood after an entry."""


class Fold(Folded):
    """Folds entries, one after another. Earlier moments are kept only where a takeback of the log wants them."""

    def __init__(
        self,
        game: AnyGame,
        opener: Opener,
        ahead: Ahead,
        judge: Judge,
        log: Path | None = None,
        *,
        follows: bool = False,
        earlier: Earlier | None = None,
        game_by: Callable[[int], AnyGame] | None = None,
        since: int | None = None,
    ) -> None:
        """`log` is the file, if there is one: files of the players may lie beside it. `follows`: keep the line of play
        to the end; `earlier` tells of moments that takebacks want which nobody could see ahead; `game_by` gives the
        game as it is judged under a version of its rules; `since` is the version under which it was begun, where its
        first entry calls that otherwise.
        """
        super().__init__(game, opener)
        self._game_by = game_by or (lambda _rules: game)
        self.since = game.rules_version if since is None else since
        self.pact: Pact | None = None
        """Who takes part how, where the game is played by mail."""
        self.wanted: dict[int, Moment] = {}
        """Earlier moments, as far as takebacks want them."""
        self.judge = judge
        """What is done with each entry before it is folded."""
        self._log = log
        self._takebacks, self._earlier = dict(ahead.takebacks), earlier
        self._last_wanted = max(ahead.takebacks.values(), default=-1) if judge.needs_line else -1
        self._follows = follows
        self._to_reveal = tuple(ahead.openings)
        """The leaves that the log reveals, in this order."""

    def next_reveal(self, prev: str) -> DeedEntry | None:
        """The reveal that is due after another one, if nothing in it is new: it opens the next leaf, which was read
        where it was sealed, and else it says the same. None where none is due.
        """
        last = self.last_reveal
        if last is None or last.n != self.n or self.reveals >= len(self._to_reveal):
            return None
        leaf = self._to_reveal[self.reveals]
        of, found = self.sealed.get(leaf, (0, None))
        opening = self.opener.opened(leaf) if found else None
        if opening is None:
            return None
        said = {"of": of, "leaf": leaf, "salt": opening.salt.hex(), "value": msgspec.Raw(opening.value)}
        return msgspec.structs.replace(last, n=self.n + 1, prev=prev, **said)

    def add(self, entry: AnyEntry, known: Known | None = None) -> None:
        """Fold one entry. FaultError when it cannot be folded; nothing is known of it then.

        `known` is what a play comes to, if it was judged already.
        """
        if self.known.ended is not None:
            self.check_order(entry)
        if self.pact:
            self.pact.begin(self, entry)
        if type(entry) is PlayEntry:
            if entry.action is None and (entry.secret is None or (entry.is_open and entry.done is None)):
                self.fail("bad-secret", "a play without an action")
            known = self.judge.play(self, entry) if known is None or self.opener.found else known
            if self.pact:
                self.pact.add(self, entry)
            self.known = known
            if entry.rolls or entry.secret:
                self._count(entry)
        else:
            self.judge.other(self, entry)
            self._add_other(entry)
        if self.opener.found:
            self._note_secrets()
        self.n += 1
        if self._follows or self.n <= self._last_wanted:
            self._follow(entry)
        if self.n in self._takebacks:
            self.wanted[self.n] = self.moment

    def expect(self, ahead: Ahead) -> None:
        """What lines tell that follow where the log ended when it was read."""
        self._takebacks |= ahead.takebacks

    def at(self, n: int) -> Moment:
        """How it stood after entry `n`, to which a takeback goes back; FaultError when there is none yet."""
        if n in self.wanted:
            return self.wanted[n]
        if n > self.n or self._earlier is None:
            self.fail("bad-takeback", f"entry {n} is not an earlier entry")
        return self._earlier(n)

    def _count(self, entry: AnyPlay) -> None:
        unseen = entry.secret.value.rolls if entry.secret is not None and entry.secret.known else ()
        if not entry.rolls and not unseen:
            return
        draws = {**self.draws}
        if entry.rolls:
            draws[None] = draws.get(None, 0) + len(entry.rolls)
        for roll in unseen:
            draws[roll.to] = draws.get(roll.to, 0) + 1
        self.draws = draws

    def believed(self, entry: AnyPlay) -> Known:
        """What is known after a play, if it is as recorded."""
        try:
            known = self.now()
            if known.views is not None:
                return known.after(self.game, entry.by, entry.all_events, entry.events)
            state = known.truth
            for event in entry.events if entry.secret is None else entry.all_events:
                state = event.apply(state)
            return Known(state)
        except (*NONSENSE, GameError) as error:
            self.fail("bad-event", f"an event that cannot happen here ({type(error).__name__}: {error})")

    def _note_secrets(self) -> None:
        for found in self.opener.found:
            self.note(found)
        self.opener.found = []

    def _follow(self, entry: AnyEntry) -> None:
        """The line of play goes through what sets a state, and through no remark."""
        if sets_a_state(entry):
            bar = bar_of(entry, secrets=bool(self.keepers))
            self.line = Step(self.n, sys.intern(entry.by), bar, self.line)  # one name for all the entries of a seat

    def _add_other(self, entry: AnyEntry) -> None:
        if self.pact:
            self.pact.add(self, entry)
        match entry:
            case _ if isinstance(entry, MAILED):
                if not self.pact:
                    self.fail("bad-order", "this game is not played by mail")
            case JudgedDeed():
                entry.apply(self)
            case GameEntry():
                self._open(entry)
            case JoinEntry():
                self._join(entry)
            case BranchEntry():
                self.branched, self.joined = entry, set()  # each seat may join anew, and seal another seed

    def check_order(self, entry: AnyEntry) -> None:
        """Once players have ended the game, nothing is played before that is taken back; and they end it only once."""
        if self.known.ended is not None and sets_a_state(entry):
            self.fail("bad-order", f"the game is over: {self.known.ended.because}")
        if isinstance(entry, JudgedDeed):
            entry.check(self)

    def _join(self, entry: JoinEntry) -> None:
        if not self.pact and (entry.by not in self.keepers or entry.by in self.joined):
            self.fail("bad-secret", f"{entry.by} {'has joined' if entry.by in self.joined else 'keeps no secrets'}")
        if (entry.seed is not None) != self._seals_seed(entry):
            self.fail("bad-secret", "a seed is sealed where secret dice come from one, and nowhere else")
        if (entry.chair is None) == (self.pact is not None) or (entry.warrant is not None and entry.chair is None):
            self.fail("bad-secret", "a key and chains of dice belong to games by mail, and to no others")
        if entry.seed is not None and entry.seed.owner != entry.by:
            self.fail("bad-secret", f"{entry.by} joins with a seed of {entry.seed.owner}")
        self.joined.add(entry.by)
        self.seeds.pop(entry.by, None)
        if entry.seed is not None and entry.seed.known:
            self.seeds[entry.by] = entry.seed.value

    def _seals_seed(self, entry: JoinEntry) -> bool:
        """Whether a seat that joins seals the seed of dice that it throws in secret."""
        return entry.by in self.keepers and self.header.dice.seals_seeds

    def forget(self, n: int, after: int) -> None:
        """Drops how it stood after entry `n`, if no entry from `after` on goes back there."""
        if self._takebacks.get(n, 0) <= after:
            self.wanted.pop(n, None)

    def why_fixed(self, to: int) -> str:
        """What has happened since an entry that cannot be undone, as a clause; "": nothing."""
        return super().why_fixed(to) or (self.pact.why_fixed(to) if self.pact else "")

    def _open(self, entry: GameEntry) -> None:
        if self.n >= 0:
            self.fail("bad-order", "a game entry stands first and nowhere else")
        self.header, self.rules, self.form = entry, entry.rules, entry.format
        self._check_header(entry)
        self.seeds |= entry.dice.seeds
        if entry.dice.is_joint:
            from referee.record.table.pact import Pact  # games by mail alone need it

            self.pact = Pact(self.opener.game_id, self.seats, self.keepers)
        self.board = board_of(self.game, entry.options, entry.files, self._log)
        self.known = Known(self._set_up(entry) if entry.position is None else self.placed(entry.position))

    def go_under(self, form: int, rules: int) -> None:
        """Goes on under other rules, and in another log format."""
        self.rules, self.form, self.since = rules, form, rules
        self.game = self._game_by(rules)
        self.board = board_of(self.game, self.header.options, self.header.files, self._log)

    def _set_up(self, entry: GameEntry) -> Any:
        try:
            return self.game.setup(entry.options, self.board)
        except BoardError as error:
            self.fail("bad-file", str(error))

    def _check_header(self, entry: GameEntry) -> None:
        try:
            settled = settle_options(self.game, entry.options)
        except OptionError as error:
            self.fail("bad-options", str(error))
        refusal = next(self.game.check_options(settled), None)
        if refusal and not self.changed:
            self.fail("bad-options", refusal.because, refusal.rule)
        if settled != entry.options:
            self.fail("bad-options", f"{listing(sorted(settled.keys() - entry.options))} not set")
        names = entry.names
        self.seats = self.game.seats(settled, tuple(names.values()))
        self.keepers = self.game.keepers(settled)
        if self.since == 0:
            entry = self.header = seated_in(entry, self.seats)
        if tuple(seated.seat for seated in entry.seats) != self.seats:
            self.fail("bad-seat", f"the seats are {listing(self.seats)}")
        stranger = why_stranger(self.seats, [entry.by])
        if stranger:
            self.fail("bad-seat", stranger)
        problem = next(filter(None, map(name_problem, names.values())), None)
        if problem:
            self.fail("bad-seat", problem)
