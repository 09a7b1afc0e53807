"""The argument parser for programs in this folder that work on one game."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def make_game_parser(module: str, description: str | None) -> ArgumentParser:
    """Returns a parser whose first argument is a game's name. `description` is printed as it is."""
    parser = ArgumentParser(
        prog=f"python -m referee.testing.{module}",
        description=description,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME")
    return parser
