"""The advice after refused actions, on a few that are drawn by seed."""

import pytest
from refusals import FORMS, draw_refusals, names_piece, works

FEW = 25


@pytest.mark.parametrize("words", FORMS)
def test_advice_keeps_the_piece_and_works(words):
    name, options = FORMS[words]
    found = list(draw_refusals(name, options, FEW, seed="2"))
    kept = [keeps for keeps in map(names_piece, found) if keeps is not None]
    assert sum(kept) >= 0.95 * len(kept)
    assert sum(map(works, found)) >= 0.9 * FEW
    assert any(one.advice.way for one in found)
    verbs = [one.table.game.verbs.find_verb(type(action)) for one in found for action in one.advice.instead]
    assert not any(verb.gives_up for verb in verbs)
