"""Signatures: what ours are to ssh-keygen, what its are to us, and that nothing else passes."""

from __future__ import annotations

import random
import shutil
import subprocess
from base64 import b64decode, b64encode
from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from referee.record.log.signature import (
    armour_signature,
    derive_public_key,
    find_key_problem,
    format_public_key,
    sign_message,
    verify_signature,
)

MESSAGE = b"referee/1/seal\n" + b"a" * 64 + b"\n41\n" + b"b" * 64 + b"\n"
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = derive_public_key(PRIVATE)
SIGNATURE = sign_message(PRIVATE, MESSAGE)
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493

needs_ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed here")


def ssh_keygen(*words, stdin=b""):
    return subprocess.run(["ssh-keygen", *map(str, words)], input=stdin, capture_output=True, check=False)


def field(data):
    return len(data).to_bytes(4) + data


def forged(
    *, magic=b"SSHSIG", version=1, kind=b"ssh-ed25519", namespace=b"referee", reserved=b"", hash=b"sha512", after=b""
):
    """A signature that is good but for what is asked to be otherwise: it is made by the key, over what it says."""
    raw = PRIVATE.public_key().public_bytes_raw()
    what = field(namespace) + field(reserved) + field(hash)
    proper = PRIVATE.sign(b"SSHSIG" + what + field(sha512(MESSAGE).digest()))
    signature = field(kind) + field(proper)
    blob = magic + version.to_bytes(4) + field(field(b"ssh-ed25519") + field(raw)) + what + field(signature) + after
    return b64encode(blob).decode()


def test_a_signature_holds_for_its_message_and_key_only():
    assert verify_signature(PUBLIC, MESSAGE, SIGNATURE)
    assert not verify_signature(PUBLIC, MESSAGE + b"x", SIGNATURE)
    assert not verify_signature(PUBLIC, b"", SIGNATURE)
    assert not verify_signature(derive_public_key(OTHER), MESSAGE, SIGNATURE)
    assert not verify_signature(PUBLIC, MESSAGE, sign_message(OTHER, MESSAGE))


def test_a_key_signs_a_message_in_one_way():
    assert sign_message(PRIVATE, MESSAGE) == SIGNATURE == forged()
    assert "\n" not in SIGNATURE
    assert len(SIGNATURE) == 236


@pytest.fixture
def judge(tmp_path):
    """Somebody with ssh-keygen and nothing of ours: what he says to a signature."""
    allowed = tmp_path / "allowed_signers"
    allowed.write_text(f'anna namespaces="referee" {PUBLIC}\n', "ascii")

    def check(signature, message=MESSAGE, namespace="referee"):
        (tmp_path / "seal.sig").write_text(armour_signature(signature), "ascii")
        words = ("-Y", "verify", "-n", namespace, "-I", "anna", "-f", allowed, "-s", tmp_path / "seal.sig")
        return ssh_keygen(*words, stdin=message).returncode == 0

    return check


@needs_ssh_keygen
@pytest.mark.parametrize("message", [b"", b"one line\n", bytes(range(256)) * 300])
def test_ssh_keygen_says_the_same_of_ours(judge, message):
    signature = sign_message(PRIVATE, message)
    assert judge(signature, message)
    assert not judge(signature, message + b"\n")
    assert not judge(signature, message, namespace="file")
    assert not judge(sign_message(OTHER, message), message)


@needs_ssh_keygen
def test_what_ssh_keygen_signs_we_know(tmp_path):
    written = PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    (tmp_path / "key").touch(0o600)
    (tmp_path / "key").write_bytes(written)
    (tmp_path / "text").write_bytes(MESSAGE)
    for namespace, good in (("referee", True), ("file", False)):
        done = ssh_keygen("-Y", "sign", "-n", namespace, "-f", tmp_path / "key", tmp_path / "text")
        assert done.returncode == 0, done.stderr
        theirs = (tmp_path / "text.sig").read_text("ascii")
        (tmp_path / "text.sig").unlink()
        signature = "".join(theirs.splitlines()[1:-1])
        assert armour_signature(signature) == theirs
        assert verify_signature(PUBLIC, MESSAGE, signature) is good
        assert (signature == SIGNATURE) is good


@pytest.mark.parametrize(
    "change",
    [
        {"namespace": b"file"},
        {"namespace": b"referee\0"},
        {"namespace": b""},
        {"reserved": b"x"},
        {"hash": b"sha256"},
        {"hash": b"SHA512"},
        {"version": 2},
        {"version": 0},
        {"magic": b"SSHSIB"},
        {"kind": b"ssh-rsa"},
        {"after": b"\0"},
        {"after": field(b"more")},
    ],
)
def test_what_is_not_as_ours_are_is_refused_though_the_key_made_it(change):
    assert not verify_signature(PUBLIC, MESSAGE, forged(**change))


def test_there_is_one_spelling():
    blob = b64decode(SIGNATURE)
    proper = int.from_bytes(blob[-32:], "little")
    again = blob[:-32] + (proper + ORDER).to_bytes(32, "little")  # the same number, counted round once more
    spellings = [
        SIGNATURE + "=",
        SIGNATURE + "\n",
        " " + SIGNATURE,
        SIGNATURE[:100] + "\n" + SIGNATURE[100:],
        SIGNATURE.rstrip("="),
        SIGNATURE.replace("+", "-").replace("/", "_"),
        armour_signature(SIGNATURE),
        b64encode(again).decode(),
        SIGNATURE[:-1] + chr(ord(SIGNATURE[-1]) + 1),
        "",
        "\ud800",
        "é" * 236,
    ]
    assert [text for text in spellings if text != SIGNATURE and verify_signature(PUBLIC, MESSAGE, text)] == []
    for public in (PUBLIC + " anna", PUBLIC + "\n", " " + PUBLIC, PUBLIC.replace(" ", "  "), PUBLIC[:-1], ""):
        assert not verify_signature(public, MESSAGE, SIGNATURE)


def encoded(height, sign=0):
    return (height | sign << 255).to_bytes(32, "little")


Y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
WEAK = [encoded(height, sign) for height in (0, 1, P - 1, Y8, P - Y8) for sign in (0, 1)]


def test_points_of_order_eight_double_to_those_of_height_zero():
    """Doubled, a point comes to height 0 where x^2 = -y^2; on the curve that is 2 y^2 = 1 - d y^4."""
    assert (121666 * (2 * Y8**2 - 1) - 121665 * Y8**4) % P == 0


@pytest.mark.parametrize("raw", WEAK, ids=range(len(WEAK)))
def test_a_key_under_which_everybody_can_sign_is_refused(raw):
    assert "everybody can sign" in find_key_problem(format_public_key(raw))


def test_such_a_key_would_bind_nobody():
    """Why they are refused: for the library this is a good signature, of any message, and nobody has signed it."""
    nobody = encoded(1)
    Ed25519PublicKey.from_public_bytes(nobody).verify(encoded(1) + bytes(32), b"any message")
    purpose = field(b"referee") + field(b"") + field(b"sha512")
    signature = field(field(b"ssh-ed25519") + field(encoded(1) + bytes(32)))
    blob = b"SSHSIG\0\0\0\1" + field(field(b"ssh-ed25519") + field(nobody)) + purpose + signature
    assert not verify_signature(format_public_key(nobody), b"any message", b64encode(blob).decode())


@pytest.mark.parametrize("height", [P, P + 1, 2, 2**255 - 1])
def test_a_key_under_which_nobody_can_sign_is_refused(height):
    assert "nobody can sign" in find_key_problem(format_public_key(encoded(height)))
    assert "nobody can sign" in find_key_problem(format_public_key(encoded(height, 1)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh-ed25519",
        "ssh-ed25519 ",
        "ssh-ed25519 AAAA",
        f"{PUBLIC} anna",
        f"{PUBLIC}\n",
        f" {PUBLIC}",
        PUBLIC.replace("ssh-ed25519", "ssh-rsa"),
        PUBLIC.replace("AAAAC3", "AAAAC4"),
        format_public_key(bytes(31)),
        format_public_key(bytes(33)),
        "ssh-ed25519 \ud800",
        "ssh-ed25519 " + "A" * 5000,
    ],
)
def test_what_is_no_key(text):
    assert find_key_problem(text)
    assert not verify_signature(text, MESSAGE, SIGNATURE)


def test_ordinary_keys_are_keys():
    for number in range(300):
        assert find_key_problem(derive_public_key(Ed25519PrivateKey.from_private_bytes(number.to_bytes(32)))) is None


def test_ten_thousand_changes_to_key_message_and_signature():
    """Bits, bytes, lengths and letters, changed at random: no change is accepted, and none raises."""
    luck = random.Random(12)
    blob, key = b64decode(SIGNATURE), b64decode(PUBLIC.split()[1])
    for _ in range(2500):
        assert not verify_signature(PUBLIC, MESSAGE, b64encode(changed(luck, blob)).decode())
        assert not verify_signature(PUBLIC, MESSAGE, changed(luck, SIGNATURE.encode()).decode("latin-1"))
        assert not verify_signature(f"ssh-ed25519 {b64encode(changed(luck, key)).decode()}", MESSAGE, SIGNATURE)
        assert not verify_signature(PUBLIC, changed(luck, MESSAGE), SIGNATURE)


def changed(luck, data):
    """Bytes with something about them otherwise."""
    was, data = data, bytearray(data)
    while data == was:
        at, until = sorted(luck.randrange(len(was) + 1) for _ in range(2))
        match luck.randrange(6):
            case 0:
                data[at % len(was)] ^= 1 << luck.randrange(8)
            case 1:
                data[at % len(was)] = luck.randrange(256)
            case 2:
                del data[at:until]
            case 3:
                data[at:at] = luck.randbytes(luck.randrange(1, 5))
            case 4:
                data[at:until] = data[at:until] * 2
            case 5:
                data[at:until] = data[at:until][::-1]
    return bytes(data)
