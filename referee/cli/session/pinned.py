"""The session on a tall terminal: the board stays in place at the top, what is said runs below it."""

from __future__ import annotations

from collections import deque
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from msgspec.structs import replace
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import ConditionalContainer, Float, FloatContainer, HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.menus import MultiColumnCompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput

from referee.cli.answer import Answer
from referee.cli.look import picture_of
from referee.cli.screen import drawn_by
from referee.cli.session.pasted import say_lines
from referee.cli.session.printed import show
from referee.cli.session.prompt import prompt_of, toolbar_of
from referee.cli.session.terminal import Editors, LegalWords, columns, ctrl_c_heard
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.cli.session.conversation import Conversation
    from referee.cli.session.reply import Reply
    from referee.engine.scene import Scene

ROOM = 14
"""Lines that must be left below the board."""
SMALL = 1
"""Rows for which no drawing is small enough, so that the smallest is taken."""
KEPT = 5_000
"""Lines that can be scrolled back to."""


class Pinned:
    """A conversation below its board."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self._rows: deque[str] = deque(maxlen=KEPT)
        self._back = 0
        """Rows scrolled back."""
        self._passing = ""
        """What is told while people wait."""
        self._drawn: tuple[object, list[str]] = (None, [])
        self._editors = Editors(conversation, self._editor)

    # What is shown

    @property
    def picture(self) -> list[str]:
        """The rows of the board, drawn anew when something has changed."""
        talk, width = self.conversation, columns()
        look = talk.look
        state = look.log.path, look.session.head, look.eyes, width, get_terminal_size().lines
        if self._drawn[0] != state:
            scene = picture_of(look)
            self._drawn = state, self._board(scene.page(scene.focus))
        return self._drawn[1]

    def _board(self, scene: Scene) -> list[str]:
        """The board as big as there is room for it."""
        screen, answer = self.conversation.screen(), Answer([scene], dict)
        rows = screen.render(answer)[0]
        if len(rows) + ROOM > get_terminal_size().lines:
            screen.height = SMALL
            rows = screen.render(answer)[0]
        return rows

    @property
    def fits(self) -> bool:
        """Whether the terminal is tall enough for the board and what is said."""
        return len(self.picture) + ROOM <= get_terminal_size().lines

    def add(self, reply: Reply) -> None:
        """Show what came back, at the end."""
        if reply.clear:
            self._rows.clear()
        self._rows += reply.rows()
        self._back = 0

    def _show_said(self, said: str, reply: Reply) -> None:
        """Show what was said, and below it what came back."""
        if said:
            self._rows.append(said)
        self.add(reply)

    def _below(self) -> ANSI:
        rows, height = list(self._rows), self._height
        end = len(rows) - self._back
        return ANSI("\n".join(rows[max(0, end - height) : end]))

    @property
    def _above(self) -> str:
        """What is to be told of lines that are out of sight."""
        hidden = len(self._rows) - self._back - self._height
        return f" PageUp: {count_of(hidden, 'line')} more " if hidden > 0 else ""

    @property
    def _height(self) -> int:
        """Rows between the board and the prompt."""
        above = len(self.picture) + 1 if self.fits else 0
        return max(1, get_terminal_size().lines - above - 1 - len(self._status))

    @property
    def _status(self) -> list[str]:
        """How the game stands; while people wait, what for."""
        return [self._passing] if self._passing else toolbar_of(self.conversation, columns())

    def _show_passing(self, words: str) -> None:
        """Show what people wait for."""
        self._passing = words
        app = get_app()
        app.render_counter += 1  # what was drawn for this number is kept
        app.renderer.render(app, app.layout)

    def _editor(self, talk: Conversation) -> Application[None]:
        line = Buffer(
            multiline=False,
            history=InMemoryHistory(talk.said_before()),
            completer=LegalWords(talk),
            accept_handler=self._say,
        )
        return Application(self._layout(line), key_bindings=self._keys(line), full_screen=True)

    def _layout(self, typed: Buffer) -> Layout:
        talk = self.conversation
        board = HSplit(
            [
                Window(FormattedTextControl(lambda: ANSI("\n".join(self.picture))), height=lambda: len(self.picture)),
                Window(FormattedTextControl(lambda: self._above.center(columns(), "-")), height=1),
            ]
        )
        prompt = BeforeInput(lambda: prompt_of(talk, columns()))
        line = Window(BufferControl(typed, input_processors=[prompt]), height=1)
        status = FormattedTextControl(lambda: FormattedText([("reverse", "\n".join(self._status))]))
        parts = HSplit(
            [
                ConditionalContainer(board, Condition(lambda: self.fits)),
                Window(FormattedTextControl(self._below)),
                line,
                Window(status, height=lambda: len(self._status)),
            ]
        )
        menu = Float(MultiColumnCompletionsMenu(), xcursor=True, ycursor=True)
        return Layout(FloatContainer(parts, [menu]), focused_element=line)

    # What is typed

    def run(self) -> None:
        """Answer until somebody leaves, and change the line editor when another sits down."""
        while not self.conversation.over:
            self._editors.now.run()

    def _say(self, line: Buffer) -> bool:
        try:
            with ctrl_c_heard(), drawn_by(self._show_passing):
                say_lines(self.conversation, line.text, columns(), self._show_said)
        except KeyboardInterrupt:
            self.conversation.cancel()
        except Exception as error:  # the editor itself would print where it happened, and go on
            get_app().exit(exception=error)
            return False
        self._passing = ""
        if self.conversation.over or self._editors.is_of_another:
            get_app().exit()
        return False

    def _keys(self, line: Buffer) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(_event: KeyPressEvent) -> None:
            line.reset()
            self.conversation.cancel()

        @keys.add("c-d", filter=Condition(lambda: not line.text))
        def _(event: KeyPressEvent) -> None:
            self.conversation.over = True
            event.app.exit()

        @keys.add("tab")
        def _(_event: KeyPressEvent) -> None:
            if line.complete_state:
                line.complete_next()
            else:
                line.start_completion(insert_common_part=True)

        @keys.add("pageup")
        def _(_event: KeyPressEvent) -> None:
            self._back = max(0, min(len(self._rows) - self._height, self._back + self._height - 1))

        @keys.add("pagedown")
        def _(_event: KeyPressEvent) -> None:
            self._back = max(0, self._back - self._height + 1)

        return keys


def converse(pinned: Pinned, notes: list[str]) -> None:
    """Answer line after line below the board, until somebody leaves; then say how the game stands."""
    talk = pinned.conversation
    pinned.add(replace(talk.begin(), notes=notes))
    pinned.run()
    show(talk.farewell())
