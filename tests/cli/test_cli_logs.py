"""Logs and branches by name."""

import pytest
from calling import tell


@pytest.fixture
def folder(cli, control, place):
    """A game in logs/ with two branches, one of them elsewhere, and another game in this folder."""
    tell(cli, "branch what-if --at turn 1", "use friday", "branch again --at 1 -o tried.jsonl", "roll 1 1 1")
    tell(cli, "new manoover --dice table -o saturday.jsonl", "use friday")
    (place / "notes.jsonl").write_text('{"no": "log"}\n')
    return place


def current(cli):
    return cli("--json").facts["log"]


@pytest.mark.parametrize(
    ("name", "log"),
    [
        ("friday", "logs/friday.jsonl"),
        ("saturday", "saturday.jsonl"),
        ("saturday.jsonl", "saturday.jsonl"),
        ("what-if", "logs/friday-what-if.jsonl"),
        ("friday-what-if", "logs/friday-what-if.jsonl"),
        ("again", "tried.jsonl"),
        ("tried", "tried.jsonl"),
    ],
)
def test_a_log_by_its_name(cli, folder, name, log):
    tell(cli, f"use {name}")
    assert current(cli) == log
    tell(cli, "use saturday")
    assert cli(f"-g {name} --json").facts["log"] == log


def test_names_of_nothing_and_of_several(cli, folder):
    for name, near in (("saturdy", "; did you mean saturday.jsonl?"), ("fridy", "; did you mean logs/friday.jsonl?")):
        answer = cli(f"use {name}")
        assert (answer.code, answer.err) == (3, f"There is no file {name}{near}\n")
    assert cli("use sunday").err == "There is no file sunday.\n"  # which is another day
    tell(cli, "use saturday", "branch again -o more.jsonl")
    answer = cli("use again")
    assert answer.code == 2
    assert "more.jsonl or tried.jsonl" in answer.err


def test_the_games_here(cli, folder, snapshot):
    assert cli("use").shown == snapshot
    assert [fact["log"] for fact in cli("--json use").facts] == [
        "logs/friday-what-if.jsonl",
        "logs/friday.jsonl",
        "saturday.jsonl",
        "tried.jsonl",
    ]


def test_the_branches_of_the_current_game(cli, folder, snapshot):
    before = {path: path.read_bytes() for path in folder.rglob("*.jsonl")}
    assert cli("branch").shown == snapshot
    facts = cli("--json branch").facts
    assert [(fact["branch"], fact["parent"], fact["left_at"], fact["current"]) for fact in facts] == [
        (None, None, None, True),
        ("what-if", "friday", 0, False),
        ("again", "friday", 1, False),
    ]
    assert {path: path.read_bytes() for path in folder.rglob("*.jsonl")} == before


def test_logs_are_compared_by_name(cli, folder):
    answer = cli("diff friday again")
    assert answer.code == 1
    assert "friday.jsonl and tried.jsonl" in answer.out


def test_an_unnamed_branch_is_called_by_its_entry(cli, folder):
    tell(cli, "branch --at 2")
    assert current(cli) == "logs/friday-at-2.jsonl"


def test_the_only_log_of_this_folder(cli, place):
    tell(cli, "new manoover --dice table -o only.jsonl")
    (place / ".referee").unlink()
    (place / "data.jsonl").write_text("1\n")
    assert current(cli) == "only.jsonl"
