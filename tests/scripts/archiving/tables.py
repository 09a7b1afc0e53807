"""What people do besides playing: takebacks, corrections, amendments, notes, branches, ends, boards of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from long_log import always_same

from archiving.random_games import Made, play_at_random
from referee.engine.component import read_toml
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.amend_pieces import amend_pieces
from referee.record.table.deeds.correct import correct_dice
from referee.record.table.deeds.resign import resign
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.recording import record_note
from referee.record.table.session import Session
from referee.record.table.undo_redo import redo, undo

HIDDEN = {"hidden-movement": "yes"}


def tables(game: AnyGame, folder: Path) -> Iterator[Made]:
    """Small games of one game, each with what people do besides playing."""
    stories = {"mended": _mended, "resigned": _resigned, "own": _own, "bots": _bots}
    if game.list_secret_keepers(fill_options(game, {})) == ():
        stories |= {"placed": _placed, "branched": _branched}
    for name, story in stories.items():
        path = folder / f"{game.name}-{name}.jsonl"
        with always_same(len(name)):
            story(game, path)
        yield Made(path.stem, path)


def hidden_tables(game: AnyGame, folder: Path) -> Iterator[Made]:
    """The same where something is kept secret: what stays sealed, and what is revealed early or amended."""
    options = {name: value for name, value in HIDDEN.items() if name in {option.name for option in game.options}}
    if not game.list_secret_keepers(fill_options(game, options)):
        return
    for name, story in {"sealed": _sealed, "revealed-early": _revealed_early}.items():
        path = folder / f"{game.name}-{name}.jsonl"
        with always_same(len(name)):
            story(_begun(game, path, options))
        yield Made(path.stem, path)


def _begun(game: AnyGame, path: Path, options: dict[str, str] | None = None, **more: Any) -> Session:
    """A game in its first turns."""
    more.setdefault("dice", OpenDice("07" * 32))
    session = start(game.name, path, options=options, **more)
    _play(session, 8)
    return session


def _play(session: Session, plays: int, seed: int = 1) -> None:
    random = Random(seed)
    for _ in range(plays):
        play_at_random(session, random)


def _position(session: Session, at: int) -> dict[str, Any]:
    """How the game stood after an entry."""
    state = session.moment(at).known.truth
    document: dict[str, Any] = msgspec.to_builtins(session.game.position_from(state))
    return document


def _mended(game: AnyGame, path: Path) -> None:
    """One takes back by agreement, and brings it back; the board is amended; notes stand between."""
    session = _begun(game, path)
    record_note(session, "Anna came late")
    undo(session, 2, agreed=session.reducer.seats)
    redo(session, agreed=session.reducer.seats)
    undo(session, 1, agreed=session.reducer.seats)
    _play(session, 2, seed=2)
    record_note(session, "it was the cat, for ever: é ü 龍", by=session.reducer.seats[0])
    if not session.reducer.keepers:
        amend_position(session, _position(session, 4), "the cat", session.reducer.seats)
        _play(session, 2)


def _resigned(game: AnyGame, path: Path) -> None:
    """One gives up."""
    session = _begun(game, path)
    resign(session, session.reducer.seats[-1], session.reducer.seats)


def _branched(game: AnyGame, path: Path) -> None:
    """A branch from the fifth entry, ended by agreement."""
    session = _begun(game, path.with_name(f"{path.stem}-parent.jsonl"))
    other = branch(session, "what-if", 4, path)
    _play(other, 3, seed=3)
    end_by_agreement(other, [other.reducer.seats[0]], other.reducer.seats)


def _placed(game: AnyGame, path: Path) -> None:
    """It begins from a position, with dice that are typed in; one was typed wrongly."""
    before = _begun(game, path.with_name(f"{path.stem}-before.jsonl"))
    session = start(game.name, path, dice=TableDice(), position=_position(before, len(before.entries) - 1))
    _play(session, 6, seed=4)
    thrown = [n for n, entry in enumerate(session.entries) if getattr(entry, "rolls", ())]
    if thrown:
        faces = [face for roll in session.entries[thrown[-1]].rolls for face in roll.faces]
        correct_dice(session, thrown[-1], [1 if face != 1 else 2 for face in faces], agreed=session.reducer.seats)


def _own(game: AnyGame, path: Path) -> None:
    """All that it is played with is the players' own: in the first line, or beside it where it is big."""
    options = fill_options(game, {})
    own = {part.name: {**read_toml(part.shipped(options)), **_renamed(part.name)} for part in game.components}
    _begun(game, path, own=own)


def _renamed(part: str) -> dict[str, str]:
    return {"title": "A board of our own"} if part == "board" else {}


def _bots(game: AnyGame, path: Path) -> None:
    """Bots play all seats but the first; the seats have names."""
    seats = game.seats(fill_options(game, {}))
    names = dict(zip(seats, ("Anna", "Bo", "Cleo", "Dan"), strict=False))
    _begun(game, path, seats=names, bots=dict.fromkeys(seats[1:], "steady"))


def _sealed(session: Session) -> None:
    """Nothing is revealed; what is amended in the open and in secret stays as it is."""
    _play(session, 6, seed=5)
    record_note(session, "all is still sealed")
    truth = session.moment().known.truth
    if walls := sorted(getattr(truth, "walls", ())):
        amend_pieces(session, [f"{walls[0]} none"], "mistaken", ["mutant"], "human")
        amend_pieces(session, ["C6-D6 smashed"], "the cat", session.reducer.seats)


def _revealed_early(session: Session) -> None:
    """All is revealed by agreement while the game goes on, and then the position is amended."""
    reveal_secrets(session, agreed=session.reducer.seats)
    session = open_log(session.path or "")
    amend_position(session, _position(session, 3), "the cat", session.reducer.seats)
