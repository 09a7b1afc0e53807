"""`referee reveal`: opens secrets so that all can check them."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.arguments import AgreedByOption
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.engine.event import REFEREE
from referee.engine.text import count_of
from referee.record.table.deeds import reveal as deed
from referee.record.table.seat_view import SeatView

EntryNumbersArgument = Annotated[list[int] | None, Argument(metavar="[N...]", help="Open only these entries.")]


def reveal(ctx: typer.Context, entries: EntryNumbersArgument = None, agreed: AgreedByOption = None) -> Answer:
    """Open secrets to everyone, so that any audit can check every move. You cannot close them again.

    The log holds a secret as a hash; a vault holds its content. Revealing copies the content from the vaults here into
    the
    log.

    \b
      referee reveal
      referee reveal 12 --agreed-by SEAT,SEAT
    """
    look: SeatView = ctx.obj.open_view_to_record("reveal", offers=True)
    consent, opened = list_consenting_seats(look, agreed), list[int]()
    typed = " ".join(["reveal", *map(str, entries or ())])
    offer = deed.RevealOffer(tuple(dict.fromkeys(entries or look.log.sealed_entries)))

    def record() -> None:
        opened.extend(deed.reveal_secrets(look.session, entries or (), agreed=consent))

    if look.protocol:
        record()
    elif stopped := record_with_consent(ctx.obj, look, REFEREE, consent, typed, record, offer):
        return stopped
    now = look.at_present()
    lines = [Text(f"{n:>4}  {describe_entry(now, now.log.entries[n])}", hanging=6) for n in opened]
    done = Text(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")
    return Answer([make_heading(now), *lines, done], lambda: {"revealed": opened, "after": collect_summary_facts(now)})
