"""What nobody may lose by a slip: files that are there, folders, names, the way back; and JSON for every answer."""

import io
import shutil
import sys

import pytest
from calling import tell

from referee.cli.catalogue import COMMANDS
from referee.record.table.opening_logs import start


class Keyboard(io.TextIOWrapper):
    """Somebody types what is given, and sees what is written."""

    def isatty(self):
        return True


@pytest.fixture
def typing(cli, monkeypatch):
    """The program with somebody at the keyboard: what it says to him, and its exit code."""
    import referee.cli.main

    def call(words, typed):
        streams = [Keyboard(io.BytesIO(part), "utf-8", newline="\n") for part in (typed, b"", b"")]
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as leaving:
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                patch.setattr(sys, name, stream)
            referee.cli.main.run(words.split())
        out, err = (stream.buffer.getvalue().decode() for stream in streams[1:] if stream.flush() is None)
        return out, err, leaving.value.code

    return call


@pytest.mark.parametrize(
    "there", ["logs/friday.jsonl", "logs/friday.jsonl.head", "logs/friday.jsonl.lock", "letter.txt", ".referee"]
)
def test_nothing_that_is_there_is_written_over(cli, control, place, there):
    (place / "letter.txt").write_text("Dear Bo")
    before = (place / there).read_bytes()
    words = ["show -o", "branch x -o", "new manoover -o", "match new manoover -o"]
    if not there.endswith((".head", ".lock", ".txt", ".referee")):
        words += ["use letter.txt -o"]
    if not there.endswith(".txt"):
        words += ["show --as svg -o"]
    for command in words:
        answer = cli(f"{command} {there}")
        assert answer.code == (3 if command.startswith("use") else 1), answer.shown
        assert (place / there).read_bytes() == before


def test_force_is_named_where_it_would_help(cli, control):
    tell(cli, "show --as svg -o board.svg", "games manoover --own board -o own.toml")
    helps = cli("show --as svg -o board.svg")
    told = "Not done: there is already a file board.svg, so nothing was changed; to replace it, add --force."
    assert (helps.code, " ".join(helps.out.split())) == (1, told)
    for words in (f"show -o {control}", "games manoover --own board -o own.toml", "new manoover -o board.svg"):
        refused = cli(words)
        assert (refused.code, refused.out[:4]) == (1, "Not "), refused.shown
        assert "--force" not in refused.out, refused.shown


def test_force_writes_over_a_picture_and_over_no_log(cli, control, place):
    tell(cli, "show --as words -o board.txt")
    assert "nothing was changed" in cli("show -o board.txt").out
    tell(cli, "show -o board.txt --force", "show --as svg --force -o new.svg")
    assert "B1" in (place / "board.txt").read_text("utf-8")
    (place / "link.txt").symlink_to(control.resolve())
    (place / "renamed.txt").write_bytes(control.read_bytes())
    for there in ("logs/friday.jsonl", "logs/friday.jsonl.head", "link.txt", "renamed.txt", ".referee"):
        before = (place / there).read_bytes()
        answer = cli(f"show -o {there} --force")
        assert (answer.code, "not even --force" in answer.out.replace("\n ", "")) == (1, True), answer.shown
        assert (place / there).read_bytes() == before


def test_a_vault_is_never_written_over(cli, place):
    tell(cli, "new mutants --option hidden-movement=yes -o g.jsonl")
    vault = place / "g.jsonl.human.vault"
    before = vault.read_bytes()
    for command in ("show -o", "show --force -o", "branch x -o", "new manoover -o"):
        assert cli(f"{command} {vault.name}").code == 1
    assert vault.read_bytes() == before


def test_a_game_is_not_begun_where_one_is_remembered(cli, control):
    """Its log is gone, but what was acknowledged of it is not forgotten."""
    memory = control.with_name("friday.jsonl.head").read_bytes()
    control.unlink()
    for words in ("new manoover -o logs/friday.jsonl", "match new manoover -o logs/friday.jsonl"):
        answer = cli(words)
        assert answer.code == 1
        assert "already a file logs/friday.jsonl.head" in answer.out
    assert not control.exists()
    assert control.with_name("friday.jsonl.head").read_bytes() == memory


@pytest.mark.parametrize("command", ["show", "show --force", "branch x", "new manoover", "match new manoover"])
def test_no_folders_are_made_unasked(cli, control, place, command):
    answer = cli(f"{command} -o games/2026/friday.jsonl")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "There is no folder games/2026; make it first, or name another.\n"
    assert not (place / "games").exists()


@pytest.mark.parametrize(
    "words", ["", "show", "note so", "new manoover", "match new manoover", "mail", "open x", "undo"]
)
def test_a_folder_that_is_gone_is_told(cli, control, place, words):
    """Somebody has moved or deleted it in another window."""
    shutil.rmtree(place)
    answer = cli(words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)
    assert "None" not in answer.err
    assert not place.exists()


def test_no_colour_where_the_terminal_is_dumb(cli, control, typing, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert "\x1b[" in typing("legal", b"")[0] + typing("why 3 go", b"")[0]
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[" not in typing("why 3 go", b"")[0]
    assert "\x1b[" in typing("--color always why 3 go", b"")[0]


@pytest.mark.parametrize(
    ("words", "typed", "what"),
    [
        ("do -n -f -", b"6 go\n", "moves, one per line"),
        ("audit -", b"letter\n", "a log"),
        ("-g - show", b"letter\n", "a log"),
    ],
)
def test_who_is_waited_for_at_a_keyboard_is_told(cli, control, typing, words, typed, what):
    _, err, _ = typing(words, typed)
    assert err.startswith(f"Type or paste {what}; to end it, press Ctrl-")
    assert "Type or paste" not in cli(words, stdin=typed).err


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("Anna,Anna", "two people are called Anna"),
        ("Anna,anna", "two people are called anna"),
        ("Anna B,anna  b", "two people are called anna"),
        ("Ａnna,Anna", "two people are called Anna"),  # noqa: RUF001 - a wide letter
        ("Bo,B0", "the names Bo and B0 look alike; choose another name for one of them"),
        ("Bill,BiII", "the names Bill and BiII look alike"),
        ("blue,Bo", "the name blue is taken"),
        ("Anna,Red", "the name Red is taken"),
        ("Anna,All", "the name All is taken"),
        ("referee,Bo", "the name referee is taken"),
        ("red=Bo,blue=bo", "two people are called bo"),
    ],
)
def test_people_are_told_apart(cli, place, names, why):
    for command in ("new manoover", "match new manoover"):
        answer = cli(*command.split(), "--seats", names, "-o", "x.jsonl")
        assert answer.code == 1
        assert why.lower() in " ".join(answer.out.lower().split())
    assert not list(place.iterdir())


def test_people_who_are_called_like_their_own_seat(cli):
    tell(cli, "new manoover --seats red,Bo -o x.jsonl")


def test_a_log_of_two_people_with_one_name_is_still_read(cli, place, forge):
    source = start("manoover", place / "a.jsonl", seats=["Anna", "Bo"]).path
    forge(source, place / "b.jsonl", 0, lambda entry: entry["seats"][1].update(name="Anna"))
    assert cli("audit b.jsonl").code == 0
    assert cli("-g b.jsonl undo --by anna").code == 2


ASKED = [
    "",
    "--help",
    "help",
    "help show",
    "show --help",
    "match --help",
    "--version",
    "match",
    "frobnicate",
    "show --loud",
    "--at",
    "--at soon show",
    "--color pink show",
    "--width wide show",
    "do",
    "do 3 go",
    "do 2 trun ne",
    "do -f nowhere.txt",
    "roll 9",
    "why",
    "rules xyzzy",
    "games chess",
    "new",
    "new manoover -o no/folder.jsonl",
    "new manoover --seats Anna,Anna",
    "use nowhere",
    "log --step",
    "audit nowhere.jsonl",
    "audit letter.txt",
    "diff friday",
    "diff friday nowhere",
    "show -o letter.txt",
    "-g nowhere.jsonl show",
    "-g letter.txt show",
]


@pytest.mark.parametrize("words", [*ASKED, *COMMANDS, *(f"{name} --help" for name in COMMANDS)])
def test_every_answer_as_json(cli, control, place, words):
    """One value on stdout and nothing beside it; the exit code is the same as for people."""
    (place / "letter.txt").write_text("Dear Bo")
    if words in ("play", "serve", "stats"):  # a value a line, as each is known
        return
    after = cli(f"{words} --json") if "--at" not in words.split()[-1:] else cli("--json --at")
    assert isinstance(after.facts, dict | list)
    assert after.err == ""
    assert len(after.out.splitlines()) == 1


@pytest.mark.parametrize("words", [words for words in ASKED if words != "log --step"])
def test_the_exit_code_is_the_same_as_json(cli, control, place, words):
    (place / "letter.txt").write_text("Dear Bo")
    assert cli(words).code == cli(f"--json {words}").code


def test_what_is_told_beside_an_answer_is_in_its_json(cli, control, place):
    (place / "mail.txt").write_bytes(b"Dear Bo,\n" + control.read_bytes())
    answer = cli("--json -g mail.txt show")
    assert ("text before it" in answer.facts["notes"][0], answer.err) == (True, "")


def test_files_are_made_with_the_folder_that_is_the_programs_own(cli, place):
    tell(cli, "new manoover")
    assert (place / "logs").is_dir()
    assert list((place / "logs").iterdir())


# A game that does not come about


SLIPS = {
    "names": "new manoover --seats Anna,Anna",
    "name": "new manoover --seats draw,Bo",
    "option": "new manoover --option sides=99",
    "seat-by-mail": "new manoover --mail nobody",
    "position": "new manoover --from nowhere.toml",
    "match": "match new manoover --seats Anna,Anna",
    "terms": "match new manoover --term to=x",
    "branch": "branch what-if --at 99 -o logs/x.jsonl",
}


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_a_game_that_cannot_be_begun_leaves_nothing_behind(cli, place, slip):
    if slip.startswith("branch"):
        cli("new manoover -o here.jsonl")
    before = sorted(place.rglob("*"))
    assert cli(slip).code in (1, 2, 3)
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize("full", ["create_vault", "_seal_seeds"])
def test_nor_does_one_for_which_the_disk_has_no_room(cli, place, monkeypatch, full):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"referee.record.table.opening_logs.{full}", fail)
    assert cli("new sheboygan").code == 3
    assert cli("new sheboygan -o x.jsonl").code == 3
    assert list(place.rglob("*")) == []
