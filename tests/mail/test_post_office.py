"""Packets go through a real mail server and come out of a real mailbox."""

from __future__ import annotations

import pytest
from manglings import LOSSES, MAILS
from packets import OLDER, PACKET, TEXT, damage_in
from post_office import PostOffice

from referee.mail.ascii_armor import encode_ascii_armor, read_mailed_packets


@pytest.fixture(scope="module")
def post(tmp_path_factory):
    with PostOffice(tmp_path_factory.mktemp("post")) as post:
        yield post


def test_a_packet_arrives(post):
    post.send("red", "blue", f"turn 7, blue to move\n.\n..\nFrom here on: großartig\n\n{TEXT}\n-- \nBo\n")
    [mail] = post.mails_of("blue")
    assert mail.startswith(b"From: red@example.org") and b"BEGIN REFEREE PACKET" in mail
    assert read_mailed_packets(mail).whole == (PACKET,)


def test_mails_lie_in_the_order_in_which_they_came(post):
    for n in range(12):
        post.send("blue", "red", encode_ascii_armor(b"%d" % n))
    assert [read_mailed_packets(mail).whole for mail in post.mails_of("red")] == [(b"%d" % n,) for n in range(12)]
    assert post.mails_of("nobody") == []


def test_every_kind_of_mail_arrives(post):
    both = f"{TEXT}\n\nYou wrote:\n{encode_ascii_armor(OLDER)}".encode()
    for send in MAILS.values():
        post.send_mail("red", "yellow", send(both))
    found = {name: read_mailed_packets(mail).whole for name, mail in zip(MAILS, post.mails_of("yellow"), strict=True)}
    assert found == dict.fromkeys(MAILS, (PACKET, OLDER))


def test_what_was_broken_before_is_refused_after(post):
    post.send_mail("red", "green", LOSSES["cut in the middle"](MAILS["mail"](TEXT.encode())))
    [mail] = post.mails_of("green")
    assert damage_in(mail) == "cut-short"
