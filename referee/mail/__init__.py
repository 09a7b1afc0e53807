"""Play by mail: a player's key, packets, signatures and shares of joint rolls. Uses the record, but no terminal."""
