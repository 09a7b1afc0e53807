"""`referee legal`: what may be done now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.errors import sentence
from referee.cli.look import MANY, how_many, summary
from referee.cli.throws import Beside, chances_beside
from referee.cli.typed import By
from referee.engine.text import listing
from referee.record.log.faults import NotAllowedError
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.screen import Screen
    from referee.engine.dice import Need
    from referee.engine.legal import Choice


Among = Annotated[list[str] | None, Argument(metavar="WORD...", help="Only what has to do with these.")]


Counting = Annotated[bool, Option("--count", help="Only say how many.")]
AROUND = 8
"""Lines of a terminal that are needed for what stands round a legal list."""
UNLISTED = 40
"""Lines of a legal list that are shown before it is cut short."""
LONG = re.compile(r"\S+(?: / \S+){11,}")
"""Names to choose one of that nobody wants to read twice, as a phrase spells them."""


def legal(ctx: typer.Context, words: Among = None, by: By = None, count: Counting = False) -> Answer:
    """List everything that may be done now, with arguments.

    \b
      referee legal                 referee legal WORD
    """
    look: Sitting = ctx.obj.look(by, speaks=True)
    _check_known(look)
    look = look.through(look.eyes or look.facts.to_act)
    everything = look.sight.legal
    shown = look.facts.game.filter(everything, words or (), look.sight.view)
    facts = {"seat": look.eyes, "count": shown.count, "of": everything.count}
    if count:
        return Answer([str(shown.count)], lambda: facts)
    lines = listed(look, shown.choices[:UNLISTED])
    if not words:
        lines = _fitting(lines, ctx.obj.screen)
    if len(shown.choices) > UNLISTED:
        lines.append(Text(f"... and {len(shown.choices) - UNLISTED} lines more; name a word to see fewer", indent=2))
    if everything and not shown:
        lines += _none_of(look, words or [])
    of = f" of {everything.count}" if words and everything.count < MANY else ""
    return Answer(
        [*summary(look), *lines, sentence(f"{how_many(shown.count)}{of}")],
        lambda: facts | {"choices": list(_facts(look, shown.choices))},
    )


def _check_known(look: Sitting) -> None:
    """By mail nobody can list here what another may do who knows more; NotAllowedError."""
    mover = look.facts.to_act
    if look.pact and look.eyes is None and mover in look.facts.keepers and mover not in look.facts.here:
        whose = f"it is the turn of {look.facts.player(mover)}"
        raise NotAllowedError(
            f"{whose}, and what may be done is known there alone; whom the game waits for: referee mail"
        )


def _fitting(lines: list[Text], screen: Screen) -> list[Text]:
    """Lines of a whole list as they are; on a terminal that they would fill, the beginning of each alone."""
    if screen.height is None or screen.count(lines) + AROUND <= screen.height:
        return lines
    fitting = [_begun(line, 2 * screen.width - 20) for line in lines]
    cut = fitting != lines
    return [*fitting, *([Text("... stands for more; legal WORD tells all of it", "faint", indent=2)] if cut else [])]


def _begun(line: Text, most: int) -> Text:
    """A line with so many characters at the most."""
    return line if len(line.text) <= most else replace(line, text=f"{line.text[:most].rpartition(' ')[0]} ...")


def _facts(look: Sitting, choices: Iterable[Choice]) -> Iterator[dict[str, Any]]:
    choices = list(choices)
    for one, chances in zip(choices, chances_beside(look, choices), strict=True):
        beside = [chance._asdict() for chance in chances]
        yield {"text": look.facts.game.format_choice(one), **one.to_json(), "chances": beside}


def _none_of(look: Sitting, words: list[str]) -> list[Text]:
    """That nothing has to do with these words, and what each of them is."""
    from referee.cli.named import near, told_of

    lines = [f"Nothing that may be done now has to do with {listing(words)}."]
    for word in words:
        known = any(
            word.lower() in verb.words or word.lower() in verb.action.says.split() for verb in look.facts.game.verbs.all
        )
        lines += list(told_of(look, word)) or (
            [] if known else [sentence(f"nothing here is called {word}{near(look, word)}")]
        )
    return [Text(line, indent=2) for line in lines]


def listed(look: Sitting, choices: Iterable[Choice]) -> list[Text]:
    """What may be done, a line for each choice."""
    choices = list(choices)
    beside = zip(
        said_once(map(look.facts.game.format_choice, choices)), choices, chances_beside(look, choices), strict=True
    )
    return [Text(_line(phrase, one.need, chances), indent=2) for phrase, one, chances in beside]


def said_once(phrases: Iterable[str]) -> list[str]:
    """Phrases in which a long list of names that stood in one before is told by its ends: A1 / ... / G7 (the same 48).

    A list with the ends and the length of another one is always spelt out.
    """
    phrases = list(phrases)
    ends = Counter(map(_ends, {names for phrase in phrases for names in LONG.findall(phrase)}))
    before = set[str]()

    def short(found: re.Match[str]) -> str:
        names = found[0]
        if names not in before or ends[_ends(names)] > 1:
            before.add(names)
            return names
        return _ends(names)

    return [LONG.sub(short, phrase) for phrase in phrases]


def _ends(names: str) -> str:
    first, *_, last = each = names.split(" / ")
    return f"{first} / ... / {last} (the same {len(each)})"


def _line(words: str, need: Need | None, chances: tuple[Beside, ...]) -> str:
    """A choice with what it throws, and how likely each of what that can do is."""
    thrown = [str(need)] if need else []
    told = "; ".join([*thrown, *([", ".join(map(str, chances))] if chances else [])])
    return f"{words}   ({told})" if told else words
