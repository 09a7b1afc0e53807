"""Secret actions that are declared together: their dice fall in one exchange, and none can be foreseen or refused."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from subprocess import run
from unittest.mock import patch

import pytest
from cheating import refused
from forger import Forger
from msgspec.structs import replace
from players import seated

from referee.cli.mail.ledger_text import describe_knowing_seats, describe_ledger
from referee.games.mutants.answers import HideUnits
from referee.games.mutants.doors import SmashDoor
from referee.games.mutants.sequence import EndStep
from referee.mail.sync import make_packet
from referee.record.archive.audit import audit
from referee.record.log.entry import DeclareEntry, PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.roll_opening import strip_time_and_place
from referee.record.table.ledger import read_ledger
from referee.record.table.mail_verifier import MailVerifier
from referee.record.table.moment import Moment
from referee.record.table.undo_redo import undo

LINE = ("smash xN1-A1 r1 n5", "smash xN2-B1 r2 n6", "smash xN3-C1 r3 n7")

SCRIPT = Path(__file__).parents[1] / "scripts/check_dice.sh"
LONG = (*LINE, "smash xN4-D1 r4 n8", "smash xN5-E1 r5 n9", "smash xN6-F1 r6 n10", "smash xN7-G1 r7 n11")


@pytest.fixture(scope="module")
def building(tmp_path_factory):
    """Hidden Movement after both set-ups: the Mutants may smash doors."""
    human, mutant = seated(
        tmp_path_factory.mktemp("building"), "human", "mutant", game="mutants", options={"hidden-movement": "yes"}
    )
    for player, other in ((human, mutant), (mutant, human)):
        if not player.has_pen:
            player.receives(other.sends())
        with player.at_home():
            player.session.do("rest")
            player.session.do("ready")
        if player is human:
            other.receives(player.sends())
    return human, mutant


@pytest.fixture
def both(building, tmp_path):
    return tuple(player.twin(tmp_path / player.seat) for player in building)


def read(player, *line):
    return [player.session.moment().read(words, player.seat).action for words in line]


def declares(player, *line):
    with player.at_home():
        return player.desk.declare_actions(read(player, *line))


def answered(both, *line):
    """The Mutants declare, and the Human player's computer gives its share. Returns the mail with that share."""
    human, mutant = both
    declares(mutant, *line)
    assert human.receives(mutant.sends()).situation == "new"
    return human.sends()


def plays_of(player):
    return [entry for entry in player.session.entries if isinstance(entry, PlayEntry)]


def ledger_of(player):
    with player.log.open("rb") as file:
        return read_ledger(file, player.log)


def goes_on(both, mails):
    """Both send what needs no choice, and the Mutants choose nothing."""
    human, mutant = both
    for _ in range(mails):
        writer, other = (mutant, human) if mutant.has_pen else (human, mutant)
        with writer.at_home():
            writer.desk.do_automatic_steps()
        moment = writer.session.moment()
        if moment.to_act == writer.seat and not moment.is_answer_due:
            return
        assert other.receives(writer.sends()).situation == "new"


def test_all_dice_of_a_batch_fall_in_one_exchange(both):
    human, mutant = both
    mail = answered(both, *LINE)
    (declared,) = [entry for entry in human.session.entries if isinstance(entry, DeclareEntry)]
    assert (declared.count, declared.actions, declared.secret.known) == (3, (), False)
    before = len(plays_of(mutant))
    mutant.receives(mail)
    goes_on(both, 9)
    made = [entry for entry in plays_of(mutant)[before:] if entry.by == "mutant"]
    assert [type(entry.known_action) for entry in made] == [SmashDoor] * 3
    assert all(len(roll.faces) == 1 for entry in made for roll in entry.known_rolls)
    assert mutant.desk.protocol.roll_count == 1
    (roll,) = ledger_of(mutant).rolls
    assert (roll.declared, roll.played, roll.fate) == (3, 3, "made")
    assert audit(mutant.log).fault is None


def test_both_copies_count_a_batch_alike(both):
    """The one who does not see the actions knows at each entry how many are left, and when the roll is over."""
    human, mutant = both
    mutant.receives(answered(both, *LINE))
    goes_on(both, 9)
    if mutant.has_pen:
        with mutant.at_home():
            mutant.session.do("end")
        hand_over(mutant, human)
    for player in both:
        player.forgets()
        assert player.desk.protocol.joint_roll is None
    assert ledger_of(human).rolls == ledger_of(mutant).rolls


def test_a_batch_is_one_secret_with_its_number_in_the_open(both):
    _, mutant = both
    declares(mutant, *LINE)
    line = mutant.log.read_bytes().splitlines()[-1]
    assert b'"count":3' in line
    assert b"smash" not in line
    with mutant.at_home():
        assert mutant.desk.protocol.joint_roll.batch_left == 3


def test_the_script_without_the_referee_finds_what_opens_a_batch(both):
    """`check_dice.sh` takes time, number and hash out of the line, as the dice of the second derivation need it."""
    _, mutant = both
    declares(mutant, *LINE)
    body = mutant.log.read_bytes().splitlines()[-1].partition(b'"entry":')[2][:-1]
    (script,) = [line for line in SCRIPT.read_text().splitlines() if "said=$(" in line]
    edit = script[script.index("sed '") + 5 : script.rindex("'")]
    told = run(["sed", edit], input=body, capture_output=True, check=True).stdout
    assert told.strip() == strip_time_and_place(body)
    assert b'"count":3' in told


def test_one_secret_is_declared_as_ever(both):
    _, mutant = both
    declares(mutant, LINE[0])
    assert b"count" not in mutant.log.read_bytes().splitlines()[-1]


def test_a_list_is_declared_up_to_the_first_action_of_the_other_kind(both):
    _, mutant = both
    with mutant.at_home():
        actions = read(mutant, *LINE)
        assert mutant.desk.list_declarable_actions([*actions, EndStep(), actions[0]]) == tuple(actions)
        assert mutant.desk.list_declarable_actions([EndStep(), *actions]) == (EndStep(),)


def test_a_batch_ends_at_an_action_that_is_no_longer_legal(both):
    """The same Mutants cannot smash twice. What follows is not made, and the game goes on."""
    human, mutant = both
    mutant.receives(answered(both, LINE[0], LINE[0], LINE[1]))
    goes_on(both, 9)
    assert mutant.has_pen
    (roll,) = ledger_of(mutant).rolls
    assert (roll.declared, roll.played, roll.fate) == (3, 1, "waits")
    declares(mutant, LINE[2])
    assert human.receives(mutant.sends()).situation == "new"
    mutant.receives(human.sends())
    goes_on(both, 9)
    assert [roll.fate for roll in ledger_of(mutant).rolls] == ["made", "made"]
    assert audit(mutant.log).fault is None
    assert audit(human.log).fault is None


# Cheats


def only_first(moment):
    """A patched program that makes only the first action of a batch by itself."""
    return None if moment.joint_roll and moment.joint_roll.batch_left < len(LINE) else HONEST(moment)


HONEST = Moment.find_due_roll


@contextmanager
def patched(both):
    """The Mutants know all dice of their batch and have made the first action. Their program lets them do anything."""
    _, mutant = both
    mail = answered(both, *LINE)
    with (
        patch.object(MailVerifier, "_check_nothing_declared", staticmethod(lambda *_: None)),
        patch.object(Moment, "find_due_roll", only_first),
    ):
        mutant.receives(mail)
        goes_on(both, 4)
        assert mutant.desk.protocol.joint_roll.batch_left == 2
        yield


def hand_over(writer, other):
    with writer.at_home():
        packet = make_packet(writer.desk, to=other.seat)
    assert other.receives(packet).situation == "new"


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_number_that_is_not_true_is_a_fault(both, count):
    _, mutant = both
    declares(mutant, *LINE)
    forged = Forger(mutant)
    body = forged.lines.pop().partition(b'"entry":')[2][:-2]
    forged.add_bytes(body.replace(b'"count":3,', b'"count":%d,' % count if count > 1 else b""))
    mutant.log.write_bytes(b"".join(forged.lines))
    fault = audit(mutant.log).fault
    assert (fault.code, fault.n) == ("bad-cast", len(forged.lines) - 1)


def test_an_open_list_says_no_number(both):
    human, mutant = both
    forged = Forger(mutant)
    value = mutant.desk.find_next_chain_value("mutant")
    forged.add(DeclareEntry, by="mutant", cast=0, value=value, actions=(EndStep(),), secret=None, count=2)
    base = len(human.hashes)
    with mutant.at_home():
        verdict = refused((mutant, human), forged.seal("human").packet(base), "faulty")
    assert verdict.fault.fault.code == "bad-cast"


def test_the_other_may_not_end_a_batch_by_playing_out_of_turn(both):
    """Whoever may act at any time could otherwise refuse the rest of the dice."""
    human, mutant = both
    mutant.receives(answered(both, *LONG))
    while not human.has_pen:
        goes_on(both, 1)
    with human.at_home():
        human.desk.do_automatic_steps()
    moment = human.session.moment()
    assert (moment.is_answer_due, moment.to_act, moment.joint_roll.batch_left > 0) == (False, "mutant", True)
    forged, base = Forger(human), len(mutant.hashes)
    forged.add(PlayEntry, by="human", action=HideUnits(("b1",)), rolls=(), events=(), secret=None)
    verdict = refused((human, mutant), forged.seal("mutant").packet(base), "faulty")
    assert (verdict.fault.fault.code, verdict.fault.fault.n) == ("bad-cast", len(human.hashes))
    assert "the rest of them come first" in verdict.fault.fault.cause


CHEATS = {
    "leaves the rest out": lambda player: player.session.do("end"),
    "makes another in its place": lambda player: declares(player, "smash xN4-D1 n8"),
    "declares the rest again": lambda player: declares(player, *LINE[1:]),
    "declares it in another order": lambda player: declares(player, *reversed(LINE[1:])),
}


@pytest.mark.parametrize("name", CHEATS)
def test_the_rest_of_a_batch_cannot_be_refused_once_its_dice_are_known(both, name):
    """The ledger shows at once that 1 of 3 was made. With the secrets, an audit names the first false entry."""
    human, mutant = both
    with patched(both):
        at = len(mutant.hashes)
        with mutant.at_home():
            CHEATS[name](mutant)
        hand_over(mutant, human)
    (roll, *_) = ledger_of(human).rolls
    assert (roll.declared, roll.played, roll.fate) == (3, 1, "made")
    assert audit(human.log).fault is None
    fault = audit(mutant.log).fault
    assert (fault.code, fault.n) == ("bad-cast", at)
    assert "declared smash xN2-B1" in fault.cause


def test_two_batches_with_one_number_are_a_proof_and_get_one_share(both):
    human, mutant = both
    other = mutant.twin(mutant.log.parent.with_name("again"))
    base = len(mutant.hashes)
    answered(both, *LINE)
    declares(other, *reversed(LINE))
    verdict = human.receives(Forger(other).seal("human").packet(base))
    assert (verdict.situation, verdict.seat) == ("forked", "mutant")


def test_the_same_share_sent_again_gives_the_same_dice(both):
    human, mutant = both
    mail = answered(both, *LINE)
    twin = mutant.twin(mutant.log.parent.with_name("late"))
    mutant.receives(mail)
    twin.receives(human.sends(0))
    assert [entry.known_rolls for entry in plays_of(mutant)] == [entry.known_rolls for entry in plays_of(twin)]


def test_whoever_declares_cannot_work_the_dice_out_before(both):
    """Everything that the Mutants hold lacks the next value of the other chain: their roll has no key."""
    human, mutant = both
    declares(mutant, *LINE)
    cast = mutant.desk.protocol.find_present_joint_roll(mutant.session.head.hash)
    assert cast.owing_seats == ("human",)
    assert cast.derive_dice_keys() == {}
    value = human.desk.find_next_chain_value("human")
    held = [path.read_bytes() for path in mutant.log.parent.rglob("*") if path.is_file()]
    assert not [data for data in held if value.encode() in data or bytes.fromhex(value) in data]


def test_the_other_cannot_know_secret_dice(both):
    """Who gives the share has no value of the secret chain: no key of these dice."""
    human, _ = both
    answered(both, *LINE)
    cast = human.desk.protocol.joint_roll
    assert cast.is_complete
    keys = cast.derive_dice_keys()
    assert keys
    assert "mutant" not in keys


def test_the_ledger_names_nobody_but_their_player_for_secret_dice(both):
    """While a share is missing nobody can know them: one seat lacks the share, the other the secret value."""
    human, mutant = both
    declares(mutant, *LINE)
    assert ledger_of(mutant).rolls[0].known == ()
    assert human.receives(mutant.sends()).situation == "new"
    for player in both:
        cast = player.desk.protocol.joint_roll
        assert (player.seat, cast.knowing_seats) == (player.seat, ())
        assert (player.seat, ledger_of(player).rolls[0].known) == (player.seat, ())
    mutant.receives(human.sends())
    for player in both:
        assert player.desk.protocol.droppable_roll.known == ("mutant",)
        assert ledger_of(player).rolls[0].known == ("mutant",)
    goes_on(both, 9)
    (roll,) = ledger_of(mutant).rolls
    assert (roll.fate, roll.known, roll.is_secret) == ("made", ("mutant",), True)
    (told,) = describe_ledger([roll], str)
    assert told.endswith("only mutant could know its secret dice.")
    assert describe_knowing_seats((), str) == "nobody can know its dice"


def test_nobody_goes_back_behind_a_batch_alone(both):
    human, mutant = both
    mutant.receives(answered(both, *LINE))
    for player in (human, mutant):
        with player.at_home(), pytest.raises(NotAllowedError):
            undo(player.session, by=player.seat)


def test_dice_that_are_left_of_a_batch_are_for_nothing_else(both):
    """A roll that is the only action would otherwise be foreseen by whoever knows what the batch left."""
    _, mutant = both
    mutant.receives(answered(both, *LINE))
    cast = mutant.session.moment().joint_roll
    if cast is None or not cast.batch_left:
        pytest.skip("all were made at once")
    moment = replace(mutant.session.moment(), joint_roll=replace(cast, actions=()))
    moment.__dict__["only_roll"] = EndStep()
    assert not moment.uses_joint_roll("mutant", EndStep())
