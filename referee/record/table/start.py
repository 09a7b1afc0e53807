"""Getting hold of a log: starting one, opening one, joining one with secrets, branching off."""

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

from referee.engine.choosing import choose_options
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.mode import USUAL, DiceMode
from referee.engine.registry import find_game, game_under
from referee.engine.secret import Secret
from referee.engine.text import printable
from referee.engine.versions import PROGRAM
from referee.record.log import store
from referee.record.log.disk import AnyPath, is_handed_over, open_named, path_from, real
from referee.record.log.entry import AnyEntry, BranchEntry, FileBeside, GameEntry, JoinEntry, Seated, encode, now
from referee.record.log.faults import (
    Fault,
    MovedOnError,
    NotAgreedError,
    NotAllowedError,
    NotRecordedError,
    not_allowed,
)
from referee.record.log.fields import BRANCH_NAME, FORMAT, MAX_PARENT
from referee.record.log.files import files_of, path_beside, read_beside, whole_or_not, write_beside
from referee.record.log.frame import NO_PARENT, frame
from referee.record.log.limits import check_recordable
from referee.record.log.vault import copy_vaults, create_vault, vault_path
from referee.record.table.agreement import why_missing
from referee.record.table.draft import Draft
from referee.record.table.fold import BELIEVE
from referee.record.table.known import Known
from referee.record.table.past import Entries, Moments, Source, entries_in, source_at
from referee.record.table.session import Session
from referee.record.table.walk import Walk

if TYPE_CHECKING:
    from referee.record.log.letter import Letter
    from referee.record.table.names import Names


MAX_NAME = 255
"""Bytes of the longest name that a file may have."""


def start(
    game: str,
    path: AnyPath,
    *,
    options: Mapping[str, str] | None = None,
    seats: Names | None = None,
    dice: DiceMode | None = None,
    own: Mapping[str, Mapping[str, Any]] | None = None,
    position: Mapping[str, Any] | None = None,
    sitting: Sequence[Seat] | None = None,
    bots: Mapping[Seat, str] | None = None,
    hints: bool = False,
    rules: int | None = None,
) -> Session:
    """Start a log.

    `seats` gives names to seats, or the names of who plays, in order, or who sits there by an earlier log;
    `dice` is an open seed unless told otherwise;
    `own` are decoded files of the players' own, by component; `position` is one to start from; `sitting` are the seats
    that play at this computer and have their vaults here, all of them unless told otherwise, and none where dice are a
    pact: by mail, seats join one by one; `bots` are the seats that bots play, each with its bot; `hints`:
    whether hints may be asked for by mail; `rules` is an older version of the rules that the game keeps, so that
    somebody with an older referee can play, too. Raises what is wrong:
    UnknownGameError, GameError, OptionError, BoardError, NotAllowedError, FileExistsError, OSError.
    """
    from referee.record.table.beginning import why_not_begun  # games are played more often than begun

    module = game_by(find_game(game), rules)
    keeps_names = any(isinstance(one, Seated) for one in seats or ())
    settled, places = _settled(module, options or {}, seats or {}, keeps_names=keeps_names)
    files, beside = files_of(module, settled, own or {})
    header = GameEntry(
        n=0,
        prev=NO_PARENT,
        by=REFEREE,
        at=now(),
        format=FORMAT,
        game=module.name,
        rules=rules or module.rules_version,
        options={name: settled[name] for name in _named(module, rules)},
        rulings=module.fixed_rulings(),
        seats=places,
        dice=dice or USUAL.begun(None, os.urandom),
        files=files,
        position=dict(position) if position is not None else None,
        nonce=os.urandom(16).hex(),
        bots=dict(bots or {}),
        hints=hints,
        program=PROGRAM,
    )
    problem = why_not_begun(header, keeps_names=keeps_names)
    if problem:
        raise NotAllowedError(problem)
    return _written(header, path_from(path), beside, sitting)


def _settled(
    module: AnyGame, options: Mapping[str, str], seats: Names, *, keeps_names: bool
) -> tuple[dict[str, str], tuple[Seated, ...]]:
    """All options, and who sits where; NotAllowedError, OptionError."""
    from referee.record.table.names import check_apart, named_in, seated

    named = named_in(seats)
    if not keeps_names:
        check_apart(named)  # before seats, which may be named after who plays
    settled = choose_options(module, {**module.options_of(named), **options})
    return settled, seated(module.seats(settled, named), seats)


def game_by(game: AnyGame, rules: int | None) -> AnyGame:
    """The game by an older version of its rules, if one is named; NotAllowedError where it does not keep them."""
    kept = game_under(game, rules) if rules else game
    if kept is None or (rules or 1) > game.rules_version:
        raise NotAllowedError(f"{game.name} is played under rules {game.rules_version} here, not under rules {rules}")
    return kept


def _named(game: AnyGame, rules: int | None) -> Iterator[str]:
    """The options that a game under a version of its rules names: those that it had by then."""
    return (option.name for option in game.options if option.since <= (rules or game.rules_version))


def _written(header: GameEntry, path: Path, beside: Mapping[str, bytes], sitting: Sequence[Seat] | None) -> Session:
    """The log of a game that begins so, with its vaults and what lies beside it: all of it, or nothing."""
    body = encode(header)
    check_recordable(body)
    line = frame(body)
    check_free(path, find_game(header.game).keepers(header.options))
    made = write_beside(path, beside)
    with whole_or_not(path, made):
        with not_allowed():  # as every reader will have it
            session = _walked(BytesIO(line), source_at(path), path).session()
        session.head = store.create(path, line)
        if header.dice.is_joint:
            return session
        made += files_with(session)
        for seat in session.fold.keepers:
            if sitting is None or seat in sitting:
                session.fold.opener.vaults[seat] = create_vault(path, session.head.hash, seat)
        _seal_seeds(session, session.fold.keepers)
    return session


def files_with(session: Session) -> list[Path]:
    """Where all lies that belongs to the log of a game which was begun here."""
    path = session.path
    assert path is not None, "it was begun in a file"
    beside = [file.sha256 for file in session.header.files.values() if isinstance(file, FileBeside)]
    vaults = [vault_path(path, seat) for seat in session.fold.keepers]
    return [path, store.head_path(path), *vaults, *(path_beside(path, digest) for digest in beside)]


def check_free(path: Path, keepers: Sequence[Seat] = ()) -> None:
    """Refuse to start over a log, what is remembered of one, or a vault; FileExistsError. NotAllowedError where the
    names of these would be too long; FileNotFoundError where there is no such folder, for none is made unasked.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    beside = (store.head_path(path), *(vault_path(path, seat) for seat in keepers))
    longest = max(len(os.fsencode(file.name)) for file in beside) + len(".new")
    if longest > MAX_NAME:
        spare = MAX_NAME - longest + len(os.fsencode(path.name))
        raise NotAllowedError(f"the name of the log is too long: {spare} bytes are the most that leave room beside it")
    for file in (path, *beside):
        if os.path.lexists(file):
            raise FileExistsError(17, "exists", str(file))


def join(session: Session, seat: Seat) -> None:
    """Sit down at this computer in a game with secrets: start the seat's vault, and seal its seed where dice are open.

    NotAllowedError when it keeps none or has joined; FileExistsError when there is a vault already.
    """
    if session.path is None or seat not in session.fold.keepers or seat in session.fold.joined:
        keeps = f"{seat} has joined already" if seat in session.fold.joined else f"{seat} keeps no secrets here"
        raise NotAllowedError(keeps if session.path else "a log that was piped in cannot be joined")
    opener = session.fold.opener
    vault = opener.vaults[seat] = create_vault(session.path, opener.game_id, seat)
    try:
        _seal_seeds(session, (seat,))
    except (NotRecordedError, MovedOnError, OSError):
        del opener.vaults[seat]
        vault.path.unlink()  # who did not join has none
        raise


def _seal_seeds(session: Session, seats: Sequence[Seat]) -> None:
    """Before anybody has played in secret: the seed of dice that a seat throws unseen."""
    here = [seat for seat in seats if seat in session.vaults]
    seals = session.header.dice.seals_seeds
    session.append([(_join_draft(seat, os.urandom(32).hex() if seals else None), None) for seat in here])


def _join_draft(seat: Seat, seed: str | None) -> Draft:
    return partial(JoinEntry, by=seat, seed=Secret(seat, seed) if seed else None)


def open_log(path: AnyPath, upto: int | None = None) -> Session:
    """Read a log and fold it. FaultError says what is wrong with it; OSError.

    With `upto` nothing after that entry is looked at, so that the good part of a bad log can be seen and branched;
    nothing can be added then.
    """
    path = real(path_from(path))
    last = store.remembered(path)  # before the log, which another writer may lengthen meanwhile
    source = source_at(path)
    with source() as file:
        session = _walked(file, source, None if is_handed_over(path) else path, upto).session()
    if upto is None:
        store.check_not_shortened(last, session.entries, session.head)
    session.forgotten = None if last else store.why_forgotten(path)
    return session


def open_good(path: AnyPath) -> tuple[Session, Fault | None]:
    """Read a log as far as it is good, and what ends it, if something does; nothing can be added to it. FaultError when
    not even its first entry is good; OSError.
    """
    path = real(path_from(path))
    source = source_at(path)
    with source() as file:
        walked = _walked(file, source, path)
    return walked.session(good=True), walked.walk.fault


def open_stream(file: BinaryIO, upto: int | None = None) -> Session:
    """Read a log that is piped in; it can be looked at, but not added to."""
    data = file.read()
    return _walked(BytesIO(data), partial(BytesIO, data), None, upto).session()


class _Walked(Struct, frozen=True):
    """A log that was read."""

    walk: Walk
    path: Path | None
    upto: int | None
    entries: Entries
    moments: Moments
    letter: Letter | None = None
    """What it was taken out of, if mail had changed the file."""

    def session(self, *, good: bool = False) -> Session:
        """The game so far. FaultError when something is wrong; `good`: only when nothing is good."""
        fold = self.walk.fold if good and self.entries else self.walk.checked()
        assert fold is not None, "a good entry was folded"
        head = store.head_of(
            self.walk.reader, part=good or (self.upto is not None and len(self.entries) == self.upto + 1)
        )
        return Session(self.path, self.walk.reader, fold, self.entries, self.moments, head, self.letter)


def _walked(file: BinaryIO, source: Source, path: Path | None, upto: int | None = None) -> _Walked:
    """Read a log as far as it is good, or up to an entry; what is over in it is read again from its source."""
    moments = Moments(source, path)
    walk = Walk(file, BELIEVE, log=path, strict=True, follows=True, earlier=moments.at)
    entries = entries_in(walk, source, upto)
    walked = _Walked(walk, path, upto, entries, moments)
    if walk.fault:
        from referee.record.log.letter import Letter, letter_in  # hardly any log comes so

        letter = letter_in(file, walk.fault)
        if isinstance(letter, Letter):
            return replace(_walked(BytesIO(letter.log), partial(BytesIO, letter.log), path, upto), letter=letter)
        walk.fault = letter or walk.fault
    return walked


def take_out(session: Session, path: AnyPath) -> Session:
    """Write the log that came in a letter to a file of its own, as it was before it was mailed, and open that.

    NotAllowedError when it came in no letter; FileExistsError when there is such a file, or what belongs to one.
    """
    if session.letter is None:
        raise NotAllowedError("this is a log as it was written; it need not be taken out of anything")
    return keep(session.letter.log, session, path)


def keep(log: bytes, session: Session, path: AnyPath) -> Session:
    """Write a log that was read from somewhere else, as a session, to a file of its own with the players' own files
    beside it, and open that; errors as above.
    """
    path = path_from(path)
    check_free(path, session.fold.keepers)
    made = write_beside(path, files_beside(session))
    with whole_or_not(path, made):
        store.create(path, log)
        made += [path, store.head_path(path)]
        return open_log(path)


def files_beside(session: Session) -> dict[str, bytes]:
    """The players' own files that lie beside the log of a game, by their SHA-256; FaultError."""
    digests = sorted(file.sha256 for file in session.header.files.values() if isinstance(file, FileBeside))
    return {digest: read_beside(session.path, digest) for digest in digests}


def replay(path: AnyPath) -> Iterator[tuple[AnyEntry, Known]]:
    """Each entry of a log with what is known after it, in constant memory. Runs no rules; FaultError."""
    path = real(path_from(path))
    with open_named(path) as file:
        walk = Walk(file, log=path)
        for entry in walk:
            yield entry, walk.checked().known
        walk.checked()


def branch(
    session: Session, name: str, at: int | None = None, path: AnyPath | None = None, agreed: Sequence[Seat] = ()
) -> Session:
    """A new log that holds this one up to entry `at` and goes on from there. This log does not change.

    While a game goes on of which secrets are kept here, all must agree: a branch may show what they are. The seats here
    seal new seeds in it, so that nobody sees in it how the dice of this log will fall. NotAgreedError, NotAllowedError.
    """
    if session.path is None:
        raise NotAllowedError("a log that was piped in cannot be branched; save it to a file first")
    entries = session.entries
    at = len(entries) - 1 if at is None else at
    if not 0 <= at < len(entries):
        raise NotAllowedError(f"there is no entry {at}: the log has entries 0 to {len(entries) - 1}")
    if not re.fullmatch(BRANCH_NAME, name):
        raise NotAllowedError(f"{name!r} is no name of a branch: letters, digits, dots and dashes")
    goes_on = session.moment(at).outcome is None
    missing = why_missing(session.seats, REFEREE, agreed, "branching a game while secrets of it are kept here")
    if missing and goes_on and session.vaults:
        raise NotAgreedError(missing)
    path = session.path.with_name(f"{session.path.stem}-{name}.jsonl") if path is None else path_from(path)
    prev = entries[at + 1].prev if at + 1 < len(entries) else session.head.hash
    parent = printable(session.path.stem)[:MAX_PARENT]  # the name of a file may be no text
    body = encode(BranchEntry(n=at + 1, prev=prev, by=REFEREE, at=now(), name=name, parent=parent))
    try:
        check_free(path, session.fold.keepers)
        made = copy_vaults(session.path, path, session.fold.keepers)
        with whole_or_not(path, made):
            made += write_beside(path, files_beside(session))
            store.create(path, _first_lines(session, session.path, at + 1) + frame(body))
            made += [path, store.head_path(path)]
            branched = open_log(path)
            if goes_on and not session.header.dice.is_joint:
                _seal_seeds(branched, branched.fold.keepers)
    except FileExistsError as error:
        raise NotAllowedError(f"there is a file {error.filename} already; choose another name") from error
    return branched


def _first_lines(session: Session, path: Path, count: int) -> bytes:
    if session.letter:
        return b"".join(islice(BytesIO(session.letter.log), count))
    return store.first_lines(path, count)
