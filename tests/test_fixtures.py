"""The logs and schemas that come along are what the code makes and reads."""

import importlib.util
import json
import re
import sys

import jsonschema
import pytest
from support import FIXTURES, ROOT

from referee.cli.commands.schema import make_schema
from referee.engine.registry import find_game
from referee.record.archive.audit import audit
from referee.record.log.field_types import MAX_NUMBER
from referee.record.log.line_format import BODY_OFFSET
from referee.record.table.opening_logs import open_log, replay

LOGS = sorted([*FIXTURES.glob("*/games/*.jsonl"), *(ROOT / "logs").glob("sample-*.jsonl")])
GAMES = sorted({path.parent.name for path in FIXTURES.glob("*/schema")})
NUMBERS = re.compile("[0-9a-f]{16,}|[A-Za-z]?[0-9]+")
SCHEMAS = sorted(FIXTURES.glob("*/schema/*.json"))


def script(name, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location(name, ROOT / "tests" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def schemas_of(game):
    return ("entry", "action", "event", "position", *(component.name for component in game.components))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_logs_audit_clean_and_are_finished(path):
    report = audit(path)
    assert report.fault is None
    assert report.unjudged == {}
    assert report.outcome is not None


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_replay_reaches_the_state_of_the_log(path):
    *_, (_, known) = replay(path)
    assert known.truth == open_log(path).moment().state


def test_logs_are_the_ones_the_script_makes(monkeypatch):
    made = script("make_games", monkeypatch).made()
    assert [path for path, data in made if path.read_bytes() != data] == []


def test_every_game_has_finished_games_to_show():
    for game in GAMES:
        assert len([path for path in LOGS if path.parent.parent.name == game]) >= 3


@pytest.mark.parametrize("game", GAMES)
def test_every_schema_is_committed(game):
    committed = {path.stem for path in SCHEMAS if path.parents[1].name == game}
    assert committed == set(schemas_of(find_game(game)))


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_committed_schemas_are_the_printed_ones(path):
    committed = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(committed)
    assert committed == json.loads(json.dumps(make_schema(find_game(path.parents[1].name), path.stem)))


def test_the_schema_of_all_games_is_the_printed_one():
    committed = json.loads((FIXTURES / "schema" / "entry.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(committed)
    assert committed == json.loads(json.dumps(make_schema(None)))


@pytest.mark.parametrize("name", ["manoover/games/15-by-mail", "sheboygan/games/learning"])
def test_every_entry_fits_the_schema_of_all_games(name):
    validator, kinds = jsonschema.Draft202012Validator(make_schema(None)), {}
    for line in (FIXTURES / f"{name}.jsonl").read_bytes().splitlines():
        entry = json.loads(line)["entry"]
        assert validator.is_valid(entry), entry
        kinds[entry["type"]] = entry
    assert not any(validator.is_valid({**entry, "more": 1}) for entry in kinds.values())


def fields_in(schema):
    """Yields every field of a schema, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        schema = schema.values()
    if not isinstance(schema, str | int | bool | None):
        for part in schema:
            yield from fields_in(part)


def undescribed(schema):
    return [name for name, field in fields_in(schema) if "description" not in field]


def test_every_field_of_every_entry_is_described():
    assert undescribed(make_schema(None)) == []
    assert len(list(fields_in(make_schema(None)))) > 150


UNDESCRIBED = {"manoover": 27, "mutants": 67, "sheboygan": 136, "zombies": 215}
"""The number of undescribed fields of actions and events, for each game. It may only fall."""


def numbers_in(schema):
    """Yields the bounds of every whole number in a schema, at any depth."""
    if isinstance(schema, dict):
        if schema.get("type") == "integer":
            yield schema.get("minimum", -(10**99)), schema.get("maximum", 10**99)
        schema = schema.values()
    if not isinstance(schema, str | int | bool | None):
        for part in schema:
            yield from numbers_in(part)


@pytest.mark.parametrize("game", GAMES)
def test_no_entry_holds_a_number_that_no_log_may_hold(game):
    """The types bound it: nothing else looks at the numbers of a play that is read."""
    numbers = list(numbers_in(make_schema(find_game(game), "entry")))
    assert len(numbers) > 20
    assert all(-MAX_NUMBER <= least <= most <= MAX_NUMBER for least, most in numbers)


@pytest.mark.parametrize("game", GAMES)
def test_fields_are_described_by_what_stands_below_them(game):
    assert len(undescribed(make_schema(find_game(game), "entry"))) <= UNDESCRIBED[game]


@pytest.mark.parametrize("path", LOGS[::5], ids=lambda path: path.stem)
def test_every_entry_fits_the_schema(path):
    """Of entries that differ only in numbers and hashes, one is tried."""
    game = open_log(path).game
    validator, kinds, alike = jsonschema.Draft202012Validator(make_schema(game, "entry")), set(), {}
    for line in path.read_bytes().splitlines():
        entry = json.loads(line)["entry"]
        spelt = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert line[BODY_OFFSET:-1] == spelt.encode()
        alike[NUMBERS.sub("0", spelt)] = entry
    for entry in alike.values():
        assert validator.is_valid(entry), entry
        if (kind := entry.get("type")) not in kinds:
            assert not validator.is_valid({**entry, "more": 1})
        kinds.add(kind)
