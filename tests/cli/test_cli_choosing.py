"""Which game is meant, where options may stand, what else a command is called."""

import pytest

from referee.cli.catalogue import ALIASES, COMMANDS


@pytest.fixture
def two(cli, control, place):
    """Two games, the second one current; the first one is `logs/friday.jsonl`."""
    cli("new manoover -o logs/second.jsonl")
    return place


def meant(answer):
    """Name of the log that an answer is about."""
    assert answer.code == 0, answer.err
    return answer.out.split()[1].rstrip(",")


def test_the_pointer_that_new_wrote(cli, two):
    assert meant(cli("")) == "second"
    assert (two / ".referee").read_text() == "logs/second.jsonl\n"


def test_use_moves_the_pointer(cli, two):
    assert meant(cli("use logs/friday.jsonl")) == "friday"
    assert meant(cli("legal")) == "friday"


def test_use_of_a_bad_log_leaves_the_pointer(cli, two):
    (two / "bad.jsonl").write_text("no log\n")
    assert cli("use bad.jsonl").code == 3
    assert meant(cli("")) == "second"


def test_a_pointer_is_found_from_a_folder_below(cli, two, monkeypatch):
    below = two / "photos" / "2026"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert meant(cli("legal")) == "second"
    assert cli("note from below").code == 0


def test_branch_moves_the_pointer(cli, two):
    cli("branch what-if --at 0")
    assert meant(cli("")) == "second-what-if"


def test_an_option_beats_the_environment_and_that_the_pointer(cli, two):
    env = {"REFEREE_GAME": "logs/friday.jsonl"}
    assert meant(cli("legal", env=env)) == "friday"
    assert meant(cli("-g logs/second.jsonl legal", env=env)) == "second"
    assert meant(cli("legal", env={"REFEREE_GAME": ""})) == "second"


def test_the_only_log_in_logs(cli, control, place):
    (place / ".referee").unlink()
    assert meant(cli("legal")) == "friday"


def test_several_logs_and_none_chosen(cli, two):
    (two / ".referee").unlink()
    assert cli("legal").code == 4


@pytest.mark.parametrize(
    "words",
    [
        "-g logs/friday.jsonl --at 1 --width 40 --ascii show",
        "show -g logs/friday.jsonl --at 1 --width 40 --ascii",
        "--game=logs/friday.jsonl show --at=1 --ascii --width=40",
        "--ascii s --game logs/friday.jsonl --width 40 --at 1",
    ],
)
def test_global_options_stand_anywhere(cli, two, words):
    assert cli(words).out == cli("-g logs/friday.jsonl --at 1 --width 40 --ascii show").out


@pytest.mark.parametrize("words", ["--json legal 2 turn", "legal --json 2 turn", "legal 2 turn --json"])
def test_json_stands_anywhere(cli, control, words):
    assert cli(words).facts["of"] == 15


def test_what_stands_after_two_dashes_is_no_option(cli, control):
    assert cli("note -- use --json if you like").code == 0
    assert cli("--json log").facts[-1]["entry"]["text"] == "use --json if you like"


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_aliases(cli, control, alias, name):
    words = {"do": "-n 6 go", "why": "6 go", "roll": "2 2 6"}.get(name, "")
    one, other = cli(f"{alias} {words}"), cli(f"{name} {words}")
    assert (one.out, one.err, one.code) == (other.out, other.err, other.code)


@pytest.mark.parametrize("words", ["2 turn ne", "2 TURN NE", "2  turn   northeast", "2 t ne", "2 rotate NE"])
def test_a_digit_first_is_an_action(cli, control, words):
    assert cli(words).code == 0
    assert cli("--json log").facts[-1]["entry"]["action"] == {"type": "turn", "robot": "2", "toward": "NE"}


def test_a_digit_first_takes_the_options_of_do(cli, control):
    before = control.read_bytes()
    assert cli("6 go -n").code == 0
    assert control.read_bytes() == before
    assert cli("6 go --by red --json").facts["recorded"] is True


def test_commas_part_actions_with_or_without_spaces(cli, control):
    assert len(cli("--json do -n 6 go,2 turn ne ,2 go,").facts["actions"]) == 3


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("shwo", "show"),
        ("leagl", "legal"),
        ("audti", "audit"),
        ("stattus", "status"),
        ("rol", "roll"),
        ("brnach", "branch"),
    ],
)
def test_misspelt_commands_are_suggested_and_not_run(cli, control, said, meant):
    before = control.read_bytes()
    answer = cli(said)
    assert (answer.code, answer.out) == (2, "")
    assert repr(meant) in answer.err
    assert control.read_bytes() == before


def test_no_command_begins_with_a_digit():
    assert not any(name[0].isdigit() for name in [*COMMANDS, *ALIASES])


def test_the_past_is_only_for_looking(cli, control):
    before = control.read_bytes()
    for words in ("show", "legal", "log", "why throw", "replay", ""):
        assert cli(f"--at 1 {words}").code == 0
    for words in ("do throw", "roll 1 2 3", "undo", "note hello", "amend --from x --why y --agreed-by red,blue"):
        assert cli(f"--at 1 {words}").code == 2
    assert control.read_bytes() == before


def test_what_was_so_then(cli, control):
    assert cli("--at 1 --json").facts["position"]["phase"] == "throw"
    assert cli("--at 0 --json legal").facts["choices"][0]["type"] == "throw-off"
    assert cli("--at 1 --json why 6 go").facts["verdict"] == "refused"


@pytest.mark.parametrize("words", ["legal 2 turn", "legal turn 2", "legal TURN 2"])
def test_filters_in_any_order(cli, control, words):
    facts = cli(f"--json {words}").facts
    assert [choice["text"] for choice in facts["choices"]] == ["2 turn N/NE/SE/S/SW/NW"]
    assert facts["count"] == 6
    assert cli(f"{words} --count").out == "6\n"
