"""The chapter of the format says of entries, characters and sizes what the program has."""

from __future__ import annotations

import re

import msgspec
import pytest
from support import PACKAGE

from referee.cli.commands.schema import make_schema
from referee.engine.registry import find_game
from referee.record.log.field_types import LOG_FORMAT, MAX_DEPTH, MAX_ENTRY_BYTES, MAX_NUMBER, MAX_STRING
from referee.record.log.limits import find_text_problem
from referee.record.log.match_entry import make_match_entry_types

CHAPTER = (PACKAGE / "manual" / "format.md").read_text("utf-8")
COMMON = {"at", "by", "n", "prev", "type"}
TOLD = CHAPTER.partition("## 5.")[2].partition("## 6.")[0] + CHAPTER.partition("## 12.")[2]
ROWS = {
    kind: cell
    for kinds, cell in re.findall(r"^\| (`[a-z-]+`[^|]*) \| (.*) \|$", TOLD, re.MULTILINE)
    for kind in re.findall(r"`([a-z-]+)`", kinds)
}
"""What stands in the tables beside each type of entry."""


def entries_of(schema):
    """The members of each type of entry, and those of them that must stand."""
    for part in schema["$defs"].values():
        fields = part.get("properties", {})
        if fields.keys() >= COMMON:
            yield fields["type"]["enum"][0], {*fields} - COMMON, {*part["required"]} - COMMON


MATCHES = msgspec.json.schema(make_match_entry_types(find_game("manoover")))
ENTRIES = {kind: (members, required) for kind, members, required in entries_of(make_schema(None))}
ALL = {**{kind: (members, required) for kind, members, required in entries_of(MATCHES)}, **ENTRIES}


@pytest.mark.parametrize("kind", ALL)
def test_members_are_those_of_the_entry(kind):
    said = dict(re.findall(r"(?:^|(?<=[,;] ))`([a-z0-9]+)`([^`]*)", ROWS[kind]))
    members, required = ALL[kind]
    assert said.keys() == members
    assert {name for name, rest in said.items() if " = " not in rest} == required


def test_no_other_type_is_told():
    assert ROWS.keys() == ALL.keys()


def test_characters_that_no_string_has():
    spelling = CHAPTER.partition("## 3.")[2].partition("## 4.")[0]
    ranges = re.findall(r"U\+([0-9A-F]{4})(?:\s+to\s+U\+([0-9A-F]{4}))?", spelling)
    told = {point for first, last in ranges for point in range(int(first, 16), int(last or first, 16) + 1)}
    assert told == {point for point in range(0x11000) if find_text_problem(chr(point))}


def test_sizes():
    words = " ".join(CHAPTER.split())
    assert f"from its first brace to its last, are at most {MAX_ENTRY_BYTES:,}." in words
    assert f"at most {MAX_STRING:,} characters (code points)" in words
    assert f"at most {MAX_DEPTH} deep" in words
    assert MAX_NUMBER == 2**53 - 1
    assert f"`format` is that of this chapter: {LOG_FORMAT}." in words
