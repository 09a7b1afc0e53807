"""Slips: each is answered in one sentence that names the nearest right thing, with the designed exit code."""

import re

import pytest
import terminal

from referee.cli.catalogue import COMMANDS
from referee.cli.commands.legal import _fit_lines, describe_choices
from referee.cli.context import Context
from referee.cli.foreign_names import COMMANDS_BY_FOREIGN_NAME, FOREIGN_NAMES, NEEDLESS_COMMANDS
from referee.cli.screen import Screen

SLIPS = {
    "audit --jsn": "'referee audit' has no option --jsn; did you mean --json?",
    "do --dise 3 6 go": "'referee do' has no option --dise; did you mean --dice?",
    "legal --zzz": "'referee legal' has no option --zzz (help: referee legal -h).",
    "show --json=3": "--json takes no value (help: referee show -h).",
    "--by blue 6 go": "there is no option --by here; options of a command come after it: referee COMMAND --by",
    "show -g": "-g needs LOG: the log to use (help: referee help).",
    "show --width x": "--width must be a whole number, not 'x' (help: referee help).",
    "new manoover --seats": "--seats needs NAMES: who plays: Anna,Bo in order, or SEAT=Anna,SEAT=Bo",
    "new manoover mutants": "'referee new' takes only GAME; remove: mutants (help: referee new -h).",
    "new MANOOVER": "No game 'MANOOVER' is installed; did you mean 'manoover'?",
    "new manoover --bots blue=steady,red": "'red' has no = in it; type it like SEAT=steady.",
    "new manoover --bots green=steady": "for the other seats: referee games manoover.",
    "audit --jobs 0": "--jobs must be 1 or more, not 0 (help: referee audit -h).",
    "rank manoover random steady --pairs 0": "--pairs must be from 1 to 100000, not 0 (help: referee bots rank -h).",
    "new chess": "No game 'chess' is installed, only manoover",
    "undo three": "N must be a whole number, not 'three' (help: referee undo -h).",
    "note": "'referee note' needs TEXT: the remark (help: referee note -h).",
    "web": "'referee web' needs -o FOLDER: the folder to make (help: referee web -h).",
    "match": "Add one of: referee match new, next, undo, show or audit (help: referee match -h).",
    "match nwe": "did you mean 'new'?",
    "last 3": "'referee status' takes no further words; remove: 3 (help: referee status -h).",
    "log logs/friday.jsonl": "Name the log before the command: referee -g logs/friday.jsonl log",
    "replay logs/friday.jsonl": "Name the log before the command: referee -g logs/friday.jsonl log",
    "attack r1": "'attack' is neither a command nor an action here; expected a robot's number, throw",
    "bleu: 6 go": "Nobody sits at 'bleu'; the seats are red (Anna) and blue (Bo).",
    "help manover": "There is no help on 'manover'; did you mean 'manoover'?",
    "help random": "There is no help on 'random'; these chapters mention it: writing, python, chances",
    "help tabel": "There is no help on 'tabel'; did you mean 'table'?",
    "state": "'state' is neither a command nor an action here; did you mean 'status'?",
    "BOARD": "did you mean 'show'?",
    "history 3": "did you mean 'log'?",
    "start manoover": "did you mean 'new'?",
    "load friday": "did you mean 'use'?",
    "may I 6 go": "did you mean 'why'?",
    "orders": "did you mean 'mail orders'?",
    "version": "did you mean '--version'?",
    "save": "'save' is not a command; the referee records every move at once, so you need not save.",
    "quit": "'quit' is not a command; every command ends by itself, so you need not leave.",
    "roll 7": "A die with 6 sides cannot show 7",
}


@pytest.mark.parametrize("words", SLIPS)
def test_a_slip_is_answered_with_what_was_meant(cli, control, words):
    if words.startswith("roll"):
        cli("done!")
    before = control.read_bytes()
    answer = cli(words)
    assert (answer.code, answer.out) == (2, ""), answer.shown
    assert SLIPS[words].lower() in answer.err.lower()
    assert len(answer.err.splitlines()) == 1
    assert control.read_bytes() == before


@pytest.mark.parametrize("words", ["audit --jsn", "undo three", "match", "show -g", "new manoover mutants"])
def test_a_slip_as_data(cli, control, words):
    answer = cli(f"--json {words}")
    assert (answer.code, answer.err) == (2, "")
    assert answer.facts["exit"] == 2
    assert answer.facts["message"]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("play", "serve")])
def test_an_option_that_no_command_has(cli, control, name):
    answer = cli(f"{name} --xyzzy")
    assert (answer.code, answer.out) == (2, "")
    parts = COMMANDS[name].parts
    path = f"referee {name} {next(iter(parts))}" if parts else f"referee {name}"
    assert answer.err == f"'{path}' has no option --xyzzy (help: {path} -h).\n"


def test_commands_in_capital_letters(cli, control):
    assert cli("Legal 6").out == cli("legal 6").out
    assert cli("AUDIT").code == 0


@pytest.mark.parametrize("words", [("legal", "\u2014json"), ("legal", "\u2013-json"), ("\u201clegal\u201d", "--json")])
def test_dashes_and_quotes_of_a_telephone(cli, control, words):
    assert cli(*words).facts == cli("legal --json").facts


def test_a_remark_keeps_its_dashes_and_quotes(cli, control):
    cli("note", "\u201cno\u201d", "\u2014said Bo")
    assert "\u201cno\u201d \u2014said Bo".encode() in control.read_bytes()


def test_a_name_of_a_file_that_is_nearly_right(cli, control):
    answer = cli("-g logs/fridy.jsonl show")
    assert (answer.code, answer.err) == (3, "There is no file logs/fridy.jsonl; did you mean logs/friday.jsonl?\n")


OTHERS = {
    "page.html": (b"<!doctype html>\n", "this is a web page, not a log"),
    "board.toml": (b"turn = 'red'\n", "this looks like a board or a position, not a log"),
    "letter.txt": (b"From: Anna\n\nDear Bo\n", "this is a mail, not a log; to open it: referee mail open MAIL"),
    "words.txt": (b"referee words 1\n", "this is a game as words, not a log"),
    "id": (b"-----BEGIN OPENSSH PRIVATE KEY-----\n", "this is a key, not a log"),
    "bin": (b"%PDF-1.7\n\xff\x00", "this is not text, so it is not a log"),
    "prose": (b"Once upon a time\n", "this is not a log: its first line is not an entry"),
    "empty": (b"", "the file is empty"),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("words", ["-g {} show", "diff logs/friday.jsonl {}", "audit {}"])
def test_another_file_where_a_log_is_wanted(cli, control, place, name, words):
    data, told = OTHERS[name]
    (place / name).write_bytes(data)
    if name.endswith(".html") and not words.startswith("-g"):
        return  # they take pages, too
    answer = cli(words.format(name))
    assert answer.code == 3
    assert told.lower() in (answer.out + answer.err).lower()


def test_a_log_where_something_else_is_wanted(cli, control):
    log = "logs/friday.jsonl"
    assert "it is a log, not a mail. To play on in it: referee use FILE" in cli(f"mail open {log}").err
    assert "it is a log; to play on from one of its entries" in cli(f"new manoover --from {log} -o x.jsonl").err
    assert "this is the log of a game, not of a match" in cli(f"match show {log}").err


def test_the_words_of_a_rule_in_capitals_or_after_its_game(cli, control):
    assert cli("rules Control.1").out == cli("rules control.1").out
    told = cli("rules zombies 7.1")
    assert (told.code, told.out) == (
        1,
        "There is no rule 'zombies 7.1'. Did you mean: referee rules 7.1 --of zombies?\n",
    )


def test_what_cannot_be_read_is_answered_with_how_its_verb_is_said(cli, place):
    cli("new mutants --dice table -o m.jsonl")
    assert "Type it like this: smash DOOR UNITS" in cli("smash all!").err
    assert cli("--json smash").facts["form"] == "smash DOOR UNITS"
    cli("new zombies --dice table -o z.jsonl")
    assert "Type it like this: pick HERO or pick HERO zombie" in cli("pick").err


def test_undo_in_a_session_forgets_what_waits_for_its_dice(cli, place):
    (place / "p.toml").write_text('players = { LEE = { at = "Sd9", supplies = "pistol" }, JAK = { at = "Sp9" } }\n')
    with (place / "p.toml").open("a") as file:
        file.write('zombies = { l1 = "Sf9 Sg9" }\n')
    cli("new zombies --dice table --from p.toml -o z.jsonl")
    before = (place / "z.jsonl").read_bytes()
    told = cli("play", stdin=b"shoot f9\n4\nundo\nundo\n").out
    assert "Forgotten: shoot Sf9 pistol. Nothing of it was recorded" in told
    assert "there is no play to take back" in told
    assert (place / "z.jsonl").read_bytes() == before


def test_help_in_a_session_is_the_keys(cli, control):
    keys = cli("play", stdin=b"?\n").out
    assert re.search("help commands +list all commands", keys)
    assert cli("play", stdin=b"help\n").out == keys
    assert "At the table:" in cli("play", stdin=b"help commands\n").out


def test_what_is_reconstructed_is_told_once_in_a_session(cli, control):
    assert cli("show").out.count("reconstruction") == 1
    with terminal.Terminal("play") as table:
        table.wait("dice 2 2 6> ")
        table.say("")
        assert table.shown.count(b"reconstruction") == 1


def test_the_only_thing_left_is_told_as_it_is_typed(cli, place):
    cli("new mutants --dice table -o m.jsonl")
    assert "Next: referee ready" in cli("random").out


def test_a_list_that_would_fill_the_terminal_is_cut_line_by_line(cli, place):
    cli("new mutants --dice table -o m.jsonl")
    look = Context().open_view()
    lines = describe_choices(look, look.sight.legal.choices)
    short, whole = (_fit_lines(lines, Screen(height=height, width=80)) for height in (24, None))
    assert whole == lines
    assert len(short) == len(lines) + 1
    assert all(len(line.text) < 160 for line in short)
    assert [line.text for line in short[-3:]] == [
        "rest",
        "random",
        "Lines with ... are cut; to see them in full: referee legal WORD",
    ]


@pytest.mark.parametrize("game", ["manoover", "mutants", "sheboygan", "zombies"])
def test_end_and_done_are_the_same_word_in_every_game(cli, place, game):
    cli(f"new {game} --dice table -o x.jsonl")
    assert cli("help end").out == cli("help done").out != ""
    assert cli("why end").code == cli("why done").code == 1


def test_a_file_that_is_not_there_in_json(cli, place):
    assert cli("--json -g nowhere.jsonl show").facts["message"] == "There is no file nowhere.jsonl."


def test_a_complaint_is_wrapped_where_people_read_it_and_whole_where_programs_do(cli, control):
    whole = cli("legal --zzz and more")
    with terminal.Terminal("legal", "--zzz", "and", "more", columns=60) as table:
        assert table.left() == 2
    assert len(whole.err.splitlines()) == 1
    assert " ".join(table.text.split()) == whole.err.strip()
    assert table.text.splitlines()[1].startswith("  ")


def test_the_caret_stays_under_the_word_on_a_phone(cli, control):
    with terminal.Terminal("6", "goo", columns=40) as table:
        assert table.left() == 2
    said, caret = table.lines[1:3]
    assert (said, caret[:7]) == ("  6 goo", "    ^^^")


def test_words_of_other_programs_where_no_game_is_chosen(cli, place):
    assert cli("state").err.startswith("There is no command 'state'; did you mean 'status'? And no game is chosen;")
    assert "'save'; the referee records every move at once" in cli("save").err


def test_what_other_programs_call_otherwise_is_no_word_of_ours(cli, control):
    assert not {*COMMANDS_BY_FOREIGN_NAME, *NEEDLESS_COMMANDS}.intersection(COMMANDS)
    assert {command.split()[0] for command in FOREIGN_NAMES if command != "--version"} <= {*COMMANDS}


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("new manoover --bots red=random --bots blue=random", "--bots"),
        ("new manoover --seats A,B --seats=C,D", "--seats"),
        ("-g one.jsonl status --game two.jsonl", "--game"),
        ("show --by red --by blue", "--by"),
        ("show -o a.svg -o b.svg", "--output"),
    ],
)
def test_an_option_that_is_given_again_does_not_silently_replace_the_first(cli, control, words, option):
    answer = cli(words)
    assert answer.code == 2, answer.shown
    assert f"{option} 2 times; give it once" in " ".join(answer.err.split())


def test_options_that_may_be_given_again(cli, place):
    assert cli("new manoover --option form=three --option first=throw-off -o three.jsonl").code == 0
    assert cli("--json --json status").code == 0
