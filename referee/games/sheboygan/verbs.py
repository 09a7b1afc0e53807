"""Everything that can be said in Sheboygan."""

from __future__ import annotations

from referee.engine.legal import Action
from referee.engine.order import Untimed
from referee.engine.verb import Verbs
from referee.games.sheboygan import (
    aftermath,
    assault,
    escorting,
    fire,
    moving,
    placing,
    powers,
    prowling,
    sequence,
    setting_up,
    striking,
    wrecking,
)
from referee.games.sheboygan.notation import Reader
from referee.games.sheboygan.state import State

TOPICS = (
    setting_up,
    placing,
    prowling,
    moving,
    escorting,
    wrecking,
    fire,
    powers,
    striking,
    assault,
    aftermath,
    sequence,
)
VERBS: Verbs[State, Action] = Verbs(
    tuple(verb for topic in TOPICS for verb in topic.VERBS),
    Untimed(lambda state: state.now),
    reader=Reader,
    begins="a unit, attack, end, or another verb",
)
