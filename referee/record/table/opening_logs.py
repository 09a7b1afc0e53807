"""Opening logs: starting a game, reading a log, joining a game with secrets, and branching."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice_mode import DEFAULT_MODE, DiceMode
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game, find_game_by_rules
from referee.engine.secret import Secret
from referee.engine.text import make_printable
from referee.engine.versions import PROGRAM_VERSION
from referee.record.log import store
from referee.record.log.entry import (
    AnyEntry,
    BranchEntry,
    Director,
    FileBeside,
    GameEntry,
    JoinEntry,
    MatchPlace,
    SeatedPlayer,
    encode_for_log,
    get_current_time,
)
from referee.record.log.field_types import BRANCH_NAME_PATTERN, LOG_FORMAT, MAX_PARENT_CHARACTERS
from referee.record.log.game_files import (
    find_own_file_path,
    prepare_files,
    read_own_file_bytes,
    remove_on_failure,
    write_own_files,
)
from referee.record.log.limits import check_recordable
from referee.record.log.line_format import NO_PREVIOUS_HASH, format_entry_line
from referee.record.log.log_errors import (
    Fault,
    FaultError,
    MovedOnError,
    NotAgreedError,
    NotAllowedError,
    NotRecordedError,
    turn_faults_into_not_allowed,
)
from referee.record.log.safe_files import (
    AnyPath,
    is_stream_or_packed,
    make_name_part,
    note_opened_log,
    open_user_file,
    parse_path,
    resolve_link,
)
from referee.record.log.vault import copy_vaults, create_vault, find_vault_path
from referee.record.table.agreement import describe_missing_consents
from referee.record.table.entry_draft import Draft
from referee.record.table.history import EntryList, MomentCache, OpenLog, make_log_opener, read_entries
from referee.record.table.knowledge import Knowledge
from referee.record.table.log_walker import LogWalker
from referee.record.table.reducer import TRUSTING_JUDGE
from referee.record.table.session import Session

if TYPE_CHECKING:
    from referee.record.log.log_ends import LogEnds
    from referee.record.log.mail_damage import RecoveredLog
    from referee.record.table.player_names import PlayerNames


MAX_FILE_NAME_BYTES = 255
"""The most bytes of a file's name."""


def start(
    game: str,
    path: AnyPath,
    *,
    options: Mapping[str, str] | None = None,
    seats: PlayerNames | None = None,
    dice: DiceMode | None = None,
    own: Mapping[str, Mapping[str, Any]] | None = None,
    position: Mapping[str, Any] | None = None,
    sitting: Sequence[Seat] | None = None,
    bots: Mapping[Seat, str] | None = None,
    hints: bool = False,
    pace: int = 0,
    rules: int | None = None,
    match: MatchPlace | None = None,
    director: Director | None = None,
) -> Session:
    """Starts a game and writes its log.

    >>> session = start("chess", "friday.jsonl", seats=["Anna", "Bo"])
    >>> session.do("throwoff")

    `seats`: the players by seat, the players in order, or the seats of an earlier log. `dice`: an open seed by default.
    `own`: decoded files of the players' own, by component. `position`: a position to start from. `sitting`: the seats
    that play on this computer and get their vaults here; all by default. By mail there are none, since seats join one
    by one. `bots`: the name of the bot at each seat that a bot plays. `hints`: True if players by mail may ask for
    hints. `pace`: by mail, the days for a turn, from 1 to 365; 0 for no agreement. `rules`: an older version of the
    rules, for friends with an older referee. `match`: by mail, the place of the game in a match.
    `director`: by mail, a third person who looks on.

    Raises UnknownGameError, GameError, OptionError, BoardError, NotAllowedError, FileExistsError or OSError.
    """
    module = choose_game_by_rules(find_game(game), rules)
    keeps_names = any(isinstance(one, SeatedPlayer) for one in seats or ())
    settled, places = _choose_options_and_seats(module, options or {}, seats or {}, keeps_names=keeps_names)
    files, beside = prepare_files(module, settled, own or {})
    header = replace(
        _make_header(module, rules, settled, places, dice or DEFAULT_MODE.from_seed(None, os.urandom)),
        files=files,
        position=dict(position) if position is not None else None,
        bots=dict(bots or {}),
        hints=hints,
        pace=pace,
        match=match,
        director=director,
    )
    _check_can_begin(header, keeps_names=keeps_names)
    return _write_game(header, parse_path(path), beside, sitting)


def _make_header(
    game: AnyGame, rules: int | None, settled: Mapping[str, str], places: tuple[SeatedPlayer, ...], dice: DiceMode
) -> GameEntry:
    """Returns the first entry of a game without bots that begins as usual; its files are still missing."""
    return GameEntry(
        n=0,
        prev=NO_PREVIOUS_HASH,
        by=REFEREE,
        at=get_current_time(),
        format=LOG_FORMAT,
        game=game.name,
        rules=rules or game.rules_version,
        options={name: settled[name] for name in _list_option_names(game, rules)},
        rulings=game.rulebook.fixed_rulings,
        seats=places,
        dice=dice,
        files={},
        position=None,
        nonce=os.urandom(16).hex(),
        program=PROGRAM_VERSION,
    )


def _check_can_begin(header: GameEntry, *, keeps_names: bool) -> None:
    """Raises NotAllowedError if no game may begin like this."""
    from referee.record.table.game_start_checks import explain_unfit_beginning  # games are played more often than begun

    problem = explain_unfit_beginning(header, keeps_names=keeps_names)
    if problem:
        raise NotAllowedError(problem)


def _choose_options_and_seats(
    module: AnyGame, options: Mapping[str, str], seats: PlayerNames, *, keeps_names: bool
) -> tuple[dict[str, str], tuple[SeatedPlayer, ...]]:
    """Returns all options and the seats with their players. Raises NotAllowedError or OptionError."""
    from referee.record.table.player_names import check_distinct_names, list_player_names, pair_seats_with_players

    named = list_player_names(seats)
    if not keeps_names:
        check_distinct_names(named)  # it comes before the seats, which may be named after players
    settled = choose_options(module, {**module.derive_options(named), **options})
    return settled, pair_seats_with_players(module.seats(settled, named), seats)


def choose_game_by_rules(game: AnyGame, rules: int | None) -> AnyGame:
    """Returns the game under an older version of its rules, if one is named.

    Raises NotAllowedError if the game does not keep that version.
    """
    kept = find_game_by_rules(game, rules) if rules else game
    if kept is None or (rules or 1) > game.rules_version:
        raise NotAllowedError(
            f"rules {rules} of {game.name} are not installed here; "
            f"without --rules, the game begins under rules {game.rules_version}"
        )
    return kept


def _list_option_names(game: AnyGame, rules: int | None) -> Iterator[str]:
    """Yields the names of the options that the game had under this version of its rules."""
    return (option.name for option in game.options if option.since <= (rules or game.rules_version))


def _write_game(header: GameEntry, path: Path, beside: Mapping[str, bytes], sitting: Sequence[Seat] | None) -> Session:
    """Writes the log of a new game with its vaults and its files: all of it, or nothing.

    `beside` holds the files by the SHA-256 of each. `sitting` lists the seats on this computer, which get their vaults;
    None stands for all seats.
    """
    body = encode_for_log(header)
    check_recordable(body)
    line = format_entry_line(body)
    check_path_is_free(path, find_game(header.game).list_secret_keepers(header.options))
    made = write_own_files(path, beside)
    with remove_on_failure(path, made):
        with turn_faults_into_not_allowed():  # every reader will ask the same
            session = _read_log(BytesIO(line), make_log_opener(path), path).make_session()
        session.head = store.create_log(path, line)
        if header.dice.is_joint:
            return session
        made += list_files_of_log(session)
        for seat in session.reducer.keepers:
            if sitting is None or seat in sitting:
                session.reducer.opener.vaults[seat] = create_vault(path, session.head.hash, seat)
        _seal_seeds(session, session.reducer.keepers)
    return session


def list_files_of_log(session: Session) -> list[Path]:
    """Returns the paths of all files that belong to the log of a game that began here."""
    path = session.file_path
    beside = [file.sha256 for file in session.reducer.header.files.values() if isinstance(file, FileBeside)]
    vaults = [find_vault_path(path, seat) for seat in session.reducer.keepers]
    return [path, store.find_head_path(path), *vaults, *(find_own_file_path(path, digest) for digest in beside)]


def check_path_is_free(path: Path, keepers: Sequence[Seat] = ()) -> None:
    """Checks that a log can be started here. Nothing is overwritten and no folder is made.

    Raises FileExistsError if there is a log, the `.head` file of one, or a vault. Raises NotAllowedError if a name
    would be too long, and FileNotFoundError if the folder is missing.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    beside = (store.find_head_path(path), *(find_vault_path(path, seat) for seat in keepers))
    longest = max(len(os.fsencode(file.name)) for file in beside) + len(".new")
    if longest > MAX_FILE_NAME_BYTES:
        spare = MAX_FILE_NAME_BYTES - longest + len(os.fsencode(path.name))
        raise NotAllowedError(f"the name of the log is too long; it may have at most {spare} bytes")
    for file in (path, *beside):
        if os.path.lexists(file):
            raise FileExistsError(17, "exists", str(file))


def join(session: Session, seat: Seat) -> None:
    """Joins a seat on this computer to a game with secrets. Makes its vault, and seals its seed if dice are open.

    Raises NotAllowedError if the seat keeps no secrets or has joined. Raises FileExistsError if it has a vault already.
    """
    if session.path is None or seat not in session.reducer.keepers or seat in session.reducer.joined:
        keeps = f"{seat} has joined already" if seat in session.reducer.joined else f"{seat} keeps no secrets here"
        raise NotAllowedError(keeps if session.path else "a log that was piped in cannot be joined")
    opener = session.reducer.opener
    vault = opener.vaults[seat] = create_vault(session.path, opener.game_id, seat)
    try:
        _seal_seeds(session, (seat,))
    except (NotRecordedError, MovedOnError, OSError):
        del opener.vaults[seat]
        vault.path.unlink()  # a seat that did not join has no vault
        raise


def _seal_seeds(session: Session, seats: Sequence[Seat]) -> None:
    """Records that each of these seats joins, if its vault is on this computer. Seats join before anybody plays in
    secret. Seals the seeds of their secret dice if the dice mode needs that.
    """
    here = [seat for seat in seats if seat in session.reducer.opener.vaults]
    seals = session.reducer.header.dice.seals_seeds
    session.append([(_draft_join(seat, os.urandom(32).hex() if seals else None), None) for seat in here])


def _draft_join(seat: Seat, seed: str | None) -> Draft:
    return partial(JoinEntry, by=seat, seed=Secret(seat, seed) if seed else None)


def open_log(path: AnyPath, upto: int | None = None) -> Session:
    """Reads a log and folds it. Raises FaultError if something is wrong with it, or OSError.

    >>> open_log("friday.jsonl").moment().to_act
    'blue'

    With `upto`, nothing after that entry is read, so that the good part of a bad log can be seen and branched. Nothing
    can be added to it then.
    """
    path = resolve_link(parse_path(path))
    last = store.read_head_file(path)  # it comes before the log, which another writer may lengthen meanwhile
    source = make_log_opener(path)
    with source() as file:
        session = _read_log(file, source, None if is_stream_or_packed(path) else path, upto).make_session()
    session.forgotten = None if last else store.explain_unreadable_head_file(path)
    if upto is None and last and not (session.ends and session.ends.has_line(last[1])):
        session.forgotten = _explain_shortening(path, last, session)
    return session


def _explain_shortening(path: Path, last: tuple[int, str], session: Session) -> str | None:
    """Returns, as a clause, where the last acknowledged entry is now if the log lacks it, or what replaced the log.

    None if the log holds the entry. Raises FaultError if it is missing and nothing explains why.
    """
    try:
        store.check_not_shortened(last, session.entries, session.head)
    except FaultError:
        from referee.record.log.replaced_logs import explain_replacement  # hardly any log is put back by others

        why = explain_replacement(path, last)
        if why is None:
            raise
        return why
    return None


def open_good_part(path: AnyPath) -> tuple[Session, Fault | None]:
    """Reads a log as far as it is good. Returns the session and the fault that ends it, or None. Nothing can be added.

    Raises FaultError if even the first entry is bad, or OSError.
    """
    path = resolve_link(parse_path(path))
    source = make_log_opener(path)
    with source() as file:
        walked = _read_log(file, source, path)
    return walked.make_session(good=True), walked.walk.fault


def open_stream(file: BinaryIO, upto: int | None = None) -> Session:
    """Reads a log that is piped in. Nothing can be added to it. Raises FaultError if something is wrong with it."""
    data = file.read()
    return _read_log(BytesIO(data), partial(BytesIO, data), None, upto).make_session()


def open_bytes(log: bytes, path: Path) -> Session:
    """Reads a log from its bytes, which were found in the file `path`. Nothing can be added to it. Raises FaultError or
    OSError.
    """
    from referee.record.log.mail_damage import RecoveredLog

    return replace(_read_log(BytesIO(log), partial(BytesIO, log), path), letter=RecoveredLog(log, ())).make_session()


class _ReadLog(Struct, frozen=True):
    """A log that was read."""

    walk: LogWalker
    path: Path | None
    upto: int | None
    entries: EntryList
    moments: MomentCache
    letter: RecoveredLog | None = None
    """The mail that held the log, if mail had changed the file; None otherwise."""
    ends: LogEnds | None = None
    """The ends of the log, if it has several; None otherwise."""

    def make_session(self, *, good: bool = False) -> Session:
        """Returns the game so far. Raises FaultError if something is wrong; with `good`, only if the first entry is
        bad.
        """
        reducer = self.walk.reducer if good and self.entries else self.walk.get_checked_reducer()
        assert reducer is not None, "at least one entry is good"
        head = store.make_head(
            self.walk.reader, part=good or (self.upto is not None and len(self.entries) == self.upto + 1)
        )
        return Session(self.path, self.walk.reader, reducer, self.entries, self.moments, head, self.letter, self.ends)


def _read_log(file: BinaryIO, source: OpenLog, path: Path | None, upto: int | None = None) -> _ReadLog:
    """Reads a log as far as it is good, or up to an entry. Earlier entries and moments are read from `source` again,
    when they are needed.
    """
    note_opened_log(source)
    moments = MomentCache(source, path)
    walk = LogWalker(file, TRUSTING_JUDGE, log=path, strict=True, follows=True, earlier=moments.get_moment)
    entries = read_entries(walk, source, upto)
    walked = _ReadLog(walk, path, upto, entries, moments)
    if walk.fault:
        from referee.record.log.log_ends import LogEnds  # hardly any log was changed by mail or by a merge
        from referee.record.log.mail_damage import RecoveredLog
        from referee.record.log.recovery import recover_log

        found = recover_log(file, walk.fault)
        if isinstance(found, RecoveredLog):
            return replace(_read_log(BytesIO(found.log), partial(BytesIO, found.log), path, upto), letter=found)
        if isinstance(found, LogEnds) and len(found.common) == walk.reader.offset:
            walk.fault = None  # all that the ends have in common is read
            return replace(walked, ends=found)
        if isinstance(found, LogEnds):
            return replace(_read_log(BytesIO(found.common), partial(BytesIO, found.common), path, upto), ends=found)
        walk.fault = found or walk.fault
    return walked


def extract_mailed_log(session: Session, path: AnyPath) -> Session:
    """Writes a log that came inside a mail to a file of its own, and opens it. The log is as it was before it was
    mailed.

    Raises NotAllowedError if the log came in no mail. Raises FileExistsError if the file or one of its companions
    exists.
    """
    if session.letter is None:
        raise NotAllowedError("this log did not come in a mail, so there is nothing to take out")
    return extract_log(session.letter.log, session, path)


def extract_log(log: bytes, session: Session, path: AnyPath) -> Session:
    """Writes a log that was read from elsewhere to a file of its own, and opens it. The players' own files go with it.

    Raises FileExistsError if the file or one of its companions exists.
    """
    path = parse_path(path)
    check_path_is_free(path, session.reducer.keepers)
    made = write_own_files(path, read_own_files_beside(session))
    with remove_on_failure(path, made):
        store.create_log(path, log)
        made += [path, store.find_head_path(path)]
        return open_log(path)


def read_own_files_beside(session: Session) -> dict[str, bytes]:
    """Returns the players' own files that lie beside a log, by their SHA-256. Raises FaultError if one is missing or
    wrong.
    """
    digests = sorted(file.sha256 for file in session.reducer.header.files.values() if isinstance(file, FileBeside))
    return {digest: read_own_file_bytes(session.path, digest) for digest in digests}


def replay(path: AnyPath) -> Iterator[tuple[AnyEntry, Knowledge]]:
    """Yields each entry of a log with the knowledge after it, in constant memory. No rule is checked.

    >>> [entry.by for entry, known in replay("friday.jsonl")]
    ['referee', 'red']

    Raises FaultError if something is wrong with the log.
    """
    path = resolve_link(parse_path(path))
    with open_user_file(path) as file:
        walk = LogWalker(file, log=path)
        for entry in walk:
            yield entry, walk.get_checked_reducer().known
        walk.get_checked_reducer()


def branch(
    session: Session, name: str, at: int | None = None, path: AnyPath | None = None, agreed: Sequence[Seat] = ()
) -> Session:
    """Writes a new log that holds this one up to entry `at`, and goes on from there. This log does not change.

    While secrets of a running game are kept here, all must agree, since a branch may show them. The seats here seal new
    seeds, so that nobody can foresee the dice of this log.

    Raises NotAgreedError or NotAllowedError.
    """
    if session.path is None:
        raise NotAllowedError("a log that was piped in cannot be branched; save it to a file first")
    at = len(session.entries) - 1 if at is None else at
    goes_on = _check_branch(session, name, at, agreed)
    beside = session.path.with_name(f"{session.path.stem}-{make_name_part(name)}.jsonl")
    path = beside if path is None else parse_path(path)
    parent = make_printable(session.path.stem)[:MAX_PARENT_CHARACTERS]  # the name of a file may be no text
    body = encode_for_log(
        BranchEntry(n=at + 1, prev=session.hash_at(at), by=REFEREE, at=get_current_time(), name=name, parent=parent)
    )
    try:
        check_path_is_free(path, session.reducer.keepers)
        made = copy_vaults(session.path, path, session.reducer.keepers)
        with remove_on_failure(path, made):
            made += write_own_files(path, read_own_files_beside(session))
            store.create_log(path, _read_first_lines(session, session.path, at + 1) + format_entry_line(body))
            made += [path, store.find_head_path(path)]
            branched = open_log(path)
            if goes_on and not session.reducer.header.dice.is_joint:
                _seal_seeds(branched, branched.reducer.keepers)
    except FileExistsError as error:
        raise NotAllowedError(f"there is a file {error.filename} already; choose another name") from error
    return branched


def _check_branch(session: Session, name: str, at: int, agreed: Sequence[Seat]) -> bool:
    """Checks that a branch may start after entry `at`. Returns True if the game is not over at that entry.

    Raises NotAllowedError for a bad name or entry, and NotAgreedError if secrets are kept here and not all agree.
    """
    last = len(session.entries) - 1
    if not 0 <= at <= last:
        raise NotAllowedError(f"there is no entry {at}; the log has entries 0 to {last}")
    if not re.fullmatch(BRANCH_NAME_PATTERN, name):
        raise NotAllowedError(f"{name!r} is not a branch name; use letters, digits, dots and dashes")
    goes_on = session.moment(at).outcome is None
    what = "branching a game while its secrets are kept here"
    missing = describe_missing_consents(session.reducer.occupied_seats, REFEREE, agreed, what)
    if missing and goes_on and session.reducer.opener.vaults:
        raise NotAgreedError(missing)
    return goes_on


def _read_first_lines(session: Session, path: Path, count: int) -> bytes:
    if session.letter:
        return b"".join(islice(BytesIO(session.letter.log), count))
    return store.read_first_lines(path, count)
