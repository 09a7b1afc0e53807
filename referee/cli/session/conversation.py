"""A session at the table without its terminal: a line comes in, an answer goes out.

It says what the shell says, with the commands of the shell. All that it adds: "referee" is left out, bare faces are
the dice that are waited for, and an empty line shows the board.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import MOVED_ON, NOT_UNDERSTOOD, OK, Answer, Pending, Rows, Shown, Text
from referee.cli.commands.legal import listed
from referee.cli.context import Context
from referee.cli.entries import describe, told
from referee.cli.errors import MisuseError, explain
from referee.cli.logs import pointed_at, pointer_stamp
from referee.cli.look import picture_of, summary
from referee.cli.main import whole_answer_to
from referee.cli.missing import asked, held
from referee.cli.screen import wipe
from referee.cli.session.reading import faces_in, parted
from referee.cli.session.reply import Reply
from referee.cli.session.resident import HandOver, Resident
from referee.cli.session.wording import said_here, without_name
from referee.cli.typed import LEAVING
from referee.engine.dice import DiceError, Need
from referee.engine.secret import UnknownError
from referee.engine.text import count_of
from referee.record.log.entry import AnyEntry, PlayEntry
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

if TYPE_CHECKING:
    from pathlib import Path

    from referee.cli.screen import Screen
    from referee.engine.event import Seat
    from referee.record.table.session import Session

REMEMBERED = 100
"""Entries of the log whose words can be brought back."""
SHORT = 10
"""Lines of a legal list that is told unasked after a throw."""
KEYS: tuple[tuple[str, str], ...] = (
    ("Enter", "the board"),
    ("TAB", "what can come next"),
    ("2 2 6", "dice as they fell, when dice are waited for; 226 will do"),
    ("legal", "what may be done now; legal WORD: what has to do with it"),
    ("why ACTION", "may I? Records nothing"),
    ("last, who", "what happened last; whose turn it is"),
    ("need", "the dice that are waited for, and the chances"),
    ("where X", "where something is, and what is there"),
    (":WORD", "a command, where the game has its word, too"),
    ("undo", "take back"),
    ("Up", "what was said before"),
    ("Ctrl-C", "forget this line, and dice that are waited for"),
    ("Ctrl-D, quit", "leave; everything said is recorded already"),
    ("help WORD", "a word of the game, a thing, a command, or a chapter such as typing"),
    ("--help", "all commands; referee is left out"),
)


class Conversation:
    """Says line after line in one game."""

    def __init__(
        self,
        session: Session,
        screen: Callable[[], Screen],
        *,
        screened: bool = True,
        board: str = "show",
        always: Sequence[str] = (),
    ) -> None:
        """`screen`: how answers are to look now; `screened`: as in `Resident`; `board`: what an empty line says;
        `always`: global options of every line.
        """
        self.resident = Resident(session, screened=screened)
        self.pending: Pending | None = None
        """The dice that what was said waits for."""
        self.over = False
        """Whether somebody has said good-bye."""
        self.screen, self._always = screen, always
        self._board = board
        self._read_to: dict[Seat | None, int] = {}
        """The last entry that those eyes were told of, in a game with secrets."""
        self._first = len(session.entries)
        """The entries that were there before it."""

    @property
    def look(self) -> Sitting:
        """The game as it stands, as those see it who look at the screen."""
        session = self.resident.session
        return Sitting(session, self.resident.eyes)

    @property
    def need(self) -> Need | None:
        """The dice that are waited for: by what was said, else by the game."""
        if self.pending:
            return self.pending.need
        look = self.look
        if self.resident.handover or look.facts.asked:
            return None
        try:
            throw = look.sight.legal.throw
        except UnknownError:
            return None
        return throw.need if throw else None

    def cancel(self) -> None:
        """Forget what waits for dice."""
        self.pending = None

    def say(self, line: str) -> Reply:
        """Returns what comes of a line. Whatever fails, the session goes on, and tells what was recorded."""
        context, place = self._context(), self.resident.place
        try:
            reply = self._answered(line, context)
        except Exception as error:
            reply = self._reply(context.explained(error), context)
        return self._kept_apart(reply, place)

    def _kept_apart(self, reply: Reply, place: tuple[Path | None, Seat | None]) -> Reply:
        """Returns a reply that clears the screen where secrets stand on it and somebody leaves, another player looks
        from now on who may not see them, or another log is played on. Nothing else decides on that. `place`: the one
        before the reply.
        """
        resident = self.resident
        (path, _), (now, eyes) = place, resident.place
        own = {eyes} if path == now and not self.over else set()
        clear = (self.over or resident.place != place) and bool(resident.on_screen - own)
        if clear and not self.over:
            resident.clear_screen()
        resident.show_to([*reply.context.eyes, *([eyes] if eyes else [])])
        return replace(reply, clear=clear)

    def _answered(self, line: str, context: Context) -> Reply:
        try:
            self.resident.refresh()
        except Exception as error:
            return self._reply(explain(error, self.resident.session.path), context)
        if self.resident.moved:
            self.pending = None
        handover = self.resident.handover
        if not line.strip() and handover:
            return self._handed_over(handover, context)
        faces = self._faces(line)
        unclear = faces and self._unclear(faces)
        if unclear:
            return self._reply(Answer((), dict, NOT_UNDERSTOOD, unclear), context)
        context.pending = None if faces else self.pending
        words = self._with_dice(faces, context) if faces else self._words(line)
        own = self._of_the_table(words, context)
        if own:
            return own
        reply = self._said(words or self._board.split(), context)
        return self._not_drawn(reply, words, context.pending)

    def _of_the_table(self, words: list[str], context: Context) -> Reply | None:
        """The reply to what is said to the session itself; None: it is a command, or something to do in the game."""
        if words and words[0].lower() in LEAVING:
            self.over = True
            return self._reply(self._good_bye(), context)
        if words in (["?"], ["help"]):
            return self._reply(_keys(), context)
        if words == ["undo"] and self.pending and self.pending.what:
            return self._forgotten(self.pending, context)
        return None

    def _forgotten(self, pending: Pending, context: Context) -> Reply:
        """What was said last is taken back before its dice have fallen: nothing of it stands in the record."""
        self.cancel()
        told = f"Forgotten: {pending.what}. Nothing of it was recorded; undo once more takes back what was."
        return self._reply(Answer([told], lambda: {"forgotten": pending.what}), context)

    def _not_drawn(self, reply: Reply, words: Sequence[str], pending: Pending | None) -> Reply:
        """A word that is nothing at all, where something is drawn: what there is to draw."""
        if reply.answer.code != NOT_UNDERSTOOD or len(words) != 1 or pending is None or not pending.need.names:
            return reply
        try:
            pending.need.face_of(words[0])
        except DiceError as error:
            return replace(reply, answer=replace(reply.answer, complaint=said_here(explain(error).complaint)))
        return reply

    def too_long(self, most: int) -> Reply:
        """What is said to a line that has more characters than are read."""
        return self.misused(f"nobody says a line of {most} characters or more; nothing was read of it")

    def misused(self, why: str) -> Reply:
        """Returns a reply that tells why nothing is said; `why`: a clause."""
        return self.tell(explain(MisuseError(why), self.resident.session.path))

    def tell(self, answer: Answer) -> Reply:
        """Returns a reply that tells something beside what is said."""
        return self._reply(answer, self._context())

    def _context(self) -> Context:
        return Context(self.resident, self.screen())

    def begin(self) -> Reply:
        """What there is to see at first, with what is reconstructed: that is the same in every later picture."""
        context = self._context()
        tip = Text(
            "Say what you do. Enter shows the board, TAB what can come next, ? the keys; Ctrl-D leaves.", "faint"
        )
        notes = [Text(note, "faint") for note in picture_of(self.look).notes]
        handover = self.resident.handover
        if handover:
            reply = self._reply(Answer([*notes, *summary(self.look), tip, self._invited(handover)], dict), context)
        else:
            said = self._said(self._board.split(), context)
            reply = replace(said, answer=replace(said.answer, lines=[*notes, *said.answer.lines, tip]))
        return self._kept_apart(reply, self.resident.place)

    def farewell(self) -> Reply:
        """Returns what is said to the player who leaves."""
        self.over = True
        return self._kept_apart(self._reply(self._good_bye(), self._context()), self.resident.place)

    def _good_bye(self) -> Answer:
        return Answer([*summary(self.look.through(None)), "Everything said is recorded. Good-bye."], dict)

    def said_before(self) -> list[str]:
        """What was said in this game, the latest last; in a game with secrets nothing."""
        look = self.look
        entries = [] if look.facts.keepers else look.log.entries[-REMEMBERED:]
        plays = [entry.action for entry in entries if isinstance(entry, PlayEntry) and entry.action is not None]
        return list(dict.fromkeys(look.facts.game.format(action) for action in plays))

    # What a line says

    def _faces(self, line: str) -> list[str] | None:
        """The faces that a line consists of, for the dice that are waited for; None: it says something else."""
        need = self.need
        return faces_in(line, need) if need else None

    def _unclear(self, faces: list[str]) -> str:
        """Why it is not plain which dice these are, as a sentence: more than are missing, and not all of the throw."""
        pending = self.pending
        missing = pending.need.count - len(pending.held) if pending else 0
        if pending is None or not pending.held or len(faces) in (*range(missing + 1), pending.need.count):
            return ""
        wanted = f"{count_of(missing, 'die')} is" if missing == 1 else f"{missing} dice are"
        return (
            f"{wanted} still to be typed ({asked(pending.need, len(pending.held))}), or all {pending.need.count} anew; "
            f"these are {len(faces)}."
        )

    def _with_dice(self, faces: list[str], context: Context) -> list[str]:
        """The command that takes these faces: with those that are held, or in place of them if they are all of them."""
        pending = self.pending
        if pending is None:
            return ["roll", *faces]
        if pending.held and len(faces) == pending.need.count:
            context.notes.append(
                f"{' '.join(faces)} replaces what was typed before: {held(pending.need, pending.held)}."
            )
            pending = replace(pending, held=())
        return list(pending.said_with(faces))

    def _words(self, line: str) -> list[str]:
        """The words of a line, as a shell would part them. Numbers alone are dice, also where none are waited for."""
        words = parted(line)
        if words and not self.need and all(word.isascii() and word.replace(",", "").isdecimal() for word in words):
            return ["roll", *words]
        return words[1:] if words[:1] == ["referee"] else words

    def _said(self, words: list[str], context: Context) -> Reply:
        session, before, stamp = self.resident.session, len(self.resident.session.entries), pointer_stamp()
        if words[:1] == ["play"]:
            return self._reply(Answer((), dict, NOT_UNDERSTOOD, "You are playing already; ? tells the keys."), context)
        shown, answer = self._commanded(words, context)
        if answer.code == MOVED_ON and not self.resident.moved:
            self.resident.read_again()
        stepped = self.resident.session is session and len(session.entries) > before
        if answer.pending or stepped:
            self.pending = answer.pending
        if stamp != pointer_stamp():
            self._follow()
            return self._followed(answer, context) if self.resident.on_screen else self._reply(answer, context)
        return self._come_to(answer, shown, context, session, before)

    def _come_to(self, answer: Answer, shown: list[str], context: Context, session: Session, before: int) -> Reply:
        """The reply to a command that was said on this log, which had so many entries `before`."""
        stepped = self.resident.session is session and len(session.entries) > before
        handover = self.resident.handover
        if answer.pending:
            answer = replace(answer, complaint=_asked(answer.pending))
        elif stepped and answer.code == OK and handover and self._leaves_nothing_unread(handover, before):
            return self._got_up(handover, answer, context, before)
        more = self._choices(session, before) if stepped and not answer.pending else []
        then = [self._invited(handover)] if stepped and handover else []
        lines = [*([Rows(shown)] if shown else []), *answer.lines, *more, *then]
        return self._reply(replace(answer, lines=lines), context)

    def _commanded(self, words: list[str], context: Context) -> tuple[list[str], Answer]:
        """What a command printed, which is help only, and its answer."""
        arguments = [*context.screen.options(), *self._always, "-g", str(self.resident.session.path), *words]
        with _apart() as printed:
            answer = whole_answer_to(arguments, context)
        wipe()
        return printed(), answer

    def _follow(self) -> None:
        """Play on in the log that a command has made the current one."""
        chosen = pointed_at()
        if chosen is not None and chosen.is_file():
            self.pending, self._read_to = None, {}
            self.resident.turn_to(open_log(chosen))
            self._first = len(self.resident.session.entries)

    def _followed(self, answer: Answer, context: Context) -> Reply:
        """Another log is played on, and secrets stand on the screen: what everybody may read stays."""
        context.eyes.clear()
        public, handover = self.look.through(None), self.resident.handover
        then = [self._invited(handover)] if handover else []
        return self._reply(replace(answer, lines=[*summary(public), *then]), context)

    def _choices(self, session: Session, before: int) -> list[Shown]:
        """What may be done after a throw, where it is short."""
        look = self.look
        thrown = any(isinstance(entry, PlayEntry) and entry.rolls for entry in session.entries[before:])
        if not thrown or look.facts.asked or self.resident.handover or look.facts.to_act is None:
            return []
        choices = look.sight.legal.choices
        lines = listed(look, choices) if 1 < len(choices) <= SHORT else []
        return list(lines) if self.screen().count(lines) <= SHORT else []

    # What is told

    def _reply(self, answer: Answer, context: Context) -> Reply:
        news = [describe(self.look, entry) for entry in self.resident.news]
        meanwhile = [
            f"Meanwhile somebody else recorded entry {entry.n}: {text}"
            for entry, text in zip(self.resident.news, news, strict=True)
        ]
        notes, context.notes = [*context.notes, *meanwhile], []
        return Reply(without_name(answer), context, notes)

    # Hand-overs

    def _handed_over(self, handover: HandOver, context: Context) -> Reply:
        """The player who looked leaves; or the one who has to speak sits down, and is told what happened meanwhile."""
        self._pass_on(handover)
        further = self.resident.handover
        if further:
            return self._reply(Answer([self._invited(further)], dict), context)
        reply = self._said(self._board.split(), context)
        return replace(reply, answer=replace(reply.answer, lines=[*reply.answer.lines, *self._unread()]))

    def _pass_on(self, handover: HandOver) -> None:
        self._read_to[self.resident.eyes] = len(self.resident.session.entries)
        self.resident.pass_on(handover)

    def _unread(self) -> list[Text]:
        """What happened since those who look now were told last."""
        return self._happened_since(self._read_to.get(self.resident.eyes, self._first))

    def _leaves_nothing_unread(self, handover: HandOver, before: int) -> bool:
        """True if all may read what has happened since entry `before`: then the player who leaves the screen has
        nothing to read before it is cleared.
        """
        if not handover.leaves:
            return False
        own, public = self.look, self.look.through(None)
        happened = zip(own.log.entries[before:], public.log.entries[before:], strict=True)
        return all([*_happened(own, mine)] == [*_happened(public, theirs)] for mine, theirs in happened)

    def _got_up(self, handover: HandOver, answer: Answer, context: Context, before: int) -> Reply:
        """The player leaves unasked: what everybody may read stays. A player who keeps no secrets plays on at once, as
        nothing is shown to them that others may not see; one who does presses Enter.
        """
        self._pass_on(handover)
        context.eyes.clear()
        further = self.resident.handover
        happened = self._unread() if not further else self._happened_since(before)
        then = self._invited(further) if further else f"{self.look.facts.player(handover.to)} has the screen."
        return self._reply(replace(answer, lines=[*summary(self.look), *happened, then]), context)

    def _happened_since(self, before: int) -> list[Text]:
        look = self.look
        return [line for entry in look.log.entries[before:] for line in _happened(look, entry)]

    def _invited(self, handover: HandOver) -> str:
        player = self.look.facts.player(handover.to)
        if handover.leaves:
            return f"{player} takes the screen: Enter clears it."
        return f"{player} takes the screen; when nobody else looks, press Enter."


def _happened(look: Sitting, entry: AnyEntry) -> Iterator[Text]:
    yield Text(f"{entry.n:>4}  {describe(look, entry)}", "bold", hanging=6)
    yield from (Text(line, indent=6) for line in told(look, entry))


@contextmanager
def _apart() -> Iterator[Callable[[], list[str]]]:
    """Runs a command that prints nothing on our screen and reads nothing of what is typed here."""
    out, nothing = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    stdin = sys.stdin

    def printed() -> list[str]:
        out.flush()
        return out.buffer.getvalue().decode().splitlines()

    sys.stdin = nothing
    try:
        with redirect_stdout(out), redirect_stderr(out):
            yield printed
    finally:
        sys.stdin = stdin


def _asked(pending: Pending) -> str:
    """What to throw, where the next line says how it fell: die by die where each has a use of its own, and what is held
    of it already.
    """
    need = pending.need
    if need.names:
        return f"Draw, and type what ({need}): {need.drawn_from}."
    if pending.held:
        still = f"still to be typed: {asked(need, len(pending.held))}"
        return f"Of {need.count}d{need.sides} ({need.purpose}) is held: {held(need, pending.held)}; {still}."
    if need.told_apart:
        return f"Throw {need.count}d{need.sides} ({need.purpose}), and type how they fell: {asked(need, 0)}."
    return f"Throw {need}, and type how it fell."


def _keys() -> Answer:
    return Answer([Text(f"{key:<14}{what}", hanging=14) for key, what in KEYS], lambda: dict(KEYS))
