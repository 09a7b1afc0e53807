"""Boards, decks and cards that come along are found for ever: by what they hold, among all that ever came along."""

import pytest

from referee.engine.component import hash_toml_content, read_toml
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game

GAMES = [find_game(name) for name in ("manoover", "mutants", "sheboygan", "zombies")]
PARTS = [(game, part) for game in GAMES for part in game.components]


@pytest.mark.parametrize(("game", "part"), PARTS, ids=[f"{game.name}-{part.name}" for game, part in PARTS])
def test_every_file_stands_in_the_table(game, part):
    named = read_toml(part.hashes)[part.name]
    for path in {part.shipped(fill_options(game, {})), *part.others()}:
        assert named[hash_toml_content(path)] == path.name


@pytest.mark.parametrize(("game", "part"), PARTS, ids=[f"{game.name}-{part.name}" for game, part in PARTS])
def test_every_hash_of_the_table_leads_to_a_file_that_can_be_played_with(game, part):
    options = fill_options(game, {})
    for sha256, name in read_toml(part.hashes)[part.name].items():
        path = part.find(sha256, options)
        assert path is not None
        assert path.name == name
        assert part.read(read_toml(path))
    assert part.find("5" * 64, options) is None
