"""Laws of what people read and ask: errors show their place, every question has an answer, and nothing says "None"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from referee.engine.action_fields import find_ill_typed_part
from referee.engine.event import Seat
from referee.engine.position_diff import list_pieces_and_fields
from referee.engine.text import NotUnderstoodError
from referee.testing.trial import Spot

ACTIONS_PER_SEAT = 3
"""The number of actions of each seat whose words are spoilt at a spot."""
MAX_PIECES_ASKED_ABOUT = 4
"""The most pieces that are asked about at a spot."""
MEANINGLESS_WORD = "zq"
"""Letters with which no word of a game begins."""
WORD_PATTERN = re.compile(r"[A-Za-z][\w-]*")
"""A word that begins with a letter."""
MISSING_VALUE_PATTERN = re.compile(r"\bNone(?! of )|None\b(?! of )|\(\)|\[\]|\{\}")
"""Text that a program writes for a missing value. People must never read it. "None of them" is English."""


def check_wrong_phrases(spot: Spot) -> Iterator[str]:
    """Checks how phrases with missing or meaningless words are read.

    Either the fields of the action keep to their types, or an error names a place in the text and what was expected
    there.
    """
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal, ACTIONS_PER_SEAT):
            for words in _spoil_phrase(spot.game.format(action).split()):
                yield from _find_misreadings(spot, seat, words)


def _spoil_phrase(words: list[str]) -> Iterator[str]:
    """Yields phrases made from these words: cut short, without one word, and with one meaningless word."""
    for at in range(len(words)):
        yield " ".join(words[:at])
        yield " ".join((*words[:at], *words[at + 1 :]))
        yield " ".join((*words[:at], MEANINGLESS_WORD, *words[at + 1 :]))
    yield " ".join((*words, MEANINGLESS_WORD))


def _find_misreadings(spot: Spot, seat: Seat, words: str) -> Iterator[str]:
    if not words:
        return
    try:
        action = spot.game.parse(words, spot.view(seat), seat)
    except NotUnderstoodError as error:
        if not 0 <= error.at <= len(error.text) + 1 or error.at + error.length > len(error.text) + 2:
            place = f"{error.at} to {error.at + error.length}"
            yield f"{seat}'s {words!r} is not understood from {place}, which is no place in {error.text!r}"
        if not error.expected.strip() or MISSING_VALUE_PATTERN.search(str(error)):
            yield f"{seat}'s {words!r} is not understood: {error}"
        return
    unfit = find_ill_typed_part(action)
    if unfit:
        yield f"{seat}'s {words!r} is read with the {unfit[0]} {unfit[2]!r}, which its type forbids"


def check_queries(spot: Spot) -> Iterator[str]:
    """Checks the answers to questions about a moment: its turn, scores and worth, its pieces, and cautions."""
    game, state, after = spot.game, spot.state, spot.played.state
    least = game.get_turn_number(state) - (game.outcome(after) is not None)  # after the end no turn is under way
    if not 0 <= least <= game.get_turn_number(after):
        yield f"the turn after number {game.get_turn_number(state)} is number {game.get_turn_number(after)}"
    scores = game.scores(state)
    if not {seat for seat, _ in scores} <= set(spot.play.seats) or not all(isinstance(n, int) for _, n in scores):
        yield f"{scores} must be a number of points for each seat"
    for seat in spot.play.seats:
        worth = game.worth(spot.view(seat), seat)
        if not isfinite(worth):
            yield f"the position is worth {worth} to {seat}"
    yield from _find_odd_answers(spot)


def _find_odd_answers(spot: Spot) -> Iterator[str]:
    """Yields a breach for each answer about a piece or an action that is not a proper line of text."""
    for viewer, view in spot.views_with_viewers:
        pieces = list(list_pieces_and_fields(spot.game, view))
        for name in spot.random.sample(pieces, min(MAX_PIECES_ASKED_ABOUT, len(pieces))):
            small = name.lower()
            told, alike = spot.game.describe_thing(view, small), spot.game.expand_word(view, small)
            if not _are_texts(told) or not _are_texts(alike) or any(word != word.lower() for word in alike):
                yield f"{viewer or 'a spectator'} asks about {name!r} and is told {told}; it stands for {alike}"
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal, ACTIONS_PER_SEAT) if spot.awaits_no_answer(seat) else ():
            warning = spot.game.caution(spot.view(seat), seat, action)
            if warning is not None and not _is_sentence(warning):
                yield f"{seat} is warned of {spot.game.format(action)!r}: {warning!r}"


def _are_texts(texts: Any) -> bool:
    """True if this is a tuple of texts, each of one line and without signs of a missing value."""
    return isinstance(texts, tuple) and all(isinstance(text, str) and _is_sentence(text) for text in texts)


def _is_sentence(text: str) -> bool:
    return bool(text.strip()) and "\n" not in text and not MISSING_VALUE_PATTERN.search(text)


def check_no_missing_values(spot: Spot) -> Iterator[str]:
    """Checks that no line says "None" or shows empty brackets, which are signs of a missing value."""
    lines: Mapping[str, str] = {
        **{f"the event {event}": spot.game.tell(event) for event in spot.played.events},
        **{
            f"the status for {viewer or 'a spectator'}": spot.game.status(view)
            for viewer, view in spot.views_with_viewers
        },
        **{
            f"the refusal {refusal.rule}": refusal.because
            for _, _, refusals in spot.tried_actions
            for refusal in refusals
        },
    }
    for what, line in lines.items():
        if MISSING_VALUE_PATTERN.search(line):
            yield f"{what} is told as {line!r}"


def check_filters(spot: Spot) -> Iterator[str]:
    """Checks that `filter` finds each legal action by every name in its words."""
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal, ACTIONS_PER_SEAT):
            for word in filter(WORD_PATTERN.fullmatch, spot.game.format(action).split()):
                if action not in spot.game.filter(legal, [word], spot.view(seat)):
                    yield f"{seat}'s {spot.game.format(action)!r} is not found by its word {word!r}"
