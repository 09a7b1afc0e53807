"""`referee play`: a session at the table, with its screen and its terminal."""
