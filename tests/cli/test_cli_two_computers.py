"""A game with secrets at two computers, each with the vault of its own player; its log is carried by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from third_party import installed

from referee.record.log.vault import find_vault_path
from referee.record.table.opening_logs import open_log

LOG = Path("g.jsonl")


@pytest.fixture
def two(cli, place, monkeypatch):
    """Run the program at one of two computers: `two("red", "do hide reef")`."""
    for seat in ("red", "blue"):
        (place / seat).mkdir()

    def call(seat, words, **more):
        monkeypatch.chdir(place / seat)
        return cli(words, **more)

    with installed():
        assert call("red", "new ambush --sitting red --seats Anna,Bo --dice table -o g.jsonl").code == 0
        carry(place, "red", "blue")
        assert call("blue", "-g g.jsonl join blue").code == 0
        call("blue", "use g.jsonl")
        carry(place, "blue", "red")
        yield call


def carry(place, one, other):
    """Copy the log, and nothing else."""
    shutil.copy(place / one / LOG, place / other / LOG)
    (place / other / f"{LOG}.head").unlink(missing_ok=True)


@pytest.fixture
def hidden(two, place):
    """Both have hidden their chests: red's in the reef, blue's in the cave. Red is to raid."""
    assert two("red", "do hide reef").code == 0
    carry(place, "red", "blue")
    assert two("blue", "do hide cave").code == 0
    carry(place, "blue", "red")
    return two


def test_each_computer_has_one_vault(two, place):
    for seat, other in (("red", "blue"), ("blue", "red")):
        assert find_vault_path(place / seat / LOG, seat).exists()
        assert not find_vault_path(place / seat / LOG, other).exists()
    assert [entry.by for entry in open_log(place / "red" / LOG).entries] == ["referee", "red", "blue"]


def test_who_sits_elsewhere_is_told_how_to_join(two, cli):
    answer = two("red", "new ambush --sitting blue -o other.jsonl")
    assert "Secrets of red are on another computer; type there: referee join red" in answer.out
    assert "are in other.jsonl.blue.vault" in " ".join(answer.out.split())


@pytest.mark.parametrize(
    ("words", "code"),
    [("join blue", 1), ("join red", 1), ("join green", 2), ("new ambush --sitting green", 2), ("--at 0 join red", 2)],
)
def test_who_cannot_join(two, words, code):
    assert two("red", words).code == code


def test_who_does_not_say_who_he_is_is_told_who_can_sit_down(two):
    answer = two("blue", "join")
    assert (answer.code, answer.out) == (1, "Not recorded: a player sits on each seat, so nobody can join.\n")
    two("red", "new ambush --sitting red --seats Anna,Bo -o other.jsonl")
    assert two("red", "join").err == "Name your seat: referee join blue.\n"


def test_nobody_has_to_join_a_game_without_secrets(cli, control):
    answer = cli("join")
    assert answer.code == 1
    assert answer.out == "Not recorded: in this game nobody has to join; to see your moves: referee legal.\n"


def test_sitting_is_for_games_with_secrets(cli, place):
    assert cli("new manoover --sitting red").code == 2


def test_a_secret_is_told_to_its_owner_alone(hidden):
    assert "red: hide reef (a secret)" in hidden("red", "log --by red").out
    assert "red: a secret, sealed red has hidden a chest." in " ".join(hidden("blue", "log --by blue").out.split())
    assert "the reef" not in hidden("blue", "replay --by blue").out
    assert "Note in secret" in hidden("red", "replay --by red").out
    assert hidden("red", "--json log 3 --by red").facts[0]["text"] == "red: hide reef (a secret)"


@pytest.mark.parametrize(
    "words", ["legal --by red", "why --by red raid cave 1", "show --by red", "do --by red raid cave 1"]
)
def test_what_only_another_knows_names_the_missing_vault(hidden, words):
    answer = hidden("blue", words)
    assert answer.code == 1
    assert answer.out.partition(": ")[2].startswith("only red knows this, and g.jsonl.red.vault is not here")
    assert hidden("blue", f"--json {words}").facts["owner"] == "red"


def test_the_referee_is_told_that_not_all_is_known(hidden):
    assert (
        hidden("red", "show --by referee").err
        == "Note: not all secrets of this game are known here; some are not shown.\n"
    )


def test_what_was_said_is_recorded_and_the_other_has_to_answer(hidden, place):
    answer = hidden("red", "do raid cave 2, fight")
    assert answer.code == 1
    assert "Type first: referee raid cave 2" in answer.out
    assert len(open_log(place / "red" / LOG).entries) == 5
    hidden("red", "do raid cave 2")
    answer = hidden("red", "do fight")
    assert "blue (Bo) has to answer first; send them the log; they type: referee answer." in " ".join(
        answer.out.split()
    )
    assert len(open_log(place / "red" / LOG).entries) == 6
    for words in ("do", "do fight", "roll", "roll 1 2"):
        again = hidden("red", words)
        assert again.code == 1
        assert "has to answer" in again.out


def test_one_action_alone_is_done_and_says_who_is_next(hidden):
    answer = hidden("red", "do raid cave 2")
    assert answer.code == 0
    told = " ".join(answer.out.split())
    assert told.endswith("Next: blue (Bo) has to answer first; send them the log; they type: referee answer")
    assert (
        "2" not in hidden("red", "--json log 5").facts[0]["text"]
        or "raid cave 2" in hidden("red", "log 5 --by red").out
    )


@pytest.fixture
def asked(hidden, place):
    """Red has raided the cave with two; blue owes an answer, and has the log."""
    hidden("red", "do raid cave 2")
    carry(place, "red", "blue")
    return hidden


def test_reading_only_says_that_an_answer_is_due(asked, place):
    before = (place / "blue" / LOG).read_bytes()
    for words in ("", "show", "log", "audit"):
        assert asked("blue", words).code == 0
    assert "has to answer first; type: referee answer" in asked("blue", "").out
    assert asked("blue", "--json").facts["answer_due"] == "blue"
    assert (place / "blue" / LOG).read_bytes() == before


def test_an_answer_needs_no_word(asked, place):
    answer = asked("blue", "answer")
    assert answer.code == 0
    assert "Is the chest there? yes." in answer.out
    assert open_log(place / "blue" / LOG).entries[-1].by == "blue"
    assert asked("blue", "answer").out == "Not recorded: no seat at this computer has to answer now.\n"
    assert asked("red", "answer").code == 1


def test_recording_commands_answer_first(asked, place):
    answer = asked("blue", "do --by blue hide reef")
    assert answer.code == 1
    assert "Is the chest there? yes." in answer.out
    assert "REFUSED  hide reef" in answer.out
    assert asked("blue", "--json").facts["answer_due"] is None
    carry(place, "blue", "red")
    assert asked("red", "roll 6 1").code in (0, 1)


def test_asking_shows_nothing_of_what_would_follow(hidden, place):
    before = (place / "red" / LOG).read_bytes()
    facts = hidden("red", "--json why raid cave 2").facts
    assert (facts["verdict"], facts["throws"]) == ("legal", None)
    assert not {"told", "events", "rolls"} & facts["actions"][0].keys()
    assert "Is the chest" not in hidden("red", "do -n raid cave 2").out
    assert hidden("red", "why raid cave 2, fight").code == 2
    assert (place / "red" / LOG).read_bytes() == before


def test_on_one_computer_nobody_notices(cli, place):
    with installed():
        cli("new ambush -o one.jsonl")
        for words in ("do hide reef", "do hide cave"):
            assert cli(words).code == 0
        answer = cli("do raid cave 2")
        assert "blue: answer" in answer.out
        assert "has to answer" not in answer.out
        assert len(open_log("one.jsonl").entries) == 7


def test_a_refusal_tells_nothing_of_what_came_before_it_that_is_not_recorded(cli, place):
    with installed():
        cli("new ambush -o one.jsonl")
        before = Path("one.jsonl").read_bytes()
        for second in ("hide nowhere", "hide cave", "fly away"):
            answer = cli(f"do hide reef, {second}")
            assert answer.code == 1
            assert "Type first: referee hide reef" in answer.out
            assert second not in answer.out
        assert Path("one.jsonl").read_bytes() == before


def test_a_board_of_ones_own(cli, place):
    with installed() as ambush:
        shipped = Path(ambush.__file__).with_name("island.toml").read_text("utf-8")
        (place / "ours.toml").write_text(shipped.replace("reef", "rock"), "utf-8")
        for option in ("--own board=ours.toml", "--board ours.toml"):
            assert cli(f"new ambush {option} -o ours.jsonl").code == 0
            assert cli("do hide rock").code == 0
            for path in place.glob("ours.jsonl*"):
                path.unlink()
        assert cli("new ambush --own flag=ours.toml -o ours.jsonl").code == 3
        assert cli("new ambush --own board -o ours.jsonl").code == 2


def test_the_demo_plays_any_game(cli, place):
    with installed():
        answer = cli("demo")
    assert answer.code == 0, answer.err
    assert "CLEAN" in answer.out
    assert "REFUSED" in answer.out
    found = [word for word in ("UNREADABLE  copy.jsonl", "FAULT  copy.jsonl") if word in answer.out]
    assert len(found) == 1, "what was changed is a die, or a word where none has fallen yet"
    assert "Your turn: referee new ambush  " in answer.out


def test_a_verb_of_any_game_begins_a_line(cli, place):
    with installed():
        cli("new ambush -o one.jsonl")
        assert cli("hide reef").code == 0
        assert "did you mean 'hide'?" in cli("hidee reef").err
        assert "did you mean 'rules'?" in cli("ruels").err
        assert cli("stat").err.startswith("There is no command 'stat'; did you mean 'status'?")
