"""`random`: any legal action."""

from referee.bots.bot import Seen
from referee.engine.legal import Action


class RandomBot:
    """Picks any legal action, every choice being equally likely."""

    def choose(self, seen: Seen) -> Action:
        """One of the legal actions at random."""
        action: Action = seen.legal.pick(seen.random)
        return action
