"""The city and the cards that come along, and what is wrong with others."""

from __future__ import annotations

from copy import deepcopy

import pytest
from zombie_play import BOARD, CARDS, CITY, GAME, built

from referee.engine.component import BoardError
from referee.engine.dice_mode import TableDice
from referee.games.zombies.ground import find_ground
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import start

LEVELS = {level["id"]: level for level in CITY["level"]}


def city(**changes):
    return {**deepcopy(CITY), **changes}


def redrawn(level, old, new, map_="terrain"):
    """The city with one thing on a map of a level drawn otherwise."""
    changed = city()
    for each in changed["level"]:
        if each["id"] == level:
            assert old in each[map_]
            each[map_] = each[map_].replace(old, new, 1)
    return changed


def cards(change):
    changed = deepcopy(CARDS)
    change(changed)
    return changed


def without(deck, id_):
    return cards(lambda all_: all_["card"].remove(next(card for card in all_["card"] if card["id"] == id_)))


def with_fields(table, at, **fields):
    return cards(lambda all_: all_[table][at].update(fields))


def test_the_counts_of_the_index():
    kinds = list(BOARD.tokens.values())
    assert [kinds.count(kind) for kind in ("action", "supply", "survivor", "star")] == [17, 12, 12, 4]
    assert {deck: len(all_) for deck, all_ in BOARD.components.decks.items()} == {
        "action": 30,
        "supply": 42,
        "survivor": 30,
        "zombie": 24,
    }
    assert BOARD.components.figures_by_level == {1: 36, 2: 30, 3: 30}
    assert (len(BOARD.components.action_tiles), BOARD.components.blocking_tiles, BOARD.components.counters) == (
        54,
        16,
        12,
    )
    assert (len(BOARD.components.heroes), len(BOARD.components.abilities)) == (6, 6)


def test_no_square_touches_two_tokens_and_no_start_touches_one():
    ground = find_ground(BOARD, ("w", "x", "y"))
    tokens = BOARD.make_set(BOARD.tokens)
    for square in BOARD.list_squares(ground.open_squares):
        near = (ground.find_squares_adjacent_to(square) | BOARD.square_bits[square]) & tokens
        assert near.bit_count() < 2, square
        starts = (*BOARD.hero_starts["A"], *BOARD.hero_starts["W"], *BOARD.zombie_hero_starts, *BOARD.stairs)
        assert not (near and square in starts), square


def test_what_is_reconstructed_is_said():
    assert "all four levels" in (BOARD.reconstruction or "")
    assert "what is on the cards" in (BOARD.reconstruction or "")
    notes = GAME.draw(GAME.setup({option.name: option.default for option in GAME.options}, BOARD)).notes
    assert any("reconstruction" in note for note in notes)


@pytest.mark.parametrize(
    ("document", "cause"),
    [
        (city(level=[level for level in CITY["level"] if level["id"] != "W"]), "the Warehouse is missing"),
        (redrawn("A", "~~~~#.....", "~~~~#...."), "the rows of the Asylum must all be of one length"),
        (redrawn("A", "#", "?"), "'\\?' means nothing on the map of the Asylum"),
        (city(stair=[{"ends": ["Sa1", "Ab10"]}]), "Sa1 is solid; nothing can stand there"),
        (city(stair=[{"ends": ["Sz9", "Ab10"]}]), "Sz9 is not a square of the maps"),
        (city(stair=[*CITY["stair"], {"ends": ["Sc7", "Ha10"]}]), "a square has two stairs"),
        (city(rope=[*CITY["rope"], CITY["rope"][0]]), "a square has two rope symbols"),
        (city(room=CITY["room"][1:]), "locked room w is missing"),
        (city(stair=[]), "nobody who starts on Aa1 can walk to the helipad"),
        (city(area=CITY["area"][:-1]), "there must be one red area"),
        (
            city(area=[{**CITY["area"][0], "squares": "Sb9 Sc9"}, *CITY["area"][1:]]),
            "green-street-west has fewer squares than its dice can show",
        ),
        (city(area=[{**CITY["area"][0], "dice": 2}, *CITY["area"][1:]]), "one die for green and blue, two for red"),
        (city(area=[*CITY["area"], {**CITY["area"][0], "id": "more"}]), "a square lies in two start areas"),
        (redrawn("A", "hh", "..", "features"), "the Asylum has fewer than 4 start squares"),
        (redrawn("H", "HH", "..", "features"), "the helipad \\(hospital-roof\\) has fewer than 4 squares"),
        (redrawn("S", "ZppZ", ".pp.", "features"), "fewer than 3 start squares for zombie heroes"),
        (redrawn("S", "##.....######", "##w....######"), "the locked room w lies in two places"),
        (redrawn("S", "\n....................\n", "\n.T..................\n"), "the tanker lies in two places"),
        (
            redrawn("S", "A..................A", "A.p................A", "features"),
            r"helipad \(street\) lies in",
        ),
        (
            redrawn("S", "....................", "SSSSSSSSSSSSSSSSSSSS", "features"),
            "there are .* tokens, and 54 action tiles",
        ),
    ],
)
def test_a_city_that_nobody_could_play_in(document, cause):
    with pytest.raises(BoardError, match=cause):
        built(document)


@pytest.mark.parametrize(
    ("document", "cause"),
    [
        (without("action", "horde"), "the action deck has 28 cards, not 30 \\(comp.action-cards\\)"),
        (without("supply", "pistol"), "the supply deck has 41 cards, not 42 \\(comp.supply-cards\\)"),
        (without("survivor", "baker"), "the survivor deck has 29 cards"),
        (without("zombie", "horde-l3"), "the zombie deck has 23 cards"),
        (with_fields("zombie", 1, defense=6), "the defenses of zombies must rise with their level"),
        (with_fields("hero", 0, id="LEE"), "six heroes with six names"),
        (with_fields("ability", 0, id="brawler"), "six special abilities"),
        (cards(lambda all_: all_.update({"red-x-tiles": 20})), "there must be 54 action tiles"),
        (with_fields("card", 0, kind="spawn", level=1, count=1), "the supply deck has none \\(supply.1\\)"),
        (with_fields("card", -1, kind="health", heal=1), "the action deck has none \\(card.action.1\\)"),
        (with_fields("card", 0, copies=2), "every supply, survivor and mutation card needs a name of its own"),
        (with_fields("card", 0, named="BOB"), "bears the name of BOB, who is not a hero"),
        (with_fields("card", 12, ammunition=0), "pistol lacks its ammunition"),
        (with_fields("card", 0, id="BAT"), "matching regex"),
    ],
)
def test_cards_that_nobody_could_play_with(document, cause):
    with pytest.raises(BoardError, match=cause):
        built(cards=document)


def test_a_group_plays_with_its_own_cards_and_types_what_it_draws(tmp_path):
    own = cards(lambda all_: next(card for card in all_["card"] if card["id"] == "pistol").update(id="luger"))
    own.pop("reconstruction")
    own["hero"][0]["health"] = 12
    players = {"LUI": {"at": "Sf8", "supplies": "bat"}, "JAK": {"at": "Sp9", "supplies": "luger"}}
    position = {"players": players, "phase": "action", "agenda": [{"task": "draw", "by": "LUI"}]}
    session = start("zombies", tmp_path / "g.jsonl", position=position, own={"components": own}, dice=TableDice())
    session.do("draw", faces=["blank", "baker"])
    assert session.moment().state.players["LUI"].health == 12
    assert session.moment().state.players["LUI"].survivors == ("baker",)
    assert "cards" not in (session.moment().state.board.reconstruction or "")
    assert audit(tmp_path / "g.jsonl").fault is None


def test_as_many_play_as_have_given_their_names(tmp_path):
    alone = start("zombies", tmp_path / "alone.jsonl", seats=["Anna"])
    assert (alone.reducer.header.options["players"], alone.reducer.header.options["mode"]) == ("1", "solo")
    three = start("zombies", tmp_path / "three.jsonl", seats=["Anna", "Bo", "Cy"])
    assert [seated.name for seated in three.reducer.header.seats] == ["Anna", "Bo", "Cy"]
