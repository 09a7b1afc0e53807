"""`referee bots list`: lists the bots that can play a seat."""

from referee.bots.roster import list_bot_names
from referee.cli.answer import Answer, Text


def list_bots() -> Answer:
    """List the bots that can play a seat: ours, the weakest first, then those that you have installed.

    \b
      referee bots list             referee new GAME --bots SEAT=steady
    """
    names = list_bot_names()
    lines = [Text(name, indent=2) for name in names]
    return Answer(
        ["Bots: ours, the weakest first, then yours:", *lines],
        lambda: {"bots": names},
    )
