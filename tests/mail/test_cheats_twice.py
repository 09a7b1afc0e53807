"""Who signs two histories of one game has lied, and it is proven."""

from __future__ import annotations

import re
from random import Random

import pytest
from cheating import Cheat, refused
from forger import Forger
from players import at_random, seated

from referee.record.archive.equivocation import encode_equivocation, explain_missing_proof, parse_equivocation
from referee.record.log.entry import (
    NoteEntry,
)
from referee.record.log.line_format import BODY_OFFSET


def test_what_was_acknowledged_cannot_be_changed(both):
    cheat = Cheat(*both)
    forged = Forger(both[0], cheat.sent - 2)
    forged.add(NoteEntry, by=cheat.other, text="I did something else.").seal(cheat.me, by=cheat.other)
    forged.add(NoteEntry, by=cheat.me, text="So did I.").seal(cheat.other)
    assert refused(both, forged.packet(cheat.sent - 3), "changed").first == cheat.sent - 2


def test_the_time_of_a_seal_is_no_proof_against_its_seat(both):
    """No seal signs itself: who alters its time sends what nobody takes, and proves nothing."""
    cheat, honest = both
    sent = len(honest.hashes)
    forged = Forger(cheat, sent)
    forged.add_bytes(forged.lines.pop()[BODY_OFFSET:-2].replace(b"2026-01-02", b"2026-01-03"))
    forged.add(NoteEntry, by=cheat.seat, text="So.").seal(honest.seat)
    assert refused(both, forged.packet(sent - 1), "faulty").equivocation is None
    third = honest.twin(honest.log.parent.with_name("third"))
    third.log.write_bytes(b"".join(forged.lines))
    third.log.with_name(f"{third.log.name}.head").unlink()
    for player, other in ((cheat, honest), (honest, cheat)):
        player.plays(at_random, Random(2))
        packet = player.sends(0)
        other.receives(packet)
    verdict = third.receives(packet)
    assert (verdict.situation, verdict.seat) == ("forked", cheat.seat)  # who has altered it, and signed both


def two_histories(both):
    """Two packets with different entries under one number, each signed by the cheat."""
    cheat = Cheat(*both)
    one = Forger(both[0], cheat.sent).add(NoteEntry, by=cheat.me, text="This.").seal(cheat.other)
    other = Forger(both[0], cheat.sent).add(NoteEntry, by=cheat.me, text="That.").seal(cheat.other)
    return cheat, one.packet(cheat.sent), other.packet(cheat.sent)


def test_two_entries_with_one_number_are_proven(both):
    cheat, one, other = two_histories(both)
    assert both[1].receives(one).situation == "new"
    verdict = refused(both, other, "forked")
    assert (verdict.seat, verdict.first) == (cheat.me, cheat.sent)
    proof = parse_equivocation(encode_equivocation(verdict.equivocation))
    assert explain_missing_proof(proof) is None


def _other_digit(found):
    return found[1] + (b"1" if found[2] == b"0" else b"0")


DOCTORED = {
    "another game": lambda proof: re.sub(rb'("game": ")(.)', _other_digit, proof, count=1),
    "another seat": lambda proof: re.sub(rb'"seat": "\w+"', b'"seat": "green"', proof, count=1),
    "other words": lambda proof: proof.replace(b"That.", b"Thus."),
    "the same twice": lambda proof: proof.replace(b"That.", b"This."),
    "another number": lambda proof: re.sub(rb'"n": (\d+)', lambda m: b'"n": %d' % (int(m[1]) + 1), proof, count=1),
    "cut short": lambda proof: proof[: len(proof) // 2],
    "nothing": lambda proof: b"{}",
}


@pytest.mark.parametrize("how", DOCTORED)
def test_a_doctored_proof_proves_nothing(both, how):
    _, one, other = two_histories(both)
    both[1].receives(one)
    proof = encode_equivocation(both[1].receives(other).equivocation)
    doctored = DOCTORED[how](proof)
    assert doctored != proof
    found = parse_equivocation(doctored)
    assert found is None or explain_missing_proof(found) is not None


def test_two_pens_from_one_number_are_proven(tmp_path):
    """Three play: the same is signed twice, with the pen for another each time."""
    players = seated(tmp_path, "red", "blue", "green", options={"form": "three"})
    for player in players[:2]:
        player.receives(players[2].sends())
    cheat, *others = sorted(players, key=lambda player: not player.desk.has_pen)
    sent = len(others[0].hashes)
    packets = [
        Forger(cheat, sent).add(NoteEntry, by=cheat.seat, text="To you.").seal(to.seat).packet(sent) for to in others
    ]
    assert others[0].receives(packets[0]).situation == "new"
    verdict = others[0].receives(packets[1])
    assert (verdict.situation, verdict.seat) == ("forked", cheat.seat)
