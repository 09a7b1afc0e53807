"""Bots: seats that speak. A bot gets what its seat may know and nothing else, and chooses one legal action.

`random` picks any; `steady` looks one action ahead with the game's own `worth`; `strong` searches over what the secrets
could be. Others come by the entry point group `referee.bots`: a class without arguments, with `choose(seen)`.
"""
