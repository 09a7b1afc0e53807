"""The demo: a whole seeded game in a folder of its own, judged, audited, tampered with and branched."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.look import answered, picture_of
from referee.cli.reports import report_on
from referee.cli.told import played, refused
from referee.engine.mode import OpenDice
from referee.engine.registry import game_names
from referee.engine.text import NotUnderstoodError
from referee.record.archive.audit import audit
from referee.record.table.moment import Said
from referee.record.table.session import Session
from referee.record.table.sitting import Sitting
from referee.record.table.start import branch, start

SEEDS = 24
"""Seeds tried for a game that ends soon."""
LONGEST = 400
"""Actions after which a game goes on too long to be shown."""


def demo(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="Which game; the first one if not named.")] = None,
) -> Answer:
    """Play a whole game, refuse an action, audit the log, change one byte of it, branch. Nothing to press.

    \b
      referee demo                  referee demo GAME
    """
    with TemporaryDirectory() as folder:
        name = game or game_names()[0]
        session, said = _chosen(name, Path(folder))
        lines = [*_played(session, said), *_recorded(session, Path(str(session.path)))]
    return Answer(lines, lambda: {"game": name, "told": [line.text for line in lines if isinstance(line, Text)]})


def _chosen(game: str, folder: Path) -> tuple[Session, list[Said]]:
    """A new game, and all that is said in it: the first of some seeds that ends soon, else the last."""
    for number in range(SEEDS):
        path = folder / str(number) / "demo.jsonl"
        path.parent.mkdir()
        session = start(game, path, dice=OpenDice(f"{number:064x}"), seats=["Anna", "Bo"])
        said = list(islice(_at_random(Sitting(session), Random(number)), LONGEST))
        if len(said) < LONGEST:
            break
    return session, said


def _at_random(look: Sitting, random: Random) -> Iterator[Said]:
    """A game in memory: what goes without saying, or else anything that is legal."""
    line = look.line([])
    while line.to_act:
        legal = line.legal
        line = look.line([legal.only() or legal.pick(random)], after=line)
        yield from line.said


def _played(session: Session, said: list[Said]) -> Iterator[Shown]:
    look = Sitting(session)
    yield from _step("1. A new game. Every action will be a line in a log; the dice come from a seed in it.")
    yield picture_of(look)
    yield from _step("2. Until there is something to choose; then what may be done:")
    first = next((n for n, item in enumerate(said) if len(look.before(item).sight.legal) > 1), 0)
    yield from played(look, said[:first])
    choosing = look.before(said[first])
    yield from (Text(look.facts.game.format_choice(choice), indent=2) for choice in choosing.sight.legal.choices[:12])
    yield from _step("3. Somebody does what may not be done. The referee cites the rule:")
    for item in islice(_illegal(choosing), 1):
        yield from refused(look, item, whole=True)
    look.session.record(said)
    yield from _step("4. The rest of the game, each player choosing at random. The end:")
    yield from played(look.before(said[-3]), said[-3:])


def _illegal(look: Sitting) -> Iterator[Said]:
    """What may not be done: of the phrases that show the notation, or said by somebody else."""
    tries = [(phrase, look.sight.speaker) for phrase in look.facts.game.examples]
    tries += [(look.facts.game.format(next(iter(look.sight.legal))), seat) for seat in look.facts.seats]
    for phrase, seat in tries:
        try:
            line = look.through(seat).line([phrase])
        except NotUnderstoodError:
            continue
        if line.refused:
            yield line.said[-1]


def _recorded(session: Session, path: Path) -> Iterator[Shown]:
    yield from _step(f"5. The log has {len(session.entries)} entries. An audit judges every one of them again:")
    yield from report_on("demo.jsonl", audit(path)).lines
    yield from _step("6. Somebody changes one byte in a copy:")
    data, copy = path.read_bytes(), path.with_name("copy.jsonl")
    found = re.compile(rb'"faces":\[(?=\d)').search(data, len(data) // 2) or re.compile(rb'"(?=\w)').search(data)
    at = found.end() if found else 0
    forged = "1" if data[at] != ord("1") else "2"
    copy.write_bytes(data[:at] + forged.encode() + data[at + 1 :])
    yield Text(f"byte {at}: {forged} instead of {chr(data[at])}", indent=2)
    yield from report_on("copy.jsonl", audit(copy)).lines
    middle = len(session.entries) // 2
    yield from _step(f'7. "What if?" A branch plays on from entry {middle}; the log stays as it is:')
    branched = branch(session, "what-if", middle, agreed=session.seats)
    yield from answered(Sitting(branched)).lines
    yield from ("", f"Your turn: referee new {session.game.name}")


def _step(text: str) -> tuple[Shown, Shown]:
    return "", Text(text, "bold")
