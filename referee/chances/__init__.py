"""Chances: games in memory, the outcomes of an action, luck, fair dice, and figures of many logs.

Everything here works for any game: dice are enumerated or rolled, and `adjudication` applies the game's rules.
`in_memory_game` has games in memory, `outcome_enumeration` lists outcomes, and `odds` groups them by what a player is
told.
"""
