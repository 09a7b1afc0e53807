"""Rule cases as data: a position, what is said, then what is told or refused. One runner for every game.

A case file holds `[[case]]` tables:

    rule      the rule or ruling it shows
    cites     for a refusal under a ruling: the rule that is cited
    options   options that differ from the defaults
    ...       a position, key by key; without any, the game's beginning
    play      steps: "[seat> ]phrase[ : faces]"
    tells     every line told, in order
    then      keys of the position afterwards, and `winners` once the game is over
    games     instead of a position and steps: results of a match's games in order, each with `scores` and, where they
              do not follow from the scores, `opened_by`, `thrown`, `winners`; `terms` sets target and first
    refused   the last step, refused under `rule`; or "position" / "options": these themselves are
    because   why, as the referee says it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from support import FIXTURES, Bench, load_toml

from referee.engine.adjudicate import Refused, Verdict, adjudicate
from referee.engine.dice import TypedSource
from referee.engine.game import decode_position, find_game
from referee.engine.ruling import Refusal
from referee.engine.series import Result, Terms

STEP = re.compile(r"(?:(?P<seat>[a-z]+)> )?(?P<phrase>.*?)(?: : (?P<faces>[0-9 ]+))?")
NOT_POSITION = {"rule", "cites", "options", "play", "tells", "then", "refused", "because"}


class MatchRunner:
    """Plays one case about a match: results come in, totals, openers and the winner come out."""

    def __init__(self, game: str, case: dict[str, Any]) -> None:
        self.bench = Bench(find_game(game))
        self.series = self.bench.game.series
        self.case = case
        options = self.bench.options(**case.get("options", {}))
        terms = case.get("terms", {})
        target = terms.get("target", self.series.target(options))
        self.standing = self.series.begin(options, Terms(target, terms.get("first", self.series.openings[0])))

    def run(self) -> None:
        results = list(map(self._result, self.case["games"]))
        last = results.pop() if "refused" in self.case else None
        for given in results:
            result = given()
            assert not list(self.series.check(self.standing, result)), result
            self.standing = self.series.score(self.standing, result)
        if last:
            first = next(self.series.check(self.standing, last()))
            assert (first.rule, first.because) == (self.case.get("cites", self.case["rule"]), self.case["because"])
        else:
            self._check()

    def _result(self, given: dict[str, Any]) -> Callable[[], Result]:
        """A result, once it is known who has to open the game."""
        scores = given["scores"]
        most = max(scores.values())
        winners = given.get("winners", [seat for seat in scores if scores[seat] == most])
        return lambda: Result(
            given.get("opened_by", self.standing.opener), given.get("thrown", False), scores, tuple(winners)
        )

    def _check(self) -> None:
        wanted, standing = self.case["then"], self.standing
        assert dict(standing.totals) == wanted["totals"]
        assert dict(standing.bonus) == wanted.get("bonus", {})
        assert (standing.opener, standing.winner) == (wanted.get("opener"), wanted.get("winner"))


def cases_of(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every case of a game with a name for it."""
    for path in sorted((FIXTURES / game / "cases").glob("*.toml")):
        for number, case in enumerate(load_toml(path)["case"]):
            kind = "refuses" if "refused" in case else "accepts"
            yield f"{case['rule']}-{kind}-{path.stem}{number}", case


class CaseRunner:
    """Plays one case."""

    def __init__(self, game: str, case: dict[str, Any]) -> None:
        self.bench = Bench(find_game(game))
        self.game = self.bench.game
        self.case = case
        self.options = self.bench.options(**case.get("options", {}))
        self.board = self.bench.board(self.options)
        self.position = {key: value for key, value in case.items() if key not in NOT_POSITION}
        self.told: list[str] = []

    def run(self) -> None:
        wanted = self.case.get("refused")
        if wanted in ("position", "options"):
            self._expect(self._setting_refusals())
            return
        assert not self._setting_refusals()
        self.state = self._begin()
        for step in self.case.get("play", []):
            verdict = self._say(step)
            assert not isinstance(verdict, Refused), f"{step}: {verdict}"
        if wanted:
            verdict = self._say(wanted)
            assert isinstance(verdict, Refused), f"{wanted!r} is legal"
            self._expect(verdict.refusals)
        else:
            self._check_outcome()

    def _setting_refusals(self) -> tuple[Refusal, ...]:
        refusals = list(self.game.check_options(self.options))
        if self.position:
            refusals += self.game.check_position(self._decoded(), self.options, self.board)
        return tuple(refusals)

    def _decoded(self) -> Any:
        return decode_position(self.game, self.position)

    def _begin(self) -> Any:
        if self.position:
            return self.game.place(self._decoded(), self.options, self.board)
        return self.game.setup(self.options, self.board)

    def _say(self, step: str) -> Verdict:
        parts = STEP.fullmatch(step)
        assert parts, step
        seat = parts["seat"] or self.game.to_act(self.state) or self.game.seats(self.options)[0]
        source = TypedSource(map(int, (parts["faces"] or "").split()), 0)
        action = self.game.parse(parts["phrase"], self.state, seat)
        verdict = adjudicate(self.game, self.state, seat, action, source)
        if not isinstance(verdict, Refused):
            assert not source.left_over, f"{step}: too many dice"
            self.told += map(self.game.tell, verdict.events)
            self.state = verdict.state
        return verdict

    def _expect(self, refusals: tuple[Refusal, ...]) -> None:
        assert [(refusal.rule, refusal.because) for refusal in refusals[:1]] == [
            (self.case.get("cites", self.case["rule"]), self.case["because"])
        ]

    def _check_outcome(self) -> None:
        assert self.told == self.case.get("tells", [])
        after = msgspec.json.decode(msgspec.json.encode(self.game.position_of(self.state)))
        outcome = self.game.outcome(self.state)
        for key, value in self.case.get("then", {}).items():
            if key == "winners":
                assert outcome is not None
                assert list(outcome.winners) == value
            else:
                assert _trimmed(after[key]) == value, key


def _trimmed(value: Any) -> Any:
    """A table without its empty entries, which cases leave out."""
    return {key: item for key, item in value.items() if item} if isinstance(value, dict) else value


def sources_of(game: str) -> str:
    """The code of a rule module, all files together."""
    folder = FIXTURES.parent / "referee" / "games" / game
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
