"""Rule cases as data: a position, what is said, then what is told or refused. One runner for every game.

A case file holds `[[case]]` tables:

    rule      the rule or ruling it shows; `also`: others that it shows with it
    cites     for a refusal under a ruling: the rule that is cited
    options   options that differ from the defaults
    ...       a position, key by key; without any, the game's beginning
    play      steps: "[seat> ]phrase[ : faces]"
    tells     every line told, in order; or `told`: some of them
    legal     phrases that are legal afterwards
    then      keys of the position afterwards (of a table only what matters), `to-act`, and `winners` after the end
    ended     how the outcome is told, from its beginning
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
from referee.engine.dice import DiceError, TypedSource
from referee.engine.game import decode_position, find_game
from referee.engine.ruling import Refusal
from referee.engine.series import Result, Terms

STEP = re.compile(r"(?:(?P<seat>[a-z]+)> )?(?P<phrase>.*?)(?: : (?P<faces>[0-9 ]+))?")
EXPECTED = {"tells", "told", "legal", "then", "ended", "refused"}
NOT_POSITION = {"rule", "also", "cites", "options", "play", "because", *EXPECTED}


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
        assert EXPECTED & self.case.keys(), "the case expects nothing"
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
            self._expect_refused(wanted)
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

    def _read(self, step: str) -> tuple[str, Any, TypedSource]:
        parts = STEP.fullmatch(step)
        assert parts, step
        seat = parts["seat"] or self.game.to_act(self.state) or self.game.seats(self.options)[0]
        source = TypedSource(map(int, (parts["faces"] or "").split()), 0)
        return seat, self.game.parse(parts["phrase"], self.state, seat), source

    def _say(self, step: str) -> Verdict:
        seat, action, source = self._read(step)
        verdict = adjudicate(self.game, self.state, seat, action, source)
        if not isinstance(verdict, Refused):
            assert not source.left_over, f"{step}: too many dice"
            self.told += map(self.game.tell, verdict.events)
            self.state = verdict.state
        return verdict

    def _expect_refused(self, wanted: str) -> None:
        try:
            verdict = self._say(wanted)
        except DiceError as error:
            assert self.case["because"] in str(error)
        else:
            assert isinstance(verdict, Refused), f"{wanted!r} is legal"
            self._expect(verdict.refusals)

    def _expect(self, refusals: tuple[Refusal, ...]) -> None:
        """The rule is cited, with those rules it is shown with; a ruling is cited by the rule it is about."""
        rules = self.game.rulebook.rules
        wanted = {self.case.get("cites", self.case["rule"]), *self.case.get("also", ())} & rules.keys()
        assert wanted <= {refusal.rule for refusal in refusals}, refusals
        assert refusals
        because = self.case.get("because", "")
        assert any(because in refusal.because for refusal in refusals), refusals

    def _check_outcome(self) -> None:
        assert self.told == self.case.get("tells", self.told)
        assert set(self.case.get("told", ())) <= set(self.told), self.told
        for phrase in self.case.get("legal", ()):
            self._check_legal(phrase)
        after = msgspec.json.decode(msgspec.json.encode(self.game.position_of(self.state)))
        outcome = self.game.outcome(self.state)
        after |= {"to-act": self.game.to_act(self.state), "winners": list(outcome.winners) if outcome else None}
        for key, value in self.case.get("then", {}).items():
            check_part(key, value, after[key])
        if "ended" in self.case:
            assert outcome is not None
            assert outcome.because.startswith(self.case["ended"])

    def _check_legal(self, phrase: str) -> None:
        seat, action, _ = self._read(phrase)
        assert not list(self.game.check(self.state, seat, action)), phrase
        assert action in self.game.legal(self.state, seat), phrase


def check_part(name: str, value: Any, now: Any) -> None:
    """Of a table a case names only what matters; what is not there is empty."""
    if isinstance(value, dict) and isinstance(now, dict):
        for key, part in value.items():
            check_part(f"{name}.{key}", part, now.get(key, ""))
    else:
        assert value == now, name


def sources_of(game: str) -> str:
    """The code of a rule module, all files together."""
    folder = FIXTURES.parent / "referee" / "games" / game
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))


def is_cited(id_: str, code: str) -> bool:
    """Whether an id stands in code by itself, not as the beginning of another."""
    return re.search(rf"(?<![\w.]){re.escape(id_)}(?![\w-]|\.\w)", code) is not None
