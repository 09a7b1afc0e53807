"""What is typed as a legal list says it is the game's, also where a command has the same name."""

import pytest
from phrases import typed
from support import ROOT

from referee.cli.catalogue import ALIASES, AMBIGUOUS_COMMANDS, COMMANDS
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.registry import find_game, game_names
from referee.record.table.opening_logs import open_log

PART = 120
"""Phrases of each game in the suite; all forms take their turn. `phrases.py` types 10,000."""


@pytest.mark.parametrize("game", game_names())
def test_what_a_legal_list_says_can_be_typed_as_it_stands(game):
    assert typed(game, PART, each=PART // 5) == []


@pytest.mark.parametrize("game", game_names())
def test_all_words_that_commands_share_with_games_are_known(game):
    assert {
        word for word in find_game(game).verbs.verbs_by_word if word in COMMANDS or word in ALIASES
    } <= AMBIGUOUS_COMMANDS


def test_a_door_is_opened_and_not_a_mail(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    cli("do rest, ready, rest, ready")
    told = cli("open xN4-D1 r9")
    assert told.out.startswith("REFUSED  open xN4-D1 r9"), "it is not its time"
    assert "There is no file" not in told.err


def test_a_mail_is_opened_all_the_same(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    assert "There is no file mail.txt" in cli("open mail.txt").err
    assert "There is no file xN4-D1" in cli(":open xN4-D1").err


def test_what_looks_like_no_file_is_the_games(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    told = cli("open d1")
    assert (told.code, "There is no file" in told.err, "Type it like this: open DOOR UNITS" in told.err) == (
        2,
        False,
        True,
    )
    (place / "d1").write_text("no mail")
    assert "It is said" not in cli("open d1").err, "there is such a file"


@pytest.mark.parametrize(("game", "word", "told"), [("mutants", "m", "units and a room"), ("manoover", "m", "robot")])
def test_the_beginning_of_a_word_of_the_game_is_no_slip_of_a_command(cli, place, game, word, told):
    cli(f"new {game} --seed {'0' * 64} -o g.jsonl")
    answer = cli(word)
    assert (answer.code, "there is no command" in answer.err.lower(), told in answer.err) == (2, False, True)


def test_words_of_the_game_are_suggested_before_commands(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    assert "did you mean 'rest'?" in cli("reest").err


def test_what_two_rules_say_in_one_sentence_is_told_once(cli, control):
    from referee.cli.action_text import _group_by_reason
    from referee.engine.rulebook import Refusal

    refusals = [Refusal("a.1", "too late"), Refusal("b.2", "too far"), Refusal("c.3", "too late")]
    assert _group_by_reason(refusals) == {"too late": ["a.1", "c.3"], "too far": ["b.2"]}


def test_a_unit_that_a_command_begins_with_is_moved(cli, place):
    cli("new sheboygan --dice table -o s.jsonl")
    told = cli("m H10")
    assert "there is no command" not in told.err
    assert told.out.startswith("REFUSED  m H10"), "it is not its time"


def test_what_begins_like_a_command_and_is_nothing_to_do_is_a_slip(cli, control):
    assert "did you mean 'legal'" in cli("lega").err


def test_giving_up_as_the_game_has_it_and_as_a_command(cli, place):
    cli("new sheboygan --dice table -o s.jsonl")
    refused = cli("resign --by human")
    assert refused.code == 1
    assert refused.out.startswith("REFUSED  resign")
    assert "If you mean the command, type: referee :resign" in refused.out
    given_up = cli(":resign --by human --yes")
    assert (given_up.code, "human resigns." in given_up.out) == (0, True)


def test_a_command_stays_one_where_no_game_is_at_hand(cli, place):
    assert cli("join red").code == 4
    assert cli("mail", "agree").code == 4
    assert cli("key").code == 1


def test_where_a_log_cannot_be_read_the_command_says_why(cli, control):
    control.write_bytes(b"no log\n")
    assert cli("open nothing.txt").code in (2, 3)


def test_who_speaks_may_be_said_first_as_the_record_has_it(cli, control):
    assert cli("red: 6 go N").code == 0
    assert "REFUSED  2 go" in cli("bo 2 go").out
    assert "turn 1, red (Anna)" in cli("why red: 2 go").out


def test_who_spoke_is_kept_in_the_line_to_type(cli, place):
    cli("new mutants --dice table -o m.jsonl")
    cli("do rest, ready, rest, ready, end!")
    assert "If you mean it, type: referee end! --by mutant" in cli("mutant end").out
    assert "If you mean it, type: referee end! --by mutant" in cli("end --by mutant").out


def test_what_cannot_be_taken_back_is_answered_with_what_can(cli, control):
    cli("2 go")
    told = cli("undo 9")
    assert (told.code, "referee undo 2:  2  red: throw  [2 2 6]" in told.out) == (1, True)
    assert "referee undo:  3  red: 2 go N" in told.out
    assert "referee correct 2 FACES:  red: throw  [2 2 6]" in cli("correct 3 1 1 1").out
    cli("undo")
    cli("6 go")
    assert "taken back before:  3  red: 2 go N" in cli("redo").out


def test_in_a_session_the_line_to_type_has_no_log(cli, control):
    told = cli("play", stdin=b"correct 2 2 2 5\nundo 3\n").out
    assert "Once all agree, type: correct 2 2 2 5 --agreed-by blue" in told
    assert "-g" not in told


def test_at_a_terminal_it_is_asked_which_dice_are_thrown(cli, place, monkeypatch):
    asked = []
    monkeypatch.setattr("referee.cli.context.Context.dice_prompt", property(lambda _self: lambda *_: []))
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or "y")
    cli("new manoover -o a.jsonl")
    assert open_log("a.jsonl").reducer.header.dice == TableDice()
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or "")
    cli("new manoover -o b.jsonl")
    assert isinstance(open_log("b.jsonl").reducer.header.dice, OpenDice)
    assert len(asked) == 2
    cli("new manoover --dice table -o c.jsonl")
    cli("match new manoover --dice open -o d.jsonl")
    assert len(asked) == 2, "who says it is not asked"
    cli("match new manoover -o e.jsonl")
    assert len(asked) == 3


def test_after_the_set_up_of_the_readme_the_next_command_is_found():
    readme = (ROOT / "README.md").read_text("utf-8")
    set_up = readme.partition("## Set up")[2].partition("```sh\n")[2].partition("```")[0]
    assert ". .venv/bin/activate && " in set_up
    assert set_up.rstrip().endswith("&& referee demo")


STREET = 'players = { LEE = { at = "Sd9", supplies = "pistol" }, JAK = { at = "Sp9" } }\nzombies = { l1 = "Sf9 Sg9" }\n'


def test_the_only_weapon_and_a_verb_said_once(cli, place):
    (place / "p.toml").write_text(STREET)
    cli("new zombies --dice table --from p.toml -o z.jsonl")
    told = cli("shoot g9,f9 --dice 4,4,3,4")
    assert (told.code, "With pistol, the only weapon." in told.out) == (0, True)
    assert "red: shoot Sg9 pistol\n" in told.out
    assert "red: shoot Sf9 pistol\n" in told.out
