"""Play by mail: a player's own key, packets, and what is said to whom. Knows the record, no terminal."""
