"""Work that is handed out a little at a time."""

from concurrent.futures import Future

from referee.record.archive.bounded_map import map_bounded


class Idle:
    """An executor that does nothing."""

    def __init__(self):
        self.out = []

    def submit(self, work, *args):
        self.out.append(Future())
        return self.out[-1]


def test_only_a_few_are_out_at_a_time_and_those_left_are_cancelled():
    idle = Idle()
    found = map_bounded(idle, str, range(1000), 5)
    assert next(found)[0] == 0
    assert next(found)[0] == 1
    assert len(idle.out) == 6
    found.close()
    assert [future.cancelled() for future in idle.out] == [False] * 2 + [True] * 4
