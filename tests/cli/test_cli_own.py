"""Cards and boards of one's own: a name that is there needs no file, one that is not there is told how to add."""

from __future__ import annotations

import pytest

BEGUN = ("roll 3 4 2 5 1 6 2 2 3", "roll 5 2")
"""The throws of Zombies before heroes are chosen."""


@pytest.fixture
def city(cli):
    """Begins a game of Zombies with these words, up to the choice of heroes."""

    def begin(more: str = "") -> None:
        for words in (f"new zombies --dice table --seats Ann,Bo -o city.jsonl {more}", *BEGUN):
            assert cli(words).code == 0

    return begin


def test_a_card_that_is_there_is_typed_by_name_without_a_file(cli, city):
    city()
    assert "Ann plays LEE with brawler" in cli("pick lee --dice brawl").out.replace("red plays", "Ann plays")


def test_a_card_that_is_not_there_lists_the_names_and_tells_how_to_add_it(cli, city):
    city()
    answer = cli("pick lee --dice juggler")
    assert answer.code == 2
    said = " ".join(answer.err.split())
    assert "you can draw brawler, fast-feet, field-medic, marksman, signal-flares or slippery." in said
    assert said.endswith("To use cards of your own: referee help own.")
    assert "referee games zombies --own components -o ours.toml" in cli("help own").out


def test_the_file_that_comes_along_is_changed_and_played_with(cli, city, place):
    written = cli("games zombies --own components -o ours.toml")
    assert "referee new zombies --own components=ours.toml" in " ".join(written.out.split())
    ours = place / "ours.toml"
    ours.write_text(ours.read_text("utf-8").replace('"brawler"', '"juggler"'), "utf-8")
    city("--own components=ours.toml")
    assert cli("pick lee --dice brawler").code == 2
    assert "red plays LEE with juggler" in cli("pick lee --dice juggler").out


def test_a_game_that_has_begun_goes_on_with_them(cli, city, place):
    city()
    cli("pick lee --dice slippery")
    (place / "now.toml").write_text(cli("show --as toml").out, "utf-8")
    (place / "ours.toml").write_text(cli("games zombies --own components").out.replace("brawler", "juggler"), "utf-8")
    assert cli("new zombies --dice table --from now.toml --own components=ours.toml -o more.jsonl").code == 0
    assert "blue plays JAX with juggler" in cli("pick jax --dice juggler").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("manoover --own boad", "Manoover has no part 'boad'; choose board."),
        ("manoover --own board=plu", "The game has no board 'plu'; choose base, plus or three."),
        ("--own board", "Name a game; to list them: referee games."),
        ("manoover -o ours.toml", "-o needs --own: it writes the file for you to change."),
    ],
)
def test_a_part_that_is_not_there(cli, words, said):
    answer = cli(f"games {words}")
    assert (answer.code, answer.err.strip()) == (2, said)


@pytest.mark.parametrize(
    ("game", "part"),
    [("manoover", "board"), ("manoover", "board=three"), ("mutants", "board"), ("sheboygan", "tables")],
)
def test_every_file_can_be_played_with_as_it_is_printed(cli, place, game, part):
    name, _, which = part.partition("=")
    option = f" --option form={which}" if which else ""
    (place / "ours.toml").write_text(cli(f"games {game} --own {part}").out, "utf-8")
    assert cli(f"new {game} --own {name}=ours.toml{option} -o one.jsonl").code == 0
    assert cli(f"--json games {game} --own {part}").facts["part"] == name
