"""A mail as a file that mail programs open: text, packet, and a page of what is new, in the thread of its game."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest
from penfriends import Person


@pytest.fixture
def friends(tmp_path, cli, monkeypatch):
    """Red and blue have sat down, and blue has the mail of red's first turn before him as a file."""
    red, blue = (Person(name, tmp_path, cli, monkeypatch, []) for name in ("red", "blue"))
    red.does("new manoover --mail red --option first=red")
    assert blue.gets(red.mails()).code == 0
    blue.does("join blue")
    assert red.gets(blue.mails()).code == 0
    for _ in range(3):  # until a whole turn of red's is played, and the next throw is blue's
        if red("do done!").code == 0:
            break
        red("roll")
        assert blue.gets(red.mails()).code == 0
        assert red.gets(blue.mails()).code == 0
    return red, blue


def letter_of(person, name="turn.eml"):
    return message_from_bytes((person.folder / name).read_bytes(), policy=default)


def test_it_is_opened_as_any_mail(friends):
    red, blue = friends
    red.does('pack --eml turn.eml -m "good luck"')
    mail = letter_of(red)
    assert mail["X-Unsent"] == "1"
    assert "BEGIN REFEREE PACKET" in mail.get_body().get_content().upper()
    told = blue.gets((red.folder / "turn.eml").read_bytes())
    assert told.code == 0, told.shown
    assert "good luck" in blue("log").out


def test_a_page_of_what_is_new_goes_along(friends):
    red, _ = friends
    red.does("mail pack --eml turn.eml -m hello")
    (page,) = letter_of(red).iter_attachments()
    assert page.get_filename() == "new.html"
    assert "hello" in page.get_content()
    assert "script-src" in page.get_content()


def test_mails_of_a_game_are_a_thread(friends):
    red, blue = friends
    red.does("mail pack --eml turn.eml")
    assert blue.gets((red.folder / "turn.eml").read_bytes()).code == 0
    blue.does("do done!", "pack --eml back.eml -m thanks")
    first, answer = letter_of(red), letter_of(blue, "back.eml")
    assert answer["In-Reply-To"] == first["Message-ID"]


def test_nothing_is_written_over_and_one_way_is_enough(friends):
    red, _ = friends
    red.does("mail pack --eml turn.eml")
    assert red("mail pack --eml turn.eml").code != 0
    assert red("mail pack --eml other.eml -o .").code == 2


def test_markup_in_a_word_is_text_in_the_page(friends):
    red, _ = friends
    red.does('pack --eml turn.eml -m "<img src=x onerror=alert(1)>"')
    (page,) = letter_of(red).iter_attachments()
    assert "<img src=x" not in page.get_content()
