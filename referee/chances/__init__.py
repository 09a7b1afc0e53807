"""Chances: games in memory, what an action may come to, luck, fair dice, and figures of many logs.

Everything here asks the rules: dice are enumerated or thrown through `adjudicate`, for any game. `table` is a game in
memory, `ways` lists what an action may come to, `odds` groups that by what is told.
"""
