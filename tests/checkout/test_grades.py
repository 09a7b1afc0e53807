"""Grades of texts: syllables and words are counted as people do, and every text that players read is measured."""

import grades
import pytest
from support import PACKAGE

SYLLABLES = {
    1: "a the dice moved tiles thrown eyes played cat's",
    2: "table pieces started people player being dial action version likely",
    3: "manual video together beginning",
    4: "reconstructed ability",
}


@pytest.mark.parametrize(("count", "words"), SYLLABLES.items())
def test_syllables_are_those_that_people_hear(count, words):
    assert {word: grades.syllables_of(word) for word in words.split()} == dict.fromkeys(words.split(), count)


def test_the_grade_is_the_published_formula():
    found = grades.measure(["The cat sat on the mat.", "It was happy there."])
    assert found == (2, 5.0, 1.1)
    assert found.grade == pytest.approx(0.39 * 5 + 11.8 * 1.1 - 15.59)


def test_longer_sentences_and_longer_words_are_harder():
    easy, long, hard = (
        grades.measure([text]).grade for text in ("Roll dice.", "Roll dice and go on.", "Irritability.")
    )
    assert easy < long < hard


def test_code_makes_a_sentence_longer_and_its_words_no_shorter():
    plain, code = grades.measure(["Roll together."]), grades.measure(["Roll together `referee roll 3`, 17."])
    assert (code.length, code.syllables) == (plain.length + 2, plain.syllables)


def test_every_chapter_the_help_and_the_messages_are_measured():
    texts = {name: [*sentences] for name, sentences in grades.texts()}
    chapters = {f"manual: {path.stem}" for path in (PACKAGE / "manual").glob("*.md")}
    assert chapters == texts.keys() - {"README", "help of all commands", "messages"}
    assert {f"manual: {name}" for name in grades.ENGINEERS} <= chapters
    assert all(texts.values())
    assert len(texts["help of all commands"]) > 100 and len(texts["messages"]) > 500


def test_help_and_messages_are_parted():
    helped = {*grades.helps()}
    assert len(set(grades.messages(set()))) > len(set(grades.messages(helped)))
