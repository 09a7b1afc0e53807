"""Whole games by mail, between players who share nothing but packets."""

from __future__ import annotations

from random import Random

import pytest
from players import Player, played_out, seated

from referee.record.archive.audit import audit
from referee.record.log.entry import AnswerEntry, DeclareEntry, PlayEntry, SealEntry


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_manoover_by_mail_costs_one_mail_a_turn(tmp_path, seed):
    red, blue = players = seated(tmp_path, "red", "blue", luck=str(seed))
    mails = played_out(players, Random(seed))
    assert red.hashes == blue.hashes
    report = audit(red.log)
    assert (report.fault, report.outcome is not None) == (None, True)
    assert mails <= red.session.moment().facts.turn + 3  # one that joins, and the end, which both sign
    assert not any(isinstance(entry, DeclareEntry) for entry in red.session.entries)


def test_dice_of_a_choice_fall_once_the_other_has_answered(tmp_path):
    human, mutant = seated(tmp_path, "human", "mutant", game="mutants")
    played_out_to_dice(human, mutant)
    declarer, other = (human, mutant) if human.desk.protocol.joint_roll else (mutant, human)
    assert declarer.desk.protocol.joint_roll.owing_seats == (other.seat,)
    packet = declarer.sends()
    before = len(other.session.entries)
    assert other.receives(packet).situation == "new"
    new = other.session.entries[before:]
    kinds = [type(entry) for entry in new if not isinstance(entry, SealEntry)]
    at = kinds.index(DeclareEntry)
    assert kinds[at : at + 3] == [DeclareEntry, AnswerEntry, PlayEntry]
    assert {roll.origin for entry in new if isinstance(entry, PlayEntry) for roll in entry.rolls} == {"pact"}
    declarer.receives(other.sends())
    assert declarer.hashes == other.hashes


def played_out_to_dice(*players: Player) -> None:
    """Play at random until somebody has declared something."""
    random = Random(5)
    for _ in range(200):
        for player in players:
            player.plays(lambda moment, r: moment.legal().pick(r), random)
            if player.desk.protocol.joint_roll and player.desk.protocol.joint_roll.owing_seats:
                return
        writer = next(player for player in players if player.desk.has_pen)
        packet = writer.sends()
        for player in players:
            if player is not writer:
                player.receives(packet)
    raise AssertionError("nobody had to declare anything")


@pytest.mark.parametrize("game", ["mutants", "sheboygan", "zombies"])
def test_other_games_go_by_mail_as_well(tmp_path, game):
    seats = {"mutants": ("human", "mutant"), "sheboygan": ("human", "monster"), "zombies": ("red", "blue")}[game]
    players = seated(tmp_path, *seats, game=game)
    random = Random(3)
    for _ in range(40):
        for player in players:
            player.plays(lambda moment, r: moment.legal().pick(r), random, most=40)
        writer = next(player for player in players if player.desk.has_pen)
        try:
            packet = writer.sends()
        except Exception as error:
            assert "still your turn" in str(error) or "the game is over" in str(error)
            continue
        for player in players:
            if player is not writer:
                assert player.receives(packet).situation == "new"
    one, other = players
    shorter = min(len(one.hashes), len(other.hashes))
    assert one.hashes[:shorter] == other.hashes[:shorter]
    assert shorter > 30
    assert all(audit(player.log).fault is None for player in players)


def test_packets_may_come_twice_and_late(tmp_path):
    red, blue = seated(tmp_path, "red", "blue")
    packets = [blue.sends()]
    red.receives(packets[0])
    random, first = Random(1), blue.sends(0)
    third, late = Player(tmp_path / "third", "blue"), Player(tmp_path / "late", "blue")
    for _ in range(6):
        for player, other in ((red, blue), (blue, red)):
            player.plays(lambda moment, r: moment.legal().pick(r), random)
            if player.desk.has_pen and player.session.moment().to_act != player.seat:
                packets.append(player.sends())
                other.receives(packets[-1])
    for packet in (first, *packets, *packets):
        assert third.opens(packet).packet_verdict.situation in ("new", "known", "ahead")
    late.opens(first)
    for packet in reversed(packets):
        late.receives(packet)
    ahead = max(red, blue, key=lambda player: len(player.hashes))
    assert third.hashes == late.hashes == ahead.hashes[: packets[-1].end]


def test_an_answer_withheld_and_given_later_gives_the_same_dice(tmp_path):
    """Who has lost the answer's mail, or goes back to a copy from before it, throws nothing else."""
    human, mutant = seated(tmp_path, "human", "mutant", game="mutants")
    played_out_to_dice(human, mutant)
    declarer, other = (human, mutant) if human.desk.protocol.joint_roll else (mutant, human)
    before, packet = other.log.read_bytes(), declarer.sends()
    thrown = []
    for name in ("first", "again"):
        copy = Player(tmp_path / name, other.seat)
        copy.log.write_bytes(before)
        copy.receives(packet)
        answered = copy.sends()
        assert copy.sends(answered.head.base).lines == answered.lines
        rolls = [entry.rolls for entry in copy.session.entries if isinstance(entry, PlayEntry)]
        thrown.append((answered.lines, rolls))
    assert thrown[0] == thrown[1]
