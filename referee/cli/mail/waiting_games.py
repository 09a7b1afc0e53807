"""A list of games: the seat that each game waits for, and since when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.answer import AnswerLine, Text
from referee.cli.errors import MisuseError
from referee.cli.game_view import describe_turn
from referee.cli.log_paths import list_logs
from referee.cli.mail.awaited_seat import find_awaited_seat, find_start_of_wait, measure_wait_for_seat
from referee.cli.mail.local_time import describe_time_zone, format_local_time
from referee.cli.mail.next_step import is_end_to_sign
from referee.cli.mail.pace import SeatWait
from referee.mail.packet_verdict import is_set_aside_log
from referee.mail.seats import find_own_seat
from referee.record.archive.log_boundary import UnreadableLog, run_on_log
from referee.record.log.file_kinds import MATCH, find_path_kind
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.table.session import Session


class WaitingGame(Struct, frozen=True):
    """A game and the seat that it waits for."""

    log: str
    game: str
    when: str
    """The turn being played and its seat."""
    waits_for: str | None
    """The seat that the game waits for; None if the game is over."""
    since: str
    """The time since which the game waits, in UTC, written as in entries."""
    you: str | None
    """Your own seat; None if the log does not say, as at a table."""
    by_mail: bool
    id: str
    """The id of the game."""
    player: str
    """The name of the player whom the game waits for; "" if it is over."""
    wait: SeatWait | None = None
    """The wait at the pace of the game; None if it has no pace or is over."""
    to_sign: bool = False
    """True if the game is over, and only a mail of its own can carry your signature of its end."""


def list_logs_in_folder(folder: Path | None) -> list[Path]:
    """Returns the logs in a folder and in its `logs/`; by default in this folder.

    Raises MisuseError if there is no such folder.
    """
    if folder is None:
        found = list_logs()
    elif folder.is_dir():
        found = [path for place in (folder, folder / "logs") for path in sorted(place.glob("*.jsonl"))]
    else:
        raise MisuseError(f"there is no folder {folder}")
    return [path for path in found if not is_set_aside_log(path) and find_path_kind(path).is_log]


def list_games_by_urgency(paths: Iterable[Path]) -> list[WaitingGame | UnreadableLog]:
    """Returns each game with the seat that it waits for: yours first, then others, finished and unread ones last."""
    return sorted(filter(None, map(_read_game, paths)), key=_rank)


def _rank(one: WaitingGame | UnreadableLog) -> int:
    if isinstance(one, UnreadableLog):
        return 3
    return 0 if one.to_sign else 2 if one.waits_for is None else int(one.waits_for != one.you)


def _read_game(path: Path) -> WaitingGame | UnreadableLog | None:
    """Returns the game of a log, or why it cannot be read; None for a match, whose games have logs of their own."""
    found = run_on_log(path, lambda: make_waiting_game(open_log(path)))
    return None if isinstance(found, UnreadableLog) and find_path_kind(path) == MATCH else found


def make_waiting_game(session: Session) -> WaitingGame:
    """Returns a game with the seat that it waits for."""
    look, protocol, seat = SeatView(session), session.public.protocol, find_awaited_seat(session)
    you = find_own_seat(protocol) if protocol else None
    return WaitingGame(
        str(session.path),
        look.facts.game.name,
        describe_turn(look.facts),
        seat,
        find_start_of_wait(session),
        you,
        by_mail=protocol is not None,
        id=session.public.id,
        player=look.facts.names[seat] if seat else "",
        wait=measure_wait_for_seat(session, seat),
        to_sign=you is not None and seat is None and is_end_to_sign(look, you),
    )


def describe_waiting_games(games: Iterable[WaitingGame | UnreadableLog]) -> Iterator[AnswerLine]:
    """Yields two lines for each game, and one for each log that cannot be read. A last line names the time zone."""
    found = list(games)
    for one in found:
        if isinstance(one, UnreadableLog):
            yield Text(f"{one.log}  cannot be read: {one.why}.", "refused")
            continue
        yield Text(f"{one.log}  {one.game}, {one.when}")
        since = f"since {format_local_time(one.since)}{f': {one.wait.description}' if one.wait else ''}"
        if one.to_sign:
            yield Text(f"over, {since}; to sign its end: referee -g {quote(one.log)} mail pack", "bold", indent=4)
        elif one.waits_for is None:
            yield Text(f"nothing to do, {since}", indent=4)
        elif one.waits_for == one.you:
            yield Text(f"waits for you ({one.waits_for}), {since}", "bold", indent=4)
        else:
            yield Text(f"waits for {one.waits_for}, {since}", indent=4)
    if any(isinstance(one, WaitingGame) for one in found):
        yield Text(f"Times are in {describe_time_zone()}.", "faint")
