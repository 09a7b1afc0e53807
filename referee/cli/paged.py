"""A game as a page: its story from a log, and judging a page that somebody else may have made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from referee import __version__
from referee.chances.luck import account_of, lucks_in
from referee.chances.throws import Throw, needs_of
from referee.cli.answer import NO, UNREADABLE, Answer, Text
from referee.cli.entries import describe, told
from referee.cli.errors import MisuseError, sentence
from referee.cli.look import picture_of, turn_told
from referee.cli.reports import FAULT, facts_on, report_on
from referee.cli.screen import progress
from referee.cli.throws import aim_told
from referee.engine.event import REFEREE, Seat
from referee.engine.secret import UnknownError
from referee.engine.text import begin_sentence
from referee.page.document import page_of
from referee.page.frames import frames_of
from referee.page.packed import spread
from referee.page.story import Judgement, Step, Story
from referee.page.taken import FORM, MOST, NoPageError, Taken, is_page, taken_from
from referee.record.archive.audit import Report, audit_stream
from referee.record.log.disk import open_named
from referee.record.log.entry import AnyEntry, PlayEntry
from referee.record.log.files import write_beside
from referee.record.log.vault import vault_path
from referee.record.table.sitting import Sitting
from referee.record.table.start import files_beside, open_log

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.engine.scene import Scene

BEGINNING = "Before the game"
ENTRY = "<li id=n"
"""How the line of an entry begins in a page."""


# The story of a log


def story_of(look: Sitting, first: int = 0, progress: Callable[[int], None] | None = None) -> Story:
    """A game from an entry on, as these eyes see it; MisuseError where these see more than a page may show."""
    eyes = look.eyes if look.facts.keepers else None
    if eyes == REFEREE:
        raise MisuseError("a page is for everybody, or with --by for one seat, and never shows all secrets")
    files = tuple(file.decode() for file in files_beside(look.session).values())
    return replace(told_from(look, first, look.log.written().decode(), progress), files=files)


def told_from(
    look: Sitting,
    first: int,
    log: str = "",
    progress: Callable[[int], None] | None = None,
    before: Sitting | None = None,
) -> Story:
    """The same with any log; `before`: the game before the first of these entries, if it is at hand."""
    eyes = look.eyes if look.facts.keepers else None
    steps = tuple(_steps(look, first, progress or (lambda _: None), before))
    named = {rule for step in steps for rule in step.rules}
    return Story(
        title=look.facts.game.title,
        players=tuple(map(look.facts.player, look.facts.seats)),
        facts=(begin_sentence(look.facts.header.dice.told),),
        steps=steps,
        log=log,
        rules={one.id: one.says for one in look.facts.game.rulebook.rules.values() if one.id in named},
        version=__version__,
        eyes=eyes,
        whole=first == 0,
    )


def _steps(look: Sitting, first: int, progress: Callable[[int], None], before: Sitting | None) -> Iterator[Step]:
    in_force = set(look.log.in_force)
    if before is None and first:
        before = look.then(first - 1)
    since: Scene | None = picture_of(before) if before else None
    for n in range(first, look.log.entry + 1):
        entry = look.log.entries[n]
        then = look if n == look.log.entry else look.then(n)
        thrown = tuple(_thrown(before, entry)) if before else ()
        stands = n in in_force or not isinstance(entry, PlayEntry)
        yield Step(
            n=n,
            part=begin_sentence(turn_told(before.facts)) if before else BEGINNING,
            said=describe(look, entry),
            scene=picture_of(then),
            told=tuple(told(look, entry)),
            rules=_rules(before, entry) if before else (),
            chances=_chances(thrown),
            luck=tuple(_luck(thrown)) if stands else (),
            in_force=stands,
            since=since,
        )
        before, since = then, None
        progress(n)


def _rules(before: Sitting, entry: AnyEntry) -> tuple[str, ...]:
    """The rules that a play rests on."""
    if isinstance(entry, PlayEntry) and entry.done is not None:
        return before.facts.game.rests_on(before.sight.view, entry.done)
    return ()


def _thrown(before: Sitting, entry: AnyEntry) -> Iterator[Throw]:
    """The throws of a play, as far as these eyes know what they were thrown for."""
    if not isinstance(entry, PlayEntry) or entry.done is None or not entry.rolls:
        return
    for need, roll in needs_of(before.facts.game, before.sight.view, entry):
        yield Throw(entry.n, before.facts.turn, entry.by, "", need, roll, stands=True)


def _chances(thrown: tuple[Throw, ...]) -> tuple[str, ...]:
    """What dice could do, and how likely each of it was."""
    return tuple(dict.fromkeys(aim_told(one.need, aim) for one in thrown for aim in one.need.aims))


def _luck(thrown: tuple[Throw, ...]) -> Iterator[tuple[str, float]]:
    """Hits above those that had to be expected, by whose luck it is."""
    for throw in account_of(thrown).aimed:
        for seat, luck in lucks_in(throw):
            yield seat, float(luck.luck)


def frames_in(story: Story) -> str:
    """The frames of a story as JSON, a line for each, for who draws by himself."""
    import msgspec

    found = frames_of(story.steps)
    boards, shared = (msgspec.json.encode(part).decode() for part in (found.boards, found.shared))
    lines = ",\n".join(msgspec.json.encode(frame).decode() for frame in found.frames)
    return f'{{"boards":{boards},\n"shared":{shared},\n"frames":[\n{lines}\n]}}\n'


# A page from somebody else


class Paged(NamedTuple):
    """A page, and the log in it."""

    page: bytes
    taken: Taken


def page_at(path: Path) -> Paged | None:
    """The page in a file; None: it is none. NoPageError, OSError."""
    with open_named(path) as file:
        start = file.read(64)
        if not is_page(start):
            return None
        page = start + file.read(MOST + 1 - len(start))
    return Paged(page, taken_from(page))


@contextmanager
def laid_out(paged: Paged) -> Iterator[Path]:
    """The log in a page as a file, and the players' own files beside it, for as long as they are looked at."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        log.write_bytes(paged.taken.log)
        write_beside(log, {sha256(file).hexdigest(): file for file in paged.taken.files})
        yield log


def audited(path: Path) -> Answer | None:
    """The verdict on a page: of its log, and whether it shows what this log gives; None: it is no page."""
    try:
        paged = page_at(path)
    except NoPageError as error:
        words = f"this is no page of a game, or one that was changed: {error}"
        lines = [Text(f"FAULT  {path}", "refused"), Text(sentence(words), indent=2)]
        return Answer(lines, lambda: {"log": str(path), "clean": False, "page": words}, UNREADABLE)
    if paged is None:
        return None
    with laid_out(paged) as log:
        report = audit_stream(BytesIO(paged.taken.log), progress(), log=log)
        if report.fault:
            return report_on(str(path), report)
        return _compared(path, paged, report, log)


UNKNOWN = "LOG CLEAN, PAGE UNKNOWN"
"""The verdict where nobody can tell whether a page shows what its log gives: that accuses nobody."""


def _compared(path: Path, paged: Paged, report: Report, log: Path) -> Answer:
    other = _why_other(path, paged, log)
    if other:
        verdict, why = other
        lines = [Text(f"{verdict}  {path}", "refused"), Text(sentence(why), "refused", indent=2)]
        far = ", as far as it can be judged yet" if report.unjudged else ""
        lines.append(Text(f"Its log is as it should be{far}; take it out with: referee use FILE -o LOG", indent=2))
        return Answer(lines, lambda: {**facts_on(str(path), report), "clean": False, "page": why}, NO)
    judged = report_on(str(path), report)
    words = "The page shows what this log gives: every word and every board."
    if paged.taken.settings.judged:
        words += " Chances to win are figures of who made it."
    shown = Text(words, indent=2)
    return replace(judged, lines=[*judged.lines, shown], facts=lambda: {**facts_on(str(path), report), "page": None})


def _why_other(path: Path, paged: Paged, log: Path) -> tuple[str, str] | None:
    """The verdict on a page that is not what its log gives, or of which that cannot be told, and why, as a clause;
    None: it is.
    """
    settings = paged.taken.settings
    if (settings.version, settings.form) != (__version__, FORM):
        form = "" if settings.version != __version__ else ", which makes pages in another form by now"
        made = f"referee {settings.version} made it, and this is referee {__version__}{form}"
        return UNKNOWN, f"whether the page shows what its log gives cannot be told: {made}"
    try:
        look = _look_at(path, settings.eyes, log)
        page = page_of(replace(story_of(look, settings.first), judged=_judged(look, settings.judged)))
    except UnknownError:
        vault = vault_path(path.with_suffix(".jsonl"), str(settings.eyes))
        told = f"whether the page shows what {settings.eyes} may know can be told only where {vault.name} is beside it"
        return UNKNOWN, told
    except (MisuseError, IndexError):
        return UNKNOWN, "it cannot be told whether the page shows what its log gives"
    expected, given = spread(page), spread(paged.page.decode())
    return None if given == expected else (FAULT, _difference(expected, given))


def _judged(look: Sitting, spelt: str) -> tuple[Judgement, ...]:
    """What a page says of plays that were looked back on; IndexError where there is no such entry."""
    found = (tuple(map(int, one.split(":"))) for one in spelt.split())
    return tuple(Judgement(n, look.log.entries[n].by, chance, cost) for n, chance, cost in found)


def _look_at(path: Path, eyes: str | None, log: Path) -> Sitting:
    """The game in a page as it was shown. The vault of its seat is looked for beside it, under the name of its log."""
    if eyes is None:
        return Sitting(open_log(log))
    vault = vault_path(path.with_suffix(".jsonl"), eyes)
    if vault.is_file():
        copyfile(vault, vault_path(log, eyes))
    return Sitting(open_log(log), eyes=Seat(eyes))


def _difference(page: str, other: str) -> str:
    """Where a page is not what its log gives."""
    pairs = zip([*page.split("\n"), ""], [*other.split("\n"), ""], strict=False)
    mine, _ = next(((one, two) for one, two in pairs if one != two), ("", ""))
    if mine.startswith(ENTRY):
        return f"the words of entry {mine.removeprefix(ENTRY).partition('>')[0]} are not what its log gives"
    if mine.startswith(('{"n":', "<g", "<svg")) or mine.startswith("<path"):
        return f"the boards of the page are not what its log gives{_frame_of(mine)}"
    return "the page is not what its log gives"


def _frame_of(line: str) -> str:
    number = line.removeprefix('{"n":').partition(",")[0]
    return f" (entry {number})" if number.isdigit() else ""
