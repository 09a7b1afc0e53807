"""What a game is: rules, dice, legal actions, adjudication. Knows no file, no terminal and no particular game."""
