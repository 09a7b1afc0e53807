"""The logs and schemas that come along are what the code makes and reads."""

import importlib.util
import json

import jsonschema
import pytest
from support import FIXTURES, ROOT

from referee.cli.reference import SCHEMAS, schema_of
from referee.engine.game import find_game
from referee.record.audit import audit
from referee.record.entry import BODY_AT
from referee.record.session import open_log, replay

LOGS = sorted([*FIXTURES.glob("*/games/*.jsonl"), *(ROOT / "logs").glob("sample-*.jsonl")])
GAMES = sorted({path.parent.name for path in FIXTURES.glob("*/schema")})


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tests" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_logs_audit_clean_and_are_finished(path):
    report = audit(path)
    assert report.fault is None
    assert report.outcome is not None


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_replay_reaches_the_state_of_the_log(path):
    *_, (_, state) = replay(path)
    assert state == open_log(path).state


def test_logs_are_the_ones_the_script_makes():
    for path, data in script("make_games").made():
        assert path.read_bytes() == data, path


def test_every_game_has_finished_games_to_show():
    for game in GAMES:
        assert len([path for path in LOGS if path.parent.parent.name == game]) >= 3


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", SCHEMAS)
def test_committed_schemas_are_the_printed_ones(game, what):
    committed = json.loads((FIXTURES / game / "schema" / f"{what}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(committed)
    assert committed == json.loads(json.dumps(schema_of(find_game(game), what)))


@pytest.mark.parametrize("path", LOGS[::5], ids=lambda path: path.stem)
def test_every_entry_fits_the_schema(path):
    game = open_log(path).game
    validator = jsonschema.Draft202012Validator(schema_of(game, "entry"))
    for line in path.read_bytes().splitlines():
        entry = json.loads(line)["entry"]
        assert validator.is_valid(entry), entry
        assert not validator.is_valid({**entry, "more": 1})
        assert line[BODY_AT:-1] == json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
