"""Secrets in the record: leaves, vaults, who knows what, and how all of it is checked in the end."""

from __future__ import annotations

import json
import shutil
import stat
from random import Random

import pytest
from logfiles import files_of, mailed

from referee.engine.commitment import make_commitment
from referee.engine.dice import DiceError
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.event import REFEREE
from referee.engine.secret import Secret, UnknownError
from referee.record.archive.audit import audit
from referee.record.log.entry import JoinEntry, PlayEntry, SecretPlay, encode_for_log
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import is_open_to_others
from referee.record.log.sealing import SecretWriter
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import branch, join, open_log, replay, start
from referee.record.table.recording import record_forced_answers
from referee.record.table.undo_redo import undo

SEED = "6b" * 32
SEATS = ("red", "blue")
JOINED, HIDDEN = 3, 5
"""Entries once both have joined, and once both have hidden their chests."""


pytestmark = pytest.mark.usefixtures("ambush")


def secrets_of(session, seat):
    """What the vault of a seat holds."""
    return session.reducer.opener.vaults[seat].values


# What the log and the vaults hold


def test_a_secret_deed_stands_in_the_log_as_its_leaf(hidden):
    deed = hidden.entries[3]
    assert (deed.action, [type(event).__name__ for event in deed.events], deed.secret.owner) == (
        None,
        ["ChestHidden"],
        "red",
    )
    line = hidden.path.read_bytes().splitlines()[3]
    assert json.loads(line)["entry"]["secret"] == {"leaf": deed.secret.leaf, "of": "red"}
    assert b"cave" not in hidden.path.read_bytes()


def test_a_secret_field_stands_in_the_log_as_its_leaf(hidden):
    hidden.do("raid palms 2")
    action = json.loads(hidden.path.read_bytes().splitlines()[HIDDEN])["entry"]["action"]
    assert action["cove"] == "palms"
    assert action["pirates"].keys() == {"leaf", "of"}
    assert hidden.entries[HIDDEN].action.pirates.value == 2


def test_the_leaf_binds_game_seat_place_salt_and_value(hidden, ambush):
    entry = hidden.entries[3]
    value = encode_for_log(SecretPlay(entry.known_play.action, (), ((0, entry.known_events[0]),)))
    vault = hidden.reducer.opener.vaults["red"]
    assert vault.values[entry.secret.leaf] == value
    item = f"{entry.prev}.0"
    assert (
        make_commitment(hidden.reducer.opener.game_id, "red", item, vault.compute_salt(item, value), value)
        == entry.secret.leaf
    )


def test_each_seat_has_a_vault_for_itself_alone(hidden):
    for seat in SEATS:
        vault = find_vault_path(hidden.path, seat)
        assert stat.S_IMODE(vault.stat().st_mode) == 0o600
        head = json.loads(vault.read_bytes().splitlines()[0])
        assert (head["seat"], head["game"]) == (seat, hidden.reducer.opener.game_id)
    masters = {vault.head.master for vault in hidden.reducer.opener.vaults.values()}
    assert len(masters) == 2
    assert set(secrets_of(hidden, "red")).isdisjoint(secrets_of(hidden, "blue"))


def test_a_vault_opened_to_others_is_closed_again(hidden):
    vault = find_vault_path(hidden.path, "red")
    vault.chmod(0o644)
    assert is_open_to_others(hidden.reducer.opener.vaults["red"].path)
    hidden.do("raid palms 2")
    assert stat.S_IMODE(vault.stat().st_mode) == 0o600


def test_a_game_in_plain_view_has_no_vault(path):
    session = start("manoover", path)
    assert (frozenset(session.reducer.opener.vaults), session.reducer.keepers) == (frozenset(), ())
    assert not list(path.parent.glob("*.vault"))


def test_no_two_secrets_share_a_leaf_or_a_salt(path):
    """Not even the same value at the same place of play, taken back and done again."""
    session = start("ambush", path, dice=TableDice())
    for _ in range(3):
        session.do("hide cave")
        undo(session, by="red", agreed=["blue"])
    assert len(secrets_of(session, "red")) == 3
    session.do("hide cave, hide reef")
    play_table(session)
    reveal_secrets(session)
    salts = [entry.salt for entry in open_log(path).entries if hasattr(entry, "salt")]
    assert len(salts) == len(set(salts)) >= 5


def play_table(session):
    random = Random(2)
    while session.moment().to_act:
        line = session.judge(session.game.format(session.legal().pick(random)))
        while line.awaiting:
            need = line.awaiting.need
            line.continue_with(random.choices(range(1, need.sides + 1), k=need.count))
        session.record(line.said)


def test_copies_of_a_log_share_no_salt_for_different_secrets(laptop, tmp_path):
    """Else who sees both could open the one with what opens the other, or see that two are alike."""
    other = branch(laptop, "other", agreed=SEATS)
    copy = open_log(mailed(laptop, tmp_path, "red", "blue"))
    for session, cove in ((laptop, "cave"), (other, "reef"), (copy, "palms")):
        session.do(f"hide {cove}")
    sealed = [(session.entries[-1].secret.leaf, session) for session in (laptop, other, copy)]
    assert len({leaf for leaf, _ in sealed}) == 3
    salts = set()
    for leaf, session in sealed:
        vault, entry = session.reducer.opener.vaults["red"], session.entries[-1]
        salts.add(vault.compute_salt(f"{entry.prev}.0", vault.values[leaf]))
    assert len(salts) == 3


def test_a_secret_that_could_not_be_read_back_is_not_sealed(hidden):
    opener = hidden.reducer.opener
    sealer = SecretWriter(opener.vaults, opener.game_id)
    entry = JoinEntry(n=1, prev="0" * 64, by="red", at="2026-01-01T00:00:00Z", seed=Secret("red", "\x1b"), chair=None)
    with pytest.raises(NotAllowedError, match="this cannot be recorded"):
        sealer.encode_entry(entry)


# Who knows what


def test_who_holds_every_vault_knows_the_truth(hidden):
    again = open_log(hidden.path)
    assert again.reducer.opener.vaults.keys() == {"red", "blue"}
    assert again.moment().state.chests["red"].value == "cave"
    moment = again.moment()
    assert moment.view("red").chests["red"].value == "cave"
    assert not moment.view("red").chests["blue"].known
    assert not any(chest.known for chest in moment.view(None).chests.values())
    assert all(chest.known for chest in moment.view(REFEREE).chests.values())


@pytest.mark.parametrize("seat", SEATS)
def test_who_holds_one_vault_knows_what_its_seat_sees(hidden, tmp_path, seat):
    (other,) = set(SEATS) - {seat}
    here = open_log(mailed(hidden, tmp_path, seat)).moment()
    assert here.known.truth is None
    assert here.view(seat) == hidden.moment().view(seat)
    assert here.view(None) == hidden.moment().view(None)
    with pytest.raises(UnknownError) as caught:
        here.view(other)
    assert caught.value.owner == other


def test_without_any_vault_a_log_shows_what_spectators_see(over, tmp_path):
    spectator = open_log(mailed(over, tmp_path))
    assert spectator.moment().view(None) == over.moment().view(None)
    assert (spectator.moment().outcome, spectator.moment().to_act) == (over.moment().outcome, None)
    assert [known.public.phase for _, known in replay(spectator.path)][-1] == over.moment().state.phase
    with pytest.raises(UnknownError):
        open_log(spectator.path, HIDDEN).legal()


def test_nobody_plays_for_a_seat_whose_vault_is_elsewhere(hidden, tmp_path):
    blue = open_log(mailed(hidden, tmp_path, "blue"))
    before = files_of(blue.path)
    with pytest.raises(UnknownError, match="only red knows"):
        blue.do("raid palms 2")
    assert files_of(blue.path) == before


def test_what_one_sees_is_what_one_would_fold(over, tmp_path):
    """The law of views: who folds what he can open comes to his view of the truth, at every entry."""
    for seat in SEATS:
        copy = mailed(over, tmp_path, seat)
        mine = open_log(copy)
        for n in range(HIDDEN, len(over.entries)):
            assert mine.moment(n).view(seat) == over.moment(n).view(seat)
            assert mine.moment(n).view(None) == over.moment(n).view(None)
        shutil.rmtree(copy.parent)


# Two computers


class Computer:
    """One player's folder, to which lines of the log come by hand."""

    def __init__(self, folder, seat):
        folder.mkdir()
        self.seat = seat
        self.path = folder / "game.jsonl"

    @property
    def log(self):
        return self.path.read_bytes()

    def receive(self, log):
        """Add the lines that are new."""
        mine = self.log if self.path.exists() else b""
        assert log.startswith(mine)
        self.path.write_bytes(log)

    def act(self, random):
        """Play while it is this seat's turn, and give the answers that it owes."""
        session = open_log(self.path)
        record_forced_answers(session)
        while session.moment().to_act == self.seat:
            session.play(session.legal().pick(random))
            record_forced_answers(session)

    def bytes(self):
        return b"".join(file.read_bytes() for file in self.path.parent.iterdir())


def begin(tmp_path, dice):
    red, blue = (Computer(tmp_path / seat, seat) for seat in SEATS)
    start("ambush", red.path, dice=dice, sitting=["red"])
    blue.receive(red.log)
    join(open_log(blue.path), "blue")
    red.receive(blue.log)
    return red, blue


def canaries(computer):
    """What nobody else may hold: salt master, seed, and everything done in secret. A number alone would be anywhere."""
    vault = open_log(computer.path).reducer.opener.vaults[computer.seat]
    values = [value for value in vault.values.values() if len(value) > 8]
    assert values
    return [vault.head.master.encode(), *values]


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_hidden_game_between_two_computers(tmp_path, seed):
    random = Random(seed)
    red, blue = begin(tmp_path, OpenDice(f"{seed:064x}"))
    while open_log(red.path).moment().outcome is None:
        for mine, theirs in ((red, blue), (blue, red)):
            mine.act(random)
            theirs.receive(mine.log)
            for here, there in ((red, blue), (blue, red)):
                assert open_log(here.path).reducer.opener.vaults.keys() == {here.seat}
                assert not any(secret in there.bytes() for secret in canaries(here))
    assert red.log == blue.log
    for computer, other in ((red, "blue"), (blue, "red")):
        report = audit(computer.path)
        assert (report.fault, set(report.unjudged)) == (None, {other})
        assert report.plays > 0
        assert not report.is_complete
    reveal_all(red, blue)


def reveal_all(red, blue):
    for mine, theirs in ((red, blue), (blue, red)):
        reveal_secrets(open_log(mine.path))
        theirs.receive(mine.log)
    assert red.log == blue.log
    reports = [audit(computer.path) for computer in (red, blue)]
    assert reports[0] == reports[1]
    assert reports[0].is_complete
    assert reports[0].secrets == 0
    plays = [entry for entry in open_log(red.path).entries if isinstance(entry, PlayEntry)]
    assert reports[0].plays == len(plays)
    assert open_log(red.path).moment().state == open_log(blue.path).moment().state


def test_unjudged_plays_are_counted_by_seat(hidden, tmp_path):
    hidden.do("raid palms 2")  # blue answers at once
    everybody = {seat: sum(entry.by == seat for entry in hidden.entries[JOINED:]) for seat in SEATS}
    assert audit(mailed(hidden, tmp_path)).unjudged == everybody == {"red": 2, "blue": 2}
    assert audit(mailed(hidden, tmp_path, "red")).unjudged == {"blue": 2}
    assert audit(hidden.path).unjudged == {}


def test_what_an_audit_counts(over, tmp_path):
    known, unknown = audit(over.path), audit(mailed(over, tmp_path))
    assert known.fault is unknown.fault is None
    assert known.plays == sum(unknown.unjudged.values()) > 0
    assert (unknown.plays, known.secrets) == (0, unknown.secrets)
    assert known.secrets == len(secrets_of(over, "red")) + len(secrets_of(over, "blue"))


# Answers


def test_an_answer_is_given_at_once_where_it_is_known(hidden):
    line = hidden.do("raid reef 2")
    assert [(said.seat, said.forced, hidden.game.format(said.action)) for said in line.said[1:]] == [
        ("blue", True, "answer yes")
    ]
    assert [entry.by for entry in hidden.entries[HIDDEN:]] == ["red", "blue"]


def test_an_answer_that_is_known_elsewhere_is_awaited(hidden, tmp_path):
    red = open_log(mailed(hidden, tmp_path, "red"))
    line = red.do("raid reef 2")
    assert len(line.said) == 1
    assert red.moment().to_act == "blue"
    assert red.judge("fight", by="red").awaiting.answer == "blue"
    assert record_forced_answers(red) == []


def test_a_false_answer_is_found_in_the_end(tmp_path, monkeypatch):
    """Blue's computer lies. Nobody can tell before the secrets are revealed; then entry and seat are named."""
    red, blue = begin(tmp_path, TableDice())
    random = Random(3)
    for mine, theirs, deed in ((red, blue, "hide cave"), (blue, red, "hide reef"), (red, blue, "raid reef 2")):
        open_log(mine.path).do(deed)
        theirs.receive(mine.log)
    liar = open_log(blue.path)
    with monkeypatch.context() as patch:
        asked = liar.game
        patch.setattr(type(asked), "check", lambda *_: iter(()))
        liar.do("answer no", by="blue")
    lie = liar.entries[-1].n
    red.receive(blue.log)
    while open_log(red.path).moment().to_act and len(open_log(red.path).entries) < 60:
        for mine, theirs in ((red, blue), (blue, red)):
            session = open_log(mine.path)
            record_forced_answers(session)
            if session.moment().to_act == mine.seat:
                typed_play(session, random)
            theirs.receive(mine.log)
    assert audit(red.path).fault is None
    agreed = [] if open_log(red.path).moment().outcome else list(SEATS)
    for mine, theirs in ((red, blue), (blue, red)):
        reveal_secrets(open_log(mine.path), agreed=agreed)
        theirs.receive(mine.log)
    for computer in (red, blue):
        fault = audit(computer.path).fault
        assert (fault.code, fault.n) == ("illegal-action", lie)
        assert fault.cause.startswith("blue: answer no")
        assert fault.rule in session.game.rulebook.rules


def typed_play(session, random):
    line = session.judge(session.game.format(session.legal().pick(random)))
    while line.awaiting and line.awaiting.need:
        need = line.awaiting.need
        line.continue_with(random.choices(range(1, need.sides + 1), k=need.count))
    session.record(line.said)


# Dice


def test_dice_thrown_in_secret_come_from_the_seed_that_their_seat_sealed(laptop):
    laptop.do("hide adrift")
    (roll,) = laptop.entries[-1].known_play.rolls
    assert (roll.origin, roll.draw, roll.to) == ("sealed", 0, "red")
    assert laptop.entries[-1].rolls == ()
    seeds = {laptop.reducer.seeds[seat] for seat in (None, *SEATS)}
    assert len(seeds) == 3
    assert audit(laptop.path).fault is None


def test_secret_dice_are_numbered_apart(path):
    session = start("ambush", path, dice=TableDice())
    session.do("hide adrift", faces=[2])
    session.do("hide adrift", faces=[3])
    assert [entry.known_play.rolls[0].draw for entry in session.entries[JOINED:]] == [0, 0]
    assert session.reducer.draws == {"red": 1, "blue": 1}
    undo(session, by="blue", agreed=["red"])
    session.do("hide adrift", faces=[3])
    assert session.entries[-1].known_play.rolls[0].draw == 1, "what was thrown is never thrown again"
    assert audit(path).fault is None
    assert open_log(path).reducer.draws == session.reducer.draws


def test_nobody_throws_in_secret_before_sealing_a_seed(tmp_path):
    """Else a player could look which seed throws best, and seal that one."""
    path = tmp_path / "game.jsonl"
    session = start("ambush", path, dice=OpenDice(SEED), sitting=["blue"])
    with pytest.raises(DiceError, match="red has sealed no seed"):
        session.do("hide adrift")
    join(session, "red")
    session.do("hide adrift")
    assert [type(entry) for entry in session.entries[1:]] == [JoinEntry, JoinEntry, PlayEntry]


def test_a_play_in_secret_needs_the_seed_in_the_log(tmp_path):
    session = start("ambush", tmp_path / "game.jsonl", dice=OpenDice(SEED))
    del session.reducer.seeds["red"]
    with pytest.raises(DiceError, match="red has sealed no seed"):
        session.do("hide adrift")


def test_a_seat_joins_once(laptop, tmp_path):
    with pytest.raises(NotAllowedError, match="red has joined already"):
        join(laptop, "red")
    with pytest.raises(NotAllowedError, match="keeps no secrets"):
        join(laptop, "green")
    spectator = open_log(mailed(laptop, tmp_path))
    with pytest.raises(NotAllowedError, match="red has joined already"):
        join(spectator, "red")


def test_a_seat_does_not_join_over_a_vault(tmp_path):
    session = start("ambush", tmp_path / "game.jsonl", sitting=["red"])
    find_vault_path(session.path, "blue").write_text("something else")
    with pytest.raises(FileExistsError):
        join(session, "blue")
    assert find_vault_path(session.path, "blue").read_text() == "something else"


def test_seeds_are_sealed_only_where_dice_are_open(path, tmp_path):
    assert all(entry.seed for entry in start("ambush", path, dice=OpenDice(SEED)).entries[1:])
    table = start("ambush", tmp_path / "table.jsonl", dice=TableDice())
    assert [(entry.by, entry.seed) for entry in table.entries[1:]] == [("red", None), ("blue", None)]
