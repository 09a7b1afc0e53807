"""No room is built in a circle: whoever reads a file has not to read those first that are read after it."""

import house
import pytest
from support import PACKAGE

ROOMS = [room for room in house.packages_in(PACKAGE) if room.name != "games"]
GAMES = house.packages_in(PACKAGE / "games")


@pytest.mark.parametrize("room", [*ROOMS, *GAMES], ids=lambda room: room.name)
def test_no_files_of_a_room_lead_to_one_another(room):
    assert house.circles(PACKAGE.parent, room) == 0
