"""What a seat may believe: a guess is a truth that looks as it does to this seat, and it can be played to its end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from playing import BOARD, GAME, play_on, positions
from sample_options import EACH_KIND, hidden_options

VIEWERS = ("human", "mutant", None)


def spots(seed: int, kind: dict[str, str]) -> Iterator[Any]:
    """One state in ten of a random game from its set-up on, and all in which something is asked."""
    random = Random(f"{seed} {kind}")
    for state, _, _ in positions(seed, hidden_options(random, kind)):
        if state.asked or random.random() < 0.1:
            yield state


@EACH_KIND
def test_a_guess_looks_as_it_does_to_this_seat(kind):
    random = Random(str(kind))
    for state in spots(1, kind):
        for viewer in VIEWERS:
            view = GAME.view(state, viewer)
            guess = GAME.guess(view, viewer, random)
            assert GAME.view(guess, viewer) == view
            assert guess.unknown is None
            assert guess.outcome or is_sound(guess)


def is_sound(state: Any) -> bool:
    """Whether it breaks no rule, and can be typed."""
    position = GAME.position_from(state)
    assert not list(GAME.check_position(position, state.options, BOARD))
    return GAME.state_from(position, state.options, BOARD) == state


@EACH_KIND
def test_a_guess_can_be_played_to_its_end(kind):
    random = Random(str(kind))
    for state in list(spots(0, kind))[::12]:
        viewer = random.choice(VIEWERS)
        guess = GAME.guess(GAME.view(state, viewer), viewer, random)
        *_, (_, _, last) = [(guess, None, None), *play_on(guess, 1)]
        assert guess.outcome or last.state.outcome


def test_guesses_differ():
    random = Random(5)
    state = list(spots(3, {"scenario": "basic"}))[-10]
    for viewer in VIEWERS:
        guesses = [GAME.guess(GAME.view(state, viewer), viewer, random) for _ in range(2)]
        assert guesses[0].at != guesses[1].at


def test_without_secrets_a_guess_is_the_view():
    state = next(positions(1, hidden_options(Random(1), {}) | {"hidden-movement": "no", "wall-reveal": "either-room"}))[
        0
    ]
    assert GAME.guess(state, "human", Random(1)) is state
