"""`referee reveal`: open secrets for all to check."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.consent import agreed_by, unless_agreed
from referee.cli.entries import describe
from referee.cli.look import facts_told, heading
from referee.cli.typed import Agreed
from referee.engine.event import REFEREE
from referee.engine.text import count_of
from referee.record.table.deeds import reveal as deed
from referee.record.table.sitting import Sitting

Numbers = Annotated[list[int] | None, Argument(metavar="[N...]", help="Only these entries.")]


def reveal(ctx: typer.Context, entries: Numbers = None, agreed: Agreed = None) -> Answer:
    """Open secrets for everybody, so that any audit can judge every play. They cannot be closed again.

    The log holds a secret as a hash, and a vault what it is a hash of. A reveal copies that into the log, from the
    vaults that are here.

    \b
      referee reveal
      referee reveal 12 --agreed-by SEAT,SEAT
    """
    look: Sitting = ctx.obj.recording("reveal", offers=True)
    consent, opened = agreed_by(look, agreed), list[int]()
    typed = " ".join(["reveal", *map(str, entries or ())])
    offer = deed.RevealOffer(tuple(dict.fromkeys(entries or look.log.sealed)))

    def record() -> None:
        opened.extend(deed.reveal(look.session, entries or (), agreed=consent))

    if look.pact:
        record()
    elif stopped := unless_agreed(ctx.obj, look, REFEREE, consent, typed, record, offer):
        return stopped
    now = look.now()
    lines = [Text(f"{n:>4}  {describe(now, now.log.entries[n])}", hanging=6) for n in opened]
    done = Text(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")
    return Answer([heading(now), *lines, done], lambda: {"revealed": opened, "after": facts_told(now)})
