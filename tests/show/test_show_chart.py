"""Lines through a game, in a row of characters."""

from referee.show.chart import MAX_SPARKLINE_COLUMNS, draw_sparkline


def test_a_line_goes_from_the_lowest_to_the_highest():
    assert draw_sparkline([0.0, 0.5, 1.0]) == "▁▅█"


def test_what_lies_beyond_is_drawn_at_the_edge():
    assert draw_sparkline([-0.4, 1.3]) == "▁█"


def test_no_more_is_drawn_than_fits():
    assert len(draw_sparkline([0.5] * 1_000)) == len(draw_sparkline([0.5] * 1_000, 80)) == MAX_SPARKLINE_COLUMNS
    assert len(draw_sparkline([0.5] * 1_000, 7)) == 7
    assert draw_sparkline([]) == ""
