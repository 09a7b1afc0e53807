"""Runs rule cases (`cases`). Of one that fails is told where it stands, what was said, what was wanted, what came."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from cases import Case
from support import Bench

from referee.engine.adjudicate import Awaiting, Played, Refused, Verdict, adjudicate, answer_to
from referee.engine.dice import DiceError, DiceNeededError
from referee.engine.game import look
from referee.engine.position import decode_position
from referee.engine.registry import find_game
from referee.engine.ruling import Refusal
from referee.engine.secret import blinded
from referee.engine.source import TypedSource

STEP = re.compile(r"(?:(?P<seat>[a-z]+)> )?(?P<phrase>.*?)(?: : (?P<faces>[0-9 ]+))?")
EXPECTED = {"tells", "told", "legal", "then", "sees", "unseen", "ended", "refused"}
NOT_POSITION = {"rule", "also", "cites", "options", "play", "because", *EXPECTED}


def run_case(case: Case) -> None:
    """Play a case; AssertionError tells all that is to be known of what is wrong with it."""
    runner = (MatchRunner if "games" in case.table else CaseRunner)(case.game, case.table)
    try:
        runner.run()
    except AssertionError as error:
        raise AssertionError(f"{case}: {error}") from None
    except Exception as error:
        raise AssertionError(f"{case}: {runner.differs('no error', f'{type(error).__name__}: {error}')}") from error


class Runner:
    """What can be told of a case that fails."""

    said = ""
    """The last that was said."""

    def differs(self, wanted: Any, got: Any) -> str:
        """What came is not what was wanted."""
        said = f'said "{self.said}"' if self.said else "nothing was said"
        return f"{said}; wanted: {wanted}; got: {got}"


class MatchRunner(Runner):
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
            result, refusals = self._judge(given)
            assert not refusals, self.differs("that it counts", _refused(refusals))
            self.score = self.series.after(self.score, result)
        if last:
            self._expect(self._judge(last)[1])
        else:
            self._check()

    def _judge(self, given: Callable[[], Any]) -> tuple[Any, list[Refusal]]:
        """A result that comes in, and why it does not count."""
        result = given()
        self.said = str(result)
        return result, list(self.series.check(self.score, result))

    def _result(self, given: dict[str, Any]) -> Callable[[], Any]:
        """A result, once it is known who has to open the game."""
        scores = given["scores"]
        best = [seat for seat in scores if scores[seat] == max(scores.values())]
        usual = {"thrown": False, "winners": best}
        return lambda: msgspec.convert({"opened_by": self.score.opener, **usual, **given}, self.series.result)

    def _expect(self, refusals: list[Refusal]) -> None:
        wanted = Refusal(self.case.get("cites", self.case["rule"]), self.case["because"])
        assert refusals[:1] == [wanted], self.differs(_refused([wanted]), _refused(refusals))

    def _check(self) -> None:
        score = msgspec.to_builtins(self.score)
        wanted = {"bonus": {}, "opener": None, "winner": None} | self.case["then"]
        now = {name: score[name] for name in wanted}
        assert now == wanted, self.differs(wanted, now)


class CaseRunner(Runner):
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
        refusals = self._setting_refusals()
        assert not refusals, self.differs("a position to play from", _refused(refusals))
        self.state = self._begin()
        for step in self.case.get("play", []):
            verdict = self._say(step)
            assert isinstance(verdict, Played), self.differs("legal", _told(verdict))
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
        self.said = step
        parts = STEP.fullmatch(step)
        assert parts, self.differs("a phrase on one line", step)
        seat = parts["seat"] or self.game.to_act(self.state) or self.game.seats(self.options)[0]
        return seat, parts["phrase"], list(map(int, (parts["faces"] or "").split()))

    def _say(self, step: str) -> Verdict:
        """Say a phrase and what is left of it, or again while faces are left; the last verdict."""
        seat, phrase, faces = self._read(step)
        while True:
            reading = self.game.read(phrase, self._view(seat), seat)
            source = TypedSource([*reading.faces, *faces])
            verdict = self._judge(seat, reading.action, source)
            if not isinstance(verdict, Played) or not (source.left_over or reading.rest):
                return verdict
            assert verdict.rolls or reading.rest, self.differs("a throw", f"none; left are {source.left_over}")
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
                self._answer(self.game.to_act(self.state))
        return verdict

    def _answer(self, asked: str) -> None:
        answer = answer_to(self.game, self._view(asked), asked)
        verdict = self._judge(asked, answer, TypedSource(()))
        assert isinstance(verdict, Played), self.differs(f"the answer {answer}", _told(verdict))

    def _expect_refused(self, wanted: str) -> None:
        try:
            verdict = self._say(wanted)
        except DiceError as error:
            self._expect_dice(error)
            return
        if isinstance(verdict, Awaiting) and verdict.need:
            self._expect_dice(DiceNeededError(verdict.need, verdict.typed))
            return
        self._expect(verdict.refusals if isinstance(verdict, Refused) else ())

    def _expect_dice(self, error: DiceError) -> None:
        because = self.case.get("because")
        assert because is not None, self.differs(self._wanted, f"dice: {error}")
        assert because in str(error), self.differs(f'dice, because "{because}"', f"dice: {error}")

    @property
    def _wanted(self) -> str:
        """The refusal that is wanted, in words."""
        rules = ", ".join([self.case.get("cites", self.case["rule"]), *self.case.get("also", ())])
        because = self.case.get("because")
        return f'refused under {rules} "{because}"' if because else f"refused under {rules}"

    def _expect(self, refusals: tuple[Refusal, ...]) -> None:
        """The rule is cited, with those rules it is shown with; a ruling is cited by the rule it is about."""
        rules = self.game.rulebook.rules
        wanted = {self.case.get("cites", self.case["rule"]), *self.case.get("also", ())} & rules.keys()
        differs = self.differs(self._wanted, _refused(refusals))
        assert refusals, differs
        assert wanted <= {refusal.rule for refusal in refusals}, differs
        because = self.case.get("because", "")
        assert any(because in refusal.because for refusal in refusals), differs

    def _check_outcome(self) -> None:
        self._check_told()
        for phrase in self.case.get("legal", ()):
            self._check_legal(phrase)
        self._check_position(self.state, self.case.get("then", {}))
        for seat, wanted in self.case.get("sees", {}).items():
            self._check_position(self._view(seat), wanted)
        for seat, words in self.case.get("unseen", {}).items():
            seen = self._seen(seat)
            found = [word for word in words if re.search(rf"\b{re.escape(word)}\b", seen)]
            assert not found, self.differs(f"{seat} sees nothing of {words}", f"{found} in\n{seen}")
        if "ended" in self.case:
            self._check_ended(self.case["ended"])

    def _check_told(self) -> None:
        tells = self.case.get("tells", self.told)
        assert self.told == tells, self.differs(f"told {tells}", f"told {self.told}")
        told = self.case.get("told", ())
        if not is_of_position("told", told):
            missing = [line for line in told if line not in self.told]
            assert not missing, self.differs(f"told {missing}", f"told {self.told}")

    def _check_ended(self, wanted: str) -> None:
        outcome = self.game.outcome(self.state)
        got = outcome.because if outcome else "it goes on"
        assert got.startswith(wanted), self.differs(f'the end, "{wanted}"', f'"{got}"')

    def _check_position(self, state: Any, wanted: dict[str, Any]) -> None:
        after = msgspec.json.decode(msgspec.json.encode(self.game.position_of(state)))
        outcome = self.game.outcome(state)
        after |= {"to-act": self.game.to_act(state), "winners": list(outcome.winners) if outcome else None}
        for key, value in wanted.items():
            self._check_part(key, value, after[key])

    def _check_part(self, name: str, value: Any, now: Any) -> None:
        """Of a table a case names only what matters; what is not there is empty."""
        if isinstance(value, dict) and isinstance(now, dict):
            for key, part in value.items():
                self._check_part(f"{name}.{key}", part, now.get(key, ""))
        else:
            assert now == value, self.differs(f"{name} = {value!r}", repr(now))

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
        action = self.game.parse(said, self._view(seat), seat)
        refusals = tuple(self.game.check(self._view(seat), seat, action))
        assert not refusals, self.differs("legal", _refused(refusals))
        assert action in self.game.legal(self._view(seat), seat), self.differs("listed", "not among what is legal")


def is_of_position(key: str, value: Any) -> bool:
    """Whether a key of a case belongs to its position."""
    return key not in NOT_POSITION or (key == "told" and isinstance(value, dict))


def _told(verdict: Verdict) -> str:
    """A verdict in words."""
    if isinstance(verdict, Refused):
        return _refused(verdict.refusals)
    return "legal" if isinstance(verdict, Played) else str(verdict)


def _refused(refusals: Iterable[Refusal]) -> str:
    """Refusals in words."""
    words = [f'{refusal.rule} "{refusal.because}"' for refusal in refusals]
    return f"refused under {', '.join(words)}" if words else "legal"
