"""Games in which two people play on from the same entry, each in their own copy of the log, and real merges of them."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from random import Random
from shutil import copy
from typing import NamedTuple

from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.log.log_ends import find_log_ends
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.recovery import find_only_end_to_keep
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note
from referee.record.table.session import Session
from referee.record.table.undo_redo import undo

FORMS = {
    "manoover": ("manoover", {}, None),
    "manoover-table": ("manoover", {}, TableDice()),
    "manoover-bot": ("manoover", {}, None),
    "mutants": ("mutants", {}, None),
    "mutants-hidden": ("mutants", {"hidden-movement": "yes"}, None),
    "sheboygan": ("sheboygan", {"scenario": "learning"}, None),
    "zombies": ("zombies", {"players": "2"}, None),
}
STYLES = {
    "merge": [],
    "diff3": ["--diff3"],
    "zdiff3": ["--zdiff3"],
    "long marks": ["--marker-size=23"],
    "union": ["--union"],
}
NAMES = ("Anna", "Bo")
BOTS = {"manoover-bot": {"blue": "random"}}


class Fork(NamedTuple):
    """A log and the two copies that went on from it."""

    base: Path
    ours: Path
    theirs: Path

    def merged(self, style: str) -> tuple[int, bytes]:
        """Returns the merge that Git makes of the copies, and the number of its conflicts."""
        names = [str(path) for path in (self.ours, self.base, self.theirs)]
        done = subprocess.run(["git", "merge-file", "-p", *STYLES[style], *names], capture_output=True, check=False)
        assert done.returncode < 128, done.stderr
        return done.returncode, done.stdout

    def copy_vaults(self, log: Path) -> None:
        """Gives a log the vaults of the game, with what was kept secret in either copy."""
        for seat in ("human", "mutant", "monster"):
            ours, theirs = (path.with_name(f"{path.name}.{seat}.vault") for path in (self.ours, self.theirs))
            if ours.exists():
                lines = dict.fromkeys([*ours.read_bytes().splitlines(), *theirs.read_bytes().splitlines()])
                log.with_name(f"{log.name}.{seat}.vault").write_bytes(b"".join(line + b"\n" for line in lines))


def play(session: Session, random: Random, plays: int) -> None:
    """Plays at random, with a takeback or a remark now and then; dice of a table are typed."""
    for _ in range(plays):
        if session.moment().outcome is not None:
            return
        luck = random.random()
        if luck < 0.1:
            record_note(session, f"remark {random.randrange(1000)}", random.choice(session.reducer.seats))
        if luck > 0.9:
            with suppress(NotAllowedError):
                undo(session, agreed=session.reducer.seats)
        _play_once(session, random)


def _play_once(session: Session, random: Random) -> None:
    action = session.legal().pick(random)
    faces: list[int] = []
    while (line := session.play(action, faces=faces)).awaiting and line.awaiting.need:
        need = line.awaiting.need
        faces = [*faces, *(random.randint(1, need.sides) for _ in range(need.count - line.awaiting.typed_count))]


def fork(folder: Path, form: str, random: Random) -> Fork:
    """Plays a game to a random entry, and on from there twice."""
    game, options, dice = FORMS[form]
    seed = random.randbytes(32).hex()
    base = folder / "game.jsonl"
    dice = dice or OpenDice(seed=seed)
    begun = start(game, base, seats=NAMES, options=options, dice=dice, bots=BOTS.get(form))
    play(begun, random, random.randint(0, 12))
    made = Fork(base, folder / "ours.jsonl", folder / "theirs.jsonl")
    for path in made[1:]:
        for file in folder.glob(f"{base.name}*"):
            copy(file, path.with_name(file.name.replace(base.name, path.name)))
        play(open_log(path), random, random.randint(1, 8))
    while find_only_end_to_keep(find_log_ends(made.ours.read_bytes() + made.theirs.read_bytes())) is not None:
        record_note(random.choice([open_log(path) for path in made[1:]]), f"remark {random.randrange(10**9)}")
    return made
