"""Everything that can be said, put together from the topics, in the order in which it is listed."""

from __future__ import annotations

from referee.engine.legal import Action
from referee.engine.order import Untimed
from referee.engine.verb import Verbs
from referee.games.mutants import answering, bugging_out, combat, doors, filling, moving, sequence, setting_up, stopping
from referee.games.mutants.notation import Reader
from referee.games.mutants.state import State
from referee.games.mutants.timing import ASKED

TOPICS = (setting_up, filling, doors, moving, combat, bugging_out, answering, sequence, stopping)
VERBS: Verbs[State, Action] = Verbs(
    tuple(verb for topic in TOPICS for verb in topic.VERBS),
    Untimed(lambda state: ASKED if state.asked else state.phase),
    reader=Reader,
)
