import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.text import (
    INVISIBLE,
    NotUnderstoodError,
    PhraseReader,
    count_of,
    format_number,
    listing,
    make_printable,
    match_word,
    split_phrases,
    split_words,
)


@given(st.text())
def test_printable_lets_nothing_act_on_a_terminal(text):
    shown = make_printable(text)
    assert shown.isprintable()
    assert make_printable(shown) == shown


@given(st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters=INVISIBLE)))
def test_printable_leaves_what_is_seen_as_it_is(text):
    assert make_printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\u{1b}[2J"),
        ("\x9b31m", "\\u{9b}31m"),
        ("a\u202eb", "a\\u{202e}b"),
        ("\ud800", "\\u{d800}"),
        ("Zoë", "Zoë"),
    ],
)
def test_printable_spells_out_what_it_stops(text, shown):
    assert make_printable(text) == shown


@given(st.text(alphabet="abc ,", max_size=30))
def test_words_know_where_they_stand(text):
    assert all(text[word.at :].lower().startswith(word.text) for word in split_words(text))


def test_phrases_part_at_commas():
    assert split_phrases(" 2 go, ,6 turn n ,") == ["2 go", "6 turn n"]


@pytest.mark.parametrize(
    ("word", "found"), [("go", "go"), ("g", "go"), ("t", None), ("th", "throw"), ("turn", "turn"), ("x", None)]
)
def test_words_may_be_shortened_while_only_one_is_meant(word, found):
    assert match_word(word, ("go", "turn", "throw")) == found


def test_a_misread_word_is_pointed_at():
    error = NotUnderstoodError("2 trun ne", 2, 4, "turn or go", "turn")
    assert error.format_with_caret() == "  2 trun ne\n    ^^^^  expected turn or go. Did you mean 'turn'?"


def test_lists_and_numbers_in_words():
    assert [listing(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [count_of(1, "die", "dice"), count_of(3, "die", "dice"), count_of(2, "play")] == [
        "1 die",
        "3 dice",
        "2 plays",
    ]


@pytest.mark.parametrize(
    ("left", "instead"),
    [("1 6 3", "type dice on their own: referee roll FACES"), ("1 x", "separate two actions with a comma")],
)
def test_what_is_left_of_a_phrase_is_answered_with_what_it_may_be(left, instead):
    with pytest.raises(NotUnderstoodError, match=instead):
        PhraseReader(left).check_finished()


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0"), (100 / 6, "16.7"), (100, "100"), (1_234_567, "1,230,000"), (1.65e-6, "0.00000165")]
)
def test_a_figure_is_spelt_out_however_large_or_small(number, told):
    assert format_number(number) == told
