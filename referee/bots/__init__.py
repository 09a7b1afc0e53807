"""Bots: programs that play a seat. A bot is shown only what its seat may know, and chooses one legal action.

`random` picks any action. `steady` looks one action ahead with the game's own `worth`. `strong` plays on from the best
actions, with guesses at the secrets. Other distributions add bots by the entry point group `referee.bots`. Each is a
class that takes no arguments and has a method `choose(seen)`, and plays in a process of its own.
"""
