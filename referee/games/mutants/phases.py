"""The Phases of Attack of the Mutants, in the order of play, and groups of them."""

from __future__ import annotations

from typing import Literal, get_args

Phase = Literal[
    "sides",
    "choose",
    "setup-human",
    "setup-mutant",
    "arrival",
    "smash",
    "open",
    "move",
    "mutant-combat",
    "human-move",
    "human-combat",
    "glow",
    "record",
    "over",
]
"""The Phases of the game; the "Door-Opening Phase" of one sentence is the Step "open" (III-b, III-c, M60)."""

PHASES_BEFORE_PLAY = ("sides", "choose", "setup-human", "setup-mutant")
TURN_PHASES: tuple[Phase, ...] = get_args(Phase)[len(PHASES_BEFORE_PLAY) : -1]
"""The Phases and Steps of one Turn (III-b, III-c). Arrivals come first in the Alternate Scenario (OPT.VI.B-b)."""
MUTANT_MOVEMENT_STEPS = ("smash", "open", "move")
COMBAT_PHASES = ("mutant-combat", "human-combat")
QUESTION_PHASE = "asked"
"""The word in place of a Phase while a player must answer a question and nothing else can happen."""
