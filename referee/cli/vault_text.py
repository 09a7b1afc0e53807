"""Warnings about vaults in folders that are shared with others."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from referee.engine.text import listing
from referee.record.log.shared_folders import find_sharing_program
from referee.record.log.vault_places import list_exposed_vaults


def make_vault_exposure_notes(log: Path) -> list[str]:
    """Returns a warning if vaults of the log lie in a folder that is shared with other people; [] if none does."""
    exposed = list_exposed_vaults(log)
    if not exposed:
        return []
    names, program = listing([str(path) for path in exposed]), find_sharing_program(log.parent)
    return [
        f"WARNING: {names} can be read by everybody who gets this folder through {program}. Whoever has it knows all "
        f"your secrets in this game. To move it to your own folder: referee -g {quote(str(log))} vault --move"
    ]
