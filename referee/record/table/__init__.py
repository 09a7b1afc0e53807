"""One game from its log: reading and judging it, playing on, and undoing mistakes."""
