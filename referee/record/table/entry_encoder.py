"""Encoding of new entries: each is checked, spelled once, and read back as every reader will read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.engine.plugin_errors import GameError, is_foreign_game
from referee.engine.secret import hide_secrets_from
from referee.engine.text import listing
from referee.gate import UnreadableError
from referee.record.log.entry import AnyEntry, AnyPlay, PlayEntry, get_current_time
from referee.record.log.limits import check_recordable
from referee.record.log.line_format import format_line, hash_entry
from referee.record.log.log_errors import NotAllowedError, turn_faults_into_not_allowed
from referee.record.log.reader import Reader
from referee.record.log.sealing import FoundSecret, SecretWriter
from referee.record.table.agreement import describe_unknown_seat
from referee.record.table.entry_draft import Draft
from referee.record.table.knowledge import Knowledge
from referee.record.table.reducer import Reducer


class EncodedEntry(NamedTuple):
    """An entry that is ready to be written."""

    entry: Any
    """The entry as every reader will decode it."""
    line: bytes
    found: list[FoundSecret]
    """The secrets in the entry."""
    known: Knowledge | None
    """The knowledge after the entry, if it was judged already."""


def explain_rules_mismatch(reducer: Reducer) -> str:
    """Returns, as a clause, why a game cannot go on under the rules that it began under."""
    today = reducer.game.rules_version
    return (
        f"this game is played under rules {reducer.rules} of {reducer.game.name}; rules {today}, which are played "
        f"here, differ in {listing(reducer.changed_rules)}. To go on under them, all must agree: referee upgrade"
    )


class EntryEncoder:
    """Encodes the next entries of a log. Nothing is written and nothing is folded."""

    def __init__(self, reducer: Reducer, reader: Reader) -> None:
        self._reducer, self._reader = reducer, reader
        self.sealer = SecretWriter(reducer.opener.vaults, reducer.opener.game_id, reader.encode_in_form)
        """Seals secrets, and holds the vault lines to be kept once the entries are written."""

    def encode(self, drafts: Sequence[tuple[Draft, Knowledge | None]], first: int, prev: str) -> list[EncodedEntry]:
        """Encodes entries from number `first` on; `prev` is the hash of the line before them.

        Each draft comes with the knowledge after it, if it was judged already. Raises NotAllowedError if an entry may
        not be recorded.
        """
        spelt = []
        for n, (draft, known) in enumerate(drafts, first):
            entry = draft(n=n, prev=prev, at=get_current_time())
            self._check_entry(entry)
            body, read = self._encode_checked(entry, prev)
            prev = hash_entry(body)
            spelt.append(EncodedEntry(read, format_line(body, prev), self._reducer.opener.found, known))
        return spelt

    def check(self, draft: Draft, n: int, prev: str) -> None:
        """Raises NotAllowedError if the entry may not be recorded at this place."""
        self._check_entry(draft(n=n, prev=prev, at=get_current_time()))

    def _check_entry(self, entry: AnyEntry) -> None:
        """Raises NotAllowedError if the entry may not be recorded. Any entry but a play is judged as in an audit."""
        reducer = self._reducer
        try:
            with turn_faults_into_not_allowed():
                if not isinstance(entry, PlayEntry):
                    from referee.record.table.verifier import Verifier  # most recorded entries are plays

                    Verifier().check_non_play_entry(reducer, entry)
                    reducer.check_order(entry)
                elif reducer.changed_rules:
                    raise NotAllowedError(explain_rules_mismatch(reducer))
                elif entry.by not in reducer.seats:
                    raise NotAllowedError(str(describe_unknown_seat(reducer.seats, [entry.by])))
                if reducer.protocol:
                    reducer.protocol.check(reducer, entry)
        except NotAllowedError as error:
            error.entry = entry
            raise

    def _encode_checked(self, entry: AnyEntry, prev: str) -> tuple[bytes, Any]:
        """Returns the bytes of an entry, and the entry as every reader decodes it. Raises NotAllowedError if no reader
        could decode it.
        """
        if is_foreign_game(self._reducer.game) and isinstance(entry, PlayEntry):
            return self._encode_foreign_play(entry, prev)
        body = self._reader.encode_in_form(self.sealer.encode_entry(entry))
        check_recordable(body)
        try:
            return body, self._reader.decode(body, prev)
        except UnreadableError as error:
            raise NotAllowedError(f"this cannot be recorded: {error}") from error

    def _encode_foreign_play(self, entry: AnyPlay, prev: str) -> tuple[bytes, Any]:
        """Encodes a play of a game from another package, and tests the game's events before anything is recorded.

        Raises GameError if an event cannot be written, does not read back the same, or has no words.
        """
        from referee.engine.plugin_guard import make_game_boundary

        game = self._reducer.game
        try:
            with make_game_boundary(game):
                body = self.sealer.encode_entry(entry)
        except GameError as error:
            if isinstance(error.__cause__, NotAllowedError):  # the log's form has no room for such a secret
                raise error.__cause__ from None
            raise
        body = self._reader.encode_in_form(body)
        check_recordable(body)
        with make_game_boundary(game):
            read = self._reader.decode(body, prev)
        for event, again in zip(entry.events, read.events, strict=True):
            if hide_secrets_from(event, None) is event and again != event:
                kind = type(event).__name__
                raise GameError(game.name, kind, "the event does not read back as it was written")
            game.tell(event)
        return body, read
