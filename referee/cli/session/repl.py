"""A session at the table without its terminal: a line comes in, an answer goes out.

It takes the commands of the shell, with three differences. You leave out "referee", a line of faces gives the missing
dice, and an empty line shows the board.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import MOVED_ON, NOT_UNDERSTOOD, OK, Answer, FixedRows, NextStep, PendingAction, StateLine, Text
from referee.cli.arguments import QUIT_WORDS, split_dice
from referee.cli.commands.legal import describe_choices
from referee.cli.context import Context
from referee.cli.effects_text import describe_entry_with_events
from referee.cli.entry_text import describe_entry
from referee.cli.errors import MisuseError, explain_error
from referee.cli.game_view import (
    TOO_TALL,
    answer_with_summary,
    describe_state,
    describe_summary,
    make_current_picture,
    make_heading,
)
from referee.cli.log_paths import read_pointer, read_pointer_file_time
from referee.cli.main import answer_command_line_eagerly
from referee.cli.missing_dice import describe_held_faces, describe_missing_faces
from referee.cli.screen import wipe_progress
from referee.cli.session.command_text import drop_known_parts, strip_program_name, strip_program_names
from referee.cli.session.line_parsing import parse_face_line, split_line
from referee.cli.session.live_log import LiveLog, ScreenHandover
from referee.cli.session.reply import Reply
from referee.engine.dice import DiceError, Need
from referee.engine.event import REFEREE
from referee.engine.secret import UnknownError
from referee.engine.text import count_of
from referee.record.log.entry import PlayEntry
from referee.record.log.hash_words import spell_hash
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from pathlib import Path

    from referee.cli.screen import Screen
    from referee.engine.event import Seat
    from referee.record.table.session import Session

RECALLED_ENTRIES = 100
"""The number of last log entries whose actions can be recalled with the Up key."""
MAX_UNASKED_ROWS = 6
"""The most rows of an answer to a roll that shows the legal actions unasked."""
KEY_MEANINGS: tuple[tuple[str, str], ...] = (
    ("Enter", "the board"),
    ("TAB", "list what can come next"),
    ("2 2 6", "the dice that the referee waits for; 226 works, too"),
    ("legal", "list what you may do now; legal WORD: only what has to do with it"),
    ("why ACTION", "check a move; records nothing"),
    ("status", "show what happened last, whose turn it is, and the dice that are due"),
    ("where X", "say where a piece is, or what is at a place"),
    (":WORD", "the command, even if the game has the same word"),
    ("undo", "take back"),
    ("Up", "bring back an earlier line"),
    ("Ctrl-C", "forget this line and missing dice"),
    ("Ctrl-D, quit", "leave; everything is recorded already"),
    ("help WORD", "explain a word of the game, a thing, a command or a chapter"),
    ("help commands", "list all commands; type them without referee"),
)


class Repl:
    """A session that takes one line after another and returns a reply to each."""

    def __init__(
        self,
        session: Session,
        screen: Callable[[], Screen],
        *,
        screened: bool = True,
        board: str = "show",
        always: Sequence[str] = (),
    ) -> None:
        """Starts a session.

        `screen` returns the present screen. `screened` is True if only one player at a time looks at the screen in a
        game with secrets. `board` is the command that an empty line stands for. `always` holds global options that are
        added to every line.
        """
        self.live_log = LiveLog(session, screened=screened)
        self.pending: PendingAction | None = None
        """The action of the last line that waits for dice; None if none waits."""
        self.over = False
        """True once somebody has left."""
        self.screen, self._always = screen, always
        self._board = board
        self._read_to: dict[Seat | None, int] = {}
        """The number of entries that each player had seen when they left the screen, in a game with secrets."""
        self._first = len(session.entries)
        """The number of entries at the start."""
        self._known: tuple[str, StateLine] | None = None
        """The heading and the state that stand on the screen already; None on an empty screen."""

    @property
    def look(self) -> SeatView:
        """The game in the view of the player at the screen."""
        session = self.live_log.session
        return SeatView(session, self.live_log.eyes)

    @property
    def need(self) -> Need | None:
        """The dice that the last line, or else the game, waits for; None if none are missing."""
        if self.pending:
            return self.pending.need
        look = self.look
        if self.live_log.pending_handover or look.facts.asked_seat:
            return None
        try:
            throw = look.sight.legal.awaited_roll
        except UnknownError:
            return None
        return throw.need if throw else None

    def drop_unfinished_action(self) -> None:
        """Drops the action that waits for dice, and the line that was begun."""
        self.pending = None
        self._note_typed()

    def _note_typed(self) -> bool:
        """Returns True if nobody is at the screen. Then notes that secrets may be on it.

        The line that was typed may hold a secret of the player who has left.
        """
        nobody = self.live_log.eyes is None and self.live_log.pending_handover is not None
        if nobody:
            self.live_log.note_secrets_shown([REFEREE])
        return nobody

    def run_line(self, line: str) -> Reply:
        """Carries out a line and returns the reply. An error becomes a reply, too, so the session goes on."""
        context, place = self._make_context(), self.live_log.log_and_viewer
        to_nobody = bool(line.strip()) and self._note_typed()
        try:
            reply = self._answer_line(line, context)
        except Exception as error:
            reply = self._make_reply(context.explain_error(error), context)
        return self._shorten(self._hide_secrets(reply, place, is_idle=to_nobody and reply.answer.code != OK))

    def _shorten(self, reply: Reply) -> Reply:
        """Returns the reply without what the screen shows already: the typed words, the heading and the state."""
        known = None if reply.clears_screen else self._known
        self._known = make_heading(self.look), describe_state(self.look)
        if known is None:
            return reply
        return replace(reply, answer=replace(reply.answer, lines=drop_known_parts(reply.answer.lines, *known)))

    def _hide_secrets(self, reply: Reply, place: tuple[Path | None, Seat | None], *, is_idle: bool = False) -> Reply:
        """Returns a reply that clears the screen if secrets are on it that the next viewer may not see.

        This can happen only when somebody leaves, when another player takes the screen, or when another log is played.
        `place` is the log and the player before the reply. `is_idle` is True if a line was typed in vain while nobody
        was at the screen; then the screen is cleared at once.
        """
        live_log = self.live_log
        (path, _), (now, eyes) = place, live_log.log_and_viewer
        own = {eyes} if path == now and not self.over else set()
        clear = is_idle or ((self.over or live_log.log_and_viewer != place) and bool(live_log.on_screen - own))
        if clear and not self.over:
            live_log.note_screen_cleared()
        live_log.note_secrets_shown([*reply.context.eyes, *([eyes] if eyes else [])])
        return replace(reply, clears_screen=clear)

    def _answer_line(self, line: str, context: Context) -> Reply:
        try:
            self.live_log.refresh()
        except Exception as error:
            return self._make_reply(explain_error(error, self.live_log.session.path), context)
        if self.live_log.was_changed:
            self.pending = None
        handover = self.live_log.pending_handover
        if not line.strip() and handover:
            return self._reply_to_handover(handover, context)
        faces = self._read_faces(line)
        unclear = faces and self._explain_ambiguous_dice(faces)
        if unclear:
            return self._make_reply(Answer((), dict, NOT_UNDERSTOOD, (unclear,)), context)
        context.pending = None if faces else self.pending
        words = self._make_dice_command(faces, context) if faces else self._read_words(line)
        own = self._answer_session_word(words, context)
        if own:
            return own
        reply = self._run_words(words or self._board.split(), context)
        return self._name_drawable(reply, words, context.pending)

    def _answer_session_word(self, words: list[str], context: Context) -> Reply | None:
        """Returns the reply to a word for the session itself; None for a command or an action."""
        if words and words[0].lower() in QUIT_WORDS:
            self.over = True
            return self._make_reply(self._make_farewell(), context)
        if words in (["?"], ["help"]):
            return self._make_reply(_list_keys(), context)
        if words == ["undo"] and self.pending and self.pending.what:
            return self._forget_line(self.pending, context)
        return None

    def _forget_line(self, pending: PendingAction, context: Context) -> Reply:
        """Drops the last line, which still waits for dice, and returns the reply. Nothing of that line was recorded."""
        self.drop_unfinished_action()
        sentence = (
            f"Forgotten: {pending.what}. Nothing of it was recorded. "
            "To take back the last recorded move, type undo again."
        )
        return self._make_reply(Answer([sentence], lambda: {"forgotten": pending.what}), context)

    def _name_drawable(self, reply: Reply, words: Sequence[str], pending: PendingAction | None) -> Reply:
        """Returns the reply with the names that can be drawn, if a draw was pending and the word was unknown."""
        if reply.answer.code != NOT_UNDERSTOOD or len(words) != 1 or pending is None or not pending.need.names:
            return reply
        try:
            pending.need.parse_face(words[0])
        except DiceError as error:
            told = tuple(map(strip_program_name, explain_error(error).complaint))
            return replace(reply, answer=replace(reply.answer, complaint=told))
        return reply

    def refuse_overlong_line(self, most: int) -> Reply:
        """Returns the reply to a line of `most` characters or more, which was not read."""
        return self.reply_to_misuse(f"a line cannot have {most} characters or more; it was not read")

    def reply_to_misuse(self, why: str) -> Reply:
        """Returns a reply that says why nothing was done; `why` is a clause."""
        return self.reply_with_notice(explain_error(MisuseError(why), self.live_log.session.path))

    def reply_with_notice(self, answer: Answer) -> Reply:
        """Returns a reply with news that does not answer a line."""
        return self._make_reply(answer, self._make_context())

    def _make_context(self) -> Context:
        return Context(self.live_log, self.screen())

    def make_opening_reply(self) -> Reply:
        """Returns the first reply: the notes on the board, such as reconstructions, the board and a tip.

        Later pictures do not repeat the notes.
        """
        context = self._make_context()
        tip = Text(
            "Type what you do. Enter shows the board, TAB what can come next, ? the keys; Ctrl-D leaves.", "faint"
        )
        board = make_current_picture(self.look)
        notes = [Text(note, "faint") for note in board.notes]
        handover = self.live_log.pending_handover
        if handover:
            reply = self._make_reply(
                Answer([*notes, *describe_summary(self.look), tip, self._invite_next(handover)], dict), context
            )
        elif context.screen.has_room_for(board):
            shown = self._run_words(self._board.split(), context)
            reply = replace(shown, answer=replace(shown.answer, lines=[*notes, *shown.answer.lines, tip]))
        else:
            lines = [*notes, *answer_with_summary(self.look).lines, Text(TOO_TALL, indent=2), tip]
            reply = self._make_reply(Answer(lines, dict), context)
        self._known = make_heading(self.look), describe_state(self.look)
        return self._hide_secrets(reply, self.live_log.log_and_viewer)

    def make_farewell_reply(self) -> Reply:
        """Returns the reply to a player who leaves."""
        self.over = True
        return self._hide_secrets(
            self._make_reply(self._make_farewell(), self._make_context()), self.live_log.log_and_viewer
        )

    def _make_farewell(self) -> Answer:
        look = self.look.with_eyes(None)
        words = spell_hash(look.log.head_hash)
        noted = f"To check this log later, note the words of entry {look.log.entry_number}: {words}"
        noted += ". As a code to photograph: referee log --witness --as qr"
        return Answer([*describe_summary(look), Text(noted, "faint"), "Everything is recorded. Good-bye."], dict)

    def list_recent_action_lines(self) -> list[str]:
        """Returns the latest actions of the log, as lines to recall, the latest last; none in a game with secrets."""
        look = self.look
        entries = [] if look.facts.keepers else look.log.entries[-RECALLED_ENTRIES:]
        plays = [entry.action for entry in entries if isinstance(entry, PlayEntry) and entry.action is not None]
        return list(dict.fromkeys(look.facts.game.format(action) for action in plays))

    # Reading a line

    def _read_faces(self, line: str) -> list[str] | None:
        """Returns the faces in a line, if dice are missing and the line holds nothing else; None otherwise."""
        need = self.need
        return parse_face_line(line, need) if need else None

    def _explain_ambiguous_dice(self, faces: list[str]) -> str:
        """Returns a sentence if more dice were typed than are missing, but not the whole roll; "" otherwise."""
        pending = self.pending
        missing = pending.need.count - len(pending.held) if pending else 0
        if pending is None or not pending.held or len(faces) in (*range(missing + 1), pending.need.count):
            return ""
        wanted = count_of(missing, "more die", "more dice")
        still = describe_missing_faces(pending.need, len(pending.held))
        return f"Type {wanted} ({still}), or all {pending.need.count} again; you typed {len(faces)}."

    def _make_dice_command(self, faces: list[str], context: Context) -> list[str]:
        """Returns the command with these faces, after those typed before. A whole roll replaces those typed before."""
        pending = self.pending
        if pending is None:
            return ["roll", *faces]
        if pending.held and len(faces) == pending.need.count:
            context.notes.append(
                f"{' '.join(faces)} replaces what was typed before: {describe_held_faces(pending.need, pending.held)}."
            )
            pending = replace(pending, held=())
        return list(pending.make_command(faces))

    def _read_words(self, line: str) -> list[str]:
        """Returns the words of a line as a shell splits them, without `referee` at the start.

        If no dice are missing, a line of numbers alone becomes the command `roll`.
        """
        words = split_line(line)
        if words and not self.need and all(word.isascii() and word.isdecimal() for word in split_dice(line)):
            return ["roll", *words]
        return words[1:] if words[:1] == ["referee"] else words

    def _run_words(self, words: list[str], context: Context) -> Reply:
        session, before, stamp = self.live_log.session, len(self.live_log.session.entries), read_pointer_file_time()
        if words[:1] == ["play"]:
            return self._make_reply(
                Answer((), dict, NOT_UNDERSTOOD, ("You are in a session already; ? lists the keys.",)), context
            )
        shown, answer = self._run_command(words, context)
        if answer.code == MOVED_ON and not self.live_log.was_changed:
            self.live_log.read_again()
        stepped = self.live_log.session is session and len(session.entries) > before
        if answer.pending or stepped:
            self.pending = answer.pending
        if stamp != read_pointer_file_time():
            self._switch_log()
            return (
                self._reply_in_other_log(answer, context)
                if self.live_log.on_screen
                else self._make_reply(answer, context)
            )
        return self._finish_command(answer, shown, context, session, before)

    def _finish_command(
        self, answer: Answer, shown: list[str], context: Context, session: Session, before: int
    ) -> Reply:
        """Returns the reply to a command. The log of `session` had `before` entries when the command began."""
        stepped = self.live_log.session is session and len(session.entries) > before
        handover = self.live_log.pending_handover
        if answer.pending:
            answer = replace(answer, complaint=(_ask_for_dice(answer.pending),))
        elif stepped and answer.code == OK and handover and self._is_public_handover(handover, before):
            return self._reply_to_leaver(handover, answer, context, before)
        if stepped and not answer.pending and answer.code == OK:
            answer = self._add_choices(answer, session, before)
        then = [self._invite_next(handover)] if stepped and handover else []
        lines = [*([FixedRows(shown)] if shown else []), *answer.lines, *then]
        return self._make_reply(replace(answer, lines=lines), context)

    def _run_command(self, words: list[str], context: Context) -> tuple[list[str], Answer]:
        """Runs a command. Returns the lines that it printed, which are always help, and its answer."""
        arguments = [*context.screen.list_options(), *self._always, "-g", str(self.live_log.session.path), *words]
        with _capture_output() as read_printed:
            answer = answer_command_line_eagerly(arguments, context)
        wipe_progress()
        return read_printed(), answer

    def _switch_log(self) -> None:
        """Goes on with the log that a command has made the current one."""
        chosen = read_pointer()
        if chosen is not None and chosen.is_file():
            self.pending, self._read_to = None, {}
            self.live_log.switch_to(open_log(chosen))
            self._first = len(self.live_log.session.entries)

    def _reply_in_other_log(self, answer: Answer, context: Context) -> Reply:
        """Returns the reply, in public lines, when play goes on in another log while secrets are on the screen."""
        context.eyes.clear()
        public, handover = self.look.with_eyes(None), self.live_log.pending_handover
        then = [self._invite_next(handover)] if handover else []
        return self._make_reply(replace(answer, lines=[*describe_summary(public), *then]), context)

    def _add_choices(self, answer: Answer, session: Session, before: int) -> Answer:
        """Replaces the next step in the answer to a roll by the legal actions, if these are few. Returns the answer."""
        look = self.look
        thrown = any(isinstance(entry, PlayEntry) and entry.rolls for entry in session.entries[before:])
        if not thrown or look.facts.asked_seat or self.live_log.pending_handover or look.facts.to_act is None:
            return answer
        choices = look.sight.legal.choices
        if not 1 < len(choices) <= MAX_UNASKED_ROWS or look.sight.legal.awaited_roll:
            return answer
        kept = [line for line in answer.lines if not isinstance(line, NextStep)]
        longer = replace(answer, lines=[*kept, *describe_choices(look, choices)])
        known = drop_known_parts(longer.lines, *self._known) if self._known else longer.lines
        return longer if len(self.screen().render(replace(longer, lines=known))[0]) <= MAX_UNASKED_ROWS else answer

    # Replies

    def _make_reply(self, answer: Answer, context: Context) -> Reply:
        news = [describe_entry(self.look, entry) for entry in self.live_log.news]
        meanwhile = [
            f"Meanwhile somebody else recorded entry {entry.n}: {text}"
            for entry, text in zip(self.live_log.news, news, strict=True)
        ]
        notes, context.notes = [*context.notes, *meanwhile], []
        return Reply(strip_program_names(answer), context, notes)

    # Hand-overs

    def _reply_to_handover(self, handover: ScreenHandover, context: Context) -> Reply:
        """Returns the reply to Enter at a hand-over: the player at the screen leaves, or the next one sits down."""
        self._note_and_hand_over(handover)
        further = self.live_log.pending_handover
        if further:
            return self._make_reply(Answer([self._invite_next(further)], dict), context)
        reply = self._run_words(self._board.split(), context)
        return replace(reply, answer=replace(reply.answer, lines=[*reply.answer.lines, *self._list_unread()]))

    def _note_and_hand_over(self, handover: ScreenHandover) -> None:
        self._read_to[self.live_log.eyes] = len(self.live_log.session.entries)
        self.live_log.carry_out_handover(handover)

    def _list_unread(self) -> list[Text]:
        """Returns the entries that the player at the screen has not seen yet, with their events."""
        return self._list_since(self._read_to.get(self.live_log.eyes, self._first))

    def _is_public_handover(self, handover: ScreenHandover, before: int) -> bool:
        """True if the player must leave the screen and everything from entry `before` on is public.

        Then they need not read anything before the screen is cleared.
        """
        if not handover.has_secrets_to_hide:
            return False
        own, public = self.look, self.look.with_eyes(None)
        happened = zip(own.log.entries[before:], public.log.entries[before:], strict=True)
        return all(
            [*describe_entry_with_events(own, mine)] == [*describe_entry_with_events(public, theirs)]
            for mine, theirs in happened
        )

    def _reply_to_leaver(self, handover: ScreenHandover, answer: Answer, context: Context, before: int) -> Reply:
        """Returns the reply when a player leaves the screen without pressing Enter. It shows only public lines.

        The next player goes on at once if they keep no secrets. Otherwise they press Enter.
        """
        self._note_and_hand_over(handover)
        context.eyes.clear()
        further = self.live_log.pending_handover
        happened = self._list_unread() if not further else self._list_since(before)
        then = self._invite_next(further) if further else f"{self.look.facts.format_seat(handover.to)} has the screen."
        return self._make_reply(replace(answer, lines=[*describe_summary(self.look), *happened, then]), context)

    def _list_since(self, before: int) -> list[Text]:
        look = self.look
        return [line for entry in look.log.entries[before:] for line in describe_entry_with_events(look, entry)]

    def _invite_next(self, handover: ScreenHandover) -> str:
        player = self.look.facts.format_seat(handover.to)
        if handover.has_secrets_to_hide:
            return f"{player} takes the screen: Enter clears it."
        return f"{player} takes the screen; when nobody else looks, press Enter."


@contextmanager
def _capture_output() -> Iterator[Callable[[], list[str]]]:
    """Keeps the block from printing on the screen and reading the keyboard.

    Yields a function that returns the lines printed so far.
    """
    out, nothing = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    stdin = sys.stdin

    def read_printed() -> list[str]:
        out.flush()
        return out.buffer.getvalue().decode().splitlines()

    sys.stdin = nothing
    try:
        with redirect_stdout(out), redirect_stderr(out):
            yield read_printed
    finally:
        sys.stdin = stdin


def _ask_for_dice(pending: PendingAction) -> str:
    """Returns a sentence that asks for the missing dice.

    It lists the faces held. If each die has its own purpose, it also names the missing dice.
    """
    need = pending.need
    if need.names:
        return f"Draw, then type the result ({need}): {need.drawable_text}."
    if pending.held:
        still = f"still to be typed: {describe_missing_faces(need, len(pending.held))}"
        held = describe_held_faces(need, pending.held)
        return f"Typed so far of {need.count}d{need.sides} ({need.purpose}): {held}; {still}."
    if need.die_labels:
        missing = describe_missing_faces(need, 0)
        return f"Roll {need.count}d{need.sides} ({need.purpose}), then type the results: {missing}."
    return f"Roll {need}, then type the result."


def _list_keys() -> Answer:
    return Answer([Text(f"{key:<14}{what}", hanging=14) for key, what in KEY_MEANINGS], lambda: dict(KEY_MEANINGS))
