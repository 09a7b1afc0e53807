"""A moment of a game, named by its entry or by its turn, and looking back from there."""

import pytest
from calling import tell


@pytest.fixture
def two_turns(cli, control):
    """Anna's turn, and Bo's, who has thrown 1 1 3; entries 1 to 7, in turn 2 from the sixth on."""
    tell(cli, "do 2 go, 2 turn ne, 6 go, auto", "roll 1 1 3")
    return control


def phase(cli, when):
    facts = cli(f"--json --at {when}").facts
    return facts["turn"], facts["to_act"], facts["entry"]


@pytest.mark.parametrize(
    ("when", "moment"),
    [
        ("0", (1, "red", 0)),
        ("5", (1, "red", 5)),
        ("'turn 1'", (1, "red", 0)),
        ("turn 2", (2, "blue", 6)),
        ("turn2", (2, "blue", 6)),
        ("Turn 2", (2, "blue", 6)),
        ("2.blue", (2, "blue", 6)),
        ("2.bl", (2, "blue", 6)),
        ("2.bo", (2, "blue", 6)),
        ("'turn 2.Bo'", (2, "blue", 6)),
    ],
)
def test_moments_by_entry_and_by_turn(cli, two_turns, when, moment):
    assert phase(cli, when) == moment


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("turn 3", "there is no turn 3; the game has 2 turns"),
        ("turn", "'turn' is not a position"),
        ("soon", "'soon' is not a position"),
        ("7.green", "nobody sits at 'green'"),
        ("1.blue", "blue has nothing to do in turn 1"),
        ("-1", "'-1' is not a position"),
        ("12345678901", "is not a position"),
        ("2.", "'2.' is not a position"),
    ],
)
def test_moments_that_there_are_not(cli, two_turns, when, why):
    answer = cli(f"--at {when} show")
    assert (answer.code, answer.out) == (2, "")
    assert why.lower() in answer.err.lower()


def test_a_turn_is_the_one_in_force(cli, two_turns):
    tell(cli, "undo 2 --agreed-by red,blue", "do 6 go, auto")
    assert phase(cli, "turn 2") == (2, "blue", 10)


def test_a_branch_from_the_beginning_of_a_turn(cli, two_turns):
    tell(cli, "branch again --at turn 2", "roll 6 6 6")
    assert cli("--json log").facts[6]["entry"] == cli(f"-g {two_turns} --json log").facts[6]["entry"]
    assert [fact["entry"]["type"] for fact in cli("--json log 7..").facts] == ["branch", "play"]


def test_the_good_part_of_a_bad_log_by_turn(cli, two_turns, place):
    bad = place / "bad.jsonl"
    bad.write_bytes(two_turns.read_bytes().replace(b'"faces":[1,1,3]', b'"faces":[1,1,2]'))
    assert cli(f"-g {bad} show").code == 3
    assert cli(f"-g {bad} --json --at turn 2").facts["entry"] == 6


def test_turn_is_still_a_word_of_the_game(cli, control):
    assert cli("do -n 2 turn ne").code == 0
    assert cli("note -- --at turn 2").code == 0
    assert cli("--json log").facts[-1]["entry"]["text"] == "--at turn 2"


def test_the_log_by_turns(cli, two_turns, snapshot):
    assert cli("log").shown == snapshot
    assert [fact["turn"] for fact in cli("--json log").facts] == [1, 1, 1, 1, 1, 1, 1, 2]
    tell(cli, "undo 2 --agreed-by red,blue")
    told = cli("log").out.splitlines()
    assert [line for line in told if line.startswith("turn")] == ["turn 1, red (Anna)", "turn 2, blue (Bo)"]


def test_telling_a_part_again(cli, two_turns, snapshot):
    assert [cli(words).shown for words in ("log --from 5", "log --from turn 2 --to 7")] == snapshot
    assert [one["n"] for one in cli("--json replay --from 2 --to 4").facts["entries"]] == [2, 3, 4]
    assert [one["n"] for one in cli("--json replay --from turn 2").facts["entries"]] == [7]
    assert cli("log --from 5 --to 4").code == 2


@pytest.mark.parametrize(("until", "last"), [("turn 1", 6), ("1.red", 6), ("turn 2", 7)])
def test_to_a_turn_is_to_its_end(cli, two_turns, until, last):
    assert cli("--json", "log", "--to", until).facts["entries"][-1]["n"] == last


def test_of_a_broken_log_what_is_good_can_be_looked_at(cli, two_turns):
    lines = two_turns.read_bytes().splitlines(keepends=True)
    two_turns.write_bytes(b"".join([*lines[:5], lines[5].replace(b"play", b"ploy"), *lines[6:]]))
    told = cli("log")
    assert told.code == 3
    assert told.err.endswith("To see the part before that, add: --at 4.\n")
    assert cli("--at 4 log").code == 0


def test_stepping_through_a_game(cli, two_turns):
    answer = cli("log --full --step --from 5", stdin=b"\n\n")
    pages = answer.out.split("Off the board")
    assert len(pages) == 4
    assert [line[:8] for line in answer.out.splitlines() if line[:4].strip().isdigit()] == [
        "   5  re",
        "   6  re",
        "   7  bl",
    ]
    assert "at entry 5" in pages[0]
    assert "at entry 7" in pages[2]
    assert answer.err.count("Enter: next") == 2


def test_leaving_while_stepping(cli, two_turns):
    for typed in (b"\nq\n", b"\n"):
        answer = cli("log --full --step", stdin=typed)
        assert answer.code == 0
        assert "referee log --step --from 2" in answer.out
    assert cli("--json replay --step").code == 2
