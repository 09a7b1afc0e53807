"""The rules engine: rules, dice, legal actions and adjudication.

It reads and writes no logs, shows nothing on a terminal, and knows no particular game.

The names below are all that a game may import, from here or from the modules that define them. `Game` lists what a
game has to provide.

    a game              Game, Board, BoardError, Component, DerivedData, MatchRules, Option, OptionError, Options,
                        Report, cache_latest, cached
    its versions        Document, RulesVersion, Upcast
    what happens        Event, MessageEvent, Outcome, Script, Seat, SecretEvent, rank_seats
    actions             Action, Between, Choice, ChoiceSource, Choices, LegalActions, OneOf, Ordered, ParsedPhrase,
                        Slot, Subset, SumConstraint, Verb, Verbs, expand_choices, format_value
    the order of play   Obligation, Order, Task, settle_tasks
    rules               Invariant, Price, Refusal, SeatRemoval, Rule, RuleBook, Ruling,
                        refuse_price
    dice                Deck, Dice, DrawResult, Need, ONLY_READ, Target
    secrets             Secret, UnknownError, hide_secrets_from
    words               DIGITS, NOTHING, NotUnderstoodError, PhraseReader, Word, begin_sentence, count_of,
                        describe_nondefault_fields, did_you_mean, expand_run, format_runs, listing, match_word,
                        spell_number
    pictures            Colour, Glyph, Hatching, Layout, LegendItem, NoPlaceError, Overlay, Piece, Polygon, Scene,
                        ScenePage, Shape

Old names work until version 2.0, with a warning (`old_names`). Each name is imported on first use, so that a command
loads only the modules that it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.engine.action_fields import format_value
    from referee.engine.action_grammar import ParsedPhrase, Verb, Verbs
    from referee.engine.caching import cache_latest, cached
    from referee.engine.choice import Action, Choice, SumConstraint
    from referee.engine.component import Board, BoardError, Component, DerivedData, Report
    from referee.engine.deck import Deck, DrawResult
    from referee.engine.dice import Dice, Need
    from referee.engine.event import Event, MessageEvent, Outcome, Script, Seat, SecretEvent, rank_seats
    from referee.engine.game import Game
    from referee.engine.legal import Choices, ChoiceSource, LegalActions, expand_choices
    from referee.engine.match_rules import MatchRules
    from referee.engine.options import Option, OptionError, Options
    from referee.engine.palette import Colour
    from referee.engine.position_diff import NOTHING
    from referee.engine.position_form import describe_nondefault_fields
    from referee.engine.rulebook import Invariant, Price, Refusal, Rule, RuleBook, Ruling, SeatRemoval, refuse_price
    from referee.engine.scene import (
        Glyph,
        Hatching,
        Layout,
        LegendItem,
        NoPlaceError,
        Overlay,
        Piece,
        Polygon,
        Scene,
        ScenePage,
        Shape,
    )
    from referee.engine.secret import Secret, UnknownError, hide_secrets_from
    from referee.engine.slots import Between, OneOf, Ordered, Slot, Subset
    from referee.engine.target_number import ONLY_READ, Target
    from referee.engine.text import (
        DIGITS,
        NotUnderstoodError,
        PhraseReader,
        Word,
        begin_sentence,
        count_of,
        did_you_mean,
        expand_run,
        format_runs,
        listing,
        match_word,
        spell_number,
    )
    from referee.engine.turn_order import Obligation, Order, Task, settle_tasks
    from referee.engine.versions import Document, RulesVersion, Upcast

_NAMES = {
    "action_fields": ("format_value",),
    "action_grammar": (
        "ParsedPhrase",
        "Verb",
        "Verbs",
    ),
    "caching": (
        "cache_latest",
        "cached",
    ),
    "choice": (
        "Action",
        "Choice",
        "SumConstraint",
    ),
    "component": (
        "Board",
        "BoardError",
        "Component",
        "DerivedData",
        "Report",
    ),
    "deck": (
        "Deck",
        "DrawResult",
    ),
    "dice": (
        "Dice",
        "Need",
    ),
    "event": (
        "Event",
        "MessageEvent",
        "Outcome",
        "Script",
        "Seat",
        "SecretEvent",
        "rank_seats",
    ),
    "game": ("Game",),
    "legal": (
        "ChoiceSource",
        "Choices",
        "LegalActions",
        "expand_choices",
    ),
    "match_rules": ("MatchRules",),
    "options": (
        "Option",
        "OptionError",
        "Options",
    ),
    "palette": ("Colour",),
    "position_diff": ("NOTHING",),
    "position_form": ("describe_nondefault_fields",),
    "rulebook": (
        "Invariant",
        "Price",
        "Refusal",
        "SeatRemoval",
        "Rule",
        "RuleBook",
        "Ruling",
        "refuse_price",
    ),
    "scene": (
        "Glyph",
        "Hatching",
        "Layout",
        "NoPlaceError",
        "Overlay",
        "ScenePage",
        "Piece",
        "Polygon",
        "LegendItem",
        "Scene",
        "Shape",
    ),
    "secret": (
        "Secret",
        "UnknownError",
        "hide_secrets_from",
    ),
    "slots": (
        "Between",
        "OneOf",
        "Ordered",
        "Slot",
        "Subset",
    ),
    "target_number": (
        "ONLY_READ",
        "Target",
    ),
    "text": (
        "DIGITS",
        "NotUnderstoodError",
        "PhraseReader",
        "Word",
        "begin_sentence",
        "count_of",
        "did_you_mean",
        "expand_run",
        "format_runs",
        "listing",
        "match_word",
        "spell_number",
    ),
    "turn_order": (
        "Obligation",
        "Order",
        "Task",
        "settle_tasks",
    ),
    "versions": (
        "Document",
        "RulesVersion",
        "Upcast",
    ),
}
"""The names that live in each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "DIGITS",
    "NOTHING",
    "ONLY_READ",
    "Action",
    "Between",
    "Board",
    "BoardError",
    "Choice",
    "ChoiceSource",
    "Choices",
    "Colour",
    "Component",
    "Deck",
    "DerivedData",
    "Dice",
    "Document",
    "DrawResult",
    "Event",
    "Game",
    "Glyph",
    "Hatching",
    "Invariant",
    "Layout",
    "LegalActions",
    "LegendItem",
    "MatchRules",
    "MessageEvent",
    "Need",
    "NoPlaceError",
    "NotUnderstoodError",
    "Obligation",
    "OneOf",
    "Option",
    "OptionError",
    "Options",
    "Order",
    "Ordered",
    "Outcome",
    "Overlay",
    "ParsedPhrase",
    "PhraseReader",
    "Piece",
    "Polygon",
    "Price",
    "Refusal",
    "Report",
    "Rule",
    "RuleBook",
    "RulesVersion",
    "Ruling",
    "Scene",
    "ScenePage",
    "Script",
    "Seat",
    "SeatRemoval",
    "Secret",
    "SecretEvent",
    "Shape",
    "Slot",
    "Subset",
    "SumConstraint",
    "Target",
    "Task",
    "UnknownError",
    "Upcast",
    "Verb",
    "Verbs",
    "Word",
    "begin_sentence",
    "cache_latest",
    "cached",
    "count_of",
    "describe_nondefault_fields",
    "did_you_mean",
    "expand_choices",
    "expand_run",
    "format_runs",
    "format_value",
    "hide_secrets_from",
    "listing",
    "match_word",
    "rank_seats",
    "refuse_price",
    "settle_tasks",
    "spell_number",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        name = _find_new_name(name)
    return getattr(import_module(f"referee.engine.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def _find_new_name(name: str) -> str:
    """Returns the name that replaces an old name, and warns. Raises AttributeError for any other name."""
    from referee.engine.old_names import OLD_NAMES, warn_renamed

    if name not in OLD_NAMES:
        raise AttributeError(f"module 'referee.engine' has no attribute {name!r}")
    warn_renamed(name, OLD_NAMES[name])
    return OLD_NAMES[name]
