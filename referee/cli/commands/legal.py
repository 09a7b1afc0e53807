"""`referee legal`: lists the legal moves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import ActingSeatOption
from referee.cli.dice_text import EffectChances, list_effect_chances
from referee.cli.errors import format_sentence
from referee.cli.game_view import MANY_ACTIONS, describe_summary, format_action_count
from referee.engine.text import format_runs, listing
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.screen import Screen
    from referee.engine.choice import Choice
    from referee.engine.dice import Need


FilterArgument = Annotated[list[str] | None, Argument(metavar="WORD...", help="List only moves with these words.")]


CountOption = Annotated[bool, Option("--count", help="Show only how many moves are legal.")]
ROWS_AROUND = 8
"""The rows of a terminal that must stay free around a legal list."""
MAX_LINES = 40
"""The most lines of a legal list that are shown."""
LONG_LIST = re.compile(r"\S+(?: / \S+){11,}")
"""Matches a list of at least twelve names, so long that nobody wants to read it twice."""
MANY_RUNS = 4
"""The number of runs of places in a line from which on a picture shows these places better than words."""
NUMBERED_PLACES = re.compile(r"([A-Za-z]+)([0-9]+)(?:\.\.[A-Za-z]+([0-9]+))?")
"""Matches a name that ends in a number, "C09", or a run of such names, "C09..C12"."""


def legal(
    ctx: typer.Context, words: FilterArgument = None, by: ActingSeatOption = None, count: CountOption = False
) -> Answer:
    """List everything you may do now.

    \b
      referee legal                 referee legal WORD
    """
    look: SeatView = ctx.obj.open_view(by, speaks=True)
    _check_known(look)
    ctx.obj.check_view_named(look, "legal")
    look = look.with_eyes(look.eyes or look.facts.to_act)
    everything = look.sight.legal
    shown = look.facts.game.filter(everything, words or (), look.sight.view)
    facts = {"seat": look.eyes, "count": shown.count, "of": everything.count}
    if count:
        return Answer([str(shown.count)], lambda: facts)
    lines = describe_choices(look, shown.choices[:MAX_LINES])
    if not words:
        lines = _fit_lines(lines, ctx.obj.screen)
    lines += _suggest_reach(look, lines)
    if len(shown.choices) > MAX_LINES:
        lines.append(
            Text(f"... and {len(shown.choices) - MAX_LINES} more lines; to see fewer: referee legal WORD", indent=2)
        )
    if everything and not shown:
        lines += _describe_no_match(look, words or [])
    of = f" of {everything.count}" if words and everything.count < MANY_ACTIONS else ""
    return Answer(
        [
            *describe_summary(look),
            *_describe_mover(look),
            *lines,
            format_sentence(f"{format_action_count(shown.count)}{of}"),
        ],
        lambda: facts | {"choices": list(_collect_facts(look, shown.choices))},
    )


def _suggest_reach(look: SeatView, lines: list[Text]) -> list[Text]:
    """Returns a line that suggests a command. The command marks the places of a long list on the board.

    Returns [] if no list is long, or if the list is not about a piece.
    """
    pieces = look.sight.pieces if "reach" in look.facts.game.overlays else {}
    first = next((line.text.partition(" ")[0] for line in lines if line.text.count("..") >= MANY_RUNS), "")
    return [Text(f"On the board: referee show --reach {first}", "faint", indent=2)] if first in pieces else []


def _describe_mover(look: SeatView) -> Iterator[Text]:
    """Yields a line if the listed moves belong to another player by mail, for whom nobody here can move."""
    if look.protocol is None or look.eyes is None:
        return
    from referee.mail.seats import find_own_seat  # few games are played by mail

    own = find_own_seat(look.protocol)
    if own not in (None, look.eyes):
        yield Text(f"These are the moves of {look.facts.format_seat(look.eyes)}; you sit at {own}.", indent=2)


def _check_known(look: SeatView) -> None:
    """Raises NotAllowedError for another seat's moves by mail if they depend on its secrets."""
    mover = look.facts.to_act
    if look.protocol and look.eyes is None and mover in look.facts.keepers and mover not in look.facts.vault_seats:
        whose = f"it is the turn of {look.facts.format_seat(mover)}"
        raise NotAllowedError(
            f"{whose}, and only they know their legal moves; to see whom the game waits for: referee mail"
        )


def _fit_lines(lines: list[Text], screen: Screen) -> list[Text]:
    """Returns the lines of a list as they are, or cut to about two rows each if the terminal is too low for them."""
    if screen.height is None or screen.count_rows(lines) + ROWS_AROUND <= screen.height:
        return lines
    fitting = [line.shorten(2 * screen.width - 20) for line in lines]
    cut = fitting != lines
    return [
        *fitting,
        *([Text("Lines with ... are cut; to see them in full: referee legal WORD", "faint", indent=2)] if cut else []),
    ]


def _collect_facts(look: SeatView, choices: Iterable[Choice]) -> Iterator[dict[str, Any]]:
    choices = list(choices)
    for one, chances in zip(choices, list_effect_chances(look, choices), strict=True):
        beside = [chance._asdict() for chance in chances]
        yield {"text": look.facts.game.format_choice(one), **one.to_json(), "chances": beside}


def _describe_no_match(look: SeatView, words: list[str]) -> list[Text]:
    """Returns a line that says that no legal move matches these words, and lines that explain each word."""
    from referee.cli.name_lookup import describe_name, suggest_name

    lines = [f"No legal move now has to do with {listing(words)}."]
    for word in words:
        known = any(
            word.lower() in verb.words or word.lower() in verb.action.says.split() for verb in look.facts.game.verbs.all
        )
        lines += list(describe_name(look, word)) or (
            [] if known else [format_sentence(f"nothing here is called {word}{suggest_name(look, word)}")]
        )
    return [Text(line, indent=2) for line in lines]


def describe_choices(look: SeatView, choices: Iterable[Choice]) -> list[Text]:
    """Returns the legal moves, one line for each choice."""
    choices = list(choices)
    beside = zip(
        abbreviate_lists(map(look.facts.game.format_choice, choices)),
        choices,
        list_effect_chances(look, choices),
        strict=True,
    )
    return [Text(_describe_choice(phrase, one.need, chances), indent=2) for phrase, one, chances in beside]


def abbreviate_lists(phrases: Iterable[str]) -> list[str]:
    """Shortens long lists of names.

    A run of places becomes its first and last place: "B01..B07". A list that comes again becomes "A1 / ... / G7 (the
    same 48)".

    Places come in the order of their names, so that runs are long. If two different lists have the same first name,
    last name and length, both are always written out with their runs.
    """
    phrases = [LONG_LIST.sub(_sort_places, phrase) for phrase in phrases]
    ends = Counter(map(_shorten_list, {names for phrase in phrases for names in LONG_LIST.findall(phrase)}))
    before = set[str]()

    def shorten_found_list(found: re.Match[str]) -> str:
        names = found[0]
        if names not in before or ends[_shorten_list(names)] > 1:
            before.add(names)
            return " / ".join(format_runs(names.split(" / ")))
        return _shorten_list(names)

    return [LONG_LIST.sub(shorten_found_list, phrase) for phrase in phrases]


def _sort_places(found: re.Match[str]) -> str:
    """Returns a list of places in the order of their names, with each run written out as single places.

    Returns any other list as it is.
    """
    parts = [NUMBERED_PLACES.fullmatch(name) for name in found[0].split(" / ")]
    places = [part for part in parts if part]
    if len(places) < len(parts):
        return found[0]
    expanded = {
        (stem, number, f"{stem}{number:0{len(first)}d}")
        for stem, first, last in (part.groups() for part in places)
        for number in range(int(first), int(last or first) + 1)
    }
    return " / ".join(name for _, _, name in sorted(expanded))


def _shorten_list(names: str) -> str:
    first, *_, last = each = names.split(" / ")
    return f"{first} / ... / {last} (the same {len(each)})"


def _describe_choice(words: str, need: Need | None, chances: tuple[EffectChances, ...]) -> str:
    """Returns a line for a choice: its words, its roll, and the chances of each effect."""
    thrown = [str(need)] if need else []
    told = "; ".join([*thrown, *([", ".join(map(str, chances))] if chances else [])])
    return f"{words}   ({told})" if told else words
