"""Old names that games from outside may use until version 2.0, each with the name that replaces it."""

from __future__ import annotations

from collections.abc import Mapping
from warnings import warn

OLD_NAMES: Mapping[str, str] = {
    "Aim": "Target",
    "Drawn": "DrawResult",
    "Due": "Obligation",
    "Legal": "LegalActions",
    "Offer": "ChoiceSource",
    "Page": "ScenePage",
    "Reading": "ParsedPhrase",
    "Removal": "SeatRemoval",
    "Sample": "LegendItem",
    "Series": "MatchRules",
    "Told": "MessageEvent",
    "Total": "SumConstraint",
    "Unseen": "SecretEvent",
    "WorkedOut": "DerivedData",
    "blind": "hide_secrets_from",
    "blinded": "hide_secrets_from",
    "describe_numbers": "describe_nondefault_fields",
    "each_of": "expand_choices",
    "guess": "did_you_mean",
    "in_runs": "format_runs",
    "latest": "cache_latest",
    "names_in": "expand_run",
    "numbers_told": "describe_nondefault_fields",
    "ranked": "rank_seats",
    "settle": "settle_tasks",
    "spelled": "spell_number",
    "spoken": "format_value",
}
"""Old names of `referee.engine`, with the present ones."""
OLD_HOOKS: Mapping[str, str] = {
    "actions": "action_types",
    "allowed_by": "allowing_rules",
    "asks": "awaits_answer",
    "asks_first": "is_question",
    "build": "build_board",
    "check_typed": "check_position_names",
    "describe_filled_in": "describe_added_facts",
    "describes": "describe_thing",
    "events": "event_types",
    "fills_in": "describe_added_facts",
    "forbids": "check_publicly",
    "goes_on": "continues_phrase",
    "hides": "is_secret",
    "keepers": "list_secret_keepers",
    "may_act": "list_other_actors",
    "names": "find_current_names",
    "only_action": "find_publicly_forced_action",
    "opening": "recommend_opening",
    "options_of": "derive_options",
    "overlay": "list_overlay_places",
    "place": "state_from",
    "position_of": "position_from",
    "publicly_illegal": "check_publicly",
    "put": "place_piece",
    "queries_before_acting": "is_question",
    "removal_of": "find_seat_removal",
    "rests_on": "rules_of",
    "series": "match_rules",
    "shows": "may_reveal",
    "sole": "find_publicly_forced_action",
    "stands_for": "expand_word",
    "synonyms": "expand_word",
    "turn_of": "get_turn_number",
    "typical": "typical_position",
    "under": "find_older_rules",
    "under_rules": "find_older_rules",
    "unseen": "on_secret_play",
}
"""Old names of methods that a `Game` may override, with the present ones."""


def warn_renamed(old: str, new: str) -> None:
    """Warns that a name is old. The warning points at the line that called the calling function."""
    warn(f"{old} is called {new} now; version 2.0 drops the old name", DeprecationWarning, stacklevel=3)


def adopt_old_hooks(kind: type) -> None:
    """Makes each method that a game defines by an old name callable by its present name, and warns."""
    for old, new in OLD_HOOKS.items():
        if old in vars(kind) and new not in vars(kind):
            warn_renamed(f"{kind.__name__}.{old}", new)
            setattr(kind, new, vars(kind)[old])
