"""The state of a reducer: the game in force before the next entry, and everything else that the entries have said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from referee.engine.component import Board, BoardError
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.engine.position import decode_position
from referee.engine.rulebook import Refusal
from referee.engine.versions import list_changed_rules
from referee.record.log.entry import BranchEntry, DeedEntry, GameEntry
from referee.record.log.field_types import LOG_FORMAT
from referee.record.log.log_errors import Fault, FaultCode, FaultError
from referee.record.log.sealing import FoundSecret, SecretReader
from referee.record.table.agreement import LinkedEntry
from referee.record.table.knowledge import Knowledge
from referee.record.table.moment import Moment
from referee.record.table.seating import FIRST_FORMAT, OptionChange, SeatChange, Seating

ERRORS_ON_BAD_EVENTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The exceptions that a game's code may raise on events that no rule made."""


class ReducerState:
    """A game as it stands after the entries of its log that have been read so far."""

    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    rules: int
    """The version of the rules that the game is played under."""
    form: int
    """The format in which the log is written."""
    since: int
    """The same version as `rules`, but 0 for the oldest games of all, whose rules call themselves 1 too."""
    n: int
    """The number of the entry that was folded last; -1 before the first."""
    draws: Mapping[str | None, int]
    """The number of rolls so far, those taken back included: open ones under None, secret ones under their seat."""
    seeds: dict[str | None, str]
    """The seeds of dice that are known here: the open one under None, secret ones under their seat."""
    joined: set[Seat]
    """The seats that have joined."""
    sealed: dict[str, tuple[int, FoundSecret]]
    """The secrets that no entry has revealed yet, by leaf, each with the number of its entry."""
    last_reveal: DeedEntry | None
    """The last entry that revealed something."""
    reveals: int
    """The number of entries that revealed something."""
    branched: BranchEntry | None
    """The entry with which this log left another one as a branch; None if it is not a branch."""
    line: LinkedEntry | None
    """The last step of the line of play, linked to the steps before it. Steps that nobody needs are not kept."""
    seating: Seating
    """The players and bots in force."""
    options: Options
    """The options in force."""
    paused_until: str
    """The day until which the pace rests, as agreed last; "" if that was never agreed."""
    option_changes: list[OptionChange]
    """The options that got another value in mid-game, in the order of their entries. Changes by a takeback are
    included.
    """
    seat_changes: list[SeatChange]
    """The seats that got another player in mid-game, in the order of their entries. Changes by a takeback are included.
    """
    refused_positions: dict[int, Refusal]
    """For the entries that begin from a position that older rules allowed, the first refusal by today's rules."""

    def __init__(self, game: AnyGame, opener: SecretReader) -> None:
        self.game = game
        self.header: GameEntry
        self.board: Board
        self.seats = ()
        self.keepers = ()
        self.rules = game.rules_version
        self.form = LOG_FORMAT
        self.since = game.rules_version
        self.known = Knowledge()
        self.n = -1
        self.draws = {}
        self.seeds = {}
        self.joined = set()
        self.sealed = {}
        self.last_reveal = None
        self.reveals = 0
        self.branched = None
        self.line = None
        self.options = {}
        self.paused_until = ""
        self.option_changes = []
        self.seat_changes = []
        self.refused_positions = {}
        self.opener = opener
        self.raw_entry = b""
        """The bytes of the entry that is being folded, as they stand in the log."""

    @property
    def moment(self) -> Moment:
        """The game as it stands now."""
        here = frozenset(self.opener.vaults)
        lasting = (self.game, self.header, self.seats, self.keepers, self.seating, self.options)
        return Moment(*lasting, self.n, self.known, self.line, here, self.draws, {**self.seeds})

    @property
    def former_players(self) -> tuple[str, ...]:
        """The names of all who have played in this log so far, bots included."""
        return (*self.header.names.values(), *(change.player for change in self.seat_changes if change.player))

    @property
    def occupied_seats(self) -> tuple[Seat, ...]:
        """The seats at which somebody sits, in playing order. Bots count, too."""
        names = self.seating.map_seats_to_names(self.game, self.known.public)
        return tuple(seat for seat in self.seats if names[seat])

    @property
    def changed_rules(self) -> tuple[str, ...]:
        """The ids of the rules that have changed since this game was played; usually none."""
        return list_changed_rules(self.game.versions, self.since) if self.since < self.game.rules_version else ()

    def compute_knowledge_before_entry(self) -> Knowledge:
        """Returns the knowledge before the present entry. Views of seats whose secrets cannot be opened are
        left out.
        """
        if not self.opener.found:
            return self.known
        unknown = [found.owner for found in self.opener.found if not found.known]
        return self.known.drop_secrets_of(self.game, self.seats, unknown) if unknown else self.known

    def remember_secret(self, found: FoundSecret) -> None:
        """Remembers a secret of the present entry until it is revealed. Raises FaultError if its seat keeps no
        secrets.
        """
        if found.owner not in self.keepers:
            self.raise_fault("bad-secret", f"{found.owner} keeps no secrets in this game")
        self.sealed[found.leaf] = (self.n + 1, found)

    # For the deeds

    def get_moment(self, n: int) -> Moment:
        """Returns the moment after entry `n`, the goal of a takeback. Raises FaultError if there is no such entry
        yet.
        """
        raise NotImplementedError

    def forget_moment_if_unneeded(self, n: int, after: int) -> None:
        """Drops the moment after entry `n`, unless an entry later than `after` goes back to it."""
        raise NotImplementedError

    def explain_fixed_seating(self) -> str:
        """Returns, as a clause, why no player may come or go now; "" if they may."""
        if self.header.dice.is_joint:
            return "by mail a new player asks for a seat with a key of their own: referee join SEAT --as NAME"
        if self.form < FIRST_FORMAT:
            return (
                f"log format {self.form} cannot record that players come or go; "
                "to go on in a newer format: referee upgrade"
            )
        return "the game is over already" if self.known.find_outcome(self.game) else ""

    def change_seating(self, seating: Seating) -> None:
        """Lets other players or bots sit at the seats, from the present entry on."""
        if seating == self.seating:
            return
        before, after = (one.map_seats_to_names(self.game, self.known.public) for one in (self.seating, seating))
        changed = [seat for seat in self.seats if after[seat] != before[seat]]
        self.seat_changes += [SeatChange(self.n + 1, seat, after[seat]) for seat in changed]
        self.seating = seating

    def change_options(self, options: Options) -> None:
        """Puts other options in force, from the present entry on. The state of the game has them already."""
        changed = [(name, value) for name, value in options.items() if value != self.options[name]]
        self.option_changes += [OptionChange(self.n + 1, name, value) for name, value in changed]
        self.options = options

    def explain_barred_lone_takeback(self, to: int) -> str:
        """Returns, as a clause, why no seat may go back to entry `to` alone; "" if nothing here forbids it."""
        return "secrets were revealed since" if self.last_reveal and self.last_reveal.n > to else ""

    def switch_versions(self, form: int, rules: int) -> None:
        """Continues the game under other rules and in another log format."""
        raise NotImplementedError

    def check_not_over(self) -> None:
        """Raises FaultError if the game is over, since players end it only once."""
        if self.known.find_outcome(self.game):
            self.raise_fault("bad-order", "the game is over already")

    def list_scores(self) -> tuple[tuple[Seat, int], ...]:
        """Returns the points of each seat."""
        return self.game.scores(self.known.public)

    def end_game(self, outcome: Outcome) -> None:
        """Ends the game as its players decided."""
        self.known = msgspec.structs.replace(self.known, ended=outcome)

    def mark_opened(self, leaf: str, deed: DeedEntry) -> None:
        """Removes a secret from the sealed ones, because a deed opens it to everybody."""
        del self.sealed[leaf]
        self.last_reveal = deed
        self.reveals += 1

    def start_from_position(self, document: Mapping[str, Any]) -> None:
        """Continues the game from the position in a document.

        Raises FaultError with every rule that the position breaks. If rules have changed since the game was played, the
        position stands all the same, and its first refusal is remembered in `refused_positions`.
        """
        state, refusals = self._judge_position(document)
        if refusals:
            self.refused_positions[self.n + 1] = refusals[0]
        self.known = Knowledge(state)

    def make_state_at_position(self, document: Mapping[str, Any]) -> Any:
        """Returns the state of the position in a document. Raises FaultError with every rule that the position breaks.

        No rule counts here if rules have changed since the game was played.
        """
        state, _ = self._judge_position(document)
        return state

    def _judge_position(self, document: Mapping[str, Any]) -> tuple[Any, Sequence[Refusal]]:
        """Returns the state of a position, with the refusals by today's rules that do not count under older rules.

        Raises FaultError with every rule that the position breaks.
        """
        try:
            position = decode_position(self.game, document)
            refusals = list(self.game.check_position(position, self.options, self.board))
        except (msgspec.ValidationError, BoardError) as error:
            self.raise_fault("bad-position", str(error))
        if refusals and not self.changed_rules:
            *others, last = refusals
            told = [f"{refusal.because} ({refusal.rule})" for refusal in others]
            self.raise_fault("bad-position", "; ".join([*told, last.because]), last.rule)
        return self.game.state_from(position, self.options, self.board), refusals

    def raise_fault(self, code: FaultCode, cause: str, rule: str | None = None) -> NoReturn:
        """Raises FaultError at the entry that is being folded. The reader of the file adds the place."""
        raise FaultError(Fault(code, self.n + 1, 0, cause, rule))
