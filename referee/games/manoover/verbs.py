"""Everything that can be said in Manoover."""

from __future__ import annotations

from referee.engine.order import Untimed
from referee.engine.verb import Verbs
from referee.games.manoover.automatic import AUTO, AUTO_ONE, SKIP, Auto, AutoOne, Skip
from referee.games.manoover.control import DONE, GO, TURN, Done, Go, Turn
from referee.games.manoover.notation import Reader
from referee.games.manoover.state import State
from referee.games.manoover.throwing import RETHROW, THROW, THROW_OFF, Rethrow, Throw, ThrowOff

ManooverAction = ThrowOff | Throw | Rethrow | Go | Turn | Done | Auto | AutoOne | Skip

VERBS: Verbs[State, ManooverAction] = Verbs(
    (THROW_OFF, THROW, RETHROW, GO, TURN, DONE, AUTO, AUTO_ONE, SKIP),
    Untimed(lambda state: state.phase),
    reader=Reader,
    begins="a robot's number, throw, auto or done",
)
