"""Tables of the bench: what is written reads back, and nothing else of the file changes."""

import re

import bots
import chances
import grades
import house
import keys
import mail_counts
import paged
import pytest
import refusals
import run
import stage
import tables

HEADS = {
    "bots": bots.HEAD,
    "chances": chances.HEAD,
    "grades": grades.HEAD,
    "house": house.HEAD,
    "glance": keys.GLANCE,
    "keys": keys.HEAD,
    "mails": mail_counts.HEAD,
    "refusals": refusals.HEAD,
    "run": run.HEAD,
    "stage": stage.HEAD,
}


@pytest.mark.parametrize("name", HEADS)
def test_a_table_written_again_is_the_same(tmp_path, name):
    readme = tmp_path / "README.md"
    readme.write_text(tables.README.read_text("utf-8"), "utf-8")
    body = tables.standing(HEADS[name], readme)
    assert {len(cells) for cells in body} == {len(HEADS[name])}
    tables.write(HEADS[name], body, readme)
    assert readme.read_text("utf-8") == tables.README.read_text("utf-8")


def test_every_table_of_the_file_is_one_of_these():
    heads = re.findall(r"^(\|.*\|)\n\| ---", tables.README.read_text("utf-8"), re.MULTILINE)
    assert sorted(heads) == sorted(map(tables.row, HEADS.values()))


def test_where_no_browser_is_the_rows_say_so(monkeypatch):
    monkeypatch.setattr("browsers.shutil.which", lambda _name: None)
    monkeypatch.setattr("paged._size_rows", lambda: iter([("longest page", "1", "2")]))
    rows = [*paged.page_rows()]
    assert rows[0] == ("longest page", "1", "2")
    assert [row[1:] for row in rows[1:]] == [("not measured: no browser here", "16")] * len(paged.LOGS)
    assert {name for name, *_ in rows[1:]} <= {name for name, *_ in tables.standing(run.HEAD)}


def test_another_row_leaves_the_rest(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("above\n\n| a | b |\n| --- | --- |\n| x |  |\n\nbelow\n", "utf-8")
    assert tables.standing(("a", "b"), readme) == [["x", ""]]
    tables.write(("a", "b"), [("x", "1"), ("y", "2")], readme)
    told = "above\n\n| a | b |\n| --- | --- |\n| x | 1 |\n| y | 2 |\n\nbelow\n"
    assert readme.read_text("utf-8") == told
