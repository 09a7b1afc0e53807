"""Pages in two more engines, where they are at hand: checked, stepped through, each board as it was drawn."""

from __future__ import annotations

import re

import pytest
from drawn_boards import LISTED, as_listed, leaves, spelt
from firefox import firefox
from shipped_pages import story, written
from webkit import webkit

from referee.page.frames import draw_steps
from referee.show.drawing import group_by_layer as layers_of


@pytest.fixture(scope="module", params=[webkit, firefox], ids=["webkit", "firefox"])
def window(request):
    try:
        with request.param() as one:
            yield one
    except LookupError as error:
        pytest.skip(str(error))


def test_a_page_in_another_engine(window, game, tmp_path):
    (tmp_path / "game.html").write_text(written(game), "utf-8")
    window.go(f"file://{tmp_path}/game.html")
    window.wait("document.querySelector('#verdict[class]') && document.querySelector('#slider')")
    verdict, words, proved = window.run(
        "return [document.getElementById('verdict').className, document.getElementById('checked').textContent,"
        " document.getElementById('proved').textContent]"
    )
    assert (verdict, f"{len(story(game).steps)} hashes" in words) == ("good", True)
    if game == "mail":
        assert re.search("18 signatures", words + proved)
    steps = list(draw_steps(story(game).steps))
    for index in (len(steps) - 1, 0, 1, len(steps) // 2):
        step, drawn = steps[index]
        window.run(f"location.hash = '#n={step.n}'")
        window.wait(f"document.querySelector('#n{step.n}.shown')")
        boards = [layer.inside for board in drawn.boards for layer in layers_of(board) if layer.inside]
        expected = [[leaf for part in inside for leaf in leaves(as_listed(part))] for inside in boards]
        layers = [layer for layer in window.run(f"return ({LISTED})()") if layer]
        shown = [[leaf for part in layer for leaf in leaves(part)] for layer in layers]
        assert sorted(map(spelt, shown)) == sorted(map(spelt, expected)), f"entry {step.n}"
