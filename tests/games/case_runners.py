"""Runs rule cases (`cases`). Of one that fails is told where it stands, what was said, what was wanted, what came."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import patch

import msgspec
from cases import Case
from support import FIXTURES, Bench

from referee.engine import component
from referee.engine.adjudication import (
    IllegalVerdict,
    LegalVerdict,
    PendingVerdict,
    Verdict,
    adjudicate,
    find_forced_answer,
)
from referee.engine.component import BoardError
from referee.engine.dice import DiceError, DiceNeededError
from referee.engine.dice_source import TypedSource
from referee.engine.game import view_for
from referee.engine.position import decode_position
from referee.engine.position_diff import list_pieces_and_fields
from referee.engine.registry import find_game
from referee.engine.rulebook import Refusal
from referee.engine.secret import hide_secrets_from, list_secret_fields
from referee.engine.text import NotUnderstoodError

STEP = re.compile(r"(?:(?P<seat>[a-z]+)> )?(?P<phrase>.*?)(?: : (?P<faces>[0-9 ]+))?")
EXPECTED = {
    "tells",
    "told",
    "legal",
    "reads",
    "means",
    "marks",
    "lies",
    "only",
    "then",
    "sees",
    "unseen",
    "ended",
    "refused",
    "aims",
}
NOT_POSITION = {"rule", "also", "cites", "options", "play", "own", "because", *EXPECTED}


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
        self.match_rules = self.bench.game.match_rules
        self.case = case
        options = self.bench.options(**case.get("options", {}))
        terms = {name: str(value) for name, value in case.get("terms", {}).items()}
        self.score = self.match_rules.make_initial_score(options, self.match_rules.parse_terms(options, terms))

    def run(self) -> None:
        results = list(map(self._result, self.case["games"]))
        last = results.pop() if "refused" in self.case else None
        for given in results:
            result, refusals = self._judge(given)
            assert not refusals, self.differs("that it counts", _refused(refusals))
            self.score = self.match_rules.add_result(self.score, result)
        if last:
            self._expect(self._judge(last)[1])
        else:
            self._check()

    def _judge(self, given: Callable[[], Any]) -> tuple[Any, list[Refusal]]:
        """A result that comes in, and why it does not count."""
        result = given()
        self.said = str(result)
        return result, list(self.match_rules.check(self.score, result))

    def _result(self, given: dict[str, Any]) -> Callable[[], Any]:
        """A result, once it is known who has to open the game."""
        scores = given["scores"]
        best = [seat for seat in scores if scores[seat] == max(scores.values())]
        usual = {"thrown": False, "winners": best}
        return lambda: msgspec.convert({"opened_by": self.score.opener, **usual, **given}, self.match_rules.result)

    def _expect(self, refusals: list[Refusal]) -> None:
        wanted = Refusal(self.case.get("cites", self.case["rule"]), self.case["because"])
        assert refusals[:1] == [wanted], self.differs(_refused([wanted]), _refused(refusals))

    def _check(self) -> None:
        score = msgspec.to_builtins(self.score)
        wanted = {"bonus": {}, "opener": None, "winner": None} | self.case["then"]
        now = {name: score[name] for name in wanted}
        assert now == wanted, self.differs(wanted, now)
        again = msgspec.json.decode(msgspec.json.encode(self.score), type=self.match_rules.score)
        assert again == self.score, self.differs(f"{self.score}, read from a file", again)
        told = list(self.match_rules.tell(self.score))
        assert told == self.case.get("tells", told), self.differs(f"told {self.case.get('tells')}", f"told {told}")
        assert not is_odd("".join(told)), self.differs("sentences", f"told {told}")


class CaseRunner(Runner):
    """Plays one case."""

    def __init__(self, game: str, case: dict[str, Any]) -> None:
        self.bench = Bench(find_game(game))
        self.game = self.bench.game
        self.case = case
        self.options = self.bench.options(**case.get("options", {}))
        self.position = {key: value for key, value in case.items() if is_of_position(key, value)}
        self.verb = ""
        """The verb of the phrase before, which need not be said again."""
        self.told: list[str] = []
        self.heard: list[tuple[str, list[str], list[str]]] = []
        """Of each play: who made it, what he is told, and what everybody is told."""

    def run(self) -> None:
        assert EXPECTED & self.case.keys(), "the case expects nothing"
        wanted = self.case.get("refused")
        if wanted == "board":
            self._expect_no_board()
            return
        self.board = self._built()
        if wanted in ("position", "options"):
            self._expect(self._setting_refusals())
            return
        refusals = self._setting_refusals()
        assert not refusals, self.differs("a position to play from", _refused(refusals))
        self.state = self._begin()
        for step in self.case.get("play", []):
            verdict = self._say(step)
            assert isinstance(verdict, LegalVerdict), self.differs("legal", _told(verdict))
        if wanted:
            self._expect_refused(wanted)
        else:
            self._check_outcome()

    def _built(self) -> Any:
        """The board: the one that comes along, or that of other files, of which nothing is kept."""
        if "own" not in self.case:
            return self.bench.board(self.options)
        texts = {part.name: part.shipped(self.options).read_text("utf-8") for part in self.game.components}
        for name, *changes in self.case["own"]:
            if len(changes) % 2:
                texts[name] = (FIXTURES / self.game.name / "boards" / changes.pop(0)).read_text("utf-8")
            for old, new in zip(changes[::2], changes[1::2], strict=True):
                assert old in texts[name], self.differs(f"{old!r} in the file", "none")
                texts[name] = texts[name].replace(old, new, 1)
        with patch.multiple(
            component, _locate_cache=lambda beside, _: beside.with_name("none"), _write_cache=lambda *_: None
        ):
            return self.game.build_board({name: tomllib.loads(text) for name, text in texts.items()}, self.options)

    def _expect_no_board(self) -> None:
        try:
            self.game.setup(self.options, self._built())
        except BoardError as error:
            assert self.case["because"] in str(error), self.differs(f'"{self.case["because"]}"', f'"{error}"')
        else:
            raise AssertionError(self.differs(f'no board, because "{self.case["because"]}"', "a board"))

    def _setting_refusals(self) -> tuple[Refusal, ...]:
        refusals = list(self.game.check_options(self.options))
        if self.position:
            refusals += self.game.check_position(self._decoded(), self.options, self.board)
        return tuple(refusals)

    def _decoded(self) -> Any:
        return decode_position(self.game, self.position)

    def _begin(self) -> Any:
        if self.position:
            return self.game.state_from(self._decoded(), self.options, self.board)
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
            reading = self.game.read(phrase, self._view(seat), seat, self.verb)
            self.verb = self.game.format(reading.action).partition(" ")[0]
            source = TypedSource([*reading.faces, *faces])
            verdict = self._judge(seat, reading.action, source)
            if not isinstance(verdict, LegalVerdict) or not (source.unused_faces or reading.rest):
                return verdict
            assert verdict.rolls or reading.rest, self.differs("a throw", f"none; left are {source.unused_faces}")
            faces = list(source.unused_faces)
            if reading.rest:
                seat, phrase = self.game.to_act(self.state) or seat, reading.rest

    def _judge(self, seat: str, action: Any, source: TypedSource) -> Verdict:
        """The verdict, and whatever a seat then has to answer."""
        self._check_listed(seat, action)
        verdict = adjudicate(self.game, self.state, seat, action, source)
        if isinstance(verdict, LegalVerdict):
            self._check_record(verdict)
            lines = list(map(self.game.tell, verdict.events))
            self.told += lines
            odd = next(filter(is_odd, lines), None)
            assert odd is None, self.differs("sentences", odd)
            self.heard.append((seat, lines, list(map(self.game.tell, hide_secrets_from(verdict.open_events, None)))))
            self.state = verdict.state
            if self.game.awaits_answer(self.state):
                self._answer(self.game.to_act(self.state))
        return verdict

    def _check_listed(self, seat: str, action: Any) -> None:
        """An action is listed exactly when no rule forbids it, and it is read back from its words."""
        view = self._view(seat)
        refusals, legal = tuple(self.game.check(view, seat, action)), self.game.legal(view, seat)
        listed = action in legal
        assert listed != bool(refusals), self.differs("legal and listed, or refused", f"{listed} and {refusals}")
        if listed:
            assert len(legal) > 0, self.differs("a list with something in it", legal)
            words = self.game.format(action)
            again = self.game.parse(words, view, seat)
            assert again == action, self.differs(f"{action}, which is written {words!r}", again)

    def _check_record(self, played: LegalVerdict) -> None:
        """Events are written and read; what is told and shown then has no gaps; the position leads to the state."""
        open_events = [event for event in played.events if not list_secret_fields(type(event))]
        written = msgspec.json.encode(open_events)
        again = msgspec.json.decode(
            written, type=tuple[self.game.event_types, ...], dec_hook=lambda _type, value: value
        )
        assert msgspec.json.encode(again) == written, self.differs(open_events, again)
        view = self.game.view(played.state, None)
        status = self.game.status(view)
        assert status, self.differs("a line about the state of play", status)
        assert not is_odd(status), self.differs("a sentence", status)
        position = self.game.position_from(played.state)
        decode_position(self.game, msgspec.json.decode(msgspec.json.encode(position)))
        if self.game.outcome(played.state) is None and not any(
            self.game.check_position(position, self.options, self.board)
        ):
            placed = self.game.state_from(position, self.options, self.board)
            assert placed == played.state, self.differs(f"{played.state} from its position", placed)

    def _answer(self, asked: str) -> None:
        answer = find_forced_answer(self.game, self._view(asked), asked)
        verdict = self._judge(asked, answer, TypedSource(()))
        assert isinstance(verdict, LegalVerdict), self.differs(f"the answer {answer}", _told(verdict))

    def _expect_refused(self, wanted: str) -> None:
        try:
            verdict = self._say(wanted)
        except DiceError as error:
            self._expect_dice(error)
            return
        if isinstance(verdict, PendingVerdict) and verdict.need:
            aims = [f"{aim} {aim.does}".strip() for aim in verdict.need.aims]
            assert aims == self.case.get("aims", aims), self.differs(f"dice for {self.case.get('aims')}", aims)
            self._expect_dice(DiceNeededError(verdict.need, verdict.typed_count))
            return
        self._expect(verdict.refusals if isinstance(verdict, IllegalVerdict) else ())

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
        self._check_words()
        if "ended" in self.case:
            self._check_ended(self.case["ended"])

    def _check_words(self) -> None:
        """What phrases and words mean, where pieces lie, which places are marked, what is all that can be done."""
        seat = self.game.to_act(self.state) or "spectator"
        for phrase, wanted in self.case.get("reads", {}).items():
            self._check_part(f"the meaning of {phrase!r}", wanted, self._reading_of(phrase))
        for word, wanted in self.case.get("means", {}).items():
            alike = sorted(self.game.expand_word(self._view(seat), word))
            self._check_part(f"what {word!r} stands for", wanted, " ".join(alike))
        for overlay, of, wanted in self.case.get("marks", ()):
            marked = self.game.list_overlay_places(self._view("spectator"), overlay, of)
            self._check_part(f"the {overlay} of {of}", wanted, " ".join(marked))
        if "lies" in self.case:
            self._check_part("the piece", self.case["lies"], dict(list_pieces_and_fields(self.game, self._view(seat))))
        if "only" in self.case:
            only = self.game.find_publicly_forced_action(self._view("spectator"))
            self._check_part("the only action", self.case["only"], self.game.format(only) if only else "")

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
        after = msgspec.json.decode(msgspec.json.encode(self.game.position_from(state)))
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

    def _reading_of(self, phrase: str) -> str:
        """What is understood, in the words in which it is written; or where it is not, and what was expected there."""
        seat, said, _ = self._read(phrase)
        try:
            reading = self.game.read(said, self._view(seat), seat)
        except NotUnderstoodError as error:
            return f"{error.at}: {error}"
        faces = f" : {' '.join(map(str, reading.faces))}" if reading.faces else ""
        again = " (again)" if reading.again else ""
        words = [
            self.game.format(reading.action) + faces + again,
            *([reading.rest] if reading.rest else ()),
            *reading.remarks,
        ]
        return "; ".join(words)

    def _view(self, seat: str) -> Any:
        return view_for(self.game, self.state, None if seat == "spectator" else seat)

    def _seen(self, seat: str) -> str:
        """Everything that a seat gets to see and is told, as text."""
        view = self._view(seat)
        scene = self.game.draw(view)
        beside = [line for page in scene.pages for layout in page.layouts for line in layout.beside]
        told = [line for by, own, public in self.heard for line in (own if by == seat else public)]
        position = msgspec.json.encode(self.game.position_from(view)).decode()
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


def is_odd(line: str) -> bool:
    """Whether a line tells of nothing by the name that programs have for it."""
    return re.search(r"None|\(\)|\{\}|\[\]", line) is not None


def _told(verdict: Verdict) -> str:
    """A verdict in words."""
    if isinstance(verdict, IllegalVerdict):
        return _refused(verdict.refusals)
    return "legal" if isinstance(verdict, LegalVerdict) else str(verdict)


def _refused(refusals: Iterable[Refusal]) -> str:
    """Refusals in words."""
    words = [f'{refusal.rule} "{refusal.because}"' for refusal in refusals]
    return f"refused under {', '.join(words)}" if words else "legal"
