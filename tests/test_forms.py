"""What is written never changes its form without a version: `fixtures/forms.toml` holds the form of each.

A line of that file is added with a new version, and never changed. Whoever changes an entry, an action, an event, an
option or a position raises `LOG_FORMAT` or the game's `rules_version`, writes an upcast, and adds the hash told here.
"""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from support import FIXTURES, load_toml

from referee.cli.commands.schema import make_schema
from referee.engine.registry import find_game
from referee.record.log.field_types import LOG_FORMAT

FORMS = load_toml(FIXTURES / "forms.toml")
GAMES = ("manoover", "mutants", "sheboygan", "zombies")
OF_GAMES = ("action", "actions", "events", "secret")
"""Fields of entries whose content belongs to the game."""
REFERENCE = "#/$defs/"
TOLD = ("description", "title", "examples")
"""Keys of a schema that only describe it to people."""


def form(schema, parts, above=()):
    """Returns a schema without descriptions, and without the names of its parts, which are names of classes.

    Each part stands where it is used. A part that contains itself is given as the number of levels above where it
    began.
    """
    if isinstance(schema, list):
        return [form(one, parts, above) for one in schema]
    if isinstance(schema, str) and schema.startswith(REFERENCE):
        name = schema.removeprefix(REFERENCE)
        return above.index(name) if name in above else form(parts[name], parts, (name, *above))
    if not isinstance(schema, dict):
        return schema
    formed = {
        name: {key: form(one, parts, above) for key, one in part.items()}
        if name == "properties"
        else form(part, parts, above)
        for name, part in schema.items()
        if name not in (*TOLD, "$defs")
    }
    if "anyOf" in formed:
        formed["anyOf"].sort(key=as_text)
    return formed


def as_text(what):
    return json.dumps(what, sort_keys=True)


def digest(*schemas):
    forms = [form(schema, schema.get("$defs", {})) for schema in schemas]
    return sha256(as_text(forms).encode()).hexdigest()[:16]


def form_of_the_record():
    """Returns the form of all entries, without the content that games define."""
    schema = make_schema(find_game("manoover"), "entry")
    assert len(schema["anyOf"]) >= 18
    for part in schema["$defs"].values():
        for name in OF_GAMES:
            part.get("properties", {}).pop(name, None)
    return digest(schema)


def form_of(game):
    """Returns the form of a game's parts of entries, and of the options in its first entry."""
    options = {option.name: [option.since, option.before, sorted(option.known_values)] for option in game.options}
    return digest({"options": options}, *(make_schema(game, what) for what in ("action", "event", "position")))


def test_entries_have_the_form_of_their_version():
    assert FORMS["record"].get(str(LOG_FORMAT)) == form_of_the_record(), (
        "raise LOG_FORMAT, write an upcast, add this hash"
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_writes_has_the_form_of_its_version(name):
    game = find_game(name)
    due = FORMS[name].get(str(game.rules_version))
    assert due == form_of(game), "raise rules_version, write an upcast, add this hash"


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_form_is_noticed(name):
    schema = make_schema(find_game(name), "event")
    before = digest(schema)
    part = next(part for part in schema["$defs"].values() if part.get("properties"))
    part["description"] = "told otherwise"
    assert digest(schema) == before
    part["properties"]["weather"] = {"type": "string"}
    assert digest(schema) != before
