"""`referee vault`: the secrets of a game on this computer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import parse_path_argument, read_stdin
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.game_view import make_heading
from referee.cli.git_repository import is_in_index, list_commits_adding_files
from referee.cli.vault_text import make_vault_exposure_notes
from referee.engine.text import count_of
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import OWNER_ONLY, create_file, read_user_file
from referee.record.log.shared_folders import find_sharing_program
from referee.record.log.vault_places import (
    MAX_VAULT_BYTES,
    install_vault,
    list_vaults,
    move_exposed_vaults,
    read_vault_header,
)
from referee.record.table.seat_view import SeatView

MoveOption = Annotated[bool, Option("--move", help="Move vaults out of a shared folder.")]
SaveOption = Annotated[str | None, Option("--save", metavar="FILE", help="Write your vault to a file.")]
LoadOption = Annotated[str | None, Option("--load", metavar="FILE", help="Take over a saved vault; - reads stdin.")]
OwnerOption = Annotated[str | None, Option("--by", metavar="SEAT", help="Whose vault, if several are here.")]


def vault(
    ctx: typer.Context,
    move: MoveOption = False,
    save: SaveOption = None,
    load: LoadOption = None,
    by: OwnerOption = None,
) -> Answer:
    """Show where your secrets of a game lie, move them, or take them to another computer.

    A vault holds the secrets of one seat. If the log is in a Git working tree or a synced folder, the vault lies in
    your own folder. So nobody else gets it.

    \b
      referee vault                    show where the secrets lie
      referee vault --move             move them out of a shared folder
      referee vault --save FILE        on the old computer
      referee vault --load FILE        on the new one
    """
    context: Context = ctx.obj
    if [move, save is not None, load is not None].count(True) > 1:
        raise MisuseError("use only one of --move, --save and --load")
    log = context.find_log_path()
    look = SeatView(context.open_session())
    known = make_vault_exposure_notes(log)  # said below, after what was done
    context.notes = [note for note in context.notes if note not in known]
    told: list[AnswerLine] = [make_heading(look)]
    if move:
        told += [Text(f"{old} is now {new}.", indent=2, hanging=4) for old, new in move_exposed_vaults(log)]
    elif save is not None:
        told.append(_save_vault(log, parse_path_argument(save), by))
    elif load is not None:
        data = read_stdin("a vault") if load == "-" else read_user_file(parse_path_argument(load), MAX_VAULT_BYTES)
        seat, path = install_vault(log, data)
        told.append(Text(f"The secrets of {seat} are in {path}.", indent=2, hanging=4))
    exposed, commits = make_vault_exposure_notes(log), _list_commits_with_vaults(log)
    return Answer(
        [*told, *_describe_places(log), *_warn_about_leaks(log, exposed, commits)],
        lambda: _collect_facts(log, exposed, commits),
    )


def _save_vault(log: Path, to: Path, by: str | None) -> AnswerLine:
    found = {read_vault_header(read_user_file(path, MAX_VAULT_BYTES)).seat: path for path in list_vaults(log)}
    if by is None and len(found) > 1:
        raise MisuseError(f"whose vault? Add --by and one of: {', '.join(sorted(found))}")
    seat = by or next(iter(found), "")
    if seat not in found:
        raise NotAllowedError(f"there is no vault of {seat or 'any seat'} on this computer")
    if program := find_sharing_program(to.parent):
        raise NotAllowedError(f"others get the files of {to.parent} through {program}; choose another folder")
    create_file(to, read_user_file(found[seat], MAX_VAULT_BYTES), OWNER_ONLY)
    return Text(f"The secrets of {seat} are in {to}, too. Nobody else may have that file.", indent=2, hanging=4)


def _describe_places(log: Path) -> Iterator[AnswerLine]:
    found = list_vaults(log)
    for path in found:
        seat = read_vault_header(read_user_file(path, MAX_VAULT_BYTES)).seat
        yield Text(f"Secrets of {seat}: {path}", indent=2, hanging=4)
    if not found:
        yield Text("No secrets of this game are on this computer.", indent=2)


def _list_commits_with_vaults(log: Path) -> list[str]:
    """Returns the commits that hold vaults of this log, the newest first; [] if the log is in no Git repository."""
    return list_commits_adding_files(log.parent, _name_vaults(log)) if _is_in_git(log) else []


def _name_vaults(log: Path) -> str:
    return f"{log.name}.*.vault"


def _is_in_git(log: Path) -> bool:
    return find_sharing_program(log.parent) == "Git"


def _warn_about_leaks(log: Path, exposed: Sequence[str], commits: Sequence[str]) -> Iterator[AnswerLine]:
    """Yields warnings about vaults of the game that others can read or may already have."""
    yield from (Text(note, "refused", hanging=2) for note in exposed)
    if _is_in_git(log) and is_in_index(log.parent, _name_vaults(log)):
        yield Text(
            "WARNING: Git has a vault of this game in its index. Before you commit: git rm --cached *.vault", "refused"
        )
    if commits:
        yield Text(
            f"WARNING: {count_of(len(commits), 'commit')} of this repository, the last {commits[0]}, "
            f"{'holds' if len(commits) == 1 else 'hold'} a vault of this game. "
            "Everybody with a clone knows the secrets in it. "
            "Play on only with people who do not look, or begin a new game.",
            "refused",
            hanging=2,
        )


def _collect_facts(log: Path, exposed: Sequence[str], commits: Sequence[str]) -> dict[str, object]:
    return {
        "log": str(log),
        "vaults": [str(path) for path in list_vaults(log)],
        "shared_by": find_sharing_program(log.parent) or None,
        "exposed": bool(exposed),
        "commits": commits,
    }
