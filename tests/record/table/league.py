"""A league: games of one table whose people leave, come, correct moves, switch options and take back, all at random.

`tests/scripts/play_league.py` plays many; one seed a game.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from hand_counts import check_statistics

from referee.engine.dice import DiceError
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.option_resolution import choose_options, list_possible_switches
from referee.engine.options import OptionError
from referee.engine.registry import find_game
from referee.engine.text import NotUnderstoodError
from referee.record.archive.audit import audit
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.correct import correct_play
from referee.record.table.deeds.leaves import leave_seat
from referee.record.table.deeds.sits import sit_down
from referee.record.table.deeds.switch import switch_game_options
from referee.record.table.opening_logs import open_log, start
from referee.record.table.session import Session
from referee.record.table.undo_redo import redo, undo

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
PEOPLE = ("Ann", "Bo", "Cem", "Dee", "Eve", "Finn", "Gil", "Hana", "Ida", "Jon", "Kim", "Lea")
REFUSED = (NotAllowedError, NotUnderstoodError, DiceError, OptionError)


class League:
    """One game of the league."""

    def __init__(self, seed: int, folder: Path, steps: int = 80) -> None:
        self.random = Random(f"league {seed}")
        self.told: Counter[str] = Counter()
        self._steps, self._name = steps, GAMES[seed % len(GAMES)]
        self._typed = self.random.random() < 0.5
        self._session = self._begun(folder / "league.jsonl")

    @property
    def path(self) -> Path:
        """The log."""
        assert self._session.path
        return self._session.path

    def _begun(self, path: Path) -> Session:
        game = find_game(self._name)
        given = {one.name: self.random.choice(one.values) for one in game.options if self.random.random() < 0.2}
        try:
            options = choose_options(game, given)
        except OptionError:  # these do not go together
            options = choose_options(game, {})
        dice = TableDice() if self._typed else OpenDice(f"{self.random.getrandbits(256):064x}")
        return start(self._name, path, options=options, dice=dice)

    def play(self) -> Counter[str]:
        """Plays the game, checks its log, and returns how often each thing was done."""
        for _ in range(self._steps):
            if not self._session.moment().to_act:
                break
            self._do_something()
        self._check()
        return self.told

    def _do_something(self) -> None:
        deeds = (self._leave, self._sit, self._correct, self._switch, self._undo, self._redo, self._reopen)
        deed = self.random.choice(deeds) if self.random.random() < 0.25 else self._move
        before, size = self._session.head.hash, len(self._session.entries)
        try:
            deed()
        except REFUSED:
            assert (self._session.head.hash, len(self._session.entries)) == (before, size), "half done"
            self.told[f"{deed.__name__[1:]} refused"] += 1
        else:
            self.told[deed.__name__[1:]] += 1

    def _move(self) -> None:
        line = ActionBatch(self._session.moment(), [self._session.legal().pick(self.random)])
        while line.awaiting and line.awaiting.need:
            need = line.awaiting.need
            line.continue_with(
                [self.random.randint(1, need.sides) for _ in range(need.count - line.awaiting.typed_count)]
            )
        self._session.record(line.said)

    def _leave(self) -> None:
        session = self._session
        occupied_seats = session.moment().facts.occupied_seats
        if len(occupied_seats) < 2:
            raise NotAllowedError("somebody has to stay")
        bot = None if self._typed else self.random.choice((None, "random", "steady"))
        leave_seat(session, self.random.choice(session.reducer.seats), bot, session.reducer.seats)

    def _sit(self) -> None:
        seats = self._session.reducer.seats
        sit_down(self._session, self.random.choice(seats), self.random.choice(PEOPLE), seats)

    def _correct(self) -> None:
        """Types one of the legal moves of then in place of a late move."""
        session = self._session
        plays = [n for n in session.in_force() if isinstance(session.entries[n], PlayEntry)][-8:]
        n = self.random.choice(plays or [0])
        line = session.in_force()
        before = session.moment(line[max(0, line.index(n) - 1)])
        by = session.entries[n].by
        legal = before.legal(by if by in session.reducer.seats else None)
        words = session.game.format(legal.pick(self.random)) if legal else "nothing"
        correct_play(session, n, words, agreed=session.reducer.seats)

    def _switch(self) -> None:
        session = self._session
        found = list(list_possible_switches(session.game, session.moment().options))
        switch_game_options(session, dict([self.random.choice(found)]), session.reducer.seats)

    def _undo(self) -> None:
        line = self._session.in_force()
        undo(self._session, self.random.randint(1, min(4, max(1, len(line) - 1))), agreed=self._session.reducer.seats)

    def _redo(self) -> None:
        redo(self._session, agreed=self._session.reducer.seats)

    def _reopen(self) -> None:
        """Reads the log again, which leads to the same game."""
        again = open_log(self.path)
        assert self._standing(again) == self._standing(self._session)
        self._session = again

    @staticmethod
    def _standing(session: Session) -> tuple[object, ...]:
        facts = session.moment().facts
        here = (session.head.hash, session.in_force(), dict(facts.names), dict(facts.bots), dict(facts.options))
        return (*here, session.moment().known)

    def _check(self) -> None:
        """Checks that the log audits, is read again to the same game, and that counts are those made by hand."""
        self._reopen()
        session = self._session
        report = audit(self.path)
        assert report.fault is None, report.fault
        facts = session.moment().facts
        assert report.names == {seat: name if name != seat else seat for seat, name in facts.names.items()}
        assert facts.options == session.moment().options
        assert report.plays == sum(isinstance(entry, PlayEntry) for entry in session.entries)
        self.told["rolls counted by hand"] += check_statistics(self.path)
        self.told["entries"] += len(session.entries)


def play_league_game(seed: int, folder: Path) -> Counter[str]:
    """Plays one game of the league, and returns how often each thing was done."""
    return League(seed, folder).play()
