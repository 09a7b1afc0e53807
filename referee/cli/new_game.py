"""The settings of a new game: the words of `referee new`, parsed and checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from referee.cli.arguments import (
    ask_dice_mode,
    parse_dice_mode,
    parse_own_files,
    parse_pairs,
    parse_player_names,
    parse_seat,
    parse_seats,
    read_document,
    split_at_commas,
)
from referee.cli.errors import MisuseError
from referee.engine.dice_mode import DEFAULT_MODE, LATEST_DERIVATION, DiceMode, MailDice, find_mode_name
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.record.log.entry import Director, MatchPlace
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.game_start_checks import (
    BY_MAIL_ONLY,
    DIRECTOR_BY_MAIL_ONLY,
    NOT_ALONE,
    OPEN_DICE_ONLY,
    PACE_BY_MAIL_ONLY,
)
from referee.record.table.match_place import format_terms
from referee.record.table.opening_logs import choose_game_by_rules, start
from referee.record.table.player_names import pair_seats_with_players
from referee.record.table.session import Session

PlayerNames: TypeAlias = Mapping[str, str] | list[str]
"""The players' names as typed: by seat, or in the order of the seats."""


class TypedSettings(Struct, frozen=True):
    """The words of `referee new` as they were typed."""

    game: str | None
    seats: str | None = None
    dice: str | None = None
    seed: str | None = None
    option: list[str] | None = None
    own: list[str] | None = None
    board: Path | None = None
    source: Path | None = None
    sitting: str | None = None
    by_mail: str | None = None
    bots: str | None = None
    hints: bool = False
    pace: int | None = None
    template: bool = False
    rules: int | None = None
    director: str | None = None
    may_settle: bool = False

    @property
    def overrides_no_sheet_setting(self) -> bool:
        """True if the player has typed no setting that a sheet already holds."""
        said = (self.seats, self.dice, self.seed, self.option, self.sitting, self.by_mail, self.bots, self.rules)
        return not (self.hints or self.pace or self.template or self.director or self.may_settle) and all(
            one is None for one in said
        )


class NewGame(Struct, frozen=True):
    """The checked settings of a game that can be started."""

    game: AnyGame
    """The game, under the rules that it will be played by."""
    rules: int | None
    """The number of an older rules version; None for today's rules."""
    options: Mapping[str, str]
    names: PlayerNames
    dice_mode: DiceMode | None
    """The dice mode; None for open dice with a fresh seed."""
    position: Mapping[str, Any] | None
    own_parts: Mapping[str, Any]
    """The players' own parts, such as a board, by component."""
    file_names: tuple[str, ...]
    """The names of all files that the player typed, for error messages."""
    bots: Mapping[Seat, str]
    hints: bool
    pace: int
    """The days for a turn by mail; 0 without an agreement."""
    local_seats: tuple[Seat, ...] | None
    """The seats at this computer; None for all seats."""
    match: MatchPlace | None = None
    """By mail, the place of the game in a match; None if it belongs to none."""
    director: Director | None = None
    """By mail, the third person who looks on; None without one."""

    def make_first_of_match(self, typed: Mapping[str, str]) -> NewGame:
        """Returns the settings of this game, changed so that it begins a match with these terms.

        Raises OptionError if the game or its options allow no such match.
        """
        from referee.record.archive.match import get_match_rules  # few games begin a match

        rules = get_match_rules(self.game)
        settled = _settle_options(self.game, self.options, self.names)
        terms = rules.parse_terms(settled, typed)
        options = {**settled, **rules.next_options(rules.make_initial_score(settled, terms))}
        return replace(self, options=options, match=MatchPlace(1, format_terms(terms)))

    def start(self, path: Path, mine: Seat | None = None) -> Session:
        """Starts the log of the game and returns its session.

        `mine` is the seat of the player who starts a game by mail; None for a game at a table. Raises the errors of the
        function `start`. A NotAllowedError also names the files that were used.
        """
        try:
            return start(
                self.game.name,
                path,
                options=self.options,
                seats=self.names,
                dice=MailDice(LATEST_DERIVATION) if mine else self.dice_mode,
                own=self.own_parts,
                position=self.position,
                sitting=self.local_seats,
                bots=self.bots,
                hints=self.hints,
                pace=self.pace,
                rules=self.rules,
                match=self.match,
                director=self.director,
            )
        except NotAllowedError as error:
            raise NotAllowedError(f"{listing(self.file_names)}: {error}" if self.file_names else str(error)) from error

    def find_starter_seat(self, said: str) -> Seat | None:
        """Returns the seat of the player who starts a game by mail, as named in `said`.

        Raises MisuseError if there is no such seat, or the game has only one.
        """
        places = pair_seats_with_players(_list_seats(self.game, self.options, self.names), self.names)
        if len(places) < 2:
            raise MisuseError(NOT_ALONE)
        return parse_seat(said, {place.seat: place.name for place in places})


def plan_new_game(typed: TypedSettings, given: bytes, question: Callable[[str], str] | None) -> NewGame:
    """Returns the settings of the game that was asked for.

    `given` is the content of the file to start from. `question` asks at the keyboard; None if nobody sits there. Raises
    MisuseError, and the errors of the game, its options and its files.
    """
    if typed.game is None:
        raise MisuseError("name a game; to list them: referee games")
    game = choose_game_by_rules(find_game(typed.game), typed.rules)
    position = read_document(typed.source, given) if typed.source else None
    options = {**_take_options(position), **parse_pairs(typed.option)}
    files = parse_own_files(typed.own, typed.board)
    _check_compatible(typed)
    parts = {part: read_document(file) for part, file in files.items()}
    dice = typed.dice or _choose_dice(typed, question)
    names, mode = parse_player_names(typed.seats), parse_dice_mode(dice, typed.seed)
    if typed.bots is not None and mode is not None and mode.is_typed:
        raise MisuseError(OPEN_DICE_ONLY)
    bots = parse_bots(game, options, names, typed.bots) if typed.bots is not None else {}
    if typed.hints and not typed.by_mail:
        raise MisuseError(BY_MAIL_ONLY)
    if typed.pace is not None and not typed.by_mail:
        raise MisuseError(PACE_BY_MAIL_ONLY)
    director = parse_director(typed)
    sitting = None if typed.template else _parse_sitting(game, options, typed.sitting)
    named = tuple(str(file) for file in (*files.values(), typed.source) if file)
    agreed = (typed.hints, typed.pace or 0, sitting)
    return NewGame(game, typed.rules, options, names, mode, position, parts, named, bots, *agreed, director=director)


def parse_director(typed: TypedSettings) -> Director | None:
    """Returns the director whom the player named; None without one.

    Looks for a name alone, or for six words in place of a key, among the people who are known. Raises MisuseError if
    there is no such person, if the game is not by mail, or if `--may-settle` comes without a director.
    """
    if typed.director is None:
        if typed.may_settle:
            raise MisuseError("--may-settle goes with --director")
        return None
    if not typed.by_mail:
        raise MisuseError(DIRECTOR_BY_MAIL_ONLY)
    name, _, key = (part.strip() for part in typed.director.partition("="))
    is_key = key.startswith("ssh-")
    return Director(name, " ".join(key.split()[:2]) if is_key else _find_key(key or name), settles=typed.may_settle)


def _find_key(name: str) -> str:
    """Returns the key of the only known person with this name, or with these six words of a key.

    Raises MisuseError if there are none or several.
    """
    from referee.mail.people import find_people, read_people_book

    found = find_people(read_people_book(), name)
    if len(found) == 1:
        return found[0].key
    many = "several people have" if found else "nobody whom you know has"
    raise MisuseError(
        f"{many} the name {name}, or a key with these words. "
        "Ask the director to type: referee key. Then type that key here: "
        "--director 'NAME=ssh-ed25519 KEY'"
    )


def _take_options(position: dict[str, Any] | None) -> dict[str, str]:
    """Removes the options from a position file and returns them. Raises MisuseError if they are not keys and values."""
    options = position.pop("options", {}) if position else {}
    if not isinstance(options, dict):
        raise MisuseError("in a position file, write the options below [options], each as NAME = 'VALUE'")
    return {str(name): str(value) for name, value in options.items()}


def _check_compatible(typed: TypedSettings) -> None:
    """Raises MisuseError if options exclude each other, since a game by mail has its own dice and no bots."""
    is_other = typed.dice not in (None, find_mode_name(DEFAULT_MODE))
    if typed.by_mail and (typed.seed or typed.sitting or is_other):
        raise MisuseError(
            "by mail all seats roll the dice together, each at their own computer: "
            "leave out --dice, --seed and --sitting"
        )
    if typed.bots is not None and typed.by_mail:
        raise MisuseError(OPEN_DICE_ONLY)


def _choose_dice(typed: TypedSettings, question: Callable[[str], str] | None) -> str:
    """Returns the name of the dice mode for a player who typed none. Asks them, unless other options settle it."""
    is_settled = typed.seed or typed.by_mail or typed.template or typed.bots is not None
    return find_mode_name(DEFAULT_MODE) if is_settled else ask_dice_mode(question)


def _parse_sitting(game: AnyGame, options: Mapping[str, str], said: str | None) -> tuple[Seat, ...] | None:
    """Returns the named seats, whose players sit at this computer; None if no seat is named, which means all.

    Raises MisuseError if seats are named for a game without secrets.
    """
    keepers = game.list_secret_keepers(choose_options(game, options))
    if said and not keepers:
        raise MisuseError("--sitting is only for games with secrets")
    return tuple(parse_seats(said, dict(zip(keepers, keepers, strict=True)))) if said else None


def parse_bots(game: AnyGame, options: Mapping[str, str], names: PlayerNames, said: str) -> dict[Seat, str]:
    """Returns the bot of each seat that a bot plays.

    `said` may be "blue=steady, green=strong". A name alone, such as "steady", gives that bot every seat but the first.
    Raises MisuseError for a wrong seat or bot, and BotError if a third-party bot cannot be used.
    """
    from referee.cli.bot_turns import check_bots

    places, parts = _list_seats(game, options, names), split_at_commas(said)
    is_one = len(parts) < 2 and "=" not in said
    named = {} if is_one else {seat.lower(): bot for seat, bot in parse_pairs(parts, "SEAT=steady").items()}
    if len(named) < len(parts) and not is_one:
        raise MisuseError("two bots are named for the same seat; name one for each seat")
    found = named or dict.fromkeys(places[1:], said.strip())
    if not found:
        raise MisuseError(
            f"{places[0]} is the only seat, so none is left for a bot; games with more seats: referee games {game.name}"
        )
    for seat in found:
        if seat not in places:
            more = f"for the other seats: referee games {game.name}"
            raise MisuseError(f"there is no seat {seat!r} for a bot; the seats are {listing(places)}; {more}")
    check_bots(found.values())
    return found


def _list_seats(game: AnyGame, options: Mapping[str, str], names: PlayerNames) -> tuple[Seat, ...]:
    """Returns the seats of a game with these options and players. Raises OptionError."""
    return game.seats(_settle_options(game, options, names), _list_names(names))


def _settle_options(game: AnyGame, options: Mapping[str, str], names: PlayerNames) -> Mapping[str, str]:
    """Returns the value of every option of a game with these players. Raises OptionError."""
    return choose_options(game, {**game.derive_options(_list_names(names)), **options})


def _list_names(names: PlayerNames) -> tuple[str, ...]:
    return tuple(names.values() if isinstance(names, Mapping) else names)
