"""A game as a page: its story, which is the game as the page tells it, and the audit of a page from somebody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from referee import __version__
from referee.chances.luck import list_seat_lucks, make_luck_account
from referee.chances.recorded_rolls import RecordedRoll, pair_rolls_with_needs
from referee.cli.answer import NO, UNREADABLE, Answer, Text
from referee.cli.audit_report import FAULT, answer_on_report, collect_report_facts
from referee.cli.dice_text import describe_target
from referee.cli.effects_text import describe_events
from referee.cli.entry_text import describe_entry
from referee.cli.errors import MisuseError, format_sentence
from referee.cli.game_view import describe_turn, make_current_picture
from referee.cli.mail.nearby_logs import list_nearby_logs
from referee.cli.page_treaty import describe_treaty_and_rolls, read_family_of_page
from referee.cli.screen import make_entry_progress
from referee.engine.event import REFEREE, Seat
from referee.engine.secret import UnknownError
from referee.engine.text import begin_sentence, count_of
from referee.page.compression import unpack_page
from referee.page.document import choose_page_form, render_page
from referee.page.frames import make_frames
from referee.page.page_model import PlayEvaluation, Story, StoryStep
from referee.page.page_parsing import (
    LEDGER_PAGE_FORM,
    MAX_PAGE_BYTES,
    PAGE_FORM,
    NoPageError,
    PageSettings,
    ParsedPage,
    is_page_start,
    parse_page,
)
from referee.record.archive.audit import AuditReport, audit_stream
from referee.record.log.entry import AnyEntry, PlayEntry
from referee.record.log.game_files import write_own_files
from referee.record.log.safe_files import open_user_file
from referee.record.log.vault import find_vault_path
from referee.record.table.ledger import FamilyRolls
from referee.record.table.opening_logs import open_log, read_own_files_beside
from referee.record.table.seat_names import list_players_of_seats
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.engine.scene import Scene

BEFORE_GAME = "Before the game"
ENTRY_START = "<li id=n"
"""The start of an entry's line in a page."""


# The story of a log


def make_story(
    look: SeatView,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
    family: FamilyRolls | None = None,
) -> Story:
    """Returns the story of a game from entry `first` on, in this view, with the log and the files that it needs.

    `progress` receives the number of each finished entry. `family` has the facts about joint rolls in other logs of
    the game; None to look for them here. Raises MisuseError if the view is the referee's.
    """
    eyes = look.eyes if look.facts.keepers else None
    if eyes == REFEREE:
        raise MisuseError("a page shows the public view, or with --by the view of one seat; it never shows all secrets")
    files = tuple(file.decode() for file in read_own_files_beside(look.session).values())
    family = read_family_of_page(look, list_nearby_logs(look.log.path)) if family is None else family
    treaty, ledger = describe_treaty_and_rolls(look, family)
    story = make_story_without_files(look, first, look.log.read_raw_log().decode(), progress)
    return replace(story, files=files, treaty=treaty, ledger=ledger, family_rolls=family)


def make_story_without_files(
    look: SeatView,
    first: int,
    log: str = "",
    progress: Callable[[int], None] | None = None,
    before: SeatView | None = None,
) -> Story:
    """Returns the story of a game from entry `first` on, in this view, without files.

    `log` is the text of the log for the page. `progress` receives the number of each finished entry. `before` is the
    game before entry `first`; None to work it out.
    """
    eyes = look.eyes if look.facts.keepers else None
    steps = tuple(_make_steps(look, first, progress or (lambda _: None), before))
    named = {rule for step in steps for rule in step.rules}
    return Story(
        title=look.facts.game.title,
        players=tuple(
            _describe_players(seat, names) for seat, names in list_players_of_seats(look.session, look.at).items()
        ),
        facts=(begin_sentence(look.facts.header.dice.heading_text),),
        steps=steps,
        log=log,
        rules={one.id: one.says for one in look.facts.game.rulebook.rules.values() if one.id in named},
        version=__version__,
        eyes=eyes,
        is_whole=first == 0,
    )


def _describe_players(seat: Seat, names: Sequence[str]) -> str:
    """Returns a seat with everybody who has sat there: "red (Anna, then Cy)"."""
    return seat if tuple(names) == (seat,) else f"{seat} ({', then '.join(names)})"


def _make_steps(
    look: SeatView, first: int, progress: Callable[[int], None], before: SeatView | None
) -> Iterator[StoryStep]:
    in_force = set(look.log.entries_in_force)
    if before is None and first:
        before = look.at_entry(first - 1)
    since: Scene | None = make_current_picture(before) if before else None
    for n in range(first, look.log.entry_number + 1):
        entry = look.log.entries[n]
        then = look if n == look.log.entry_number else look.at_entry(n)
        thrown = tuple(_list_rolls(before, entry)) if before else ()
        stands = n in in_force or not isinstance(entry, PlayEntry)
        yield StoryStep(
            n=n,
            headline=begin_sentence(describe_turn(before.facts)) if before else BEFORE_GAME,
            entry_text=describe_entry(look, entry),
            scene=make_current_picture(then),
            event_texts=tuple(describe_events(look, entry)),
            rules=_list_rules(before, entry) if before else (),
            chances=_describe_chances(thrown),
            luck=tuple(_measure_luck(thrown)) if stands else (),
            in_force=stands,
            scene_before=since,
        )
        before, since = then, None
        progress(n)


def _list_rules(before: SeatView, entry: AnyEntry) -> tuple[str, ...]:
    """Returns the ids of the rules that a move rests on; () if the entry is not a move, or if its action is hidden."""
    if isinstance(entry, PlayEntry) and entry.known_action is not None:
        return before.facts.game.rules_of(before.sight.view, entry.known_action)
    return ()


def _list_rolls(before: SeatView, entry: AnyEntry) -> Iterator[RecordedRoll]:
    """Yields the rolls of a move, each with its purpose, as far as this view knows them."""
    if not isinstance(entry, PlayEntry) or entry.known_action is None or not entry.rolls:
        return
    facts = before.facts
    for need, roll in pair_rolls_with_needs(facts.game, before.sight.view, entry):
        yield RecordedRoll(entry.n, facts.turn, entry.by, facts.names, "", need, roll, is_in_force=True)


def _describe_chances(thrown: tuple[RecordedRoll, ...]) -> tuple[str, ...]:
    """Returns a sentence for each target number of the rolls, with its effect and its chance."""
    return tuple(dict.fromkeys(describe_target(one.need, aim) for one in thrown for aim in one.need.aims))


def _measure_luck(thrown: tuple[RecordedRoll, ...]) -> Iterator[tuple[str, float]]:
    """Yields each seat that has luck in these rolls, with its hits above the expected number.

    A seat comes once for each roll.
    """
    for throw in make_luck_account(thrown).targeted_rolls:
        for seat, luck in list_seat_lucks(throw):
            yield seat, float(luck.hits_above_expected)


def encode_story_frames(story: Story) -> str:
    """Returns the frames of a story as JSON, one per line, for programs that draw."""
    import msgspec

    found = make_frames(story.steps)
    boards, shared = (msgspec.json.encode(part).decode() for part in (found.boards, found.shared))
    lines = ",\n".join(msgspec.json.encode(frame).decode() for frame in found.frames)
    return f'{{"boards":{boards},\n"shared":{shared},\n"frames":[\n{lines}\n]}}\n'


# A page from somebody else


class PageLog(NamedTuple):
    """A page and the log in it."""

    page: bytes
    parsed_page: ParsedPage


def read_page(path: Path) -> PageLog | None:
    """Returns the page in a file; None if the file is not a page. Raises NoPageError and OSError."""
    with open_user_file(path) as file:
        start = file.read(64)
        if not is_page_start(start):
            return None
        page = start + file.read(MAX_PAGE_BYTES + 1 - len(start))
    return PageLog(page, parse_page(page))


@contextmanager
def extract_page_log(paged: PageLog) -> Iterator[Path]:
    """Yields the path of the page's log in a temporary folder, with the players' own files beside it.

    The folder is removed at the end of the block.
    """
    with TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        log.write_bytes(paged.parsed_page.log)
        write_own_files(log, {sha256(file).hexdigest(): file for file in paged.parsed_page.files})
        yield log


def audit_page(path: Path) -> Answer | None:
    """Returns the verdict on a page and its log; None if the file is not a page."""
    try:
        paged = read_page(path)
    except NoPageError as error:
        words = f"this is not a page of a game, or somebody has changed it: {error}"
        lines = [Text(f"FAULT  {path}", "refused"), Text(format_sentence(words), indent=2)]
        return Answer(lines, lambda: {"log": str(path), "clean": False, "page": words}, UNREADABLE)
    if paged is None:
        return None
    with extract_page_log(paged) as log:
        report = audit_stream(BytesIO(paged.parsed_page.log), make_entry_progress(), log=log)
        if report.fault:
            return answer_on_report(str(path), report)
        return _compare_with_log(path, paged, _add_left_rolls(report, path, log), log)


def _add_left_rolls(report: AuditReport, path: Path, log: Path) -> AuditReport:
    """Returns the report on the log of a page with the rolls that it left behind in logs here or beside the page."""
    session = open_log(log) if report.parent else None
    if session is None or session.public.protocol is None:
        return report
    from referee.record.archive.roll_account import make_roll_account  # few logs are branches of games by mail

    found = make_roll_account(session.public.protocol, session.public.branched, log, list_nearby_logs(path))
    return replace(report, dropped=found.dropped, parent=found.parent)


PAGE_UNKNOWN = "LOG CLEAN, PAGE UNKNOWN"
"""The verdict if the referee cannot tell whether a page shows its log."""


def _compare_with_log(path: Path, paged: PageLog, report: AuditReport, log: Path) -> Answer:
    other = _find_difference(path, paged, log)
    if other:
        verdict, why = other
        lines = [Text(f"{verdict}  {path}", "refused"), Text(format_sentence(why), "refused", indent=2)]
        far = ", as far as it can be judged yet" if report.unjudged else ""
        lines.append(Text(f"Its log is good{far}. To take it out: referee use FILE -o LOG", indent=2))
        return Answer(lines, lambda: {**collect_report_facts(str(path), report), "clean": False, "page": why}, NO)
    judged = answer_on_report(str(path), report)
    words = "The page shows exactly this log: every word and every board."
    if paged.parsed_page.settings.judged:
        words += " The chances to win come from the person who made the page."
    if report.signed:
        words += _describe_source_of_family(path, paged.parsed_page.settings.family or FamilyRolls(), log)
    shown = Text(words, indent=2)
    return replace(
        judged, lines=[*judged.lines, shown], facts=lambda: {**collect_report_facts(str(path), report), "page": None}
    )


def _describe_source_of_family(path: Path, family: FamilyRolls, log: Path) -> str:
    """Returns a sentence about the rolls of a page that stand in other logs, if the logs here do not tell the same."""
    found = read_family_of_page(SeatView(open_log(log)), list_nearby_logs(path))
    if found == family:
        return ""
    if found.rolls or found.has_parent:
        return " Other logs of this game here tell its rolls differently: referee audit LOG --rolls"
    return " What the page tells of other logs of this game comes from the person who made the page."


def _find_difference(path: Path, paged: PageLog, log: Path) -> tuple[str, str] | None:
    """Returns a verdict and its reason if a page differs from its log, or if the referee cannot tell.

    Returns None if the page shows exactly its log.
    """
    settings = paged.parsed_page.settings
    if settings.version != __version__ or settings.form not in (PAGE_FORM, LEDGER_PAGE_FORM):
        return PAGE_UNKNOWN, _explain_other_form(settings)
    try:
        look = _open_page_game(path, settings.eyes, log)
        story = make_story(look, settings.first, family=settings.family or FamilyRolls())
        if settings.form != choose_page_form(story):
            return PAGE_UNKNOWN, _explain_other_form(settings)
        page = render_page(replace(story, evaluations=_parse_review(look, settings.judged)))
    except UnknownError:
        vault = find_vault_path(path.with_suffix(".jsonl"), str(settings.eyes))
        told = f"to tell if the page shows what {settings.eyes} may know, the referee needs {vault.name} beside it"
        return PAGE_UNKNOWN, told
    except (MisuseError, IndexError):
        return PAGE_UNKNOWN, "the referee cannot tell if the page shows its log"
    expected, given = unpack_page(page), unpack_page(paged.page.decode())
    return None if given == expected else (FAULT, _describe_difference(expected, given))


def _explain_other_form(settings: PageSettings) -> str:
    """Returns why a page cannot be checked, as a clause: its form is not the one that this referee makes now."""
    form = "" if settings.version != __version__ else ", which makes pages in another form now"
    made = f"referee {settings.version} made it, and this is referee {__version__}{form}"
    return f"the referee cannot tell if the page shows its log: {made}"


def _parse_review(look: SeatView, spelt: str) -> tuple[PlayEvaluation, ...]:
    """Returns the review of moves that a page shows, from "entry:chance:cost" texts with spaces between them.

    Raises IndexError if the log has no such entry.
    """
    found = (tuple(map(int, one.split(":"))) for one in spelt.split())
    return tuple(PlayEvaluation(n, look.log.entries[n].by, chance, cost) for n, chance, cost in found)


def _open_page_game(path: Path, eyes: str | None, log: Path) -> SeatView:
    """Returns the game of a page, in the view of the page. A seat's view may need its vault beside the page."""
    if eyes is None:
        return SeatView(open_log(log))
    vault = find_vault_path(path.with_suffix(".jsonl"), eyes)
    if vault.is_file():
        copyfile(vault, find_vault_path(log, eyes))
    return SeatView(open_log(log), eyes=Seat(eyes))


def _describe_difference(page: str, other: str) -> str:
    """Returns a clause that says where the page `other` differs from `page`, which was made from the log."""
    told, held = other.count(f"\n{ENTRY_START}"), page.count(f"\n{ENTRY_START}")
    if told != held:
        return f"the page shows {count_of(told, 'entry', 'entries')}, and its log has {held}"
    pairs = zip([*page.split("\n"), ""], [*other.split("\n"), ""], strict=False)
    mine, _ = next(((one, two) for one, two in pairs if one != two), ("", ""))
    if mine.startswith(ENTRY_START):
        return f"the words of entry {mine.removeprefix(ENTRY_START).partition('>')[0]} do not match its log"
    if mine.startswith(('{"n":', "<g", "<svg")) or mine.startswith("<path"):
        return f"the boards of the page do not match its log{_extract_frame(mine)}"
    return "the page does not match its log"


def _extract_frame(line: str) -> str:
    number = line.removeprefix('{"n":').partition(",")[0]
    return f" (entry {number})" if number.isdigit() else ""
