"""A game on screens round a table: the board in the room, and a phone for each seat."""
