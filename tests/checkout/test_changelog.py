"""The changelog is one that people can read: releases, newest first, and one short line for each change."""

import re

import prose
from support import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text("utf-8")
MOST_WORDS = 25
KINDS = ["Added", "Changed", "Fixed"]


def test_releases_stand_newest_first():
    unreleased, *numbers = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    assert unreleased == "Unreleased"
    assert numbers == sorted(numbers, key=lambda number: [*map(int, number.split("."))], reverse=True)


def test_changes_are_added_changed_or_fixed():
    for release in TEXT.split("\n## ")[1:]:
        kinds = [kind for kind in re.findall(r"^### (.*)$", release, re.MULTILINE) if not kind.startswith("Earlier")]
        assert kinds == [kind for kind in KINDS if kind in kinds]


def test_every_change_is_one_short_line():
    changes = re.findall(r"^- (.*)$", TEXT, re.MULTILINE)
    assert [change for change in changes if len(prose.words(change)) > MOST_WORDS] == []
    assert not re.search(r"^ +\S", TEXT, re.MULTILINE)
