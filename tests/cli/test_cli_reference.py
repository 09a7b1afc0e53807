"""The reference: help of every command, rules, games, schemas."""

import json
import re

import jsonschema
import pytest

from referee.cli.catalogue import ALIASES, COMMANDS, load_command

PARTS = [(name, part) for name in COMMANDS for part in getattr(load_command(name), "commands", {})]
"""Commands within commands."""

RULES = [
    "control.4",
    "control",
    "second roll",
    "r.decline",
    "--rulings r.decline",
    "--rulings goal",
    "contrl.4",
    "xyzzy",
    "--of manoover bump.3",
    "--of chess",
]


def test_command_reference(cli, snapshot):
    told = [
        cli("--help").out,
        cli("help commands").out,
        *(cli(*names, "--help").out for names in [*((name,) for name in COMMANDS), *PARTS]),
    ]
    assert "\n".join(told) == snapshot


def test_help_on_a_phone(cli, snapshot):
    assert cli("--help", width=40).out == snapshot


@pytest.mark.parametrize("names", [(), *((name,) for name in COMMANDS), *PARTS], ids=" ".join)
def test_help_fits_on_a_phone(cli, names):
    rows = cli(*names, "--help", width=40).out.splitlines()
    assert [row for row in rows if len(row) > 40 and " " in row.strip()] == []


@pytest.mark.parametrize("names", [*((name,) for name in [*COMMANDS, *ALIASES]), *PARTS], ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help_with_two_examples(cli, names, flag):
    answer = cli(*names, flag)
    assert answer.code == 0
    assert answer.err == ""
    if names[0] not in {name for name, _ in PARTS} or names in PARTS:
        told = answer.out.partition("Arguments:")[0].partition("Options:")[0]
        assert len(re.findall(r"(?<=  )referee ", told)) >= 2


def test_top_help_names_every_command_and_alias(cli):
    words = cli("help commands").out.replace(",", " ").split()
    assert set(words) >= {*COMMANDS, *ALIASES}
    assert cli("--json help commands").facts["help"] == cli("help commands").out.rstrip("\n")


def test_help_without_a_game(cli):
    assert cli("").out == cli("--help").out


def test_version(cli):
    from referee import __version__

    assert cli("--version").out == cli("-V").out == f"referee {__version__}\n"


@pytest.mark.parametrize("words", RULES)
@pytest.mark.parametrize("form", ["", "--json"])
def test_rules(cli, snapshot, words, form):
    of = "" if "--of" in words else "--of manoover"
    assert cli(f"{form} rules {of} {words}").shown == snapshot


def test_rules_of_which_game(cli, snapshot):
    assert cli("rules control.4").shown == snapshot


def test_all_rules_and_rulings(cli):
    from referee.engine.registry import find_game

    book = find_game("manoover").rulebook
    assert [rule["id"] for rule in cli("--json rules --of manoover").facts["rules"]] == list(book.rules)
    assert [ruling["id"] for ruling in cli("--json rules --of manoover --rulings").facts["rules"]] == list(book.rulings)
    assert all(id_ in cli("rules --of manoover").out for id_ in book.rules)


def test_every_rule_can_be_looked_up_by_its_id(cli):
    for rule in cli("--json rules --of manoover").facts["rules"]:
        assert [found["id"] for found in cli("--json", "rules", "--of", "manoover", rule["id"]).facts["rules"]] == [
            rule["id"]
        ]


@pytest.mark.parametrize(
    "words", ["games", "games manoover", "--json games", "--width 40 games manoover", "games chess"]
)
def test_games(cli, snapshot, words):
    assert cli(words).shown == snapshot


@pytest.mark.parametrize("what", ["entry", "action", "event", "position", "board"])
def test_schema(cli, snapshot, what):
    schema = json.loads(cli(f"schema {what} --of manoover").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert {"title": schema["title"], "defines": sorted(schema.get("$defs", ()))} == snapshot


def test_a_schema_without_a_game_is_that_of_all_games(cli):
    schema = json.loads(cli("schema").out)
    assert schema == json.loads(cli("schema entry").out)
    assert schema["title"] == "Entry of any game, log format 2"
    assert cli("schema event").code == 2


def test_schema_of_nothing_else(cli, snapshot):
    assert cli("schema dragon --of manoover").shown == snapshot


def test_a_log_fits_its_schema(cli, control):
    from referee.record.log.line_format import BODY_OFFSET

    cli("do 6 go")
    cli("note a remark")
    cli("undo --agreed-by blue")
    validator = jsonschema.Draft202012Validator(json.loads(cli("schema entry").out))
    for line in control.read_bytes().splitlines(keepends=True):
        validator.validate(json.loads(line[BODY_OFFSET:-2]))


def test_a_position_fits_its_schema(cli, control):
    schema = json.loads(cli("schema position").out)
    jsonschema.Draft202012Validator(schema).validate(json.loads(cli("show --as position").out))


def test_a_family_of_rules_is_looked_up_by_what_its_ids_begin_with(cli):
    for game, family in (("sheboygan", "6.12"), ("mutants", "IV.A.2"), ("manoover", "dice")):
        found = [rule["id"] for rule in cli(f"rules --of {game} {family} --json").facts["rules"]]
        assert len(found) > 1
        assert all(id_.startswith(family) and not id_.removeprefix(family)[0].isdigit() for id_ in found)
