"""Random games that are typed: what a legal list offers is typed as it stands, without `do`, and has to be just that.

python tests/cli/phrases.py               10,000 phrases of each game
python tests/cli/phrases.py zombies 500   so many of one
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from referee.cli.catalogue import COMMANDS
from referee.cli.screen import Screen
from referee.cli.session.repl import Repl
from referee.engine.choice import Action
from referee.engine.dice_mode import OpenDice
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import start

SCENARIOS = ("basic", "learning", "advanced-a", "advanced-b", "city-eating")
FORMS: Mapping[str, tuple[dict[str, str], ...]] = {
    "manoover": ({}, {"edition": "crash"}, {"form": "plus"}, {"form": "three"}, {"order": "alternate"}),
    "mutants": ({}, {"scenario": "alternate"}, {"hidden-movement": "yes"}),
    "sheboygan": tuple({"scenario": name} for name in SCENARIOS),
    "zombies": ({}, {"players": "1"}, {"players": "4", "mode": "teams"}),
}
ASIDE = 6
"""Phrases tried at each place beside the one that is said."""
SHORTEST = 3
"""Letters of a verb at least: of two, some only join words."""
LONGEST = 300
"""Phrases of a game after which another is begun."""


class Wrong(NamedTuple):
    """A phrase that was taken for something else."""

    game: str
    phrase: str
    told: str


class Typing:
    """A random game, typed line by line."""

    def __init__(self, game: AnyGame, options: Mapping[str, str], seed: str, folder: Path) -> None:
        self.game, self.random = game, Random(f"{game.name} {options} {seed}")
        dice = OpenDice(f"{self.random.getrandbits(256):064x}")
        log = folder / f"{self.random.getrandbits(64):x}.jsonl"
        session = start(game.name, log, options=options, dice=dice)
        self.talk = Repl(session, lambda: Screen(json=True), screened=False)

    def phrases(self) -> Iterator[Wrong | None]:
        """Type phrase after phrase: for each what was wrong with it, or None."""
        for _ in range(LONGEST):
            look = self.talk.look
            others = self.game.list_other_actors(self.talk.live_log.session.moment().state) if look.facts.to_act else ()
            able = [seat for seat in (look.facts.to_act, *others) if seat and look.with_eyes(seat).sight.legal]
            if not able:
                return
            seat = self.random.choice(able)
            legal = look.with_eyes(seat).sight.legal
            by = "" if seat == look.facts.to_act else f" --by {seat}"
            for choice in self.random.sample(legal.choices, min(ASIDE, len(legal.choices))):
                yield self._supposed(choice.pick(self.random), by)
            wrong = self._said(legal.pick(self.random), by)
            yield wrong
            if wrong:
                return

    def _supposed(self, action: Action, by: str) -> Wrong | None:
        """Whether a phrase is read as this action, in its long form and in a short one."""
        long = self.game.format(action)
        for phrase in (long, shortened(self.game, long)):
            facts = self._facts(f"{phrase} -n{by}")
            if facts.get("said") != [long]:
                return Wrong(self.game.name, phrase, str(facts))
        return self._carried(action, by)

    def _carried(self, action: Action, by: str) -> Wrong | None:
        """Whether it is read as this action without its verb, after something with that verb which carries on."""
        verb, look = self.game.verbs.find_verb(type(action)), self.talk.look
        words = self.game.format(action).split(" ", 1)
        if not verb.carries or len(words) < 2 or words[0] not in verb.first_words:
            return None
        seat = by.removeprefix(" --by ") or look.facts.to_act
        read = self.game.read(words[1], look.with_eyes(seat).sight.view, seat, verb.word)
        return None if read.action == action else Wrong(self.game.name, words[1], str(read))

    def _said(self, action: Action, by: str) -> Wrong | None:
        """Whether a phrase is recorded as this action; what follows from it by itself comes after it."""
        phrase, entries = self.game.format(action), self.talk.live_log.session.entries
        before = len(entries)
        facts = self._facts(f"{phrase}{by}")
        if facts.get("verdict") == "doubted":
            facts = self._facts(f"{phrase}!{by}")
        new = [entry for entry in entries[before:] if isinstance(entry, PlayEntry)]
        return None if new and new[0].known_action == action else Wrong(self.game.name, phrase, str(facts))

    def _facts(self, line: str) -> dict[str, Any]:
        facts = self.talk.run_line(line).answer.facts()
        return facts if isinstance(facts, dict) else {"answer": facts}


def shortened(game: AnyGame, phrase: str) -> str:
    """A phrase in small letters, its verb cut as far as it begins no other."""
    verbs = game.verbs.verbs_by_word
    words = phrase.lower().split(" ")
    at = next((n for n, word in enumerate(words) if word in verbs), None)
    if at is not None:
        word = words[at]
        cuts = (word[:length] for length in range(SHORTEST, len(word) + 1))
        words[at] = next((cut for cut in cuts if _means(verbs, cut) == [word]), word)
    return " ".join(words)


def _means(verbs: Iterable[str], cut: str) -> list[str]:
    """The verbs that a beginning may mean; none where it is a command."""
    return [] if cut in COMMANDS else [verb for verb in verbs if verb.startswith(cut)]


def typed(name: str, count: int, each: int = 10_000, seed: str = "1") -> list[Wrong]:
    """So many phrases of a game in all its forms, and which of them were taken for something else. `each`: after so
    many another game is begun.
    """
    game, wrong, done = find_game(name), list[Wrong](), 0
    with TemporaryDirectory() as folder:
        while done < count:
            for options in FORMS[name]:
                for found in islice(Typing(game, options, f"{seed}.{done}", Path(folder)).phrases(), each):
                    done += 1
                    wrong += [found] if found else []
                    if done >= count:
                        return wrong
    return wrong


def main() -> None:
    """Type them, and tell what was taken for something else."""
    names = [name for name in sys.argv[1:] if not name.isdigit()] or game_names()
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 10_000)
    for name in names:
        wrong = typed(name, count)
        sys.stdout.write(f"{name}: {count:,} phrases, {len(wrong)} taken for something else\n")
        sys.stdout.writelines(f"  {one.phrase}\n    {one.told[:400]}\n" for one in wrong[:20])


if __name__ == "__main__":
    main()
