"""Names of players: people keep theirs, and nobody passes for another."""

# ruff: noqa: RUF001 - letters that are taken for others are what this is about

from __future__ import annotations

import pytest
from logfiles import forge

from referee.engine.text import make_printable
from referee.record.archive.audit import audit
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import open_log
from referee.record.table.player_names import group_similar_names, pair_seats_with_players

PLACES = ("red", "blue")


@pytest.mark.parametrize(
    "name",
    [
        *("Zoë", "Ян", "Владимир", "Ελένη", "美咲", "אבי", "O'Neill", "Nguyễn Thị", "สมชาย", "Anna Иванова", "x" * 60),
        *("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f", "\U0001f3f3\ufe0f\u200d\U0001f308 Bo", "سارا"),
        *("می\u200cخواهم", "مُحَمَّد", "क\u094d\u200dष", "नमस्ते"),
        *("Ali", "Io", "R2", "Jean-Luc", "Zoe\u0308", "\U0001f916", "Anna 2", "Redd", "Blue Bo"),
    ],
)
def test_people_keep_their_names(name):
    assert pair_seats_with_players(PLACES, [name, "Bo"])[0].name == name


UNREADABLE = {
    "zero-width": "An\u200bna",
    "joiner": "An\u200dna",
    "non-joiner": "An\u200cna",
    "joiner-at-the-end": "سارا\u200c",
    "two-joiners": "می\u200c\u200cخواهم",
    "joiner-at-the-start": "\u200d\U0001f468",
    "two-variations": "\u2764\ufe0f\ufe0f",
    "tag": "Anna\U000e0041",
    "private": "Anna\ue000",
    "byte-order-mark": "\ufeffAnna",
    "variation": "Anna\ufe0f",
    "variation-supplement": "Anna\U000e0101",
    "grapheme-joiner": "An\u034fna",
    "filler": "Anna\u3164",
    "braille-blank": "Anna\u2800",
    "soft-hyphen": "An\u00adna",
    "marks": "A" + "\u0336" * 5 + "nna",
    "many-marks": "A" + "\u0301\u0336" * 25,
    "enclosing": "A" + "\u20dd" * 6,
}


@pytest.mark.parametrize("name", UNREADABLE.values(), ids=UNREADABLE)
def test_names_that_are_not_seen_as_they_are(name):
    with pytest.raises(NotAllowedError, match="a name must be readable"):
        pair_seats_with_players(PLACES, [name, "Bo"])


@pytest.mark.parametrize(
    "name",
    [
        *("blue", "Blue", "BLUE", " blue ", "ＢＬＵＥ", "b1ue", "bIue", "ЬIue".replace("Ь", "b"), "𝐛𝐥𝐮𝐞", "вlue"),
        *("draw", "Draw", "nobody", "NOBODY", "nоbody"),
        *("referee", "Referee", "rеferee", "all", "All", "a11", "aII", "АLL", "ΑLL", "ᴀll".replace("ᴀ", "a")),
    ],
)
def test_nobody_passes_for_another_seat(name):
    with pytest.raises(NotAllowedError):
        pair_seats_with_players(PLACES, [name, "Bo"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Anna", "anna"), ("Anna", "Аnna"), ("Bo", "Во"), ("BO", "ΒΟ"), ("Al", "AI"), ("Al", "A1"), ("Bo0", "BoO")),
        *(
            ("می\u200cخواهم", "میخواهم"),
            ("\u2764\ufe0f", "\u2764"),
            ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ),
        *(("Ann B", "Ann  B"), ("Anna", "Ａｎｎａ"), ("Toni", "ΤΟΝΙ"), ("Cocoa", "Сосоа")),
        *(
            ("José", "Jose"),
            ("Zoë", "zoe"),
            ("Zoe\u0308", "Zoë"),
            ("Nguyễn", "Nguyen"),
            ("Ёлка", "елка"),
            ("Åsa", "asa"),
        ),
    ],
)
def test_nobody_passes_for_the_other_player(one, other):
    with pytest.raises(NotAllowedError):
        pair_seats_with_players(PLACES, [one, other])


@pytest.mark.parametrize(
    ("one", "other"), [("Jan", "Jana"), ("סַם", "סִם"), ("कि", "कु"), ("สมชาย", "สมชัย"), ("가", "각")]
)
def test_other_letters_and_vowels_are_other_names(one, other):
    pair_seats_with_players(PLACES, [one, other])


def test_names_that_look_alike_are_told_together():
    names = ["Jose", "Anna", "José", "anna", "Al", "A1", "Bo", "Bo"]
    assert group_similar_names(names) == [("A1", "Al"), ("Anna", "anna"), ("Jose", "José")]


def test_alphabets_are_not_mixed_in_a_word():
    with pytest.raises(NotAllowedError, match="mixes alphabets in one word"):
        pair_seats_with_players(PLACES, ["Жenya", "Bo"])


# Old logs


@pytest.mark.parametrize("name", ["A" + "\u0336" * 9, "Anna\ufe0f", "Жenya", "a11", "draw", "Nobody"])
def test_old_logs_with_such_names_are_still_read(name, control):
    forge(control.path, lambda entries: entries[0]["seats"][0].update(name=name))
    assert (open_log(control.path).reducer.header.names["red"], audit(control.path).fault) == (name, None)


def test_what_is_not_seen_is_shown():
    shown = make_printable("A" + "\u0336" * 6 + "\u3164\ufe0f\U000e0101\u200b\ue000é")
    assert shown == "A" + "\u0336" * 4 + r"\u{336}" * 2 + r"\u{3164}\u{fe0f}\u{e0101}\u{200b}\u{e000}é"
