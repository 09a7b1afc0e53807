"""Spots that reach lines of the rules for the first time, kept from one run to the next."""

from __future__ import annotations

from unittest.mock import patch

import msgspec
import pytest

import race
from race import GAME as RACE
from race import Race
from referee.testing import laws, rare_spots
from referee.testing.kept_spots import KeptSpots, read_kept_spots
from referee.testing.rare_spots import RareSpots
from referee.testing.reached_lines import LineTracer
from referee.testing.trial import Trial

KEPT = "race-0.json"
LONGEST = 5_000


class Clock:
    """A clock on which a number of games is looked at, however fast the machine is."""

    def __init__(self, games: int) -> None:
        self._left = games

    def __call__(self) -> float:
        self._left -= 1
        return 0 if self._left >= 0 else 60


def visited(folder, games, game=RACE):
    """The spots that are visited when there is time for so many games."""
    with patch.object(rare_spots, "monotonic", Clock(games)):
        return [(spot.play.number, spot.at) for spot in RareSpots(Trial(game, 0, 0, LONGEST), folder).spots]


def course(number=0):
    """A random game, not yet played."""
    return Trial(RACE, 0, 0, LONGEST).make_random_game(number).play_through()


def kept_in(folder):
    return msgspec.json.decode((folder / KEPT).read_bytes(), type=KeptSpots)


def test_a_line_is_reached_for_the_first_time_once():
    tracer = LineTracer([race], {})
    first = [at for at, (_, is_new) in enumerate(tracer.trace_items(course())) if is_new]
    again = [is_new for _, is_new in tracer.trace_items(course())]
    assert first[0] == 0
    assert 1 < len(first) < len(again) / 2
    assert not any(again)


def test_lines_reached_in_an_earlier_run_are_not_new():
    before = LineTracer([race], {})
    list(before.trace_items(course()))
    tracer = LineTracer([race], before.reached_lines)
    assert not any(is_new for _, is_new in tracer.trace_items(course()))


def test_the_next_run_visits_what_was_kept_and_looks_further(tmp_path):
    first = visited(tmp_path, 2)
    assert first
    assert {number for number, _ in first} <= {0, 1}
    assert (kept_in(tmp_path).next, kept_in(tmp_path).spots) == (2, first)
    second = visited(tmp_path, 3)
    assert second[: len(first)] == first
    assert kept_in(tmp_path).next == 5
    assert {number for number, _ in second[len(first) :]} <= {2, 3, 4}


def test_without_anything_kept_a_run_finds_the_same(tmp_path):
    assert visited(tmp_path / "one", 3) == visited(tmp_path / "other", 3)


def test_runs_one_after_another_find_what_one_long_run_finds(tmp_path):
    for _ in range(3):
        several = visited(tmp_path / "several", 1)
    assert several == visited(tmp_path / "long", 3)


def lines_of_the_file(**changes):
    return {"code": "", "spots": [], "reached": {}, "first": [], "next": 0} | changes


HOSTILE = {
    "empty": b"",
    "no text": b"\xff\xfe",
    "cut off": b'{"code": "',
    "deep": b"[" * 100_000,
    "another form": b'{"spots": [[0, 1]]}',
    "no numbers": msgspec.json.encode(lines_of_the_file(spots=[["0", "1"]])),
    "negative": msgspec.json.encode(lines_of_the_file(spots=[[0, -1]])),
    "too much": msgspec.json.encode(lines_of_the_file(spots=[[0, 1]] * 2_000)),
    "a field more": msgspec.json.encode(lines_of_the_file(run="this")),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_what_cannot_be_read_is_ignored(tmp_path, content):
    (tmp_path / KEPT).write_bytes(content)
    assert visited(tmp_path, 2) == visited(tmp_path / "absent", 2)
    assert kept_in(tmp_path) == kept_in(tmp_path / "absent")


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / KEPT).mkdir()
    assert visited(tmp_path / "file", 2) == visited(tmp_path, 2) == visited(tmp_path / "absent", 2)


def test_spots_after_the_end_of_a_game_are_ignored(tmp_path):
    visited(tmp_path, 1)
    kept = kept_in(tmp_path)
    known = list(kept.spots)
    kept.spots += [(0, 10**6), (7, 0)]
    (tmp_path / KEPT).write_bytes(msgspec.json.encode(kept))
    assert visited(tmp_path, 1)[: len(known) + 1] == [*known, (7, 0)]


def test_under_other_rules_the_games_that_had_rare_spots_are_looked_at_first(tmp_path):
    kept = KeptSpots(code="other", spots=[(9, 3), (4, 1), (9, 5)], reached={"race": [1]}, next=20)
    (tmp_path / KEPT).write_bytes(msgspec.json.encode(kept))
    found = visited(tmp_path, 2)
    assert {number for number, _ in found} <= {9, 4}
    assert (kept_in(tmp_path).first, kept_in(tmp_path).next) == ([], 0)


def test_a_game_that_cannot_be_played_is_looked_at_again_in_the_next_run(tmp_path):
    class Faulty(Race):
        def legal(self, view, seat):
            if view.red.count(view.lanes.home) == 2:
                raise ValueError("two are at home")
            return super().legal(view, seat)

    for _ in range(2):
        with pytest.raises(ValueError, match="two are at home"):
            visited(tmp_path, 3, Faulty())
        assert read_kept_spots(tmp_path / KEPT, kept_in(tmp_path).code).next == 0


class Telling(Race):
    """Once in a while nothing is told of how the game stands."""

    def legal(self, view, seat):
        if self.status(view):
            return super().legal(view, seat)
        return super().legal(view, seat)

    def status(self, view):
        almost_home = [view.list_runners(seat).count(view.lanes.home) for seat in ("red", "blue")] == [2, 2]
        return "" if almost_home and view.thrown == 3 else super().status(view)


def holds(**given):
    """Whether the law is kept that all can be told."""
    (law,) = [law for law in laws(Telling(), **given) if str(law) == "every event has a line and every view a picture"]
    try:
        law()
    except AssertionError:
        return False
    return True


def test_what_the_first_run_does_not_find_a_later_one_finds_and_so_does_every_run_after_it(tmp_path):
    runs = []
    for _ in range(8):
        with patch.object(rare_spots, "monotonic", Clock(2)):
            runs.append(holds(kept=tmp_path))
    assert runs == [True] * 4 + [False] * 4  # it comes up in game 9
    assert holds()
