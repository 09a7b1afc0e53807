"""What comes back to a phone holds nothing that its seat may not know: games that it cannot tell apart answer alike."""

from __future__ import annotations

import pytest
from phone_twins import HIDDEN, answers
from third_party import installed
from twins import copied, twins


@pytest.fixture(autouse=True)
def ambush_is_installed():
    with installed():
        yield


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "options"), HIDDEN)
def test_twins_answer_a_phone_alike(tmp_path, name, options, seed):
    pair = next(filter(None, (twins(name, options, tmp_path / f"{n}", n) for n in range(seed, 100, 10))))
    for viewer in filter(None, pair.viewers):
        one, other = (
            list(answers(copied(folder, name), viewer)) for folder, name in ((pair.one, "a"), (pair.other, "b"))
        )
        assert len(one) > 5
        assert one == other
