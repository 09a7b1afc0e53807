"""`random`: any legal action."""

from referee.bots.bot import Observation
from referee.engine.choice import Action


class RandomBot:
    """A bot that picks a random legal action. All choices are equally likely, except that a minor choice is rare."""

    def choose(self, seen: Observation) -> Action:
        """Returns a random legal action."""
        action: Action = seen.legal.pick(seen.random)
        return action
