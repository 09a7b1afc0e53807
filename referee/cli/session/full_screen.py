"""The session on a tall terminal: the board stays at the top, with typed lines and replies below it."""

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
from referee.cli.game_view import make_current_picture
from referee.cli.screen import draw_progress_with
from referee.cli.session.pasted_lines import run_pasted_lines
from referee.cli.session.plain_output import print_reply
from referee.cli.session.prompt import make_prompt, make_toolbar
from referee.cli.session.terminal import LineCompleter, LineEditors, allow_interrupts, count_screen_columns
from referee.engine.text import Printable, count_of

if TYPE_CHECKING:
    from referee.cli.session.repl import Repl
    from referee.cli.session.reply import Reply
    from referee.engine.scene import Scene

MIN_ROWS_BELOW_BOARD = 14
"""The fewest lines that the terminal must have below the board."""
TINY_HEIGHT = 1
"""A screen height that is too small for any drawing, so that the smallest drawing is taken."""
MAX_SCROLLED_ROWS = 5_000
"""The number of lines that can be scrolled back to."""


class FullScreen:
    """A session on a terminal, with the board above its lines."""

    def __init__(self, conversation: Repl) -> None:
        self.conversation = conversation
        self._rows: deque[str] = deque(maxlen=MAX_SCROLLED_ROWS)
        self._back = 0
        """The number of rows scrolled back."""
        self._passing = ""
        """The progress line while people wait."""
        self._drawn: tuple[object, list[Printable]] = (None, [])
        self._editors = LineEditors(conversation, self._make_editor)

    # The screen

    @property
    def picture(self) -> list[Printable]:
        """The rows of the board. They are drawn anew only if something has changed."""
        talk, width = self.conversation, count_screen_columns()
        look = talk.look
        state = look.log.path, look.session.head, look.eyes, width, get_terminal_size().lines
        if self._drawn[0] != state:
            scene = make_current_picture(look)
            self._drawn = state, self._draw_board(scene.select_page(scene.focus))
        return self._drawn[1]

    def _draw_board(self, scene: Scene) -> list[Printable]:
        """Returns the rows of the biggest drawing of the board that fits."""
        screen, answer = self.conversation.screen(), Answer([scene], dict)
        rows = screen.render(answer)[0]
        if len(rows) + MIN_ROWS_BELOW_BOARD > get_terminal_size().lines:
            screen.height = TINY_HEIGHT
            rows = screen.render(answer)[0]
        return rows

    @property
    def has_room_for_board(self) -> bool:
        """True if the terminal is tall enough for the board and `MIN_ROWS_BELOW_BOARD` lines."""
        return len(self.picture) + MIN_ROWS_BELOW_BOARD <= get_terminal_size().lines

    def add_reply(self, reply: Reply) -> None:
        """Adds a reply below all earlier ones, and scrolls to it."""
        if reply.clears_screen:
            self._rows.clear()
        self._rows += reply.render_rows()
        self._back = 0

    def _show_line_with_reply(self, line: str, reply: Reply) -> None:
        """Shows a typed line with the reply below it."""
        if line:
            self._rows.append(line)
        self.add_reply(reply)

    def _draw_below(self) -> ANSI:
        rows, height = list(self._rows), self._height
        end = len(rows) - self._back
        return ANSI("\n".join(rows[max(0, end - height) : end]))

    @property
    def _scrolled_out_line(self) -> str:
        """A line with the number of rows scrolled out at the top; "" if there are none."""
        hidden = len(self._rows) - self._back - self._height
        return f" PageUp: {count_of(hidden, 'line')} more " if hidden > 0 else ""

    @property
    def _height(self) -> int:
        """The number of rows between the board and the prompt."""
        above = len(self.picture) + 1 if self.has_room_for_board else 0
        return max(1, get_terminal_size().lines - above - 1 - len(self._status))

    @property
    def _status(self) -> list[str]:
        """The lines below the prompt: the state of the game, or the progress line while people wait."""
        return [self._passing] if self._passing else make_toolbar(self.conversation, count_screen_columns())

    def _show_progress(self, words: str) -> None:
        """Shows a progress line while people wait."""
        self._passing = words
        app = get_app()
        app.render_counter += 1  # otherwise the editor takes its last drawing again
        app.renderer.render(app, app.layout)

    def _make_editor(self, talk: Repl) -> Application[None]:
        line = Buffer(
            multiline=False,
            history=InMemoryHistory(talk.list_recent_action_lines()),
            completer=LineCompleter(talk),
            accept_handler=self._say,
        )
        return Application(self._make_layout(line), key_bindings=self._bind_keys(line), full_screen=True)

    def _make_layout(self, typed: Buffer) -> Layout:
        talk = self.conversation
        board = HSplit(
            [
                Window(FormattedTextControl(lambda: ANSI("\n".join(self.picture))), height=lambda: len(self.picture)),
                Window(
                    FormattedTextControl(lambda: self._scrolled_out_line.center(count_screen_columns(), "-")), height=1
                ),
            ]
        )
        prompt = BeforeInput(lambda: make_prompt(talk, count_screen_columns()))
        control = BufferControl(typed, input_processors=[prompt])
        line = Window(control, height=1, get_horizontal_scroll=lambda _: 0)  # otherwise a long line hides later prompts
        status = FormattedTextControl(lambda: FormattedText([("reverse", "\n".join(self._status))]))
        parts = HSplit(
            [
                ConditionalContainer(board, Condition(lambda: self.has_room_for_board)),
                Window(FormattedTextControl(self._draw_below)),
                line,
                Window(status, height=lambda: len(self._status)),
            ]
        )
        menu = Float(MultiColumnCompletionsMenu(), xcursor=True, ycursor=True)
        return Layout(FloatContainer(parts, [menu]), focused_element=line)

    # The keyboard

    def run(self) -> None:
        """Answers lines until somebody leaves. Each player at the screen has a line editor of their own."""
        while not self.conversation.over:
            self._editors.current_editor.run()

    def _say(self, line: Buffer) -> bool:
        try:
            with allow_interrupts(), draw_progress_with(self._show_progress):
                run_pasted_lines(self.conversation, line.text, count_screen_columns(), self._show_line_with_reply)
        except KeyboardInterrupt:
            self.conversation.drop_unfinished_action()
        except Exception as error:  # the editor itself would print a traceback and go on
            get_app().exit(exception=error)
            return False
        self._passing = ""
        if self.conversation.over or self._editors.is_of_other_player:
            get_app().exit()
        return False

    def _bind_keys(self, line: Buffer) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(_event: KeyPressEvent) -> None:
            line.reset()
            self.conversation.drop_unfinished_action()

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


def run_full_screen(screen: FullScreen, notes: list[str]) -> None:
    """Shows `notes`, and answers lines below the board until somebody leaves. Then prints the state of the game."""
    talk = screen.conversation
    screen.add_reply(replace(talk.make_opening_reply(), notes=notes))
    screen.run()
    print_reply(talk.make_farewell_reply())
