"""Your own key for play by mail: made, shown in words, backed up on one line and brought back."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.context import Context
from referee.cli.typed import check_one, path_of, piped
from referee.mail.folder import folder
from referee.mail.key import (
    Key,
    backup_of,
    changeable_by_others,
    make_key,
    open_to_others,
    own_key,
    restore_key,
    use_key,
)
from referee.record.log.faults import NotAllowedError

Make = Annotated[bool, Option("--make", help="Make a key; once.")]
Use = Annotated[str | None, Option("--use", metavar="FILE", help="Take a copy of an SSH key that you have.")]
Backup = Annotated[bool, Option("--backup", help="Print all of it on one line.")]
Restore = Annotated[bool, Option("--restore", help="Bring it back from that line, which is read from stdin.")]

NONE = "you have no key on this computer yet; make one with: referee key --make"
WORDS = (
    "With this key you sign what you mail. Who plays with you is shown the same words: compare them once, on the "
    "telephone or when you meet, and nobody can pass for you."
)
KEEP_SECRET = (
    "Note: keep this line from everybody. Who has it can sign as you, and sees your dice and your secrets. Write it "
    "down, or put it where you alone look; referee key --restore reads it again."
)
ONE_COMPUTER = "If it is on another computer, too, play there or here, not on both: they would contradict each other."


def key(
    ctx: typer.Context, make: Make = False, use: Use = None, backup: Backup = False, restore: Restore = False
) -> Answer:
    """Your key for play by mail, in words for the telephone. You sign with it, and nobody else can.

    \b
      referee key --make
      referee key --use ~/.ssh/id_ed25519
      referee key --backup
      referee key --restore
    """
    check_one(make=make, use=use is not None, backup=backup, restore=restore)
    if make:
        return shown(make_key(), "Your key is made.")
    if use is not None:
        return shown(use_key(path_of(use)), "A copy of this key is now your key.")
    if restore:
        return shown(restore_key(piped("the line of the back-up").decode()), "Your key is back.", ONE_COMPUTER)
    return kept(ctx.obj, backup=backup)


def kept(context: Context, *, backup: bool) -> Answer:
    """The key that is here, or all of it on one line. NotAllowedError when there is none."""
    found = own_key()
    if found is None:
        raise NotAllowedError(NONE)
    if backup:
        line = backup_of(found)
        context.notes.append(KEEP_SECRET)
        return Answer([Rows([line])], lambda: {"backup": line})
    for path in open_to_others():
        context.notes.append(f"Note: others can look into {path}; close it with: chmod 600 {path}")
    note_open_folders(context)
    return shown(found)


def note_open_folders(context: Context) -> None:
    """Tell of folders in which somebody else could put a key of his own in the place of this one."""
    for path in changeable_by_others():
        context.notes.append(
            f"Note: others can write in {path}, and could put a key of theirs in the place of yours; close it with: "
            f"chmod go-w {path}"
        )


def shown(key: Key, *before: str) -> Answer:
    """A key as its owner may show it to anybody."""
    place = str(folder())
    lines: list[Shown] = [
        *map(Text, before),
        Text("Your key in words:"),
        Rows([f"  {key.words}"]),
        Text("The same as others need it:"),
        Rows([key.public]),
        Text(WORDS),
        Text(f"It lies in {place}. Keep a copy of it elsewhere: referee key --backup"),
    ]
    facts = {"public": key.public, "words": key.words, "fingerprint": key.fingerprint, "folder": place}
    return Answer(lines, lambda: facts)
