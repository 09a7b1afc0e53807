from referee.show.description import describe_scene

FACING = {"N": "north", "NE": "northeast", "SE": "southeast", "S": "south", "SW": "southwest", "NW": "northwest"}


def test_every_robot_is_named_with_its_place_and_arrow(scene, state):
    told = describe_scene(scene)
    for robot, cell in state.cells.items():
        name = f"{state.board.find_owner(robot).capitalize()} {robot[1:]}"
        assert f"{name} on {cell} pointing {FACING[state.arrows[robot]]}." in told


def test_goals_and_what_they_took_are_told(scene, state):
    told = "\n".join(describe_scene(scene))
    for cell, owner in state.goals.items():
        assert f"{owner.capitalize()}'s goal is {cell}." in told
    for robots in [*state.captured.values(), state.off]:
        assert " ".join(robots) in told


def test_a_reconstruction_is_called_so(scene, state):
    assert state.board.reconstruction in "\n".join(describe_scene(scene))


def test_every_line_is_a_sentence(scene):
    for line in describe_scene(scene):
        assert line[:1].isupper()
        assert line.endswith(".")
        assert "\n" not in line


def test_openings(opening, snapshot):
    assert "\n".join(describe_scene(opening)) == snapshot
