"""What the rules of Zombie Mutation changed. No form of what was written has changed with them."""

from __future__ import annotations

from referee.engine.versions import RulesVersion

VERSIONS = (
    RulesVersion(
        2,
        "groups go as far as they can, hordes move as a block, and nobody plugs a stair or is surrounded by himself",
        (
            "ruling.place-rest",
            "ruling.group-move",
            "ruling.horde-move",
            "ruling.zombie-order",
            "ruling.stairs-horde",
            "ruling.stair-past",
            "ruling.red-heart-between",
        ),
    ),
)
"""What the rules changed."""
