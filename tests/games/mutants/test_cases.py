"""Every case of fixtures/mutants/cases: a position, what is said, and what the referee answers.

A case names its `rule`, and in `also` others that it shows. Its position stands in the fields of a position file (none:
a new game) under `options`. `play` lists what is said before, with typed dice after a colon and the speaker's H or M in
front where it is not the player on turn. Then it either says what is `told`, `legal`, `then` in force or how the game
`ended`; or it names what is `refused`: an action, "position" or "options", with `because`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from referee.engine.adjudicate import Played, Refused, adjudicate
from referee.engine.dice import DiceError, TypedSource
from referee.engine.game import decode_position, find_game, settle_options

CASES = Path(__file__).parents[3] / "fixtures" / "mutants" / "cases"
GAME = find_game("mutants")
BOARD = GAME.parse_board(tomllib.loads(GAME.board_file({}).read_text("utf-8")))
FIELDS = set(GAME.position.__struct_encode_fields__)
KEYS = {"rule", "also", "options", "play", "told", "legal", "then", "ended", "refused", "because"} | FIELDS
SPEAKERS = {"H": "human", "M": "mutant", "Z": "zoe"}


class Said(NamedTuple):
    """One line of a case."""

    seat: str
    text: str
    dice: list[int]


def load() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.toml")):
        cases = tomllib.loads(path.read_text("utf-8"))["case"]
        for number, case in enumerate(cases, 1):
            verb = "refused" if "refused" in case else "accepted"
            found.append(pytest.param(case, id=f"{path.stem}-{number}-{case['rule']}-{verb}"))
    return found


def say(state: Any, line: str) -> Said:
    phrase, _, dice = line.partition(" : ")
    first, _, rest = phrase.partition(" ")
    seat = SPEAKERS.get(first) or GAME.to_act(state) or "human"
    return Said(seat, rest if first in SPEAKERS else phrase, [int(face) for face in dice.split()])


def judge(state: Any, said: Said) -> Played | Refused:
    source = TypedSource(said.dice, 0)
    verdict = adjudicate(GAME, state, said.seat, GAME.parse(said.text, state, said.seat), source)
    assert not list(source.left_over), f"dice left over after {said.text}"
    return verdict


def refusals(case: dict[str, Any], options: dict[str, str]) -> list[Any]:
    """What refuses a position or a set of options."""
    if case["refused"] == "options":
        return list(GAME.check_options(options))
    return list(GAME.check_position(decode_position(GAME, position_in(case)), options, BOARD))


def position_in(case: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in case.items() if name in FIELDS}


def start(case: dict[str, Any], options: dict[str, str]) -> Any:
    document = position_in(case)
    if not document:
        return GAME.setup(options, BOARD)
    position = decode_position(GAME, document)
    assert not list(GAME.check_position(position, options, BOARD))
    return GAME.place(position, options, BOARD)


@pytest.mark.parametrize("case", load())
def test_case(case: dict[str, Any]) -> None:
    assert case.keys() <= KEYS, case.keys() - KEYS
    options = settle_options(GAME, case.get("options", {}))
    if case.get("refused") in ("position", "options"):
        expect_refused(case, refusals(case, options))
        return
    state, told = start(case, options), []
    for line in case.get("play", ()):
        verdict = judge(state, say(state, line))
        assert isinstance(verdict, Played), (line, verdict)
        state = verdict.state
        told += [GAME.tell(event) for event in verdict.events]
    if "refused" in case:
        expect_refusal(case, state)
    else:
        expect(case, state, told)


def expect_refusal(case: dict[str, Any], state: Any) -> None:
    said = say(state, case["refused"])
    try:
        verdict = judge(state, said)
    except DiceError as error:
        assert case["because"] in str(error)
        return
    assert isinstance(verdict, Refused), verdict
    expect_refused(case, verdict.refusals)


def expect_refused(case: dict[str, Any], found: Any) -> None:
    cited = [refusal.rule for refusal in found]
    also = {id_ for id_ in case.get("also", ()) if id_ in GAME.rulebook.rules}
    assert {case["rule"], *also} <= set(cited) | GAME.rulebook.rulings.keys(), (cited, found)
    if "because" in case:
        assert any(case["because"] in refusal.because for refusal in found), found


def expect(case: dict[str, Any], state: Any, told: list[str]) -> None:
    assert case.keys() & {"told", "legal", "then", "ended"}, "the case expects nothing"
    for line in case.get("told", ()):
        assert line in told, told
    for phrase in case.get("legal", ()):
        said = say(state, phrase)
        action = GAME.parse(said.text, state, said.seat)
        assert not list(GAME.check(state, said.seat, action)), phrase
        assert action in GAME.legal(state, said.seat)
    now = msgspec.to_builtins(GAME.position_of(state)) | {"to-act": GAME.to_act(state)}
    now["left"] = state.walls_in_hand
    for name, value in case.get("then", {}).items():
        compare(name, value, now[name])
    if "ended" in case:
        assert state.outcome is not None
        assert state.outcome.because.startswith(case["ended"]), state.outcome


def compare(name: str, value: Any, now: Any) -> None:
    """Of units and of a Combat a case names only what matters; an empty place is ""."""
    if isinstance(value, dict) and isinstance(now, dict):
        for key, part in value.items():
            compare(f"{name}.{key}", part, now.get(key, ""))
    else:
        assert (list(value) if isinstance(value, list) else value) == (list(now) if isinstance(now, tuple) else now), (
            name
        )
