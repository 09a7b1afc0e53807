"""Chapters of the manual on a terminal: wrapped to its width, with what is typed as it stands."""

import pytest

from referee.cli.answer import Text
from referee.cli.catalogue import MANUAL_FOLDER
from referee.cli.manual_page import format_chapter


def test_what_can_be_wrapped_is_wrapped_and_what_is_typed_is_not():
    chapter = "# Dice\n\nThrow\n226.\n\n* one\n  more\n* two\n\n```console\n$ referee roll\n```\n\n    kept  so\n"
    assert [shown.text if isinstance(shown, Text) else list(shown.rows) for shown in format_chapter(chapter)] == [
        "Dice",
        [""],
        "Throw 226.",
        [""],
        "* one more",
        "* two",
        [""],
        ["    $ referee roll"],
        ["", "", "    kept  so"],
    ]


def test_a_table_has_columns_without_rules():
    shown = list(format_chapter("| word | meaning |\n|---|---|\n| seat | a place |\n| " + "x" * 30 + " | long |\n"))
    assert [(line.text, line.indent) for line in shown] == [
        (f"{'seat':<24}  a place", 2),
        ("x" * 30, 2),
        ("long", 28),
    ]


@pytest.mark.parametrize("path", sorted(MANUAL_FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_word_of_a_chapter_is_printed(path):
    chapter = path.read_text("utf-8")
    told = " ".join(
        shown.text if isinstance(shown, Text) else " ".join(shown.rows) for shown in format_chapter(chapter)
    )
    marks = {"|", "```", *(word for word in chapter.split() if set(word) <= set("|-#`") or word.startswith("```"))}
    heads = {line for line in chapter.splitlines() if line.startswith("| ")}
    wanted = [word for word in chapter.split() if word not in marks]
    missing = [word for word in wanted if word.rstrip(":;") not in told and not any(word in head for head in heads)]
    assert missing == []
