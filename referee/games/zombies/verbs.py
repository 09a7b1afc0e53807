"""Everything that can be said, put together from the topics, in the order in which it is listed."""

from __future__ import annotations

from referee.engine.legal import Action
from referee.engine.order import Untimed
from referee.engine.verb import Verbs
from referee.games.zombies import (
    acting,
    attacking,
    biting,
    burdens,
    healing,
    horde_turn,
    moving,
    mutating,
    setting_up,
    spawning,
    special,
    stepping,
    tokens,
    trading,
)
from referee.games.zombies.notation import Reader
from referee.games.zombies.state import State
from referee.games.zombies.timing import phase_of

TOPICS = (
    setting_up,
    burdens,
    special,
    moving,
    mutating,
    attacking,
    horde_turn,
    tokens,
    spawning,
    biting,
    stepping,
    acting,
    healing,
    trading,
)
VERBS: Verbs[State, Action] = Verbs(
    tuple(verb for topic in TOPICS for verb in topic.VERBS),
    Untimed(phase_of),
    reader=Reader,
)
