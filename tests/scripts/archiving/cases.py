"""Games that go as cases go: rare forms, each from a position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from case_runners import STEP, is_of_position
from cases import Case, cases_of
from long_log import always_same
from support import Bench

from archiving.forms import Form, forms_by_entry
from archiving.random_games import Made
from referee.engine.dice import DiceError
from referee.engine.dice_mode import TableDice
from referee.engine.game import AnyGame
from referee.engine.text import NotUnderstoodError
from referee.record.log.log_errors import LogError
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import start
from referee.record.table.session import Session


def games_of_cases(game: AnyGame, folder: Path, met: set[Form]) -> Iterator[Made]:
    """Cases that bring something new; what they bring is added to `met`."""
    for number, case in enumerate(cases_of(game.name)):
        if case.kind == "refuses" or not case.table.get("play") or "own" in case.table:
            continue
        path = folder / f"{game.name}-case-{_spelt(case.table['rule'])}-{number}.jsonl"
        if not _played(game, case, path):
            continue
        forms = set[Form]().union(*forms_by_entry(path.read_bytes()))
        if forms - met:
            met |= forms
            yield Made(path.stem, path)


def _spelt(rule: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", rule.lower()).strip("-")


def _played(game: AnyGame, case: Case, path: Path) -> bool:
    """Whether a case can be played as a game with typed dice, said as it stands there."""
    options = Bench(game).options(**case.table.get("options", {}))
    position = {key: value for key, value in case.table.items() if is_of_position(key, value)}
    with always_same():
        try:
            session = start(game.name, path, options=options, dice=TableDice(), position=position or None)
            said = all(_say(session, step) for step in case.table["play"])
        except (NotUnderstoodError, DiceError, LogError):
            return False  # it is said in a way that only the runner of cases knows
        if said and session.reducer.sealed:
            reveal_secrets(session, agreed=session.reducer.seats)
            for vault in path.parent.glob(f"{path.name}.*.vault"):
                vault.unlink()  # nothing is sealed any more
    return said


def _say(session: Session, step: str) -> bool:
    parts = STEP.fullmatch(step)
    assert parts
    line = session.do(parts["phrase"], parts["seat"], list(map(int, (parts["faces"] or "").split())))
    return bool(line.said) and not line.refused and not line.awaiting
