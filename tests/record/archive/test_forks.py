"""Proofs that a seat has signed two entries with one number."""

from __future__ import annotations

import subprocess
from random import Random
from shutil import which

import pytest
from msgspec.structs import replace
from players import Player, seated

from referee.cli.main import run
from referee.mail.packet_fate import compare_packet
from referee.record.archive.equivocation import encode_equivocation, explain_missing_proof, parse_equivocation


@pytest.fixture
def parted(tmp_path):
    """Red has played on from one place in two ways, and signed both."""
    red, blue = seated(tmp_path, "red", "blue", luck="red goes first 1")
    packet = blue.sends()
    twin = Player(tmp_path / "twin", "red", "red goes first 1")
    twin.log.write_bytes(red.log.read_bytes())
    packets = []
    for player, seed in ((red, 1), (twin, 2)):
        player.receives(packet)
        assert player.session.moment().to_act == "red"
        player.plays(lambda moment, random: moment.legal().pick(random), Random(seed))
        packets.append(player.sends())
    return blue, packets


def test_two_entries_with_one_number_are_proof(parted):
    blue, (one, other) = parted
    assert blue.receives(one).situation == "new"
    before = blue.log.read_bytes()
    found = blue.receives(other)
    assert (found.situation, found.seat, blue.log.read_bytes()) == ("forked", "red", before)
    proof = parse_equivocation(encode_equivocation(found.equivocation))
    assert (proof, explain_missing_proof(proof)) == (found.equivocation, None)


def test_a_proof_that_was_doctored_proves_nothing(parted):
    blue, (one, other) = parted
    blue.receives(one)
    fork = blue.receives(other).equivocation
    second = fork.one if len(fork.one) > 1 else fork.other
    for wrong in (
        replace(fork, seat="blue"),
        replace(fork, n=fork.n + 1),
        replace(fork, game="0" * 64),
        replace(fork, key=blue.desk.protocol.chain_positions["blue"].enrolment.key),
        replace(fork, other=fork.one, signed=(fork.signed[0], fork.signed[0])),
        replace(fork, signed=(fork.signed[1], fork.signed[0])),
        replace(fork, one=(second[0].replace('"at"', '"att"'), *second[1:])),
        replace(fork, one=fork.one[:-1] or ("",)),
    ):
        assert explain_missing_proof(wrong) is not None


def test_an_honest_packet_proves_nothing(parted):
    blue, (one, _) = parted
    blue.receives(one)
    assert compare_packet(blue.session, one).situation in ("known", "ahead")


@pytest.mark.skipif(not which("ssh-keygen"), reason="ssh-keygen is not here")
def test_ssh_keygen_checks_a_proof(parted, tmp_path):
    blue, (one, other) = parted
    blue.receives(one)
    fork = blue.receives(other).equivocation
    signers = tmp_path / "allowed_signers"
    signers.write_text(f'{fork.seat} namespaces="referee" {fork.key}\n')
    texts = set()
    for number, said in enumerate(fork.signed):
        signature = tmp_path / f"{number}.sig"
        signature.write_text(said.signature)
        command = ["ssh-keygen", "-Y", "verify", "-n", "referee", "-I", fork.seat, "-f", signers, "-s", signature]
        done = subprocess.run(command, check=False, input=said.text.encode(), capture_output=True)
        assert done.returncode == 0, done.stderr
        texts.add(said.text)
    assert len(texts) == 2


def test_a_third_person_audits_a_proof(parted, tmp_path, monkeypatch, capsys):
    blue, (one, other) = parted
    blue.receives(one)
    fork = blue.receives(other).equivocation
    for name, proof, code, said in (
        ("true.json", fork, 0, "SIGNED TWICE"),
        ("doctored.json", replace(fork, n=fork.n + 1), 1, "NO PROOF"),
    ):
        path = tmp_path / name
        path.write_bytes(encode_equivocation(proof))
        with pytest.raises(SystemExit) as left:
            run(["audit", str(path)])
        assert left.value.code == code
        assert capsys.readouterr().out.startswith(said)


def test_an_audit_says_who_has_signed_what(parted, capsys):
    blue, (one, _) = parted
    blue.receives(one)
    with pytest.raises(SystemExit):
        run(["audit", str(blue.log)])
    told = capsys.readouterr().out
    assert "red has signed all up to entry" in " ".join(told.split())
    assert "made by all seats together" in " ".join(told.split())
