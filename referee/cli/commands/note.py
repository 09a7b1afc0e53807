"""`referee note`: adds a remark to the record."""

from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.arguments import ActingSeatOption
from referee.cli.errors import MisuseError
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE
from referee.engine.rulebook import RuleBook
from referee.engine.text import listing
from referee.record.table.house_rules import format_house_rule_note
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView

RemarkArgument = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]
RuleOption = Annotated[
    str | None, Option("--on", metavar="RULE", help="The rule that your table plays in its own way.")
]


def note(ctx: typer.Context, words: RemarkArgument, by: ActingSeatOption = None, rule: RuleOption = None) -> Answer:
    """Add a remark to the record. With --on it is a house rule: the referee shows it wherever it names that rule.

    The referee still judges by the rulebook. The last house rule on a rule counts.

    \b
      referee note Anna came late   referee note --by SEAT TEXT
      referee note --on RULE we play it like this
    """
    look: SeatView = ctx.obj.open_view_to_record("note", by)
    text = " ".join(words)
    if rule is not None:
        text = format_house_rule_note(_find_rule_id(look.facts.game.rulebook, rule), text)
    record_note(look.session, text, look.eyes or REFEREE)
    return answer_with_recorded_entry(look.with_eyes(None), "Noted." if rule is None else "Noted as a house rule.")


def _find_rule_id(book: RuleBook, rule: str) -> str:
    """Returns the id of a rule or ruling. Raises MisuseError if there is none of this id."""
    if rule in book.rules or rule in book.rulings:
        return rule
    near = book.suggest_ids(rule.lower())
    hint = f"; did you mean {listing(near, 'or')}?" if near else ""
    raise MisuseError(f"there is no rule {rule!r}{hint}")
