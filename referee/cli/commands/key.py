"""`referee key`: makes, shows, backs up and restores the player's key for play by mail."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import check_options_exclude_each_other, check_parent_folder, parse_path_argument, read_stdin
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.log_paths import list_logs
from referee.engine.event import Seat
from referee.engine.plugin_errors import GameError
from referee.engine.text import count_of
from referee.gate import read_text
from referee.mail.backup import install_restored_vaults, read_backup, restore_and_mark_key, restore_backup, write_backup
from referee.mail.key import (
    Key,
    format_backup_line,
    import_ssh_key,
    list_exposed_key_files,
    list_exposed_key_folders,
    make_key,
    read_own_key,
)
from referee.mail.settings_folder import find_settings_folder
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.opening_logs import open_good_part
from referee.record.table.seat_view import SeatView

MakeOption = Annotated[bool, Option("--make", help="Make a key. You do this once.")]
UseOption = Annotated[str | None, Option("--use", metavar="FILE", help="Use a copy of your SSH key.")]
BackupOption = Annotated[bool, Option("--backup", help="Print your key; or save it in FILE with your vaults.")]
RestoreOption = Annotated[
    bool, Option("--restore", help="Restore your key from FILE, or from the back-up line on stdin.")
]
PeopleOption = Annotated[bool, Option("--people", help="List the players of your games, by their keys.")]
TrustOption = Annotated[
    str | None, Option("--trust", metavar="WORDS", help="Mark a key as checked with its owner, for all games.")
]
ForgetOption = Annotated[
    str | None, Option("--forget", metavar="NAME", help="Forget a player: their name, or six words.")
]
FileArgument = Annotated[Path | None, Argument(metavar="[FILE]", help="The file of a back-up with your vaults.")]

NO_KEY = "you have no key on this computer yet; to make one: referee key --make"
KEY_WORDS = (
    "You sign your mails with this key. The other players see the same words. Compare the words once by phone or when "
    "you meet; then nobody can pretend to be you."
)
KEEP_SECRET = (
    "Note: keep {what} secret. Anyone who has it can sign as you, and sees your dice and your secrets. Write it "
    "down, or keep it where only you look. To restore it: referee key --restore{file}"
)
INCOMPLETE_BACKUP = (
    "Note: this line holds neither your secrets nor the list of what your key has signed. To save both: "
    "referee key --backup FILE"
)
LOOK_FIRST = (
    "The referee does not know what this key has signed since the back-up. In each unfinished game, first open the "
    "last mail of each other player. Until then the key signs nothing there."
)
ONE_COMPUTER = (
    "If the key is on another computer, too, play only on one of them: two copies would contradict each other."
)


def key(
    ctx: typer.Context,
    file: FileArgument = None,
    make: MakeOption = False,
    use: UseOption = None,
    backup: BackupOption = False,
    restore: RestoreOption = False,
    people: PeopleOption = False,
    trust: TrustOption = None,
    forget: ForgetOption = None,
) -> Answer:
    """Show your key for play by mail, in words that you can read out by phone. Only you can sign with it.

    \b
      referee key --make            referee key --use ~/.ssh/id_ed25519
      referee key --backup          referee key --backup FILE
      referee key --restore         referee key --restore FILE
      referee key --people          referee key --forget Anna
      referee key --trust vuzir-honar-mozab-kanup-zojoh-dalod
    """
    if file and not (backup or restore):
        raise MisuseError("a file needs --backup or --restore")
    named = {"trust": trust is not None, "forget": forget is not None}
    check_options_exclude_each_other(
        make=make, use=use is not None, backup=backup, restore=restore, people=people, **named
    )
    if people or trust is not None or forget is not None:
        return _answer_about_others(trust, forget)
    if make:
        return describe_key(make_key(), "Your key is made.")
    if use is not None:
        return describe_key(import_ssh_key(parse_path_argument(use)), "Your key is now a copy of the key in that file.")
    if restore:
        return restore_key_and_vaults(ctx.obj, file)
    return back_up_key_and_vaults(ctx.obj, file) if file else answer_on_own_key(ctx.obj, backup=backup)


def _answer_about_others(trust: str | None, forget: str | None) -> Answer:
    """Marks the key with the words `trust` as checked, or forgets the player `forget`, or lists all known players."""
    from referee.cli.mail.people_answers import answer_with_people, forget_person, trust_person

    if trust is not None:
        return trust_person(trust)
    return answer_with_people() if forget is None else forget_person(forget)


def back_up_key_and_vaults(context: Context, file: Path) -> Answer:
    """Backs up the key and the vaults of the games here. Raises NotAllowedError if there is no key."""
    check_parent_folder(file)
    made = write_backup(file, list_logs())
    vaults = count_of(len(made.vaults), "vault")
    context.notes.append(KEEP_SECRET.format(what="this file", file=f" {file}"))
    told = (
        f"Written to {file}: your key, what it has signed, the people you know, and {vaults} of games in this folder."
    )
    facts = {"written": str(file), "vaults": [{"game": one.game, "seat": one.seat} for one in made.vaults]}
    return Answer(
        [told, Text("It does not hold secrets that you seal later, so repeat the back-up sometimes.")], lambda: facts
    )


def restore_key_and_vaults(context: Context, file: Path | None) -> Answer:
    """Restores the key from a back-up file, with its vaults; without a file, the key alone from a line on stdin."""
    if file is None:
        found = restore_and_mark_key(read_text(read_stdin("the line of the back-up")))
        context.notes.append(INCOMPLETE_BACKUP)
        return describe_key(found, "Your key is back.", ONE_COMPUTER, LOOK_FIRST)
    backup = read_backup(file)
    found = restore_backup(backup)
    back = [f"{seat} in {log}" for log in list_logs() for seat in _place_vaults(log)]
    waiting = f"{count_of(len(backup.vaults), 'vault')} came with the back-up. Each goes beside the log of its game."
    told = [f"The vault of {one} is back." for one in back]
    return describe_key(found, "Your key is back.", ONE_COMPUTER, LOOK_FIRST, waiting, *told)


def _place_vaults(log: Path) -> list[Seat]:
    """Puts the restored vaults of a log's game beside the log, and returns their seats; [] if the log is unreadable."""
    with suppress(FaultError, GameError, OSError):
        session = open_good_part(log)[0]
        return install_restored_vaults(log, session.public.id, SeatView(session, None).facts.keepers)
    return []


def answer_on_own_key(context: Context, *, backup: bool) -> Answer:
    """Returns the public part of the key on this computer; with `backup`, the whole key on one line.

    Raises NotAllowedError if there is no key.
    """
    found = read_own_key()
    if found is None:
        raise NotAllowedError(NO_KEY)
    if backup:
        line = format_backup_line(found)
        context.notes += [KEEP_SECRET.format(what="this line", file=""), INCOMPLETE_BACKUP]
        return Answer([FixedRows([line])], lambda: {"backup": line})
    for path in list_exposed_key_files():
        context.notes.append(f"Note: others can read {path}; to prevent that: chmod 600 {path}")
    warn_of_exposed_folders(context)
    return describe_key(found)


def warn_of_exposed_folders(context: Context) -> None:
    """Adds a note for each folder in which somebody else could replace the key with their own."""
    for path in list_exposed_key_folders():
        context.notes.append(
            f"Note: others can write in {path} and could replace your key with theirs; to prevent that: "
            f"chmod go-w {path}"
        )


def describe_key(key: Key, *before: str) -> Answer:
    """Returns the sentences `before`, then the public part of a key and the folder with the key.

    The owner may show the public part to anybody.
    """
    place = str(find_settings_folder())
    lines: list[AnswerLine] = [
        *map(Text, before),
        Text("Your key in words:"),
        FixedRows([f"  {key.fingerprint_words}"]),
        Text("Your key as text, for others who need it:"),
        FixedRows([key.public]),
        Text(KEY_WORDS),
        Text(f"Your key is in {place}. To keep a copy elsewhere: referee key --backup"),
    ]
    facts = {"public": key.public, "words": key.fingerprint_words, "fingerprint": key.fingerprint, "folder": place}
    return Answer(lines, lambda: facts)
