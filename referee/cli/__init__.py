"""The command line. One file for each group of commands; knows no rule of any game."""
