"""Rule cases as data: a position, what is said, then what is told or refused. One runner for every game.

A case file holds `[[case]]` tables:

    rule      the rule or ruling it shows; `also`: others that it shows with it
    cites     for a refusal under a ruling: the rule that is cited
    options   options that differ from the defaults
    ...       a position, key by key; without any, the game's beginning
    play      steps: "[seat> ]phrase[ : faces]"; said again while faces are left. Forced answers are not written
    tells     every line told, in order; or `told`: some of them (a table of this name is a key of the position)
    legal     phrases that are legal afterwards
    then      keys of the position afterwards (of a table only what matters), `to-act`, and `winners` after the end
    sees      = {seat = {keys}}: the same of the position as that seat sees it; a seat may be "spectator"
    unseen    = {seat = [words]}: words that stand nowhere in what that seat gets to see and is told
    ended     how the outcome is told, from its beginning
    games     instead of a position and steps: results of a match's games in order, each with `scores` and, where they
              do not follow from the scores, `opened_by`, `thrown`, `winners`; `terms` are what they agree on
    refused   the last step, refused under `rule`; or "position" / "options": these themselves are
    because   why, as the referee says it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from support import FIXTURES, Bench, load_toml

from referee.engine.adjudicate import Awaiting, Played, Refused, Verdict, adjudicate, answer_to
from referee.engine.dice import DiceError, DiceNeededError, TypedSource
from referee.engine.game import look
from referee.engine.position import decode_position
from referee.engine.registry import find_game
from referee.engine.ruling import Refusal
from referee.engine.secret import blinded

STEP = re.compile(r"(?:(?P<seat>[a-z]+)> )?(?P<phrase>.*?)(?: : (?P<faces>[0-9 ]+))?")
EXPECTED = {"tells", "told", "legal", "then", "sees", "unseen", "ended", "refused"}
NOT_POSITION = {"rule", "also", "cites", "options", "play", "because", *EXPECTED}


class MatchRunner:
    """Plays one case about a match: results come in, totals, openers and the winner come out."""

    def __init__(self, game: str, case: dict[str, Any]) -> None:
        self.bench = Bench(find_game(game))
        self.series = self.bench.game.series
        self.case = case
        options = self.bench.options(**case.get("options", {}))
        terms = {name: str(value) for name, value in case.get("terms", {}).items()}
        self.score = self.series.begin(options, self.series.agree(options, terms))

    def run(self) -> None:
        results = list(map(self._result, self.case["games"]))
        last = results.pop() if "refused" in self.case else None
        for given in results:
            result = given()
            assert not list(self.series.check(self.score, result)), result
            self.score = self.series.after(self.score, result)
        if last:
            first = next(self.series.check(self.score, last()))
            assert (first.rule, first.because) == (self.case.get("cites", self.case["rule"]), self.case["because"])
        else:
            self._check()

    def _result(self, given: dict[str, Any]) -> Callable[[], Any]:
        """A result, once it is known who has to open the game."""
        scores = given["scores"]
        best = [seat for seat in scores if scores[seat] == max(scores.values())]
        usual = {"thrown": False, "winners": best}
        return lambda: msgspec.convert({"opened_by": self.score.opener, **usual, **given}, self.series.result)

    def _check(self) -> None:
        score = msgspec.to_builtins(self.score)
        wanted = {"bonus": {}, "opener": None, "winner": None} | self.case["then"]
        assert {name: score[name] for name in wanted} == wanted


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
        self.position = {key: value for key, value in case.items() if is_of_position(key, value)}
        self.told: list[str] = []
        self.heard: list[tuple[str, list[str], list[str]]] = []
        """Of each play: who made it, what he is told, and what everybody is told."""

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
            assert isinstance(verdict, Played), f"{step}: {verdict}"
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

    def _read(self, step: str) -> tuple[str, str, list[int]]:
        """Who says what, and the faces typed with it."""
        parts = STEP.fullmatch(step)
        assert parts, step
        seat = parts["seat"] or self.game.to_act(self.state) or self.game.seats(self.options)[0]
        return seat, parts["phrase"], list(map(int, (parts["faces"] or "").split()))

    def _parse(self, phrase: str, seat: str) -> Any:
        return self.game.parse(phrase, self._view(seat), seat)

    def _say(self, step: str) -> Verdict:
        """Say a phrase and what is left of it, or again while faces are left; the last verdict."""
        seat, phrase, faces = self._read(step)
        while True:
            reading = self.game.read(phrase, self._view(seat), seat)
            source = TypedSource([*reading.faces, *faces])
            verdict = self._judge(seat, reading.action, source)
            if not isinstance(verdict, Played) or not (source.left_over or reading.rest):
                return verdict
            assert verdict.rolls or reading.rest, f"{step}: too many dice"
            faces = list(source.left_over)
            if reading.rest:
                seat, phrase = self.game.to_act(self.state) or seat, reading.rest

    def _judge(self, seat: str, action: Any, source: TypedSource) -> Verdict:
        """The verdict, and whatever a seat then has to answer."""
        verdict = adjudicate(self.game, self.state, seat, action, source)
        if isinstance(verdict, Played):
            lines = list(map(self.game.tell, verdict.events))
            self.told += lines
            self.heard.append((seat, lines, list(map(self.game.tell, blinded(verdict.open_events, None)))))
            self.state = verdict.state
            if self.game.asks(self.state):
                asked = self.game.to_act(self.state)
                answer = answer_to(self.game, self._view(asked), asked)
                assert isinstance(self._judge(asked, answer, TypedSource(())), Played), answer
        return verdict

    def _expect_refused(self, wanted: str) -> None:
        try:
            verdict = self._say(wanted)
        except DiceError as error:
            assert self.case["because"] in str(error)
            return
        if isinstance(verdict, Awaiting) and verdict.need:
            assert self.case["because"] in str(DiceNeededError(verdict.need, verdict.typed))
            return
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
        lines = self.case.get("told", ())
        assert is_of_position("told", lines) or set(lines) <= set(self.told), self.told
        for phrase in self.case.get("legal", ()):
            self._check_legal(phrase)
        self._check_position(self.state, self.case.get("then", {}))
        for seat, wanted in self.case.get("sees", {}).items():
            self._check_position(self._view(seat), wanted)
        for seat, words in self.case.get("unseen", {}).items():
            seen = self._seen(seat)
            assert not [word for word in words if re.search(rf"\b{re.escape(word)}\b", seen)], (seat, seen)
        if "ended" in self.case:
            outcome = self.game.outcome(self.state)
            assert outcome is not None
            assert outcome.because.startswith(self.case["ended"])

    def _check_position(self, state: Any, wanted: dict[str, Any]) -> None:
        after = msgspec.json.decode(msgspec.json.encode(self.game.position_of(state)))
        outcome = self.game.outcome(state)
        after |= {"to-act": self.game.to_act(state), "winners": list(outcome.winners) if outcome else None}
        for key, value in wanted.items():
            check_part(key, value, after[key])

    def _view(self, seat: str) -> Any:
        return look(self.game, self.state, None if seat == "spectator" else seat)

    def _seen(self, seat: str) -> str:
        """Everything that a seat gets to see and is told, as text."""
        view = self._view(seat)
        scene = self.game.draw(view)
        beside = [line for page in scene.pages for layout in page.layouts for line in layout.beside]
        told = [line for by, own, public in self.heard for line in (own if by == seat else public)]
        position = msgspec.json.encode(self.game.position_of(view)).decode()
        return "\n".join([position, self.game.status(view), *scene.words, *scene.beside, *beside, *told])

    def _check_legal(self, phrase: str) -> None:
        seat, said, _ = self._read(phrase)
        action = self._parse(said, seat)
        assert not list(self.game.check(self._view(seat), seat, action)), phrase
        assert action in self.game.legal(self._view(seat), seat), phrase


def is_of_position(key: str, value: Any) -> bool:
    """Whether a key of a case belongs to its position."""
    return key not in NOT_POSITION or (key == "told" and isinstance(value, dict))


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
