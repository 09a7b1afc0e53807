"""What each command prints in typical use: as snapshots in plain text and as data, and by law in other dresses."""

from functools import partial

import pytest
from dresses import is_spelt_in_ascii, longest, painted_in, unpainted, words_of

FORMS = {"plain": [], "json": ["--json"]}
NEW = "new manoover --dice table --seats Anna,Bo -o logs/friday.jsonl"

LOOKING = {
    "status": "",
    "show": "show",
    "words": "show --as words",
    "position": "show --as position",
    "legal": "legal",
    "legal-die": "legal 2",
    "legal-two-words": "legal turn ne",
    "legal-count": "legal --count",
    "why-legal": "why 6 go",
    "why-refused": "why 3 go",
    "why-other-seat": "why --by blue 2 go",
    "dry-run": "do -n 2 turn ne, 6 go",
    "refused": "do 2 go, 5 go",
    "log": "log",
    "log-span": "log 1..1",
    "retelling": "log --full",
    "audit": "audit",
    "use": "use",
}

DOING = {
    "several": "do 6 go, 2 turn ne",
    "last-die": "do 2 go, 2 go, 6 turn n",
    "whole-turn": "do 2 go, 2 go, 6 turn n, auto",
    "done": "do done!",
    "undo": "undo --agreed-by blue",
    "undo-two": "undo 2 --by red --agreed-by blue",
    "note": "note Anna came late",
    "note-by": "note --by blue the cat moved B3",
    "branch": "branch what-if --at 1",
    "branch-unnamed": "branch",
    "misread": "do 2 trun ne",
    "not-agreed": "undo",
    "unknown": "lgeal",
}


BOLD, FAINT, GREEN, RED, BRIGHT_RED, BLUE = "1", "2", "32", "31", "1;31", "34;1"
PAINTED = {
    "status": {BOLD},
    "show": {FAINT, RED, BLUE},
    "retelling": {BOLD, FAINT, RED, BLUE},
    "log": {BOLD},
    "log-span": {BOLD},
    "why-legal": {GREEN},
    "dry-run": {GREEN},
    "audit": {GREEN},
    "why-refused": {BRIGHT_RED},
    "why-other-seat": {BRIGHT_RED},
    "refused": {BRIGHT_RED},
}
"""The paint of what has colours where they are wanted."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", LOOKING)
def test_looking(cli, control, snapshot, name, form):
    before = control.read_bytes()
    assert cli(*FORMS[form], *LOOKING[name].split()).shown == snapshot
    assert control.read_bytes() == before


@pytest.mark.parametrize("name", LOOKING)
def test_looking_in_other_dresses(cli, control, name):
    dressed = partial(lambda words, *dress: cli(*dress, *words), LOOKING[name].split())
    plain = dressed()
    for width in (40, 100):
        answer = dressed("--width", str(width))
        assert words_of(answer) == words_of(plain)
        assert longest(answer) <= width
    painted = dressed("--color", "always")
    assert unpainted(painted) == unpainted(plain)
    assert {paint for paint, _ in painted_in(painted)} == PAINTED.get(name, set())
    assert is_spelt_in_ascii(dressed("--ascii"), plain)


def test_what_belongs_to_a_seat_has_its_colour(cli, control):
    painted = painted_in(cli("--color always show"))
    assert {said.strip("()")[0] for paint, said in painted if paint == RED} == {"R"}
    assert {said.strip("()")[0] for paint, said in painted if paint == BLUE} == {"B"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", DOING)
def test_doing(cli, control, snapshot, name, form):
    assert cli(*FORMS[form], *DOING[name].split()).shown == snapshot


@pytest.mark.parametrize("name", DOING)
def test_doing_on_a_phone(cli_in, name):
    wide, narrow = (partial(cli_in, f"{name}-{width}", width=width) for width in (80, 40))
    for words in (NEW, "roll 5 2", "roll 2 2 6"):
        wide(words)
        narrow(words)
    answer = narrow(*DOING[name].split())
    assert words_of(answer) == words_of(wide(*DOING[name].split()))
    assert longest(answer) <= 40


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--dice table --seats Anna,Bo",
        "--dice table --seats blue=Bo,red=Anna --option first=blue",
        "--option edition=crash -o crash.jsonl",
        "--option form=plus",
        "--option form=three --seats Anna,Bo,Carla",
        "--json",
    ],
)
def test_new(cli, snapshot, words):
    assert cli(f"new manoover {words}").shown == snapshot


def test_new_from_a_position(cli, place, snapshot):
    position = 'turn = "blue"\nrobots = ["R1 a1 N", "B2 d4 NE"]\noff = "rest"\n[options]\nties = "last-to-play"\n'
    (place / "middle.toml").write_text(position)
    assert cli("new manoover --dice table --from middle.toml -o middle.jsonl").shown == snapshot
    assert cli("--json show").facts["options"]["ties"] == "last-to-play"


def test_a_second_throw(cli, place, snapshot):
    position = 'turn = "red"\nrobots = ["R1 a1 N", "R3 c1 N", "B2 d4 NE"]\noff = "rest"\n'
    (place / "few.toml").write_text(position)
    cli("new manoover --dice table --from few.toml -o few.jsonl")
    assert [cli(words).shown for words in ("roll 1 2 4", "legal", "roll 3 5", "legal")] == snapshot


def test_dice_from_a_seed(cli, solo, snapshot):
    assert [cli(words).shown for words in ("log", "legal", "5 turn ne", "do 6 go, 6 go", "roll")] == snapshot


def test_a_throw_for_the_first_turn_that_is_tied(cli, evening, snapshot):
    assert [cli(words).shown for words in ("roll 4 4", "", "roll 1 6", "roll", "roll 6 6 7")] == snapshot


def test_amending(cli, control, place, snapshot):
    cli("show --as position -o now.json")
    position = (place / "now.json").read_text().replace("R1 a1 N", "R1 a2 N")
    (place / "now.json").write_text(position)
    told = [
        cli("fix", "--from", "now.json", "--why", "R1 was knocked over", "--agreed-by", "red").shown,
        cli("fix", "--from", "now.json", "--why", "R1 was knocked over", "--agreed-by", "red,blue").shown,
        cli("log").shown,
        cli("audit").shown,
    ]
    assert told == snapshot


def test_what_was_taken_back_is_marked(cli, control, snapshot):
    cli("do 6 go")
    cli("undo")
    cli("note a slip of the tongue")
    assert [cli("log").shown, cli("--color always log").shown, cli("log", "--full").shown] == snapshot


def test_auditing_a_log_that_was_tampered_with(cli, control, place, forge, snapshot):
    (place / "byte.jsonl").write_bytes(control.read_bytes().replace(b'"faces":[2,2,6]', b'"faces":[6,2,6]'))
    forge(control, place / "dice.jsonl", 2, lambda entry: entry["rolls"][0].update(faces=[6, 2, 6]))
    cli("do 6 go")
    forge(control, place / "moved.jsonl", 3, lambda entry: entry["action"].update(robot="5"))
    told = [
        cli(*form, "audit", name).shown
        for name in ("byte.jsonl", "dice.jsonl", "moved.jsonl")
        for form in ([], ["--json"])
    ]
    assert told == snapshot


def test_auditing_what_is_no_log(cli, control, place, forge, snapshot):
    (place / "empty.jsonl").write_bytes(b"")
    (place / "letter.txt").write_text("Dear Bo, it is your turn.\n")
    (place / "cut.jsonl").write_bytes(control.read_bytes()[:-40])
    forge(control, place / "newer.jsonl", 0, lambda entry: entry.update(format=3))
    forge(control, place / "unknown.jsonl", 0, lambda entry: entry.update(game="chess"))
    names = ("empty.jsonl", "letter.txt", "cut.jsonl", "newer.jsonl", "unknown.jsonl")
    answers = [cli("audit", name) for name in names]
    assert {answer.code for answer in answers} == {3}
    assert [answer.shown for answer in answers] == snapshot


def test_comparing(cli, control, place, snapshot):
    cli("branch mine -o mine.jsonl")
    cli("-g mine.jsonl do 6 go")
    cli("-g logs/friday.jsonl do 2 turn s, 6 go")
    cli("new manoover -o other.jsonl")
    pairs = ("mine.jsonl mine.jsonl", "mine.jsonl logs/friday.jsonl", "mine.jsonl other.jsonl")
    assert [cli(f"{form} diff {pair}").shown for form in ("", "--json") for pair in pairs] == snapshot


def test_listing_and_choosing_games(cli, control, snapshot):
    cli("new manoover -o logs/second.jsonl")
    (control.parent / "broken.jsonl").write_text("no log\n")
    told = [cli(words).shown for words in ("use", "--json use", "use logs/friday.jsonl", "use", "use nowhere.jsonl")]
    assert told == snapshot


def test_demo(cli, snapshot):
    answer = cli("demo")
    assert answer.code == 0
    assert answer.shown == snapshot


@pytest.mark.parametrize("game", ["manoover", "mutants", "sheboygan", "zombies"])
def test_the_whole_demo_has_the_board_and_every_line_of_the_short_one(cli, game):
    short, full = cli("demo", game, width=1000).out, cli("demo", game, "--full", width=1000).out
    assert len(full.splitlines()) > 2 * len(short.splitlines())
    cut = [line for line in short.splitlines()[:-1] if not line.endswith(" ...")]
    assert [line for line in cut if line not in full.splitlines()] == []


def test_demo_leaves_nothing_behind(cli, place):
    cli("demo --width 40")
    assert not list(place.iterdir())


@pytest.mark.parametrize("width", [40, 79, 80, 100])
def test_a_floor_plan_where_it_fits(cli, place, width):
    cli("new mutants -o m.jsonl")
    shown = cli(f"--width {width} --ascii show").out
    assert ("+---==---+" in shown) == (width >= 80)
    assert max(map(len, shown.splitlines())) <= width
    cli(f"--width {width} show -o board.txt")
    assert "┌───══───┬" in (place / "board.txt").read_text("utf-8")


@pytest.mark.parametrize("form", ["text", "words", "position"])
def test_showing_into_a_file(cli, control, place, snapshot, form):
    answer = cli(f"show --as {form} -o board.out")
    assert answer.shown == snapshot(name="answer")
    assert (place / "board.out").read_text("utf-8") == snapshot(name="file")


@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [
        ("legal", {}, False),
        ("--color always show", {}, True),
        ("--color always show", {"NO_COLOR": "1"}, True),
        ("show", {"FORCE_COLOR": "1"}, True),
        ("show", {"CLICOLOR_FORCE": "1"}, True),
        ("show", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("show", {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ("--color never show", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_only_where_it_is_wanted(cli, control, words, env, coloured):
    assert ("\x1b[" in cli(words, env=env).out) is coloured


def test_a_terminal_without_unicode_gets_ascii(cli, control):
    assert cli("show", env={"TERM": "dumb"}).out.isascii()
    assert cli("--ascii show").out.isascii()
