"""Your own key for play by mail: made, shown in words, backed up on one line and brought back."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.logs import logs_here
from referee.cli.typed import check_folder, check_one, path_of, piped
from referee.engine.blame import GameError
from referee.engine.event import Seat
from referee.engine.text import count_of
from referee.mail.backup import back_up, bring_vaults, read_backup, restore, restore_line
from referee.mail.folder import folder
from referee.mail.key import Key, backup_of, changeable_by_others, make_key, open_to_others, own_key, use_key
from referee.record.log.faults import FaultError, NotAllowedError
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_good

Make = Annotated[bool, Option("--make", help="Make a key; once.")]
Use = Annotated[str | None, Option("--use", metavar="FILE", help="Take a copy of an SSH key that you have.")]
Backup = Annotated[bool, Option("--backup", help="Print all of it on one line; into FILE with your vaults, too.")]
Restore = Annotated[bool, Option("--restore", help="Bring it back from FILE, or from that line, read from stdin.")]
File = Annotated[Path | None, Argument(metavar="[FILE]", help="Where a back-up with your vaults is.")]

NONE = "you have no key on this computer yet; make one with: referee key --make"
WORDS = (
    "With this key you sign what you mail. Who plays with you is shown the same words: compare them once, on the "
    "telephone or when you meet, and nobody can pass for you."
)
KEEP_SECRET = (
    "Note: keep {what} from everybody. Who has it can sign as you, and sees your dice and your secrets. Write it "
    "down, or put it where you alone look; referee key --restore{file} reads it again."
)
LACKS = (
    "Note: this line does not hold what you have sealed in games with secrets, nor what your key has signed: "
    "referee key --backup FILE takes both."
)
LOOK_FIRST = (
    "What it has signed since is not known here. In each game that goes on, first open the last mail of each of the "
    "others; before that it signs nothing there."
)
ONE_COMPUTER = "If it is on another computer, too, play there or here, not on both: they would contradict each other."


def key(
    ctx: typer.Context,
    file: File = None,
    make: Make = False,
    use: Use = None,
    backup: Backup = False,
    restore: Restore = False,
) -> Answer:
    """Your key for play by mail, in words for the telephone. You sign with it, and nobody else can.

    \b
      referee key --make
      referee key --use ~/.ssh/id_ed25519
      referee key --backup          referee key --backup FILE
      referee key --restore         referee key --restore FILE
    """
    if file and not (backup or restore):
        raise MisuseError("a file is for --backup or --restore")
    check_one(make=make, use=use is not None, backup=backup, restore=restore)
    if make:
        return shown(make_key(), "Your key is made.")
    if use is not None:
        return shown(use_key(path_of(use)), "A copy of this key is now your key.")
    if restore:
        return restored(ctx.obj, file)
    return backed_up(ctx.obj, file) if file else kept(ctx.obj, backup=backup)


def backed_up(context: Context, file: Path) -> Answer:
    """A back-up of the key, and of the vaults of the games here. NotAllowedError when there is no key."""
    check_folder(file)
    made = back_up(file, logs_here())
    vaults = count_of(len(made.vaults), "vault")
    context.notes.append(KEEP_SECRET.format(what="this file", file=f" {file}"))
    told = f"Written to {file}: your key, what it has signed, and {vaults} of games in this folder."
    facts = {"written": str(file), "vaults": [{"game": one.game, "seat": one.seat} for one in made.vaults]}
    return Answer(
        [told, Text("What you seal from now on is not in it: make it anew from time to time.")], lambda: facts
    )


def restored(context: Context, file: Path | None) -> Answer:
    """The key is brought back, with the vaults of games if they are there."""
    if file is None:
        found = restore_line(piped("the line of the back-up").decode())
        context.notes.append(LACKS)
        return shown(found, "Your key is back.", ONE_COMPUTER, LOOK_FIRST)
    backup = read_backup(file)
    found = restore(backup)
    back = [f"{seat} in {log}" for log in logs_here() for seat in _vaults_for(log)]
    waiting = f"{count_of(len(backup.vaults), 'vault')} came with it; each is put beside the log of its game."
    told = [f"The vault of {one} is back." for one in back]
    return shown(found, "Your key is back.", ONE_COMPUTER, LOOK_FIRST, waiting, *told)


def _vaults_for(log: Path) -> list[Seat]:
    """Give a log here the vaults that were brought back."""
    with suppress(FaultError, GameError, OSError):
        session = open_good(log)[0]
        return bring_vaults(log, session.id, Sitting(session, None).facts.keepers)
    return []


def kept(context: Context, *, backup: bool) -> Answer:
    """The key that is here, or all of it on one line. NotAllowedError when there is none."""
    found = own_key()
    if found is None:
        raise NotAllowedError(NONE)
    if backup:
        line = backup_of(found)
        context.notes += [KEEP_SECRET.format(what="this line", file=""), LACKS]
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
