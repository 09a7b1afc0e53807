"""Everything that can be named gets an answer: pieces, places, words; and questions of one word."""

import re

import pytest

from referee.cli.catalogue import COMMANDS
from referee.cli.context import Context
from referee.cli.name_lookup import index_pieces_by_name, index_places_by_name

GAMES = {
    "manoover": "--option first=red",
    "mutants": "",
    "sheboygan": "--option scenario=basic",
    "zombies": "--option players=2",
}
FEW = 8
"""Names of each kind that are asked about; all are known alike."""


@pytest.fixture(params=GAMES)
def named(request, cli, place):
    """A game that has begun, and names in it."""
    cli(f"new {request.param} {GAMES[request.param]} --dice open -o g.jsonl")
    if request.param == "mutants":
        cli("do rest, ready, rest, ready")
    look = Context().open_view()
    pieces, places = (list(found(look)) for found in (index_pieces_by_name, index_places_by_name))
    return [*pieces[:: max(1, len(pieces) // FEW)], *places[:: max(1, len(places) // FEW)]]


def test_whatever_can_be_named_gets_an_answer(cli, named):
    for name in named:
        told = cli("legal", name, "--by", cli("--json who").facts["to_act"])
        assert told.code == 0
        assert "Nothing here is called" not in told.out
        assert cli("where", name).code == 0, name


@pytest.fixture
def raid(cli, place):
    cli("new mutants --dice table -o m.jsonl")
    cli("do rest, ready, rest, ready")


def test_short_names_of_squares_and_doors(cli, raid):
    assert "smash xW4-A4 n1" in cli("legal w4").out
    assert "smash xN4-D1" in cli("legal n4d1").out
    assert "xN4" in cli("show n4 -r 0").out
    assert cli("show n8").code == 0, "where a piece stands"


def test_a_door_is_shown_and_of_who_is_nowhere_on_the_board_it_is_said(cli, raid):
    assert "xW4" in cli("show w4a4 -r 1").out
    cli("fix n8 gone --agreed-by all")
    gone = cli("show n8")
    assert (gone.code, gone.err) == (2, "'n8' is not on the board: gone.\n")
    assert "The board has no q7" in cli("show q7").err


def test_robots_by_their_letter_and_their_cell(cli, control):
    assert cli("legal R2").out == cli("legal 2").out
    assert cli("legal b1").out == cli("legal 2").out, "the robot in that cell"
    assert "No legal move now has to do with B6.\n  B6: a4 S.\n" in cli("legal B6").out
    assert "R2" in cli("show R2 -r 0").out


def test_what_nobody_knows_is_said(cli, control):
    told = cli("legal R9")
    assert "Nothing here is called R9; did you mean 'r" in told.out
    assert cli("where R9").code == 1


def test_what_happened_last(cli, control):
    cli("2 go, 2 go, 6 go")
    told = cli("status")
    assert "red: 6 go N" in told.out
    assert "red: auto" in told.out, "what followed by itself"
    assert "2 go" not in told.out
    assert [entry["type"] for entry in cli("--json last").facts["entries"]] == ["play", "play"]


def test_at_first_the_state_and_the_next_step_are_all(cli, evening):
    told = cli("status").out
    assert "   0  " not in told
    assert told.splitlines()[-2] == "  Next: roll 2d6 (who goes first: red, blue), then type: referee roll FACES"
    assert told.splitlines()[-1] == "  Or:   referee show   (shows the board)"


def test_whose_turn_and_what_is_needed(cli, raid):
    assert cli("status").out == cli("").out
    assert "Next: referee legal lists 74 actions" in cli("status").out


def test_the_numbers_needed(cli, place):
    (place / "p.toml").write_text('phase = "mutant-combat"\nunits = { D3 = "buck n1", D4 = "prof penny" }\n')
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    cli("fight d3 auto")
    assert "buck 5 or less hits n1: 5 in 6 (83.3 %)." in cli("status").out
    assert cli("--json need").facts["needs"][0]["chances"] == [[5, 6], [3, 6]]


def test_why_of_something_legal_cites_what_allows_it(cli, raid):
    told = cli("why smash n4d1 n8")
    assert "Allowed by IV.B.2.a-a: The Mutant player names" in told.out
    assert "IV.B.2.a-a" in cli("--json why smash n4d1 n8").facts["rules"]


def test_help_on_a_word_of_the_game(cli, raid):
    told = cli("help smash").out
    assert told.startswith("smash DOOR UNITS\n")
    assert "IV.B.2.a-a" in told
    assert "There is also a command of this name" in cli("help answer --of sheboygan").out
    assert cli("help show").out == cli("show --help").out
    assert "--theirs" in cli("help open --of manoover").out == cli("mail open --help").out
    assert cli("help words").out.startswith("Words\n")
    assert cli("help smahs").code == 2
    assert "did you mean 'smash'" in cli("help smahs").err


def test_the_chapter_on_what_is_typed_names_commands_that_there_are(cli, place):
    told = cli("help typing").out
    assert told.startswith("What you type\n")
    assert {word.lstrip(":") for word in re.findall(r"^    referee (\S+)", told, re.MULTILINE)} <= {*COMMANDS}


def test_help_without_a_game(cli, place):
    assert cli("help buy --of sheboygan").out.startswith("buy ")
    assert cli("help buy").code == 2


THINGS = {
    "crab-gait --of zombies": "zombies and zombie heroes of the level step diagonally, too",
    "crossbow --of zombies": "range 6, the range of a ranged weapon, in king's moves (supply.ranged.1); ammunition 4",
    "marksman --of zombies": "A special ability, marksman: ranged 1, the number added to ranged attack rolls",
    "stairs --of zombies": "A stair joins Ab10 and Sc7 (ruling.level-links).",
    "ab10 --of zombies": "A stair joins Ab10 and Sc7 (ruling.level-links).",
    "rope --of zombies": "rope.6  The rope card is discarded after use.",
    "tile --of zombies": "tile.6  The break roll is two dice: 8 or more destroys one tile.",
    "great-height --of sheboygan": "An ability of the monster, for 5 Initial Strength Points (13.21).",
    "tank --of sheboygan": "A human unit, tank: strength 6",
}
"""What is looked up by its name, and a part of what is told."""


@pytest.mark.parametrize("words", THINGS)
def test_what_a_thing_is_and_does_by_its_name(cli, place, words):
    told = cli(f"--width 300 rules {words}")
    assert (told.code, THINGS[words].lower() in told.out.lower()) == (0, True)


def test_a_thing_is_looked_up_in_the_game_at_hand(cli, place):
    cli("new zombies --dice open -o z.jsonl")
    assert "step diagonally" in cli("rules crab-gait").out
    assert cli("--json rules crab-gait").facts["things"]


def test_every_verb_is_told_with_its_rules(cli, place):
    for name in GAMES:
        told = cli(f"games {name}").out
        assert "Words for moves" in told
        (facts,) = cli(f"--json games {name}").facts
        assert all(verb["rules"] and verb["meaning"] for verb in facts["verbs"])


def test_a_thing_is_told_by_help_and_by_rules_in_any_case_and_in_short(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    assert cli("help B1").out.startswith("b1: A Janibot")
    assert cli("rules b1").out.startswith("b1: A Janibot")
    assert "IV.C.3" in cli("help B1").out
    cli("new sheboygan --dice open -o s.jsonl")
    assert "Box H09, street" in cli("rules h9").out


def test_what_can_be_said_in_a_game_stands_in_columns(cli, place):
    lines = cli("--width 60 games mutants").out.splitlines()
    assert max(map(len, lines)) <= 60
    at = lines.index(next(line for line in lines if line.startswith("    wall DOOR")))
    column = lines[at].index("Put a Wall")
    assert all(line[column - 2 : column] == "  " for line in lines[at : at + 12])
