"""`referee pack`: sign, hand over, and write the mail."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.commands.key import note_open_folders
from referee.cli.context import Context
from referee.cli.entries import describe
from referee.cli.errors import MisuseError
from referee.cli.look import heading, turn_told
from referee.cli.mail.mailed import offered
from referee.cli.mail.next import desk_of
from referee.cli.mail.verdicts import span
from referee.cli.screen import Screen
from referee.cli.typed import check_one, seat_of
from referee.engine.event import REFEREE
from referee.engine.text import count_of
from referee.mail.desk import Desk
from referee.mail.exchange import sent
from referee.mail.packet import Ask, Packet
from referee.record.log.entry import SealEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.sitting import Sitting

COLUMNS = 60
"""Columns of the board in a mail."""


Onto = Annotated[Path | None, Option("-o", "--output", metavar="FOLDER", help="Write the packet there, as a file.")]


Since = Annotated[int | None, Option("--from", metavar="N", help="Send again from entry N on.")]


Heir = Annotated[str | None, Option("--to", metavar="SEAT", help="Who gets the pen, if not who the game waits for.")]


Eml = Annotated[Path | None, Option("--eml", metavar="FILE", help="Write the mail itself, with a page of what is new.")]


Word = Annotated[str | None, Option("-m", "--message", metavar="TEXT", help="A word along: a remark in the record.")]


def pack(
    ctx: typer.Context, onto: Onto = None, base: Since = None, to: Heir = None, eml: Eml = None, word: Word = None
) -> Answer:
    """Sign, hand the pen over, and write what is new as a text to paste into a mail: what happened, the board, and a
    packet that no mail program can break.

    \b
      referee pack | mail -s "my turn" blue@example.org
      referee pack -o ../shared     referee pack --from 0
      referee pack --eml turn.eml -m "well played"
    """
    check_one(output=onto is not None, eml=eml is not None)
    _check_writable(onto, eml)
    try:
        return _packed(ctx.obj, onto, base, to, eml, word)
    except NotAllowedError as error:
        if onto or eml:
            raise
        return _apart(ctx.obj.explained(error))


def _apart(answer: Answer) -> Answer:
    """The same on stderr: what comes out here is sent as a mail, by a pipe that reads no exit code."""
    said = [line.text for line in answer.lines if isinstance(line, Text)]
    return replace(answer, lines=(), complaint="\n".join([*said, answer.complaint]).strip())


def _packed(
    context: Context, onto: Path | None, base: int | None, to: str | None, eml: Path | None, word: str | None
) -> Answer:
    """What is signed, and where it was written."""
    look = context.look()
    desk = desk_of(look.session)
    if word is not None:
        if to is None and desk.waits_for() == desk.seat and not desk.gathers:
            raise NotAllowedError("it is still your turn; a word goes along when you hand over")
        look.session.note(word, desk.seat or REFEREE)
        look = look.now()
    note_open_folders(context)
    packet = sent(desk, base, seat_of(to, look.facts.names))
    now = look.now()
    mail = _mail(now, desk, packet)
    facts = _facts(desk, packet, mail)
    if eml is not None:
        _lettered(eml, now, packet, facts["text"])
        new = entries_from(packet.head.base, packet.end)
        told = f"Written to {eml}. {new} for {desk.pact.pen}: open it and send it."
        return Answer([heading(now), told], lambda: facts | {"written": str(eml)})
    if onto is None:
        return Answer([Rows(mail)], lambda: facts)
    return _posted(onto, now, desk, packet, mail)


def _check_writable(onto: Path | None, eml: Path | None) -> None:
    """That the mail can be written, before it is signed; MisuseError, FileExistsError."""
    from referee.cli.logs import is_there

    if onto is not None and not onto.is_dir():
        how = f"referee pack > {onto}, or --eml FILE"
        raise MisuseError(f"there is no folder {onto}; to write the mail to a file: {how}")
    if eml is not None:
        is_there(eml)


def posted(onto: Path, look: Sitting) -> Answer:
    """Sign, hand over, and write the mail into a folder: nothing of it is asked about."""
    desk = desk_of(look.session)
    packet = sent(desk)
    now = look.now()
    return _posted(onto, now, desk, packet, _mail(now, desk, packet))


def _mail(look: Sitting, desk: Desk, packet: Packet) -> list[str]:
    """The lines of a mail: what happened, the board, and the packet."""
    from referee.mail.envelope import wrapped

    return [*_summary(look, desk, packet), *_board(look), *wrapped(packet.spelt()).splitlines()]


def _facts(desk: Desk, packet: Packet, mail: Sequence[str]) -> dict[str, Any]:
    """The same for programs."""
    text = "\n".join(mail) + "\n"
    return {"to": desk.pact.pen, "from": packet.head.base, "until": packet.end - 1, "text": text}


def _lettered(file: Path, look: Sitting, packet: Packet, text: str) -> None:
    """Write the mail as a file that mail programs open, with the page of what is new as everybody may see it."""
    from referee.cli.logs import write_out
    from referee.cli.paged import story_of
    from referee.mail.eml import letter
    from referee.page.document import page_of

    seen, base, end = look.through(None), packet.head.base, packet.end
    page = page_of(story_of(seen, base)) if end > base else None
    subject = f"{look.facts.game.title}: {span(base, end - 1)}"
    write_out(file, letter(packet.head.game, base, end, subject, text, look.log.entries[end - 1].at, page).decode())


def _posted(folder: Path, look: Sitting, desk: Desk, packet: Packet, mail: Sequence[str]) -> Answer:
    """Write a packet into a folder that players share: made whole, under a name of its own, and never changed."""
    from referee.mail.box import post

    facts, head = _facts(desk, packet, mail), packet.head
    file = post(folder, f"{head.game[:8]}-{head.base}-{packet.end - 1}-{head.by}", facts["text"].encode())
    told = f"Written to {file}. {entries_from(head.base, packet.end)} for {desk.pact.pen}."
    return Answer([heading(look), told], lambda: facts | {"written": str(file)})


def entries_from(base: int, end: int) -> str:
    """Entries that are sent, or not sent yet, in words."""
    return f"{count_of(end - base, 'entry', 'entries')} ({span(base, end - 1)})" if end > base else "No new entry"


def _summary(look: Sitting, desk: Desk, packet: Packet) -> list[str]:
    """What happened, for people, in lines that fit a mail; secrets as everybody sees them."""
    seen, base, end = look.through(None), packet.head.base, packet.end
    told: list[Shown] = [heading(seen)]
    told += [_asked(look, desk, ask) for ask in packet.head.asks]
    told += [f"{part.by} gives a part of throw {part.cast}." for part in packet.head.parts]
    lines = [entry for entry in look.log.entries[base:end] if not isinstance(entry, SealEntry)]
    told += [Text(describe(seen, entry), indent=2) for entry in lines[-SHOWN:]]
    if len(lines) > SHOWN:
        told.insert(1, Text(f"{len(lines) - SHOWN} entries before these", indent=2))
    told += [f"{look.facts.names[seat]} is invited to sit at {seat}." for seat in desk.pact.to_join]
    told.append(f"Now {turn_told(seen.facts)}: {seen.sight.status}")
    told.append(f"{desk.pact.pen} has the pen. Save this mail and type: referee open FILE")
    return [*Screen(colour="never", width=COLUMNS).render(Answer(told, dict))[0], ""]


SHOWN = 30
"""Entries that a mail tells in words."""


def _asked(look: Sitting, desk: Desk, ask: Ask) -> str:
    """What is asked for beside the log, or agreed to."""
    what = offered(look, ask.offer)
    if any(one.by == desk.seat for one in ask.consents):
        return f"{desk.seat} agrees that {ask.by} is {what}."
    if desk.seat:
        return f"{desk.seat} offers {what}."
    if ask.recovery:
        return f"Who sends this comes back to {ask.by} with his recovery key, and asks for the pen."
    return f"Who sends this has no seat, and asks {what} at {ask.by}."


def _board(look: Sitting) -> list[str]:
    scene = look.facts.game.draw(look.through(None).sight.view)
    return [*Screen(colour="never", width=COLUMNS).render(Answer([scene], dict))[0], ""]
