"""What is around a place: for players who cannot see the board."""

import pytest

from referee.engine.dice_mode import OpenDice
from referee.record.table.opening_logs import start
from referee.record.table.seat_view import SeatView

SEED = "5c" * 32


@pytest.fixture(params=["manoover", "mutants", "sheboygan", "zombies"])
def look(request, tmp_path):
    return SeatView(start(request.param, tmp_path / "g.jsonl", dice=OpenDice(SEED)))


def places(look):
    return sorted({place for page in look.sight.draw_picture().pages for place in page.list_places()})


def test_neighbours_are_places_and_each_has_the_other(look):
    game, view, known = look.facts.game, look.sight.view, set(places(look))
    beside = {place: game.neighbours(view, place) for place in known}
    assert sum(map(len, beside.values())) > len(known)
    for place, others in beside.items():
        assert place not in others
        assert set(others) <= known
        assert all(place in beside[other] for other in others)


def test_nothing_is_around_what_is_no_place(look):
    assert look.facts.game.neighbours(look.sight.view, "nowhere") == {}


def test_directions_of_robots(cli, control):
    assert "Around d2: N d3; NE e2; SE e1 (R4); S d1; SW c1 (R3); NW c2." in " ".join(cli("where d2").out.split())
    assert "Around" not in cli("where R2").out
    assert cli("--json where d2").facts["found"]["d2"][1].startswith("Around d2")


def test_doors_of_a_room(cli, place):
    cli("new mutants --dice open -o m.jsonl")
    cli("rest")
    assert "Around D3: D2-D3 D2 (jeb, b5); C3-D3 C3 (percy, b6); D3-E3 E3 (b7); D3-D4 D4 (prof, penny)." in " ".join(
        cli("where D3").out.split()
    )


def test_sides_of_a_box_and_squares_of_one_level(cli, place):
    cli("new sheboygan --option scenario=learning -o s.jsonl")
    assert "Around H08: north H07; east I07 (c2); east I08; south H09; west G06; west G07." in " ".join(
        cli("where H08").out.split()
    )
    cli("new zombies -o z.jsonl")
    assert "Around Sb9: Sa8; Sb8; Sc8; Sa9; Sc9; Sa10; Sb10; Sc10." in " ".join(cli("where Sb9").out.split())
    assert "Around" not in cli("where b9").out, "it may be on four levels"
