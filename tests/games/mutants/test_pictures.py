"""The floor plan in characters and as a drawing: what stands where, and what is in the doors."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_boards import built, own_board
from playing import BOARD, GAME, positions
from support import FIXTURES, Bench, load_toml

from referee.engine.option_resolution import fill_options
from referee.engine.position import decode_position
from referee.engine.scene import crop_scene
from referee.games.mutants.board import is_square
from referee.show.svg import render_svg
from referee.show.text_picture import draw_text_picture, list_text_captions

PHONE, SCREEN = 40, 80
FIRST = 9
"""Characters from one place of the plan to the next."""
LETTERS = {"tech": "T", "guard": "G", "janibot": "J", "leader": "L", "radioactive": "R", "normal": "N"}

OPENING = {
    "walls": ["B1-C1", "B6-B7", "C2-D2", "D1-E1", "D6-E6", "E1-E2", "F2-G2", "F4-G4", "F5-G5", "F7-G7", "G2-G3"],
    "gone": "",
    "units": {
        **{"A1": "b1", "A3": "b2", "A5": "buck", "A7": "jeb b12", "B2": "percy b3", "B3": "b7", "B7": "b11"},
        **{"C1": "b20", "C2": "b17", "C4": "b6", "C5": "otis b5", "C7": "b9", "D4": "prof penny", "D5": "b10"},
        **{"D7": "b13", "E1": "b23", "E3": "b16", "E5": "b14", "E6": "joey b18", "F2": "b19", "F7": "b24"},
        **{"G1": "b8", "G2": "b4", "G3": "mack", "G4": "b22", "G6": "b15", "G7": "b21"},
        **{"xE1": "r7 r12 r23 n18", "xE2": "r6", "xE3": "r13 n17", "xE4": "r21 r24", "xE5": "l3 n19", "xE6": "r5"},
        **{"xE7": "n5 n24", "xN1": "l1 r1", "xN2": "n13 n20 n22", "xN3": "r4", "xN4": "n14", "xN5": "r3 n1"},
        **{"xN6": "r10 n3", "xN7": "r2", "xS1": "l4 n16", "xS2": "r19 n9 n21", "xS3": "r18", "xS4": "n2 n12"},
        **{"xS5": "r16 n6", "xS6": "r14", "xS7": "r9 r17", "xW1": "r22 n4 n23", "xW2": "r20 n8", "xW3": "n11"},
        **{"xW4": "l2 r11 n25", "xW5": "n26", "xW6": "r8 r15", "xW7": "n7 n10 n15"},
    },
}
COMBAT = {
    "turn": 7,
    "phase": "mutant-combat",
    "walls": ["C3-D3", "D3-E3"],
    "smashed": ["C4-D4", "B4-C4", "xS4-D7"],
    "captive": True,
    "units": {"C4": "penny l2 n25", "D3": "b9", "D4": "prof mack joey jeb l1 r1..r4 n1..n12", "xS4": "n20 r20"},
    "combat": {"room": "D4", "stage": "resolve", "round": 2, "first": "human"}
    | {"laid": ["mack", "joey", "jeb", "prof"], "paired": ["r1", "n2", "l1", "n12"]},
}
CROWD = {
    "turn": 8,
    "phase": "move",
    "captive": True,
    "units": {"xN3": "penny l1..l4 r1..r24 n1..n25", "D4": "prof buck", "A7": "n26"},
}


STATES = ["opening", "turn-6", "combat", "crowd"]
"""All set up, the middle of a game, a Combat, fifty Mutants in one square."""


@pytest.fixture(params=STATES)
def state(request):
    bench = Bench(GAME)
    turn_6 = load_toml(FIXTURES / "mutants" / "positions" / "turn-6.toml")
    options = turn_6.pop("options")
    alternate = {"scenario": "alternate"}
    table = {
        "opening": (OPENING, {}),
        "turn-6": (turn_6, options),
        "combat": (COMBAT, alternate),
        "crowd": (CROWD, alternate),
    }
    position, given = table[request.param]
    return bench.place(position, **given)


@pytest.mark.parametrize("dress", ["unicode", "ascii"])
@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_text(state, snapshot, width, dress):
    scene = GAME.draw(state)
    lines = draw_text_picture(scene, ascii_only=dress == "ascii", width=width)
    assert "\n".join([*lines, *list_text_captions(scene, width)]) == snapshot


@pytest.mark.parametrize("state", STATES[:3], indirect=True)
def test_drawing(state, snapshot):
    assert render_svg(GAME.draw(state)) == snapshot


def test_words(state, snapshot):
    assert "\n".join(GAME.draw(state).words) == snapshot


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32))
def test_pictures_of_random_games(seed):
    for number, (_, _, played) in enumerate(positions(seed)):
        if number % 7 == 0 or played.state.combat:
            check(played.state)


def test_pictures_of_known_positions(state):
    check(state)


def check(state):
    scene = GAME.draw(state)
    for width in (PHONE, SCREEN):
        lines = draw_text_picture(scene, width=width)
        plain = draw_text_picture(scene, width=width, ascii_only=True)
        assert max(map(len, lines)) <= width
        assert [len(line) for line in lines] == [len(line) for line in plain]
        assert all(line.isascii() for line in plain)
        layout = scene.pages[0].choose_layout(width)
        assert all(len(line) <= width and line.isascii() for line in (*layout.legend, *layout.beside))
        assert list_text_captions(scene, width) == (*layout.legend, *layout.beside, *scene.beside, *scene.notes)
    plan, table = (Grid(draw_text_picture(scene, width=width, ascii_only=True)) for width in (SCREEN, PHONE))
    assert not overlapping(scene)
    for place in BOARD.places:
        check_plan(state, plan, place)
        check_table(state, table, place)
    for door in BOARD.door_ends:
        check_door(state, plan, table, door)
    check_drawing(state, scene)
    check_display(state, plan)


class Grid:
    """Characters by column and row."""

    def __init__(self, lines):
        self.lines = lines

    def at(self, column, row, length=1):
        line = self.lines[row] if row < len(self.lines) else ""
        return line[column : column + length].ljust(length)


def at(place):
    """Column and row of a place, the squares around the rooms included."""
    if not is_square(place):
        return ord(place[0]) - ord("A") + 1, int(place[1])
    number = int(place[2])
    return {"N": (number, 0), "S": (number, 8), "W": (0, number), "E": (8, number)}[place[1]]


def crowds(state, place):
    """Units of the Human side and Mutants in a place, and whether a captive is there."""
    return (
        state.list_fighters("human", place),
        state.list_fighters("mutant", place),
        any(map(state.is_captive, state.units_by_place.get(place, ()))),
    )


def check_plan(state, plan, place):
    x, y = at(place)
    name, human, mutant = (plan.at(x * FIRST, y * 4 + row, 8).strip() for row in range(3))
    assert name == (f"{place} Tech" if place == BOARD.tech_room else place)
    expected_human, expected_mutant, captive = crowds(state, place)
    assert mutant.endswith("+P") == captive
    for said, units, letter in ((human, expected_human, "h"), (mutant.removesuffix("+P"), expected_mutant, "m")):
        if said.startswith(letter):
            assert said == f"{letter}{len(units)}"
        else:
            counted = {kind: int(count) for count, kind in re.findall(r"(\d+)([A-Z])", said)}
            kinds = [LETTERS[BOARD.units[unit].kind] for unit in units]
            assert counted == {kind: kinds.count(kind) for kind in kinds}
            assert re.fullmatch(r"(\d+[A-Z])*", said)


def check_table(state, table, place):
    x, y = at(place)
    assert table.at(x * 4, y * 2, 3).strip() == place
    human, mutant = map(len, crowds(state, place)[:2])
    said = table.at(x * 4, y * 2 + 1, 3).strip()
    if human and mutant:
        assert said == ":".join(str(number) if number < 10 else "+" for number in (human, mutant))
    else:
        assert said == (f"h{human}" if human else f"m{mutant}" if mutant else "")


def expected_mark(state, door):
    if door in state.walls:
        return "#"
    if door in state.smashed:
        return "*"
    return "o" if door in {opened for opened, _ in state.opened} else "="


def check_door(state, plan, table, door):
    (x1, y1), (x2, y2) = sorted(map(at, BOARD.door_ends[door]))
    mark = expected_mark(state, door)
    if y1 == y2:
        assert plan.at(x2 * FIRST - 2, y1 * 4 + 1, 3)[1] == mark
        assert table.at(x1 * 4 + 3, y1 * 2) == mark.replace("=", " ")
    else:
        assert plan.at(x1 * FIRST, y2 * 4 - 1, 8) == f"---{mark * 2}---"
        assert table.at(x1 * 4 + 3, y1 * 2 + 1) == mark.replace("=", " ")


def overlapping(scene):
    """Whether two glyphs of a layout want the same place."""
    for layout in scene.pages[0].layouts:
        taken = [(glyph.row, glyph.column + at) for glyph in layout.glyphs for at in range(len(glyph.text))]
        if len(taken) != len(set(taken)):
            return True
    return False


def check_drawing(state, scene):
    page = scene.pages[0]
    crowds = [re.fullmatch(r"(\d+)[A-Z]", piece.label) for piece in page.pieces]
    assert sum(int(crowd[1]) if crowd else 1 for crowd in crowds) == len(state.at)
    alone = [piece for piece, crowd in zip(page.pieces, crowds, strict=True) if not crowd]
    assert all(piece.label in (*piece.units, "+P") for piece in alone)
    assert all(dist((one.x, one.y), (other.x, other.y)) > 0.96 for one, other in combinations(page.pieces, 2))
    bars = [polygon.label for polygon in page.polygons if polygon.solid and polygon.label in ("#", "*", "o", "=")]
    assert sorted(bars) == sorted(expected_mark(state, door) for door in BOARD.door_ends)


def check_display(state, plan):
    """The units in the boxes stand opposite each other."""
    start = 36
    assert (plan.at(0, start, 9) == "Combat in") == bool(state.combat)
    if state.combat:
        rows = [plan.lines[start + row][8:].strip("|").split("|") for row in (3, 5)]
        human, mutant = ([unit.strip() for unit in row] for row in rows)
        assert len(human) == len(mutant) == 5
        combat = state.combat
        through = {unit for boxes in combat.list_units_in_boxes() for unit in boxes[: combat.due]}
        hit = {unit for unit in through if unit not in state.at or state.is_captive(unit)}
        pairs = [pair for pair in zip(human, mutant, strict=True) if all(pair)]
        assert pairs == [pair for pair in combat.list_pairs() if hit.isdisjoint(pair)]
        assert {*human, *mutant} - {""} == {*combat.laid, *combat.paired} - hit


def test_squares_lie_open_to_one_another(state):
    plan = Grid(draw_text_picture(GAME.draw(state), width=SCREEN))
    for link in BOARD.file.links:
        (x1, y1), (x2, y2) = sorted(map(at, link.split("-")))
        if y1 == y2:
            assert all(plan.at(x2 * FIRST - 1, y1 * 4 + row) == " " for row in range(3))
        else:
            assert not plan.at(x1 * FIRST, y2 * 4 - 1, 8).strip()


SIZES = [(3, 3, 0), (9, 9, 0), (4, 7, 0), (5, 9, 0), (9, 5, 0), (3, 2, 7), (2, 5, 9), (9, 9, 9)]
"""Columns, rows and squares a side, 0 for one each outer room; with more of them some lead to the same room."""


@pytest.fixture(params=SIZES, ids=str)
def crowded(request):
    """A building of another size with somebody in every place."""
    columns, rows, many = request.param
    board = built(own_board(columns, rows, dict.fromkeys("NESW", many) if many else None))
    mutants = iter(sorted(board.units_by_side["mutant"]))
    units = {square: next(mutants) for square in board.squares}
    units |= dict(zip(board.rooms, ["prof penny", *sorted(board.janibots), *mutants], strict=False))
    position = decode_position(GAME, {"turn": 3, "phase": "move", "units": units, "smashed": [*board.door_ends][-2:]})
    return GAME.state_from(position, fill_options(GAME, {}), board)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_text_of_other_sizes_shows_every_place(crowded, width, ascii_only):
    scene = GAME.draw(crowded)
    lines = draw_text_picture(scene, width=width, ascii_only=ascii_only)
    assert max(map(len, (*lines, *scene.pages[0].choose_layout(width).beside))) <= width
    words = re.findall(r"\b(?:x[NESW][1-9]|[A-I][1-9])\b", "\n".join(lines))
    assert sorted(words) == sorted(crowded.board.places)
    assert not overlapping(scene)


def test_drawings_of_other_sizes_show_every_place(crowded):
    page = GAME.draw(crowded).pages[0]
    middles = {polygon.place: polygon.find_middle() for polygon in page.polygons if polygon.place}
    assert middles.keys() == set(crowded.board.places)
    assert all(dist(one, other) > 3.5 for one, other in combinations(middles.values(), 2))
    texts = {element.text for element in ElementTree.fromstring(render_svg(GAME.draw(crowded))).iter()}
    assert {f"{place} Tech" if place == crowded.board.tech_room else place for place in crowded.board.places} <= texts
    doors = [polygon for polygon in page.polygons if polygon.solid and polygon.label]
    assert len({polygon.points for polygon in doors}) == len(crowded.board.door_ends)


def test_words_of_other_sizes_tell_of_everybody(crowded):
    words = " ".join(GAME.draw(crowded).words)
    assert all(f" {place}: " in words for place in crowded.units_by_place)


def test_the_plan_of_other_sizes_shows_every_door(crowded):
    layout = GAME.draw(crowded).pages[0].layouts[-1]
    doors = [glyph for glyph in layout.glyphs if not glyph.place and set(glyph.ascii or glyph.text) <= set("=*")]
    assert len(doors) == len(crowded.board.door_ends)
    assert sum("*" in glyph.text for glyph in doors) == 2


def test_the_largest_building_fits():
    board = built(own_board(9, 9))
    options = fill_options(GAME, {"scenario": "alternate"})
    position = decode_position(GAME, {**CROWD, "units": {**CROWD["units"], "D4": "prof buck b1..b23", "xN1": "mack"}})
    scene = GAME.draw(GAME.state_from(position, options, board))
    layout = scene.pages[0].choose_layout(SCREEN)
    assert max(map(len, draw_text_picture(scene))) <= SCREEN
    assert {"E5 T", "m53+P", "h25"} <= {glyph.text for glyph in layout.glyphs}
    assert max(map(len, layout.beside)) <= SCREEN


@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_a_window_shows_whole_rooms_with_their_walls(state, width):
    around = crop_scene(GAME.draw(state), "b2", 1)
    lines = draw_text_picture(around, width=width, ascii_only=True)
    assert max(map(len, lines)) == 3 * FIRST + 1
    assert re.findall(r"\b[A-G][1-7]\b", " ".join(lines)) == [f"{column}{row}" for row in (1, 2, 3) for column in "ABC"]
    assert all(line[0] in "+|=#*o" and line[-1] in "+|=#*o" for line in lines)
    assert "Combat" not in "".join(lines)


def test_a_window_tells_who_is_in_it(state):
    around = crop_scene(GAME.draw(state), "D4", 0)
    here = [piece.name for piece in around.pages[0].pieces]
    assert all(name.endswith(" in D4") for name in here)
    assert len(around.words) == len(here)
    assert {unit for name in here for unit in re.split(" |[.]{2}", name.removesuffix(" in D4"))} <= set(
        state.units_by_place.get("D4", ())
    )


def test_the_combat_display_goes_with_its_room():
    state = Bench(GAME).place(COMBAT, scenario="alternate")
    assert "Combat in D4, Round 2" in draw_text_picture(crop_scene(GAME.draw(state), "D4", 1))
    assert not [
        line for line in draw_text_picture(crop_scene(GAME.draw(state), "D7", 1)) if "Combat" in line or "mack" in line
    ]


def test_who_was_hit_lies_in_no_box_any_more():
    combat = {**COMBAT["combat"], "due": 1}
    units = {place: names.replace("r1..r4", "r2..r4") for place, names in COMBAT["units"].items()}
    state = Bench(GAME).place({**COMBAT, "units": units, "combat": combat}, scenario="alternate")
    scene = GAME.draw(state)
    assert "box 1: mack - hit" in " ".join(scene.words)
    assert not [polygon for polygon in scene.pages[0].polygons if polygon.label == "r1"]
    for width in (PHONE, SCREEN):
        assert (
            "r1" not in "\n".join([*draw_text_picture(scene, width=width), *list_text_captions(scene, width)]).split()
        )
