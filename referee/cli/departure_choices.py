"""The ways in which a game goes on without the player of a seat, each with the line to type."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import NamedTuple

from referee.cli.answer import NextStep
from referee.engine.event import Seat
from referee.engine.text import listing
from referee.record.table.deeds.leaves import can_bot_play
from referee.record.table.seat_view import SeatView

DEFAULT_BOT = "steady"
"""The bot that is offered first. It is neither weak nor slow."""


class DepartureChoice(NamedTuple):
    """One way in which a game goes on without the player of a seat."""

    typed: str
    """The command, without "referee"."""
    effect: str
    """The effect, as a clause."""


def list_departure_choices(look: SeatView, seat: Seat) -> Iterator[DepartureChoice]:
    """Yields what can be done if the player of a seat leaves, the usual choice first. Resigning for that seat comes
    last."""
    from referee.bots.roster import list_bot_names  # few seats are left

    yield DepartureChoice(f"sits {seat} NAME", "somebody else plays on")
    if can_bot_play(look, seat, DEFAULT_BOT):
        yield DepartureChoice(
            f"leaves {seat} --bot {DEFAULT_BOT}", f"a bot plays on: {listing(list_bot_names(), 'or')}"
        )
    removal = look.facts.game.find_seat_removal(look.sight.view, seat)
    if removal:
        changes = quote(", ".join(removal.changes))
        yield DepartureChoice(f"fix {changes}", f"rule {removal.rule}: the others play on without the pieces of {seat}")
    yield from _list_own_actions(look, seat)
    others = [one for one in look.facts.occupied_seats if one != seat]
    if len(others) == 1:
        yield DepartureChoice(f":resign --by {seat}", f"{look.facts.format_seat(others[0])} wins")


def _list_own_actions(look: SeatView, seat: Seat) -> Iterator[DepartureChoice]:
    """Yields the actions by which the seat only passes, or gives up by a rule of the game, if they are legal now.

    In a game with secrets it yields none, since what is legal there may tell a secret.
    """
    if look.facts.keepers:
        return
    game = look.facts.game
    for choice in game.legal(look.with_eyes(seat).sight.view, seat).choices:
        verb = game.verbs.find_verb(choice.kind)
        if verb.closes or verb.gives_up:
            rule = f" by rule {verb.rule}" if verb.rule else ""
            effect = f"{seat} gives up{rule}" if verb.gives_up else f"{seat} passes"
            yield DepartureChoice(f"{verb.word} --by {seat}", effect)


def describe_departure_choices(look: SeatView, seat: Seat, first: str = "Next:") -> list[NextStep]:
    """Returns the choices as lines that say what to type next; `first` is the word before the first of them."""
    found = list(list_departure_choices(look, seat))
    words = (first, *("Or:".ljust(len(first)) for _ in found[1:]))
    return [
        NextStep(f"{word} referee {choice.typed}   ({choice.effect})", indent=2, hanging=6)
        for word, choice in zip(words, found, strict=True)
    ]
