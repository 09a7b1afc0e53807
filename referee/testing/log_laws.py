"""Laws about logs: random games are recorded, audited, and read by seats that know only a part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import copyfile
from tempfile import TemporaryDirectory

from referee.engine.choice import Action
from referee.engine.dice import TypedDie
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.record.archive.audit import audit
from referee.record.log.vault import find_vault_path
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.switch import switch_game_options
from referee.record.table.opening_logs import open_log, start
from referee.record.table.session import Session
from referee.testing.switch_laws import pick_option_switch
from referee.testing.trial import RandomGame

SWITCH_CHANCE = 0.05
"""The chance that an option is switched before an action."""
MAX_RECORDED_ACTIONS = 250
"""The most actions of a game that are recorded."""


def check_logs_audit_clean(play: RandomGame) -> Iterator[str]:
    """Checks that an audit finds no fault in logs with open and with typed dice.

    The logs are audited before their secrets are revealed, and afterwards.
    """
    for open_dice in (True, False):
        with TemporaryDirectory() as folder:
            session = _record_game(play, Path(folder), open_dice=open_dice)
            yield from _find_faults(session.path, "")
            if session.reducer.sealed and session.moment().outcome:
                reveal_secrets(session)
                yield from _find_faults(session.path, " after all was revealed")


def _find_faults(path: Path | None, when: str) -> Iterator[str]:
    report = audit(path or "")
    if not report.is_complete:
        yield f"the audit finds{when}: {report.fault or report.unjudged}"


def check_copies_with_one_vault(play: RandomGame) -> Iterator[str]:
    """Checks that a copy of a log with one seat's vault gives that seat's view, and a copy without vaults a spectator's
    view.
    """
    keepers = play.game.list_secret_keepers(play.options)
    with TemporaryDirectory() as folder:
        path = _record_game(play, Path(folder), open_dice=True).path
        truth = open_log(path or "")
        viewers: tuple[Seat | None, ...] = (*keepers, None)
        for viewer in viewers if keepers else ():
            yield from _compare_views(play, truth, viewer, Path(folder) / f"of-{viewer}")


def _compare_views(play: RandomGame, truth: Session, viewer: Seat | None, folder: Path) -> Iterator[str]:
    folder.mkdir()
    copy = folder / "game.jsonl"
    original = truth.path or Path()
    copyfile(original, copy)
    if viewer:
        copyfile(find_vault_path(original, viewer), find_vault_path(copy, viewer))
    partial = open_log(copy)
    for entry in truth.entries:
        state = truth.moment(entry.n).state
        if play.game.outcome(state) is None and partial.moment(entry.n).view(viewer) != view_for(
            play.game, state, viewer
        ):
            yield f"after entry {entry.n} {viewer or 'a spectator'} leads to another state than the view of that seat"
    report = audit(copy)
    if report.fault:
        yield f"the audit of {viewer or 'a spectator'} finds: {report.fault}"


def _record_game(play: RandomGame, folder: Path, *, open_dice: bool) -> Session:
    """Records a random game of at most `MAX_RECORDED_ACTIONS` actions, and returns the session of its log.

    With open dice, options may be switched in mid-game.
    """
    random = Random(play.seed)
    dice = OpenDice(f"{random.getrandbits(256):064x}") if open_dice else TableDice()
    session = start(play.game.name, folder / "game.jsonl", options=play.options, dice=dice)
    for _ in range(MAX_RECORDED_ACTIONS):
        seat = session.moment().to_act
        if seat is None:
            break
        if open_dice and random.random() < SWITCH_CHANCE:
            _switch_option(session, random)
        line = _make_batch(session, session.legal().pick(random), random)
        session.record(line.said)
    return session


def _switch_option(session: Session, random: Random) -> None:
    """Switches an option at random, if the game has one that may be switched now."""
    change = pick_option_switch(session.game, session.moment().options, random)
    if change:
        switch_game_options(session, change, session.reducer.seats)


def _make_batch(session: Session, action: Action, random: Random) -> ActionBatch:
    """Returns a batch of one action, with random faces for all its dice."""
    line = ActionBatch(session.moment(), [action])
    while line.awaiting and line.awaiting.need:
        need = line.awaiting.need
        faces: list[TypedDie] = [random.randint(1, need.sides) for _ in range(need.count - line.awaiting.typed_count)]
        line.continue_with(faces)
    return line
