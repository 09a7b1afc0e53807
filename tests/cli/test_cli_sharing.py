"""Logs that people share in folders and in Git: both ends are told, secrets stay at home, nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.answer import Answer, Text
from referee.cli.log_option import add_log_option
from referee.record.log.shared_folders import SHARED_FOLDER_NAMES, SHARING_MARKS, find_sharing_program
from referee.record.log.vault import find_vault_path

HIDDEN = "new mutants --option hidden-movement=yes --dice open --seats Anna,Bo -o g.jsonl"
G = Path("g.jsonl")


def flat(answer):
    return " ".join(f"{answer.out} {answer.err}".split())


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The user's own folders."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@pytest.fixture
def both(cli, control):
    """A log in which Anna and Bo have played on, and a copy beside it that went another way."""
    copy = control.with_name("friday (1).jsonl")
    shutil.copy(control, copy)
    cli("do 2 turn NE")
    cli("-g", copy, *["do", "6", "go", "N"])
    cli("-g", copy, *["note", "hello"])
    return control, copy


def union(log, copy):
    """A file with the lines of both, as a merge leaves it."""
    lines = [*log.read_bytes().splitlines(keepends=True), *copy.read_bytes().splitlines(keepends=True)]
    made = log.with_name("union.jsonl")
    made.write_bytes(b"".join(dict.fromkeys(lines)))
    return made


# A file with two ends


def test_what_reads_a_log_with_two_ends_says_so_and_shows_the_common_part(cli, both):
    log = union(*both)
    for words in ("show", "legal", "who", "log"):
        told = cli("-g", log, words)
        assert told.code == 0
        assert told.err.count("\n") == 2
        assert f"{log} has two ends after entry 2: 1: red: 2 turn NE; 2: red: 6 go N, and 1 entry after it." in told.err
        assert "To compare the ends: referee diff" in told.err
    assert "6 go N" not in cli("-g", log, "log").out


def test_nothing_is_added_to_it(cli, both):
    log = union(*both)
    before = log.read_bytes()
    told = cli("-g", log, *["do", "2", "go", "N"])
    assert (told.code, f"several ends; to choose one: referee -g {log} merge" in flat(told)) == (1, True)
    assert log.read_bytes() == before


def test_an_audit_judges_both(cli, both):
    told = cli("audit", union(*both))
    assert told.code == 1
    assert told.out.count("CLEAN to its end") == 2
    facts = cli("--json", "audit", union(*both)).facts
    assert (facts["fault"]["code"], [end["entries"] for end in facts["ends"]]) == ("several-ends", [4, 5])


def test_a_comparison_of_one_file_compares_its_ends(cli, both):
    told = cli("diff", union(*both))
    assert told.code == 1
    assert "red: 2 turn NE" in told.out
    assert "red: 6 go N" in told.out
    assert "VERDICT  Both are valid." in told.out


def test_one_command_settles_it(cli, both):
    log = union(*both)
    listed = cli("-g", log, "merge")
    assert (listed.code, "--keep N --by SEAT" in flat(listed)) == (1, True)
    done = cli("-g", log, "merge", "--keep", "2", "--by", "bo", "--again")
    assert done.code == 0
    assert "blue (Bo) chose end 2." in done.out
    assert "repeated: red: 2 turn NE" in flat(done)
    assert cli("audit", log, log.with_name("union-other.jsonl")).code == 0
    assert cli("-g", log, "show").err == ""
    assert "note by blue: chose the end up to entry 4" in flat(cli("-g", log, "log"))


def test_what_no_longer_holds_is_named_with_its_rule(cli, control):
    copy = control.with_name("bo.jsonl")
    shutil.copy(control, copy)
    for words in ("do 2 turn NE", "do 2 turn N", "do 6 turn NE"):
        cli(words)
    cli("-g", copy, *["do", "6", "go", "N"])
    log = union(control, copy)
    done = cli("-g", log, "merge", "--keep", "1", "--by", "anna", "--again")
    assert done.code == 0
    assert "Entry 3 of the other end no longer holds: it is blue's turn, not red's (turn.2)." in flat(done)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--keep", "3", "--by", "red"), "There is no end 3; the log has 2"),
        (("--keep", "1"), "Say who chooses: add --by SEAT"),
        (("--keep", "1", "--by", "carla"), "'carla'"),
    ],
)
def test_a_choice_that_is_none_changes_nothing(cli, both, words, told):
    log = union(*both)
    before = log.read_bytes()
    answer = cli("-g", log, "merge", *words)
    assert answer.code == 2
    assert told in flat(answer)
    assert log.read_bytes() == before


def test_by_mail_it_is_settled_by_mail(cli, home):
    cli("key --make")
    cli("new manoover --mail red --seats Anna,Bo -o m.jsonl")
    copy = Path("m-copy.jsonl")
    shutil.copy("m.jsonl", copy)
    cli("note here")
    cli("-g", copy, *["note", "there"])
    log = union(Path("m.jsonl"), copy)
    told = cli("-g", log, "merge", "--keep", "1", "--by", "red")
    assert (told.code, "settle this by mail" in flat(told)) == (1, True)


# A copy beside a log


def test_a_copy_that_went_another_way_is_told_and_settled(cli, both):
    log, copy = both
    told = cli("status")
    assert f"{copy} is a copy that goes on differently after entry 2." in flat(told)
    assert "Here: red: 2 turn NE. There: red: 6 go N, and 1 entry after it." in flat(told)
    done = cli("merge", copy, "--keep", "1", "--by", "red")
    assert done.code == 0
    assert [*copy.parent.glob(f"{copy.name}*")] == []
    assert cli("status").err == ""
    assert cli("audit", log.parent).code == 0


def test_a_copy_that_goes_on_is_taken_without_a_question(cli, control):
    copy = control.with_name("friday (conflicted copy).jsonl")
    shutil.copy(control, copy)
    cli("-g", copy, *["do", "6", "go", "N"])
    assert "goes on where this log ends, with 1 entry" in flat(cli("status"))
    assert cli("merge", copy).code == 0
    assert (copy.exists(), cli("status").err) == (False, "")
    assert "red: 6 go N" in cli("log").out


def test_branches_and_older_copies_and_other_games_are_no_conflict(cli, control):
    shutil.copy(control, control.with_name("friday-older.jsonl"))
    cli("branch what-if --at 1")
    cli(f"use {control}")
    cli("do 2 turn NE")
    cli("new manoover --dice table --seats Anna,Bo -o logs/friday-new.jsonl")
    cli(f"use {control}")
    assert cli("status").err == ""


# Line ends


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.replace(b"\n", b"\r\n"), "Windows line ends"),
        (lambda data: b"\xef\xbb\xbf" + data, "an invisible mark at its beginning"),
        (lambda data: data + b"\n\n", "empty lines"),
        (lambda data: data.replace(b"\n", b" \r\n", 1), "blanks around its lines"),
    ],
)
def test_a_log_is_put_right_where_it_is_played_on(cli, control, change, told):
    good = control.read_bytes()
    changed = change(good)
    control.write_bytes(changed)
    looked = cli("show")
    assert (looked.code, told in looked.err, "the next move puts that right" in looked.err) == (0, True, True)
    assert control.read_bytes() == changed, "who only looks changes nothing"
    played = cli("do 2 turn NE")
    assert (played.code, "the referee has put that right" in played.err) == (0, True)
    assert control.read_bytes().startswith(good)
    assert cli("audit").code == 0


# Secrets


def test_in_a_shared_folder_secrets_lie_in_the_users_own_folder(cli, home, place):
    (place / ".git").mkdir()
    cli(HIDDEN)
    assert list(place.rglob("*.vault")) == []
    vaults = sorted(home.rglob("*.vault"))
    assert [path.name for path in vaults] == ["human.vault", "mutant.vault"]
    assert {path.stat().st_mode & 0o077 for path in vaults} == {0}
    assert cli("do wall D2-D3").code == 0
    assert str(vaults[0]) in flat(cli("status")).replace(" ", "") or str(vaults[0]) in flat(cli("vault")).replace(
        " ", ""
    )
    assert cli("--json", "vault").facts["vaults"] == list(map(str, vaults))
    assert cli("branch again --agreed-by human,mutant").code == 0
    assert cli("audit", "g.jsonl", "g-again.jsonl").code == 0


def test_elsewhere_they_lie_beside_the_log(cli, home, place):
    cli(HIDDEN)
    assert sorted(path.name for path in place.glob("*.vault")) == ["g.jsonl.human.vault", "g.jsonl.mutant.vault"]
    assert "WARNING" not in cli("status").err


def test_a_vault_that_others_get_is_told_loudly_and_moved(cli, home, tmp_path):
    cli(HIDDEN)
    shared = tmp_path / "Dropbox"
    shared.mkdir()
    for file in Path().glob("g.jsonl*"):
        shutil.copy(file, shared / file.name)
    log = shared / "g.jsonl"
    told = cli("-g", log, "who")
    assert "WARNING" in told.err
    assert "everybody who gets this folder through Dropbox" in told.err
    moved = cli("-g", log, "vault", "--move")
    assert moved.code == 0
    assert list(shared.glob("*.vault")) == []
    assert "WARNING" not in cli("-g", log, "who").err
    assert cli("-g", log, *["do", "wall", "D2-D3"]).code == 0


def test_secrets_go_to_another_computer(cli, home, tmp_path, monkeypatch):
    cli(HIDDEN)
    cli("do wall D2-D3")
    saved = tmp_path / "saved"
    assert cli("vault", "--save", saved).code == 2, "whose?"
    assert cli("vault", "--save", saved, "--by", "human").code == 0
    assert saved.stat().st_mode & 0o077 == 0
    before = cli("show --by human").out
    for path in Path().glob("*.vault"):
        path.unlink()
    assert cli("show --by human").out != before
    assert cli("vault", "--load", saved).code == 0
    assert cli("show --by human").out == before
    assert cli("vault", "--load", G).code == 1
    assert cli("new mutants --option hidden-movement=yes --dice open -o other.jsonl").code == 0
    assert "another game" in flat(cli("vault", "--load", saved))


@pytest.mark.parametrize("mark", SHARING_MARKS)
def test_every_mark_of_a_shared_folder_is_known(tmp_path, mark):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    assert find_sharing_program(folder) == ""
    other = tmp_path / "c" / "d"
    other.mkdir(parents=True)
    (tmp_path / "c" / mark).mkdir()
    assert find_sharing_program(other) == SHARING_MARKS[mark]


@pytest.mark.parametrize("name", SHARED_FOLDER_NAMES)
def test_every_name_of_a_shared_folder_is_known(tmp_path, name):
    folder = tmp_path / name.replace("*", " of mine") / "games"
    folder.mkdir(parents=True)
    assert find_sharing_program(folder) == SHARED_FOLDER_NAMES[name]


# Git


@pytest.fixture
def git(home, place, monkeypatch):
    """Git as a user has it, with a bare repository and the clones of two people."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (home / "HOME").mkdir()

    def call(where, *words, code=0):
        done = subprocess.run(["git", "-C", str(where), *words], capture_output=True, check=False)
        told = (done.stdout + done.stderr).decode()
        assert code is None or done.returncode == code, told
        return told

    for name, value in (("user.name", "Anna"), ("user.email", "anna@example.org"), ("init.defaultBranch", "main")):
        call(place, "config", "--global", name, value)
    call(place, "init", "-q", "--bare", "shared.git")
    return call


@pytest.fixture
def clones(git, cli, place, monkeypatch):
    """Two clones of a repository with a game in its control phase, both set up."""
    git(place, "clone", "-q", "shared.git", "anna")
    monkeypatch.chdir(place / "anna")
    assert cli("git setup").code == 0
    cli("new manoover --dice table --seats Anna,Bo -o g.jsonl")
    cli("roll 5 2")
    cli("roll 2 2 6")
    git(".", "add", "-A")
    git(".", "commit", "-qm", "begin")
    git(".", "push", "-q", "origin", "HEAD")
    git(place, "clone", "-q", "shared.git", "bo")
    monkeypatch.chdir(place / "bo")
    assert cli("git setup").code == 0
    return place / "anna", place / "bo"


def plays(cli, monkeypatch, git, where, *said):
    """Somebody plays in their clone and commits."""
    monkeypatch.chdir(where)
    for words in said:
        assert cli("-g", "g.jsonl", *words.split()).code == 0
    git(".", "commit", "-qam", "; ".join(said))


def test_git_never_gets_what_belongs_to_one_computer(clones, git):
    assert set(git(clones[0], "ls-files").split()) == {".gitattributes", "g.jsonl"}


def test_git_shows_moves_in_words(clones, git, cli, monkeypatch):
    anna, _ = clones
    plays(cli, monkeypatch, git, anna, "do 2 turn NE")
    for words in (("log", "-p", "-1"), ("show",), ("diff", "HEAD~1")):
        told = git(anna, *words)
        assert "+   3  red: 2 turn NE" in told
        assert "hash" not in told


def test_git_takes_what_continues_and_asks_nobody(clones, git, cli, monkeypatch):
    anna, bo = clones
    plays(cli, monkeypatch, git, anna, "do 2 turn NE")
    git(anna, "push", "-q")
    git(bo, "pull", "-q")
    assert (bo / "g.jsonl").read_bytes() == (anna / "g.jsonl").read_bytes()
    assert cli("-g", bo / "g.jsonl", "audit").code == 0


@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick", "stash"])
@pytest.mark.parametrize("setup", [True, False], ids=["with drivers", "without"])
def test_git_keeps_both_ends_of_a_fork(clones, git, cli, monkeypatch, way, setup):
    anna, bo = clones
    if not setup:
        monkeypatch.chdir(bo)
        assert cli("git setup --undo").code == 0
        git(bo, "checkout", "-q", ".")
    plays(cli, monkeypatch, git, anna, "do 2 turn NE")
    git(anna, "push", "-q")
    monkeypatch.chdir(bo)
    if way == "stash":
        assert cli("-g", "g.jsonl", "do", "6", "go", "N").code == 0
        git(bo, "stash", "-q")
        git(bo, "pull", "-q")
        told = git(bo, "stash", "pop", code=1)
    else:
        plays(cli, monkeypatch, git, bo, "do 6 go N")
        git(bo, "fetch", "-q")
        told = git(bo, way, "origin/main", code=1)
    assert not setup or "Two people played on in g.jsonl. Both ends are kept" in told
    listed = cli("-g", "g.jsonl", "merge")
    assert {"red: 2 turn NE", "red: 6 go N"} <= {line.strip()[3:] for line in listed.out.splitlines()}
    settled = cli("-g", "g.jsonl", "merge", "--keep", "1", "--by", "red", "--again")
    assert settled.code == 0
    assert "To commit them: git add g.jsonl g-other.jsonl" in flat(settled)
    assert cli("audit", "g.jsonl", "g-other.jsonl").code == 0
    said = {line.rpartition("red: ")[2] for line in cli("-g", "g.jsonl", "log").out.splitlines()}
    assert {"2 turn NE", "6 go N"} <= said


def test_after_a_merge_by_others_nothing_counts_as_lost(clones, git, cli, monkeypatch):
    anna, bo = clones
    plays(cli, monkeypatch, git, anna, "do 2 turn NE")
    git(anna, "push", "-q")
    plays(cli, monkeypatch, git, bo, "do 6 go N")
    git(bo, "pull", "-q", "--no-rebase", code=None)
    assert cli("-g", "g.jsonl", "merge", "--keep", "1", "--by", "blue").code == 0
    git(bo, "add", "g.jsonl", "g-other.jsonl")
    git(bo, "commit", "-qm", "settled")
    git(bo, "push", "-q")
    git(anna, "pull", "-q")
    monkeypatch.chdir(anna)
    told = cli("-g", "g.jsonl", "who")
    assert (told.code, "entry 3, which was recorded here, stands in g-other.jsonl now" in flat(told)) == (0, True)
    assert cli("audit", "g.jsonl").code == 0
    assert cli("-g", "g.jsonl", "do", "2", "turn", "NE").code == 0
    assert "recorded here" not in flat(cli("-g", "g.jsonl", "who"))


def test_line_ends_of_a_checkout_are_put_right(clones, git, cli, monkeypatch):
    anna, bo = clones
    monkeypatch.chdir(bo)
    cli("git setup --undo")
    git(bo, "config", "core.autocrlf", "true")
    (bo / "g.jsonl").unlink()
    (bo / ".gitattributes").unlink(missing_ok=True)
    git(bo, "checkout", "-q", "--", "g.jsonl")
    (bo / "g.jsonl").write_bytes((anna / "g.jsonl").read_bytes().replace(b"\n", b"\r\n"))
    assert cli("-g", "g.jsonl", "do", "2", "turn", "NE").code == 0
    assert b"\r" not in (bo / "g.jsonl").read_bytes()


def test_what_was_set_up_is_undone_and_the_rest_stays(clones, git, cli, monkeypatch):
    anna, _ = clones
    monkeypatch.chdir(anna)
    (anna / ".gitattributes").write_text("*.png binary\n" + (anna / ".gitattributes").read_text())
    again = cli("git setup")
    assert again.code == 0
    assert cli("git setup --undo").code == 0
    assert (anna / ".gitattributes").read_text() == "*.png binary\n"
    assert "referee" not in git(anna, "config", "--local", "--list")
    assert "referee" not in (anna / ".git" / "info" / "exclude").read_text()


def test_a_vault_in_the_history_is_told(clones, git, cli, monkeypatch):
    anna, _ = clones
    monkeypatch.chdir(anna)
    cli(HIDDEN.replace("g.jsonl", "h.jsonl"))
    vault = find_vault_path(Path("h.jsonl"), "human")
    shutil.copy(vault, "h.jsonl.human.vault")
    git(".", "add", "-f", "h.jsonl.human.vault")
    assert "Git has a vault of this game in its index" in flat(cli("-g", "h.jsonl", "vault"))
    git(".", "commit", "-qm", "oops")
    told = flat(cli("-g", "h.jsonl", "vault"))
    assert "1 commit of this repository" in told
    assert "Everybody with a clone knows the secrets in it." in told


@pytest.mark.parametrize("trouble", ["no repository", "no git", "a link"])
def test_trouble_with_git_is_one_sentence(cli, home, place, monkeypatch, trouble):
    if trouble == "no git":
        monkeypatch.setenv("PATH", "")
    if trouble == "a link":
        subprocess.run(["git", "init", "-q", "."], check=True)
        Path(".gitattributes").symlink_to(home / "elsewhere")
    told = cli("git setup")
    assert told.code in (1, 3)
    assert (told.out + told.err).count("\n") <= 3
    assert not (home / "elsewhere").exists()


# The game of which an answer speaks


def test_what_is_next_names_its_game_where_another_is_current():
    answer = Answer(
        [Text("Next: referee roll FACES"), "Board: by the referee legal", Text("Next: referee new GAME")], dict
    )
    named = list(add_log_option(answer, Path("a b.jsonl")).lines)
    assert [str(getattr(line, "text", line)) for line in named] == [
        "Next: referee -g 'a b.jsonl' roll FACES",
        "Board: by the referee legal",
        "Next: referee new GAME",
    ]
