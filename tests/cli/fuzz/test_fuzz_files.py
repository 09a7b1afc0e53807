"""Files beside a log and files that people type, spoilt by chance: told in a sentence, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import msgspec
import pytest
import spoilt
from hypothesis import given
from hypothesis import strategies as st
from spoilt import FEWER, check_answer

from referee.engine.component import read_toml
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game
from referee.record.archive.audit import audit

RANDOM = st.randoms(use_true_random=False)
SECRET = "new mutants --option hidden-movement=yes --seats Ann,Bo --seed " + "5a" * 32
LOOKS = (
    "show",
    "show --by human",
    "show --by mutant --json",
    "legal",
    "log --by human",
    "replay",
    "audit",
    "--json audit",
    "",
)
SAYS = ("do wall C3-C4", "note so", "undo", "reveal --agreed-by all", "join human", "branch x", "roll", "use a.jsonl")


@pytest.fixture(scope="module")
def secret_game(cli_anywhere, tmp_path_factory):
    """A folder with a hidden game in which something was done in secret."""
    for words in (f"{SECRET} -o a.jsonl", "do wall C3-C4"):
        assert cli_anywhere(words).code == 0
    folder = tmp_path_factory.mktemp("begun")
    shutil.copytree(Path(), folder, dirs_exist_ok=True)
    return folder


def again(begun):
    """The folder as it was."""
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(begun, Path(), dirs_exist_ok=True)


def files_here():
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file() and path.suffix != ".lock"}


BESIDE = ("a.jsonl.human.vault", "a.jsonl.mutant.vault", "a.jsonl.head", ".referee", "a.jsonl")


@FEWER
@given(rng=RANDOM)
def test_spoilt_files_beside_a_log(cli_anywhere, secret_game, rng):
    again(secret_game)
    for name in rng.sample(BESIDE, rng.randrange(1, 3)):
        Path(name).write_bytes(spoilt.blurred(rng, Path(name).read_bytes()))
    before = files_here()
    look = cli_anywhere(rng.choice(LOOKS))
    check_answer(look)
    assert files_here() == before, "looking writes nothing"
    said = cli_anywhere(rng.choice(SAYS))
    check_answer(said)
    after = files_here()
    if said.code:
        assert {name: data for name, data in after.items() if name.endswith((".jsonl", ".vault"))} == {
            name: data for name, data in before.items() if name.endswith((".jsonl", ".vault"))
        }
    for name in BESIDE[:2]:
        assert after[name].startswith(before[name]), "no secret is lost"
    kept = after["a.jsonl"] + after.get("a.jsonl.torn", b"")
    assert kept.startswith(before["a.jsonl"]) or set(before["a.jsonl"]) <= set(kept)


@pytest.mark.parametrize("kind", [kind for kind in spoilt.KINDS if kind != "ambush"])
@FEWER
@given(rng=RANDOM)
def test_spoilt_positions(cli_anywhere, kind, rng):
    base = spoilt.base(kind)
    position = msgspec.json.decode(msgspec.json.encode(base.documents[0]["position"] or {}))
    for _ in range(rng.randrange(1, 4)):
        spots = list(spoilt.places(position))
        if spots:
            spoilt.change(rng, *rng.choice(spots), base.pool)
    check_new(cli_anywhere, kind, "position.json", spoilt.document_bytes(position), "--from position.json")


TEMPLATES: dict[str, bytes] = {}
"""What `new --template` prints for a game, which takes a while."""


@pytest.mark.parametrize("game", ["manoover", "mutants", "zombies"])
@FEWER
@given(rng=RANDOM)
def test_spoilt_templates(cli_anywhere, game, rng):
    template = TEMPLATES.get(game) or cli_anywhere(f"new {game} --template").out.encode()
    TEMPLATES[game] = template
    check_new(cli_anywhere, game, "position.toml", spoilt.blurred(rng, template), "--from position.toml")


PARTS = [
    (game, part.name)
    for game in ("manoover", "mutants", "sheboygan", "zombies")
    for part in find_game(game).components
    if (game, part.name) != ("sheboygan", "board")  # whose lines of sight take minutes
]


@pytest.mark.parametrize(("game", "part"), PARTS)
@FEWER
@given(rng=RANDOM)
def test_spoilt_boards(cli_anywhere, game, part, rng):
    module = find_game(game)
    component = next(component for component in module.components if component.name == part)
    shipped = component.shipped(fill_options(module, {}))
    if rng.randrange(3) == 0:
        data, name = spoilt.blurred(rng, shipped.read_bytes()), "own.toml"
    else:
        document = json.loads(json.dumps(read_toml(shipped)))
        pool = spoilt.pool_of(document)
        for _ in range(rng.randrange(1, 4)):
            spoilt.change(rng, *rng.choice(list(spoilt.places(document))), pool)
        data, name = spoilt.document_bytes(document), "own.json"
    check_new(cli_anywhere, game, name, data, f"--own {part}={name}")


def check_new(cli, kind, name, data, words):
    """A game that begins so is whole; or there is none, and one sentence says why."""
    again_empty()
    Path(name).write_bytes(data)
    game, options, _ = spoilt.KINDS[kind]
    given_options = " ".join(f"--option {key}={value}" for key, value in options.items())
    answer = cli(f"new {game} {given_options} {words} -o a.jsonl")
    check_answer(answer)
    if answer.code:
        assert {path.name for path in Path().iterdir()} <= {name, "a.jsonl.lock"}
        return
    assert audit("a.jsonl").fault is None
    mover = cli("--json who").facts["to_act"]
    legal = f"legal --json --by {mover}" if mover else "legal --json"
    for look in ("show", legal, "show --as toml", "show --as words"):
        shown = cli(look)
        check_answer(shown)
        assert shown.code == 0, shown.shown


def again_empty():
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_the_shipped_boards_pass(cli_anywhere):
    for game, part in PARTS:
        component = next(component for component in find_game(game).components if component.name == part)
        shipped = component.shipped(fill_options(find_game(game), {}))
        check_new(cli_anywhere, game, "own.toml", shipped.read_bytes(), f"--own {part}=own.toml")
        assert Path("a.jsonl").exists(), (game, part)
        assert tomllib.loads(shipped.read_text("utf-8"))
