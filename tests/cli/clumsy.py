"""A clumsy player at a real terminal: types a whole game with slips, and looks whether anything is lost or shown.

python tests/cli/clumsy.py                       a game of each
python tests/cli/clumsy.py mutants --games 25    so many of one
python tests/cli/clumsy.py --seed mutants.7      with other luck; a game that failed names its seed

Nothing waits for a clock. After each line the player types a mark of its own and goes on as soon as the prompt has it.
"""

from __future__ import annotations

import argparse
import re
import signal
import string
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from calling import called
from clumsy_screen import BEGINS, HEADS, PROMPT, Screen, suggestions_in
from phrases import FORMS

from referee.cli.arguments import parse_faces
from referee.engine.choice import Action
from referee.engine.dice import Need
from referee.engine.dice_mode import TableDice
from referee.engine.registry import find_game
from referee.record.table.opening_logs import open_log, start
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

SIZES = [(40, 24), (80, 24), (40, 60), (80, 60)]
SLIPS = 0.3
"""The share of steps before which something goes wrong, as a rule."""
TRIED = 0.5
"""The share of printed suggestions that are typed."""
STUCK = 25
"""Lines without progress after which something must be wrong."""
CUTS = (0, 50, 200, 1000, 4000, 1_000_000)
"""Bytes of an answer after which the program is killed; the last is more than any has."""
SHORTEST = 8
"""Characters of a secret at least that is looked for: fewer stand on the screen for other reasons."""
UP, CANCEL, LEAVE = "\x1b[A", "\x03", "\x04"
BROKEN = re.compile(r"bug in the referee|Traceback")
NO = re.compile(r"REFUSED|Cannot read|not understood|No such command")
ROWS_OF = ("show", "log")
"""Commands whose rows are compared, as one seat and as another has them."""


class WrongError(Exception):
    """Something that must not be."""


class Clumsy:
    """Somebody who plays all seats of a game at one terminal, and slips."""

    def __init__(self, name: str, options: Mapping[str, str], seed: str, folder: Path, often: float = SLIPS) -> None:
        """`often`: the share of steps before which something goes wrong."""
        self.game, self.options, self.seed, self.random = find_game(name), options, seed, Random(seed)
        self.log = folder / "g.jsonl"
        start(name, self.log, options=options, dice=TableDice())
        self._often, self._due = often, list[str]()
        """How often something goes wrong, and the kinds of slips that are due before one comes again."""
        self.slips, self.steps, self.tried = Counter[str](), 0, Counter[str]()
        self.size = self.random.choice(SIZES)
        self.plain = self.random.random() < 0.15
        self._bytes, self._session = b"", open_log(self.log)
        self._typed: list[tuple[str | None, str]] = []
        """The actions and slips that were typed since the screen was last handed over, and whose they are."""
        self._before: list[str] | None = None
        self._viewer: str | None = None
        self.past: list[str] = []
        """The keys of programs that have ended."""
        self.screen = self._begin()

    # The log, and what is due

    def _begin(self) -> Screen:
        self._before, self._viewer = None, None
        return Screen(self.log, *self.size, plain=self.plain)

    @property
    def session(self) -> Session:
        """The log as it stands. Nothing that stood in it before is gone."""
        now = self.log.read_bytes()
        if not now.startswith(self._bytes):
            raise WrongError("the log has lost something")
        if now != self._bytes or not self._bytes:
            self._bytes, self._session = now, open_log(self.log)
        return self._session

    @property
    def look(self) -> SeatView:
        """The game as the seat to act sees it."""
        look = SeatView(self.session)
        return look.with_eyes(look.facts.to_act)

    def _action(self) -> Action:
        """Something legal that does not give the game up, if there is anything else."""
        look = self.look
        for _ in range(8):
            action: Action = look.sight.legal.pick(self.random)
            if not self.game.verbs.find_verb(type(action)).gives_up:
                break
        return action

    def _faces(self, need: Need) -> list[str]:
        if need.names:
            return [self.random.choice([*dict.fromkeys(need.names)]) for _ in range(need.count)]
        return [str(self.random.randint(1, need.sides)) for _ in range(need.count)]

    # A game

    def play(self, most: int) -> None:
        """Plays to the end, or so many steps, and audits what was recorded."""
        try:
            for _ in range(most):
                if self.session.moment().to_act is None:
                    break
                self._step()
                self.steps += 1
            self._leave()
        finally:
            self.past += self.screen.keys
            self.screen.close()
        audit = called(["audit", self.log])
        if audit.code or b"CLEAN" not in audit.out:
            raise WrongError(f"the audit says {audit.out.decode()}{audit.err.decode()}")

    def _step(self) -> None:
        """Types something legal and its dice, until something is recorded."""
        size = len(self._bytes)
        for _ in range(STUCK):
            if self.random.random() < self._often:
                self._slip()
            if not self._has_grown(size):
                self._go_on()
            if self._has_grown(size):
                return
            self._cancel()
        raise WrongError("nothing that is legal is recorded any more")

    def _has_grown(self, size: int) -> bool:
        """True if the log is longer than it was, or the game is over."""
        return self.session.moment().to_act is None or len(self._bytes) > size

    def _go_on(self) -> None:
        if self.screen.hands_over:
            self._hand_over()
        elif self.look.facts.asked_seat:
            self._say("answer")
        else:
            self._act(self._action())

    def _act(self, action: Action) -> None:
        """Types an action, and after it all the dice that it asks for."""
        look, size, faces = self.look, len(self._bytes), list[str]()
        throw = look.sight.legal.awaited_roll
        need = self._need(look, action, faces)
        if not (throw and throw.need and throw.need == need):
            self._types(self.game.format(action))
        while need and not self._has_grown(size):
            faces += self._throw(need)
            need = self._need(look, action, faces)

    def _need(self, look: SeatView, action: Action, faces: list[str]) -> Need | None:
        """The dice that an action still waits for after these faces."""
        waiting = look.judge_line([action], parse_faces(" ".join(faces))).awaiting
        return waiting.need if waiting else None

    def _throw(self, need: Need) -> list[str]:
        """Types dice, now and then too few or too many of them before."""
        faces, random = self._faces(need), self.random
        if random.random() < SLIPS and need.count > 1:
            self._count("wrong number of dice")
            self._say(" ".join(faces[:-1] if random.random() < 0.6 else [*faces, faces[0]]))
        style = random.choice([" ", ", ", ","] if need.names or need.sides > 9 else [" ", ", ", ",", ""])
        self.slips["dice with commas"] += "," in style and need.count > 1
        self._say(style.join(faces))
        return faces

    def _hand_over(self) -> None:
        """Presses Enter. Whoever looked before has left the screen then."""
        self._say("")
        viewer = None if self.screen.hands_over else self.session.moment().to_act
        self._compare_rows(viewer)

    def _leave(self) -> None:
        self.screen.type(self.random.choice([LEAVE, "quit\r"]))
        self._left()

    def _left(self) -> None:
        code = self.screen.terminal.left()
        if code:
            raise WrongError(f"the program leaves with {code}")
        self._look(None)

    def _types(self, line: str) -> None:
        """Types what only the player at the screen may know."""
        self._note(line)
        self._say(line)

    def _note(self, line: str) -> None:
        self._typed.append((self._viewer if self.screen.hands_over else self.session.moment().to_act, line))

    def _say(self, line: str) -> None:
        """Types a line, waits for its answer, and looks at it."""
        self._before = self.screen.rows
        self.screen.say(f"{line}\r")
        self._look()
        if self.random.random() < TRIED:
            self._try()

    # What must hold

    def _look(self, viewer: str | None = "?") -> None:
        """Looks at the screen and the log. `viewer`: who looks; "?" for the seat to act, if it has the screen."""
        text = self.screen.everything
        if BROKEN.search(text):
            raise WrongError("the referee broke")
        session = self.session
        if self.screen.has_left and viewer == "?":
            raise WrongError(f"the program left with {self.screen.terminal.left()}")
        if viewer == "?":
            if self.screen.hands_over:
                return
            viewer = self._viewer = session.moment().to_act or self._viewer  # whoever ends a game looks on
        shown = [secret for secret in self._secrets(viewer) if secret in text]
        if shown:
            raise WrongError(f"{viewer} sees {shown[:3]}")

    def _secrets(self, viewer: str | None) -> Iterator[str]:
        """What was said and typed by others, and may not be known to a viewer."""
        look = SeatView(self.session, viewer)
        if not look.facts.keepers:
            return
        for true, seen in zip(self.session.entries, look.log.entries, strict=True):
            action, by = getattr(true, "known_action", None), getattr(true, "by", None)
            if action is not None and by != viewer and getattr(seen, "known_action", None) is None:
                words = self.game.format(action)
                if len(words) >= SHORTEST:
                    yield words

    def _compare_rows(self, viewer: str | None) -> None:
        """Nothing that only others may see, and nothing that they typed, stands on a screen just handed over."""
        typed, self._typed = self._typed, self._typed if viewer is None else []
        keepers = [seat for seat in SeatView(self.session).facts.keepers if seat != viewer]
        if not keepers:
            return
        known = " ".join(" ".join(self._rows(viewer)).split())
        others = [line for seat, line in typed if seat != viewer and len(line) >= SHORTEST]
        left = [line for line in others if line not in known and line in self.screen.everything]
        if left:
            raise WrongError(f"{viewer} sees what was typed before: {left}")
        standing = {row.strip() for row in self.screen.all_rows}
        for seat in keepers:
            secret = self._rows(seat) - self._rows(viewer) - self._rows(None)
            shown = [row for row in secret & standing if len(row) >= SHORTEST and row not in known]
            if shown:
                raise WrongError(f"{viewer} sees rows of {seat}: {shown[:3]}")

    def _rows(self, seat: str | None) -> set[str]:
        by = ["--by", seat] if seat else []
        width = str(self.screen.columns)
        parts = [called(["-g", self.log, "--width", width, command, *by]).out.decode() for command in ROWS_OF]
        return {row.strip() for part in parts for row in part.splitlines()}

    # Printed suggestions

    def _try(self) -> None:
        """Types one of the suggestions of the last answer."""
        told = self._suggestions()
        if not told or self.screen.hands_over:
            return
        head, line = self.random.choice(told)
        self.tried[head.strip(": ")] += 1
        size, self._before = len(self._bytes), self.screen.rows
        self.screen.say(f"{line}\r")
        answer = "\n".join(self._new_rows() or ())
        self._look()
        asks = any(mark in answer for mark in HEADS[2:])
        if NO.search(answer) or not (head == HEADS[0] or len(self._bytes) > size or asks or self._waits()):
            raise WrongError(f"{head}{line} does not do what it says:\n{answer}")

    def _waits(self) -> bool:
        """True if the prompt asks for dice, or another player for the screen."""
        return bool(re.search(r"\d+d\d+|\bdice\b|draw", self.screen.terminal.text)) or self.screen.hands_over

    def _new_rows(self) -> list[str] | None:
        """The rows that the last answer has added; None if they cannot be told from others."""
        now, before = self.screen.rows, self._before
        if not before:
            return None
        for kept in range(min(len(before), len(now)), 0, -1):
            if before[-kept:] == now[:kept]:
                return now[kept:]
        return None

    def _suggestions(self) -> list[tuple[str, str]]:
        rows = self._new_rows()
        return suggestions_in(rows) if rows else []

    # Slips

    def _count(self, kind: str) -> None:
        self.slips[kind] += 1

    def _slip(self) -> None:
        if not self._due:
            self._due = self.random.sample([*SLIP], len(SLIP))
        kind = self._due.pop()
        self._count(kind)
        SLIP[kind](self)

    def _words(self) -> str:
        """Words that would be legal here; while another takes the screen, some of the one who has left."""
        if self.screen.hands_over:
            return self.random.choice([line for _, line in self._typed] or ["show"])
        look = self.look
        return "show" if look.facts.asked_seat or not look.sight.legal else self.game.format(self._action())

    def _mistyped(self) -> None:
        words = self._words()
        at = self.random.randrange(len(words))
        letter = words[at]
        near = self.random.choice(string.ascii_lowercase)
        change = self.random.choice(["", letter * 2, near, letter.upper()])
        self._types(words[:at] + change + words[at + 1 :])

    def _without_end(self) -> None:
        self._types(" ".join(self._words().split()[:-1]) or "xx")

    def _closes(self) -> None:
        closing = [verb.word for verb in self.game.verbs.all if verb.closes]
        self._say(self.random.choice([*closing, "done"]))

    def _cancels(self) -> None:
        words = self._words()
        self.screen.type(words[: self.random.randrange(len(words)) + 1])
        self.screen.mark()
        self._cancel()

    def _cancel(self) -> None:
        since = len(self.screen.terminal.shown)
        self.screen.type(CANCEL)
        self.screen.settle(1, since)
        self._look()

    def _comes_back(self) -> None:
        self.screen.type(LEAVE)
        self._left()
        self._again()

    def _again(self) -> None:
        self.past += [*self.screen.keys, "[begun again]"]
        self.screen.close()
        self.screen = self._begin()
        self._look()

    def _killed(self) -> None:
        """Kills the program while it answers. What it has acknowledged is recorded."""
        screen, size, words = self.screen, len(self.session.entries), self._words()
        counts = not screen.hands_over and words != "show" and not self.look.judge_line([words]).awaiting
        terminal, since, most = screen.terminal, len(screen.terminal.shown), self.random.choice(CUTS)
        screen.type(f"{words}\r")
        mark = screen.next_mark() if screen.is_whole else ""
        terminal.type(mark)

        def is_answered() -> bool:
            shown = terminal.shown[since:]
            if screen.is_whole:
                return bool(terminal.up_to_cursor.endswith(PROMPT + mark))
            return shown.endswith(PROMPT.encode()) if self.plain else BEGINS in shown

        terminal.comes(lambda: len(terminal.shown) - since >= most or is_answered(), "an answer")
        answered, terminal_says = is_answered(), screen.everything
        terminal.end(signal.SIGKILL)
        terminal.left()
        doubted = NO.search(terminal_says) or HEADS[2] in terminal_says
        if answered and counts and not doubted and len(self.session.entries) == size:
            raise WrongError(f"{words} was acknowledged, and is lost")
        self._again()

    def _resized(self) -> None:
        words = self._words()
        cut = self.random.randrange(len(words)) + 1
        self.screen.type(words[:cut])
        self.screen.mark()
        self.size = self.random.choice(SIZES)
        self.screen.resize(*self.size)
        self.screen.mark()
        self._note(words)
        self.screen.say(f"{words[cut:]}\r")
        self._before = None
        self._look()

    def _pasted(self) -> None:
        self._paste(brackets=True)

    def _pasted_bare(self) -> None:
        self._paste(brackets=False)

    def _paste(self, *, brackets: bool) -> None:
        lines = [self._words() for _ in range(self.random.randint(2, 4))]
        for line in lines:
            self._note(line)
        if self.plain:  # no program that asks for brackets, and no telling when the last line is answered
            for line in lines:
                self._say(line)
            return
        self._before = self.screen.rows
        if brackets:
            self.screen.type(f"\x1b[200~{chr(10).join(lines)}\x1b[201~")
            self.screen.say("\r")
        else:
            self.screen.say("".join(f"{line}\r" for line in lines), len(lines))
        self._look()

    def _empty(self) -> None:
        if self.screen.hands_over:
            self._hand_over()
        else:
            self._say("")

    def _undoes(self) -> None:
        self._say("undo")

    def _up(self) -> None:
        """Brings back what was said before, and drops it."""
        self.screen.type(UP * self.random.randint(1, 3))
        self.screen.mark()
        self._look()
        self._cancel()


SLIP: dict[str, Callable[[Clumsy], None]] = {
    "mistyped": Clumsy._mistyped,
    "last word": Clumsy._without_end,
    "done": Clumsy._closes,
    "Ctrl-C": Clumsy._cancels,
    "Ctrl-D": Clumsy._comes_back,
    "kill -9": Clumsy._killed,
    "resize": Clumsy._resized,
    "paste": Clumsy._pasted,
    "bare paste": Clumsy._pasted_bare,
    "Enter": Clumsy._empty,
    "undo": Clumsy._undoes,
    "Up": Clumsy._up,
}


class Told:
    """What came of a game."""

    def __init__(self, name: str, options: Mapping[str, str], seed: str, most: int, often: float = SLIPS) -> None:
        self.seed, self.wrong, self.transcript, begun = seed, "", "", time.monotonic()
        with TemporaryDirectory() as folder:
            player = Clumsy(name, options, seed, Path(folder), often)
            try:
                player.play(most)
            except Exception as error:
                self.wrong = f"{error}" if isinstance(error, WrongError) else traceback.format_exc()
                self.transcript = "\n".join([*player.past[-60:], player.screen.terminal.text])
        self.player, self.seconds = player, time.monotonic() - begun

    def __str__(self) -> str:
        player = self.player
        slips = ", ".join(f"{kind} {count}" for kind, count in player.slips.most_common() if count)
        tried = ", ".join(f"{head} {count}" for head, count in player.tried.most_common())
        verdict = f"WRONG: {self.wrong}" if self.wrong else "CLEAN"
        options = "".join(f" {name}={value}" for name, value in player.options.items())
        size = f"{player.size[0]} x {player.size[1]}{', plain' if player.plain else ''}"
        return (
            f"{self.seed}{options} ({size}, {self.seconds:.0f} s): {player.steps} steps; {slips}; typed as told: "
            f"{tried or 'nothing'}; {verdict}"
        )


def played(name: str, seed: str, most: int = 100_000) -> Told:
    """A game by its seed, to its end or so many steps."""
    options = Random(f"{seed} form").choice(FORMS[name])
    return Told(name, options, seed, most)


def main() -> None:
    """Play them, a line for each."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", nargs="*", metavar="GAME", default=[*FORMS], help="games by name; default: all")
    words.add_argument("--games", type=int, default=1, dest="count", help="how many of each")
    words.add_argument("--seed", default="", help="the seed of one game, such as mutants.7, or another word")
    words.add_argument("--steps", type=int, default=100_000, help="steps of a game at most")
    said = words.parse_args()
    name = said.seed.partition(".")[0]
    seeds = (
        [said.seed] if name in FORMS else [f"{game}.{said.seed}{n}" for game in said.games for n in range(said.count)]
    )
    wrong = 0
    for seed in seeds:
        told = played(seed.partition(".")[0], seed, said.steps)
        sys.stdout.write(f"{told}\n{told.transcript}" if told.wrong else f"{told}\n")
        sys.stdout.flush()
        wrong += bool(told.wrong)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
