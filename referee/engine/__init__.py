"""What a game is: rules, dice, legal actions, adjudication. Knows no file, no terminal and no particular game.

The names below are all that a game may import, from here or from where they live; `Game` says what it has to be.

    a game              Game, Board, BoardError, Component, Report, WorkedOut, Option, OptionError, Options, Series,
                        cached, latest
    its versions        Document, RulesVersion, Upcast
    what happens        Event, Outcome, Script, Seat, Told, Unseen, ranked
    what can be said    Action, Between, Choice, Choices, Legal, Offer, OneOf, Ordered, Slot, Subset, Total, Reading,
                        Verb, Verbs, each_of, spoken
    the order of play   Due, Order, Task, settle
    rules               Refusal, Rule, RuleBook, Ruling
    dice                Aim, Dice, Need, ONLY_READ, Deck, Drawn
    secrets             Secret, UnknownError, blinded
    words               DIGITS, NotUnderstoodError, PhraseReader, Word, begin_sentence, count_of, guess, in_runs,
                        listing, match_word, names_in, numbers_told, NOTHING, spelled
    pictures            Glyph, Hatching, Layout, NoPlaceError, Overlay, Page, Piece, Polygon, Sample, Scene, Shape,
                        Colour

Each is imported when it is first used, so that a command pays only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.engine.action_fields import spoken
    from referee.engine.aim import ONLY_READ, Aim
    from referee.engine.component import Board, BoardError, Component, Report, WorkedOut
    from referee.engine.deck import Deck, Drawn
    from referee.engine.dice import Dice, Need
    from referee.engine.event import Event, Outcome, Script, Seat, Told, Unseen, ranked
    from referee.engine.fields import numbers_told
    from referee.engine.game import Game
    from referee.engine.legal import (
        Action,
        Between,
        Choice,
        Choices,
        Legal,
        Offer,
        OneOf,
        Ordered,
        Slot,
        Subset,
        Total,
        each_of,
    )
    from referee.engine.once import cached, latest
    from referee.engine.options import Option, OptionError, Options
    from referee.engine.order import Due, Order, Task, settle
    from referee.engine.palette import Colour
    from referee.engine.pieces import NOTHING
    from referee.engine.ruling import Refusal, Rule, RuleBook, Ruling
    from referee.engine.scene import (
        Glyph,
        Hatching,
        Layout,
        NoPlaceError,
        Overlay,
        Page,
        Piece,
        Polygon,
        Sample,
        Scene,
        Shape,
    )
    from referee.engine.secret import Secret, UnknownError, blinded
    from referee.engine.series import Series
    from referee.engine.text import (
        DIGITS,
        NotUnderstoodError,
        PhraseReader,
        Word,
        begin_sentence,
        count_of,
        guess,
        in_runs,
        listing,
        match_word,
        names_in,
        spelled,
    )
    from referee.engine.verb import Reading, Verb, Verbs
    from referee.engine.versions import Document, RulesVersion, Upcast

_NAMES = {
    "action_fields": ("spoken",),
    "aim": ("ONLY_READ", "Aim"),
    "component": ("Board", "BoardError", "Component", "Report", "WorkedOut"),
    "deck": ("Deck", "Drawn"),
    "dice": ("Dice", "Need"),
    "event": ("Event", "Outcome", "Script", "Seat", "Told", "Unseen", "ranked"),
    "fields": ("numbers_told",),
    "game": ("Game",),
    "legal": (
        "Action",
        "Between",
        "Choice",
        "Choices",
        "Legal",
        "Offer",
        "OneOf",
        "Ordered",
        "Slot",
        "Subset",
        "Total",
        "each_of",
    ),
    "once": ("cached", "latest"),
    "options": ("Option", "OptionError", "Options"),
    "order": ("Due", "Order", "Task", "settle"),
    "palette": ("Colour",),
    "pieces": ("NOTHING",),
    "ruling": ("Refusal", "Rule", "RuleBook", "Ruling"),
    "scene": (
        "Glyph",
        "Hatching",
        "Layout",
        "NoPlaceError",
        "Overlay",
        "Page",
        "Piece",
        "Polygon",
        "Sample",
        "Scene",
        "Shape",
    ),
    "secret": ("Secret", "UnknownError", "blinded"),
    "series": ("Series",),
    "text": (
        "DIGITS",
        "NotUnderstoodError",
        "PhraseReader",
        "Word",
        "begin_sentence",
        "count_of",
        "guess",
        "in_runs",
        "listing",
        "match_word",
        "names_in",
        "spelled",
    ),
    "verb": ("Reading", "Verb", "Verbs"),
    "versions": ("Document", "RulesVersion", "Upcast"),
}
"""The names that live in each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "DIGITS",
    "NOTHING",
    "ONLY_READ",
    "Action",
    "Aim",
    "Between",
    "Board",
    "BoardError",
    "Choice",
    "Choices",
    "Colour",
    "Component",
    "Deck",
    "Dice",
    "Document",
    "Drawn",
    "Due",
    "Event",
    "Game",
    "Glyph",
    "Hatching",
    "Layout",
    "Legal",
    "Need",
    "NoPlaceError",
    "NotUnderstoodError",
    "Offer",
    "OneOf",
    "Option",
    "OptionError",
    "Options",
    "Order",
    "Ordered",
    "Outcome",
    "Overlay",
    "Page",
    "PhraseReader",
    "Piece",
    "Polygon",
    "Reading",
    "Refusal",
    "Report",
    "Rule",
    "RuleBook",
    "RulesVersion",
    "Ruling",
    "Sample",
    "Scene",
    "Script",
    "Seat",
    "Secret",
    "Series",
    "Shape",
    "Slot",
    "Subset",
    "Task",
    "Told",
    "Total",
    "UnknownError",
    "Unseen",
    "Upcast",
    "Verb",
    "Verbs",
    "Word",
    "WorkedOut",
    "begin_sentence",
    "blinded",
    "cached",
    "count_of",
    "each_of",
    "guess",
    "in_runs",
    "latest",
    "listing",
    "match_word",
    "names_in",
    "numbers_told",
    "ranked",
    "settle",
    "spelled",
    "spoken",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'referee.engine' has no attribute {name!r}")
    return getattr(import_module(f"referee.engine.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
