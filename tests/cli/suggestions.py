"""Random games in which every line that is printed to be typed is typed: what `Next`, `Instead`, `If you mean it`
and their like say must be understood, and do what it says.

python tests/cli/suggestions.py               300 steps of each game
python tests/cli/suggestions.py zombies 50    so many of one
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from calling import called
from phrases import FORMS
from third_party import EXAMPLES, installed

from referee.engine.choice import Action
from referee.engine.dice_mode import DiceMode, OpenDice, TableDice
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.record.table.opening_logs import open_log, start
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

NAMES = (*game_names(), *EXAMPLES)
LONGEST = 120
"""Steps of a game after which another is begun."""
LATE = 40
"""Actions of before that are tried when they are legal no more."""
EXPANDED = re.compile(r"""![^\s="]|[`$&|;<>()*?\[\]{}~#'"\\]""")
"""What a shell takes for something of its own."""
COMMAND = re.compile(r"referee (.+?)(?=   \(| lists |, which|, with |; |: or |\.?$)")
"""A command in a line that tells what to type."""


class Wrong(NamedTuple):
    """A printed line that does not do what it says."""

    game: str
    line: str
    told: str


class Heard(NamedTuple):
    """What comes back for a line."""

    text: str
    code: int

    def after(self, head: str) -> list[str]:
        """What stands behind a heading, once for each line that begins so."""
        rows = (row.strip() for row in self.text.splitlines())
        return [row.removeprefix(head).strip() for row in rows if row.startswith(head)]


class Table:
    """A log and what is typed to it in a shell."""

    def __init__(self, log: Path, random: Random, typed: Counter[str]) -> None:
        self.log, self.random, self.typed = log, random, typed

    def say(self, line: str) -> Heard:
        """Types a line as it is printed."""
        done = called(["-g", self.log, "--width", "100000", *shlex.split(line)])
        return Heard(f"{done.out.decode()}\n{done.err.decode()}", done.code)

    def ask(self, line: str) -> Any:
        """The answer to a line as data."""
        out = called(["-g", self.log, "--json", *shlex.split(line)]).out
        return json.loads(out.splitlines()[0])

    def play(self, line: str) -> Heard:
        """Types a line, and after it what the answers say, as long as they ask for dice or whether it is meant."""
        heard = self.say(line)
        for _ in range(60):
            further = self._further(heard, line)
            if further is None:
                return heard
            line, heard = further, self.say(further)
        return heard

    def _further(self, heard: Heard, line: str) -> str | None:
        meant = heard.after("If you mean it, type: referee ")
        if meant:
            self.typed["If you mean it"] += 1
            return meant[0]
        wanted = re.search(
            r"type: referee (.+ --dice \S*(?:FACES|NAME))\.|Type (?:all of )?them: referee (.+)\.", heard.text
        )
        if wanted is None:
            return None
        self.typed["Throw, then say"] += 1
        typed = wanted[1] or wanted[2]
        need = self.ask(re.sub("( --dice |,| )(FACES|NAME)$", "", typed))["needs"]
        return re.sub("(FACES|NAME)$", self._thrown(need), typed)

    def _thrown(self, need: Mapping[str, Any]) -> str:
        names = need.get("names") or ()
        each = [
            self.random.choice(names) if names else self.random.randint(1, need["sides"]) for _ in range(need["count"])
        ]
        return ",".join(map(str, each))

    @contextmanager
    def copied(self) -> Iterator[Table]:
        """The same in a folder of its own, to be tried there."""
        with TemporaryDirectory() as folder:
            for part in self.log.parent.glob(f"{self.log.name}*"):
                copy = shutil.copytree if part.is_dir() else shutil.copy2
                copy(part, Path(folder, part.name))
            yield Table(Path(folder, self.log.name), Random(self.random.getrandbits(64)), self.typed)

    @property
    def session(self) -> Session:
        """The log as it stands."""
        return open_log(self.log)


class Trying:
    """A random game in which all that is printed is tried."""

    def __init__(self, game: AnyGame, options: Mapping[str, str], seed: str, folder: Path, typed: Counter[str]) -> None:
        """`typed` counts the printed lines that are typed, by how they are headed."""
        self.game, self.random = game, Random(f"{game.name} {options} {seed}")
        dice: DiceMode = OpenDice(f"{self.random.getrandbits(256):064x}") if self.random.random() < 0.5 else TableDice()
        log = folder / f"{self.random.getrandbits(64):x}" / "game.jsonl"
        log.parent.mkdir()
        start(game.name, log, options=options, dice=dice)
        self.table, self.typed = Table(log, self.random, typed), typed
        self.before: deque[str] = deque(maxlen=LATE)
        self.rules: set[str] = set()

    def steps(self) -> Iterator[list[Wrong]]:
        """Goes on step by step: what was wrong at each."""
        for _ in range(LONGEST):
            look = SeatView(self.table.session)
            seat = look.facts.to_act
            if seat is None:
                return
            if look.facts.asked_seat:
                yield list(self._next())
                self.table.say("answer")
                continue
            legal = look.with_eyes(seat).sight.legal
            if not legal:
                return
            action = legal.pick(self.random)
            words = self.game.format(action)
            yield [*self._next(), *self._refused(look, words), *self._closed(look, action), *self._played(action)]
            self.before.append(words)

    # What comes next

    def _next(self) -> Iterator[Wrong]:
        for told in self.table.say("status").after("Next: "):
            for command in COMMAND.findall(f"{told}"):
                self.typed["Next"] += 1
                yield from self._safe(command)
                with self.table.copied() as copy:
                    heard = copy.play(re.sub(r"FACES", self._faces(copy), command))
                if heard.code:
                    yield Wrong(self.game.name, f"Next: {told}", heard.text)

    def _faces(self, copy: Table) -> str:
        throw = SeatView(copy.session).sight.legal.awaited_roll
        need = throw.need if throw else None
        if need is None:
            return ""
        each = [
            self.random.choice(need.names) if need.names else self.random.randint(1, need.sides)
            for _ in range(need.count)
        ]
        return " ".join(map(str, each))

    def _safe(self, line: str) -> Iterator[Wrong]:
        if EXPANDED.search(line):
            yield Wrong(self.game.name, line, "a shell reads it otherwise")

    # What is refused, and what is not read

    def _refused(self, look: SeatView, words: str) -> Iterator[Wrong]:
        slip = " ".join(words.split()[:-1]) or f"{words}x"
        late = self.random.sample([*self.before], min(2, len(self.before)))
        other = self.random.choice(
            [seat for seat in look.facts.playable_seats if seat != look.facts.to_act] or ["referee"]
        )
        for said in (*late, slip, f"{words} zz9", f"{words} --by {other}", *(f"{word} --by {other}" for word in late)):
            heard = self.table.say(f"do {said} -n")
            for told in heard.after("Instead: "):
                yield from self._instead(look, said, told)
            for command in (one for head in ("The rule: ", "Type it like this: ") for one in heard.after(head)):
                yield from self._looked_up(command)

    def _instead(self, look: SeatView, said: str, told: str) -> Iterator[Wrong]:
        for offer in offers(told):
            self.typed["Instead"] += 1
            yield from self._safe(offer)
            heard, words = self.table.say(f"{offer} -n"), offer.partition(" --by ")[0]
            if heard.code or f"LEGAL  {words}   " not in heard.text:
                yield Wrong(self.game.name, f"{said}, Instead: {offer}", heard.text)
            if self.game.verbs.verbs_by_word.get(words) and self.game.verbs.verbs_by_word[words].gives_up:
                yield Wrong(self.game.name, f"{said}, Instead: {offer}", "giving up is no remedy")

    def _looked_up(self, command: str) -> Iterator[Wrong]:
        if command.startswith("referee ") and command not in self.rules:
            self.rules.add(command)
            self.typed["The rule"] += 1
            heard = self.table.say(command.removeprefix("referee "))
            if heard.code:
                yield Wrong(self.game.name, command, heard.text)

    # What is said

    def _closed(self, look: SeatView, action: Action) -> Iterator[Wrong]:
        """Whether a word that closes a part of the turn costs nothing where that has closed by itself."""
        words = self.game.format(action)
        closing = [verb for verb in self.game.verbs.all if verb.closes and type(action) is not verb.action]
        legal = look.with_eyes(look.facts.to_act).sight.legal
        for verb in closing:
            if look.facts.keepers or verb.action() not in legal:
                continue
            with self.table.copied() as plain, self.table.copied() as closed:
                self.typed["closing"] += 1
                closed.random = Random(str(seed := self.random.random()))
                plain.random = Random(str(seed))
                first, second = plain.play(words), closed.play(f"{words}, {verb.word}")
                same = _plays(plain) == _plays(closed)
                has_closed = not first.code and _part(verb, look) != _part(verb, SeatView(plain.session))
                if has_closed and (second.code or not same):
                    yield Wrong(self.game.name, f"{words}, {verb.word}", f"{first.text}\n---\n{second.text}")

    def _played(self, action: Action) -> Iterator[Wrong]:
        words, entries = self.game.format(action), len(self.table.session.entries)
        heard = self.table.play(words)
        done = [getattr(entry, "known_action", None) for entry in self.table.session.entries[entries:]]
        if heard.code or action not in done:
            yield Wrong(self.game.name, words, heard.text)


def offers(told: str) -> list[str]:
    """The lines behind `Instead: `."""
    return re.sub(r"\s+\(all\b[^()]*\)$", "", told).split(",   ")


def _plays(table: Table) -> list[Any]:
    return [getattr(entry, "action", None) for entry in table.session.entries]


def _part(verb: Any, look: SeatView) -> object:
    return look.facts.turn, verb.closes(look.sight.view)


def tried(name: str, count: int, each: int = LONGEST, seed: str = "1") -> tuple[list[Wrong], Counter[str]]:
    """So many steps of a game in all its forms: which printed lines did not do what they say, and how many were typed.
    `each`: steps after which another game is begun.
    """
    typed = Counter[str]()
    with ExitStack() as stack:
        if name in EXAMPLES:
            stack.enter_context(installed(name))
        folder, game = Path(stack.enter_context(TemporaryDirectory())), find_game(name)
        done, wrong, forms = 0, list[Wrong](), FORMS.get(name, ({},))
        while done < count:
            for options in forms:
                trying = Trying(game, options, f"{seed}.{done}", folder, typed)
                for found in islice(trying.steps(), min(each, count - done)):
                    done, wrong = done + 1, wrong + found
        return wrong, typed


def main() -> None:
    """Try them, and tell what did not do what it says."""
    names = [name for name in sys.argv[1:] if not name.isdigit()] or NAMES
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 300)
    for name in names:
        wrong, typed = tried(name, count)
        told = ", ".join(f"{head} {number:,}" for head, number in typed.most_common())
        sys.stdout.write(f"{name}: {count:,} steps, {len(wrong)} printed lines that do not do what they say ({told})\n")
        sys.stdout.writelines(f"  {one.line}\n    {one.told[:600]}\n" for one in wrong[:20])


if __name__ == "__main__":
    main()
