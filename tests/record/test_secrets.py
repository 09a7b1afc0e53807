"""Secrets in the record, tested on a game that exists for that alone: see `numbers_game`."""

from __future__ import annotations

import json
import os
import shutil
import stat

import msgspec
import numbers_game
import pytest
from msgspec.structs import replace

from referee.engine.dice import OpenDice, TableDice
from referee.engine.game import REFEREE
from referee.engine.sealed import leaf_of
from referee.record.audit import audit
from referee.record.entry import (
    PlayEntry,
    RevealEntry,
    SealedDice,
    SealedEntry,
    SealedPlay,
    TakebackEntry,
    encode,
    lines_of,
)
from referee.record.faults import FaultError, NotRecordedError
from referee.record.reader import Reader
from referee.record.session import NotAllowedError, open_log, replay, start
from referee.record.vault import vault_path

SEED = "6b" * 32
TOLD = (numbers_game.Told(),)
HONEST = SealedPlay(numbers_game.Think(4), (), (numbers_game.Thought(4), *TOLD))
DISHONEST = SealedPlay(numbers_game.Think(5), (), (numbers_game.Thought(5), *TOLD))


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The game is found as a third party's would be."""

    class Point:
        name = "numbers"

        def load(self):
            return numbers_game.GAME

    monkeypatch.setattr("referee.engine.game._entry_points", lambda: [Point()])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@pytest.fixture
def thought(path):
    """Red has thought of 4, in secret."""
    session = start("numbers", path, dice=OpenDice(SEED))
    session.do("think 4")
    return session


@pytest.fixture
def over(thought):
    """The same to its end: entries 0 to 5."""
    thought.do("ready, guess 2, guess 4")
    return thought


def without_vault(session, tmp_path):
    """The log as somebody else has it."""
    copy = tmp_path / "mail" / "game.jsonl"
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(session.path, copy)
    return copy


def entries_of(path):
    with path.open("rb") as file:
        return list(Reader(file))


def rewrite(path, entries):
    """Put other entries into a log, with hashes that fit, and forget what was acknowledged here."""
    path.write_bytes(lines_of(entries))
    path.with_name(path.name + ".head").unlink()


# What the log and the vault hold


def test_a_secret_play_stands_in_the_log_as_its_leaf(thought):
    _, seed, play = thought.entries
    assert (type(seed), seed.by, type(play), play.by) == (SealedEntry, REFEREE, SealedEntry, "red")
    assert [type(event).__name__ for event in play.events] == ["Told"]
    assert b"thought" not in thought.path.read_bytes()
    assert "4" not in json.dumps(json.loads(encode(play))["events"])


def test_the_leaf_binds_game_seat_place_salt_and_value(thought):
    play = thought.entries[2]
    opening = thought.history.timeline.vault.open(play)
    value = encode(SealedPlay(numbers_game.Think(4), (), (numbers_game.Thought(4), numbers_game.Told())))
    assert opening.value == value
    salt = bytes.fromhex(opening.salt)
    assert leaf_of(thought.history.timeline.game_id, "red", play.prev, salt, value) == play.leaf


def test_the_vault_is_for_its_owner_alone(thought):
    assert stat.S_IMODE(vault_path(thought.path).stat().st_mode) == 0o600


def test_a_game_without_secrets_has_no_vault(path):
    start("numbers", path, options={"secrets": "no"}).do("think 4")
    assert not vault_path(path).exists()
    assert type(entries_of(path)[1]) is PlayEntry


def test_no_two_secrets_share_a_salt(path):
    session = start("numbers", path, dice=OpenDice(SEED))
    session.do("think 4")
    session.undo(agreed=["blue"])
    session.do("think 4")
    sealed = [entry for entry in session.entries if isinstance(entry, SealedEntry)]
    openings = [session.history.timeline.vault.open(entry) for entry in sealed]
    assert len({entry.leaf for entry in sealed}) == len({opening.salt for opening in openings}) == 3


# Who sees what


def test_who_keeps_the_vault_knows_everything(thought):
    again = open_log(thought.path)
    assert again.state.number == 4
    assert again.view("blue").number is None
    assert again.view("red").number == 4
    assert [again.secret_of(again.entries[2], seat) is not None for seat in ("red", "blue", None, REFEREE)] == [
        True,
        False,
        False,
        True,
    ]


def test_without_the_vault_a_log_shows_what_a_spectator_knows(thought, tmp_path):
    mailed = open_log(without_vault(thought, tmp_path))
    assert mailed.state == thought.view(None)
    assert mailed.secret_of(mailed.entries[2], "red") is None
    with pytest.raises(NotAllowedError, match=r"game\.jsonl\.vault is not here"):
        mailed.do("ready")
    with pytest.raises(NotAllowedError, match="not here"):
        mailed.foresee("ready")


def test_public_plays_are_folded_without_the_vault(over, tmp_path):
    mailed = open_log(without_vault(over, tmp_path))
    assert mailed.state.guesses == (2, 4)
    assert mailed.outcome == over.outcome
    assert [state.phase for _, state in replay(mailed.path)][-1] == "over"


def test_foreseeing_tells_legality_and_nothing_else(thought):
    judged = thought.foresee("ready")
    assert not judged.refusals
    assert judged.verdict.events == ()
    assert thought.foresee("guess 3").refusals


# Dice


def test_dice_thrown_in_secret_come_from_a_sealed_seed(path):
    session = start("numbers", path, dice=OpenDice(SEED))
    session.do("draw")
    value = json.loads(session.history.timeline.vault.open(session.entries[2]).value)
    assert [(roll["origin"], roll["draw"]) for roll in value["rolls"]] == [("sealed", 0)]
    assert session.history.timeline.secret_seed != SEED
    assert audit(path).fault is None


def test_dice_typed_for_a_secret_are_numbered_apart(path):
    session = start("numbers", path, dice=TableDice())
    session.do("draw", faces=[5])
    assert session.state.number == 5
    assert len(session.entries) == 2
    assert session.history.draws == 0
    assert audit(path).fault is None


# Audit and reveal


def test_audit_judges_secrets_from_the_vault(over):
    report = audit(over.path)
    assert (report.fault, report.plays, report.unjudged, report.secrets) == (None, 4, 0, 2)


def test_audit_without_the_vault_says_what_cannot_be_judged(over, tmp_path):
    report = audit(without_vault(over, tmp_path))
    assert (report.fault, report.plays, report.unjudged, report.secrets) == (None, 0, 4, 2)


def test_after_the_reveal_anybody_can_audit_and_look(over, tmp_path):
    assert over.reveal() == [1, 2]
    mailed = without_vault(over, tmp_path)
    report = audit(mailed)
    assert (report.fault, report.plays, report.unjudged, report.secrets) == (None, 4, 0, 0)
    again = open_log(mailed)
    assert again.state.number == 4
    assert again.history.state(2).number == 4
    assert again.secret_of(again.entries[2], "blue").action == numbers_game.Think(4)
    assert open_log(mailed, upto=3).state.number == 4


def test_a_reveal_while_the_game_goes_on_needs_everybody(thought):
    with pytest.raises(NotAllowedError, match="red and blue to agree"):
        thought.reveal()
    thought.reveal([2], agreed=["red", "blue"])
    assert audit(thought.path).fault is None
    assert thought.secret_of(thought.entries[2], "blue") is not None


def test_a_secret_is_revealed_once_and_only_a_secret(over):
    over.reveal()
    with pytest.raises(NotAllowedError, match="entry 2 is no secret, or is revealed already"):
        over.reveal([2])
    with pytest.raises(NotAllowedError, match="entry 4 is no secret"):
        over.reveal([4])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"salt": "00" * 32}, "bad-reveal"),
        (
            {"secret": SealedPlay(numbers_game.Think(5), (), (numbers_game.Thought(5), numbers_game.Told()))},
            "bad-reveal",
        ),
        ({"of": 3}, "bad-reveal"),
        ({"of": 1}, "bad-reveal"),
    ],
)
def test_a_wrong_reveal_is_found(over, change, code):
    over.reveal([2])
    shutil.move(vault_path(over.path), over.path.with_name("moved"))
    rewrite(over.path, [replace(e, **change) if isinstance(e, RevealEntry) else e for e in entries_of(over.path)])
    assert audit(over.path).fault.code == code
    with pytest.raises(FaultError):
        open_log(over.path)


def test_an_early_reveal_without_agreement_is_found(thought):
    thought.reveal([2], agreed=["red", "blue"])
    rewrite(
        thought.path, [replace(e, agreed=()) if isinstance(e, RevealEntry) else e for e in entries_of(thought.path)]
    )
    assert audit(thought.path).fault.code == "bad-agreement"


def forged(session, secret, **fields):
    """A log whose secret play is this one, honestly sealed."""
    path, vault = session.path, session.history.timeline.vault
    first = entries_of(path)[:2]
    prev = json.loads(lines_of(first[-1:]))["hash"]
    leaf = vault.seal("red", prev, encode(secret))
    entry = SealedEntry(**{"n": 2, "prev": prev, "by": "red", "at": first[0].at, "leaf": leaf} | fields)
    rewrite(path, [*first, entry])
    return path


@pytest.mark.parametrize(
    ("secret", "fields", "code"),
    [
        (HONEST, {"events": TOLD}, None),
        (HONEST, {"events": ()}, "wrong-events"),
        (SealedPlay(numbers_game.Think(4), (), (numbers_game.Thought(5), *TOLD)), {"events": TOLD}, "wrong-events"),
        (SealedPlay(numbers_game.Guess(4), (), ()), {"events": ()}, "illegal-action"),
        (SealedPlay(numbers_game.Draw(), (), (numbers_game.Thought(1), *TOLD)), {"events": TOLD}, "bad-dice"),
        (SealedDice("00" * 32), {"events": ()}, "bad-secret"),
        (msgspec.Raw(encode(HONEST).replace(b":4", b": 4")), {"events": TOLD}, "bad-secret"),
        (HONEST, {"events": TOLD, "by": REFEREE}, "bad-secret"),
        ({"type": "no-such-thing"}, {"events": ()}, "bad-secret"),
    ],
)
def test_audit_judges_what_was_sealed(thought, secret, fields, code):
    if fields.get("by") == REFEREE:
        fields = {**fields, "leaf": "0" * 64}
    fault = audit(forged(thought, secret, **fields)).fault
    assert (fault.code if fault else None) == code


def test_what_is_wrong_with_a_secret_is_told_once_it_is_revealed(thought):
    illegal = SealedPlay(numbers_game.Guess(4), (), ())
    path = forged(thought, illegal, events=())
    cause = audit(path).fault.cause
    assert cause == "what red sealed is not as it should be; once revealed it tells why"
    first = entries_of(path)
    opening = thought.history.timeline.vault.open(first[2])
    prev = json.loads(path.read_bytes().splitlines()[-1])["hash"]
    reveal = RevealEntry(n=3, prev=prev, by=REFEREE, at=first[0].at, of=2, salt=opening.salt, secret=illegal, agreed=())
    path.write_bytes(lines_of([*first, reveal]))
    assert "guess 4" in audit(path).fault.cause


def test_dice_of_secrets_are_counted_once_all_are_revealed(path):
    session = start("numbers", path, dice=OpenDice(SEED))
    session.do("draw")
    assert audit(path).draws == 0
    session.reveal(agreed=["red", "blue"])
    assert audit(path).draws == 1


def test_a_lying_vault_cannot_spoil_the_log(over):
    vault = vault_path(over.path)
    vault.write_bytes(vault.read_bytes().replace(b'"number":4', b'"number":5'))
    with pytest.raises(NotAllowedError, match="does not hold all of them"):
        open_log(over.path).reveal()
    assert audit(over.path).fault is None


def test_a_secret_said_in_the_open_is_found(path):
    session = start("numbers", path, dice=TableDice())
    first = entries_of(path)
    prev = json.loads(lines_of(first))["hash"]
    play = PlayEntry(
        n=1, prev=prev, by="red", at=first[0].at, action=numbers_game.Think(4), rolls=(), events=HONEST.events
    )
    rewrite(path, [*first, play])
    fault = audit(session.path).fault
    assert (fault.code, fault.n) == ("bad-secret", 1)


def test_a_secret_where_there_are_none_is_found(path):
    start("numbers", path, options={"secrets": "no"})
    first = entries_of(path)
    prev = json.loads(lines_of(first))["hash"]
    sealed = SealedEntry(n=1, prev=prev, by="red", at=first[0].at, leaf="0" * 64, events=TOLD)
    rewrite(path, [*first, sealed])
    assert audit(path).fault.code == "bad-secret"
    with pytest.raises(FaultError):
        open_log(path)


# Takebacks, branches


def test_a_secret_is_taken_back_by_agreement_only(thought):
    with pytest.raises(NotAllowedError, match="blue must agree, because entry 2 is a secret"):
        thought.undo()
    thought.undo(agreed=["blue"])
    assert thought.state.number is None
    assert audit(thought.path).fault is None


def test_a_takeback_after_a_reveal_needs_everybody(thought):
    thought.do("ready")
    thought.reveal([2], agreed=["red", "blue"])
    with pytest.raises(NotAllowedError, match="secrets were revealed since"):
        thought.undo()
    thought.undo(agreed=["blue"])
    assert isinstance(thought.entries[-1], TakebackEntry)
    assert audit(thought.path).fault is None


def test_the_sealed_seed_is_no_play_to_take_back(path):
    session = start("numbers", path, dice=OpenDice(SEED))
    with pytest.raises(NotAllowedError, match="no plays to take back"):
        session.undo()


def test_a_branch_takes_its_secrets_along(thought):
    branch = thought.branch("what-if", 2)
    assert branch.state.number == 4
    assert stat.S_IMODE(vault_path(branch.path).stat().st_mode) == 0o600
    branch.do("ready")
    assert audit(branch.path).fault is None


# Vaults that are lost, mangled or somebody else's


def test_a_vault_cut_short_loses_only_its_last_secret(thought):
    vault = vault_path(thought.path)
    vault.write_bytes(vault.read_bytes()[:-20])
    again = open_log(thought.path)
    assert again.history.timeline.partial
    assert again.history.timeline.secret_seed


def test_a_vault_line_of_brackets_is_passed_over(thought):
    with vault_path(thought.path).open("ab") as file:
        file.write(b'{"leaf":"%b","secret":%b%b}\n' % (b"0" * 64, b"[" * 30_000, b"]" * 30_000))
    assert open_log(thought.path).state.number == 4
    assert audit(thought.path).fault is None


def test_a_vault_goes_on_after_a_line_cut_short(path):
    session = start("numbers", path, dice=OpenDice(SEED))
    with vault_path(path).open("ab") as file:
        file.write(b'{"leaf":"12')
    session = open_log(path)
    session.do("think 3")
    assert open_log(path).state.number == 3


@pytest.mark.parametrize("data", [b"", b"{}\n", b"\xff\xfe\n", b'{"format":2}\n', b"[" * 100_000])
def test_what_is_no_vault_is_named(thought, data):
    vault_path(thought.path).write_bytes(data)
    with pytest.raises(FaultError, match="bad-vault"):
        open_log(thought.path)
    assert audit(thought.path).fault.code == "bad-vault"


def test_another_games_vault_is_refused(thought, tmp_path):
    other = start("numbers", tmp_path / "other.jsonl", dice=OpenDice(SEED), seats={"red": "Anna"})
    shutil.copy(vault_path(other.path), vault_path(thought.path))
    with pytest.raises(FaultError, match="secrets of another game"):
        open_log(thought.path)


def test_a_vault_that_lies_shows_nothing(thought):
    """A stranger's vault may claim anything under a leaf; only what the leaf binds is believed."""
    vault = vault_path(thought.path)
    lines = vault.read_bytes().splitlines()
    lying = lines[2].replace(b'"number":4', b'"number":5')
    assert lying != lines[2]
    vault.write_bytes(b"\n".join([*lines[:2], lying]) + b"\n")
    assert open_log(thought.path).state.number is None


def test_nothing_is_recorded_when_the_vault_cannot_be_written(path, monkeypatch):
    session = start("numbers", path, dice=OpenDice(SEED))
    before = path.read_bytes()

    def full(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotRecordedError, match="vault cannot be written"):
        session.do("think 4")
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_a_log_is_never_started_over_another(thought):
    before = vault_path(thought.path).read_bytes()
    with pytest.raises(FileExistsError):
        start("numbers", thought.path)
    assert vault_path(thought.path).read_bytes() == before
