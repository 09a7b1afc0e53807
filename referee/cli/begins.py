"""How a game is to begin: what was typed for `referee new`, read and checked, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from referee.cli.errors import MisuseError
from referee.cli.typed import (
    dice_of,
    mode_asked,
    names_of,
    own_files_of,
    pairs_of,
    read_document,
    seat_of,
    seats_of,
    split,
)
from referee.engine.choosing import choose_options
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.mode import USUAL, DiceMode, PactDice, name_of
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.record.log.faults import NotAllowedError
from referee.record.table.beginning import BY_MAIL_ONLY, NOT_ALONE, OPEN_DICE_ONLY
from referee.record.table.names import seated
from referee.record.table.session import Session
from referee.record.table.start import game_by, start

Names: TypeAlias = Mapping[str, str] | list[str]
"""Who plays, as it was typed: by seat, or in order."""


class Typed(Struct, frozen=True):
    """The words of the command, as they were typed."""

    game: str | None
    seats: str | None
    dice: str | None
    seed: str | None
    option: list[str] | None
    own: list[str] | None
    board: Path | None
    source: Path | None
    sitting: str | None
    by_mail: str | None
    bots: str | None
    hints: bool
    template: bool
    rules: int | None

    @property
    def is_sheet_alone(self) -> bool:
        """Whether nothing is said that a sheet of words says itself."""
        said = (self.seats, self.dice, self.seed, self.option, self.sitting, self.by_mail, self.bots, self.rules)
        return not (self.hints or self.template) and all(one is None for one in said)


class Begins(Struct, frozen=True):
    """A game that may be begun, as far as that shows before it is."""

    module: AnyGame
    """The game by the rules that it is to be played under."""
    rules: int | None
    """The older version of them; None: today's."""
    options: Mapping[str, str]
    names: Names
    mode: DiceMode | None
    """None: open dice with a fresh seed."""
    position: Mapping[str, Any] | None
    parts: Mapping[str, Any]
    """What is the players' own, by component."""
    named: tuple[str, ...]
    """The files that were named."""
    bots: Mapping[Seat, str]
    hints: bool
    sitting: tuple[Seat, ...] | None
    """The seats at this computer; None: all of them."""

    def start(self, path: Path, mine: Seat | None = None) -> Session:
        """Start its log; `mine`: the seat by mail of who begins it. NotAllowedError names the files that are at fault;
        else as where a log is started.
        """
        try:
            return start(
                self.module.name,
                path,
                options=self.options,
                seats=self.names,
                dice=PactDice() if mine else self.mode,
                own=self.parts,
                position=self.position,
                sitting=self.sitting,
                bots=self.bots,
                hints=self.hints,
                rules=self.rules,
            )
        except NotAllowedError as error:
            raise NotAllowedError(f"{listing(self.named)}: {error}" if self.named else str(error)) from error

    def seat_by_mail(self, said: str) -> Seat | None:
        """The seat that somebody names who begins a game by mail; MisuseError."""
        places = seated(_seats(self.module, self.options, self.names), self.names)
        if len(places) < 2:
            raise MisuseError(NOT_ALONE)
        return seat_of(said, {place.seat: place.name for place in places})


def begins_from(typed: Typed, given: bytes, question: Callable[[str], str] | None) -> Begins:
    """How the game begins that was asked for; `given`: what is to be started from, `question`: asks at the keyboard.
    MisuseError, and what is wrong with the game, its options and its files.
    """
    if typed.game is None:
        raise MisuseError("say which game; referee games lists them")
    module = game_by(find_game(typed.game), typed.rules)
    position = read_document(typed.source, given) if typed.source else None
    options = {**_options_in(position), **pairs_of(typed.option)}
    files = own_files_of(typed.own, typed.board)
    _check_together(typed)
    parts = {part: read_document(file) for part, file in files.items()}
    dice = typed.dice or _dice_unsaid(typed, question)
    names, mode = names_of(typed.seats), dice_of(dice, typed.seed)
    if typed.bots is not None and mode is not None and mode.is_typed:
        raise MisuseError(OPEN_DICE_ONLY)
    bots = bots_of(module, options, names, typed.bots) if typed.bots is not None else {}
    if typed.hints and not typed.by_mail:
        raise MisuseError(BY_MAIL_ONLY)
    sitting = None if typed.template else _sitting(module, options, typed.sitting)
    named = tuple(str(file) for file in (*files.values(), typed.source) if file)
    return Begins(module, typed.rules, options, names, mode, position, parts, named, bots, typed.hints, sitting)


def _options_in(position: dict[str, Any] | None) -> dict[str, str]:
    """The options that stand in a position file, which are taken out of it; MisuseError."""
    options = position.pop("options", {}) if position else {}
    if not isinstance(options, dict):
        raise MisuseError("options in a position file are keys and values")
    return {str(name): str(value) for name, value in options.items()}


def _check_together(typed: Typed) -> None:
    """MisuseError where words stand beside one another that mean different dice."""
    is_other = typed.dice not in (None, name_of(USUAL))
    if typed.by_mail and (typed.seed or typed.sitting or is_other):
        raise MisuseError("by mail all throw the dice together, and each sits at his own computer: --mail goes alone")
    if typed.bots is not None and typed.by_mail:
        raise MisuseError(OPEN_DICE_ONLY)


def _dice_unsaid(typed: Typed, question: Callable[[str], str] | None) -> str:
    """The dice mode where none was said: asked for, where the rest leaves it open."""
    is_settled = typed.seed or typed.by_mail or typed.template or typed.bots is not None
    return name_of(USUAL) if is_settled else mode_asked(question)


def _sitting(module: AnyGame, options: Mapping[str, str], said: str | None) -> tuple[Seat, ...] | None:
    """The seats that sit here, where not all do; MisuseError."""
    keepers = module.keepers(choose_options(module, options))
    if said and not keepers:
        raise MisuseError("--sitting is for games with secrets")
    return tuple(seats_of(said, dict(zip(keepers, keepers, strict=True)))) if said else None


def bots_of(module: AnyGame, options: Mapping[str, str], names: Names, said: str) -> dict[Seat, str]:
    """The bot of each seat that one plays: "blue=steady, green=strong"; "steady": all but the first. BotError,
    MisuseError.
    """
    from referee.cli.botted import check_bots

    places, parts = _seats(module, options, names), split(said)
    is_one = len(parts) < 2 and "=" not in said
    named = {} if is_one else {seat.lower(): bot for seat, bot in pairs_of(parts, "SEAT=steady").items()}
    if len(named) < len(parts) and not is_one:
        raise MisuseError("a seat is given to two bots")
    found = named or dict.fromkeys(places[1:], said.strip())
    if not found:
        raise MisuseError(f"only {places[0]} plays here; who else may, tells referee games {module.name}")
    for seat in found:
        if seat not in places:
            more = f"what else may be played tells referee games {module.name}"
            raise MisuseError(f"there is no seat {seat!r} for a bot; the seats are {listing(places)}; {more}")
    check_bots(found.values())
    return found


def _seats(module: AnyGame, options: Mapping[str, str], names: Names) -> tuple[Seat, ...]:
    """The seats of a game under these options, for those who play; OptionError."""
    named = tuple(names.values() if isinstance(names, Mapping) else names)
    return module.seats(choose_options(module, {**module.options_of(named), **options}), named)
