"""`referee serve`: the board in the room, and a view for each seat, in browsers."""

from __future__ import annotations

import asyncio
import errno
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, sentence
from referee.cli.look import bots_of, people_of
from referee.cli.screen import CLEAR
from referee.cli.typed import LEAVING, seat_of
from referee.engine.text import listing
from referee.record.log.faults import NotAllowedError
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from socket import socket

    from referee.serve.links import Links

TYPED = 'Type "new SEAT" to withdraw one and make another, "links" to see them; Ctrl-C or "quit" ends it.'
NO_TABLE = "What is played is said in another terminal, or on phones with --play; here only links are asked for."
TABLE = "table"
"""How the link of the table is called."""
MOST_PORT = 65535
OVERHEARD = "It is plain http: whoever is in this network can overhear it, links and secrets."


def serve(
    ctx: typer.Context,
    log: Annotated[str | None, Argument(metavar="[LOG]", help="The log of the game; the current one.")] = None,
    lan: Annotated[bool, Option("--lan", help="For phones in this network, too.")] = False,
    play: Annotated[bool, Option("--play", help="Phones may speak for their seats.")] = False,
    port: Annotated[int | None, Option("--port", metavar="N", help="The port; else any that is free.")] = None,
) -> Answer:
    """Show the board in browsers, live: one link for the table, one for each seat. Ctrl-C ends it.

    \b
      referee serve                 referee serve --lan
      referee serve --lan --play    referee serve GAME.jsonl --port 8080

    The table sees what everybody may know, a seat what that seat may: who has a link sees what it shows. Type
    "new SEAT" to withdraw a link and make another, "SEAT" or "links" to see them again.
    """
    context: Context = ctx.obj
    if context.when is not None:
        raise MisuseError("a game is served as it stands; branch at that entry, then serve the branch")
    if context.resident:
        raise MisuseError("a session is a terminal of its own; leave it first, or serve from another one")
    if port is not None and not 0 < port <= MOST_PORT:
        raise MisuseError(f"a port is a number from 1 to {MOST_PORT}")
    if context.log == "-" or log == "-":
        raise MisuseError("a game that is piped in never changes; save it to a file first, or make a page of it")
    context.log = log or context.log
    return _served(context, lan=lan, play=play, port=port or 0)


def _address() -> str:
    """The address of this computer in its network; NotAllowedError where it is in none."""
    from referee.serve.server import address_here

    address = address_here()
    if address is None:
        raise NotAllowedError("this computer is in no network; without --lan the board is served to itself")
    return address


def _listening(addresses: Sequence[str], port: int) -> list[socket]:
    """Sockets that listen at these addresses; NotAllowedError where that is not possible."""
    from referee.serve.server import listen

    try:
        return listen(addresses, port)
    except OSError as error:
        raise NotAllowedError(_why_not(error, port)) from error


def _tell_trouble(context: Context, words: str) -> None:
    context.tell(Answer([words], lambda: {"trouble": words}))


def _served(context: Context, *, lan: bool, play: bool, port: int) -> Answer:
    from referee.cli.served import Served
    from referee.cli.session.phones import Phones
    from referee.serve.app import app_of
    from referee.serve.links import Links
    from referee.serve.room import Room
    from referee.serve.server import HERE, Server, hosts_at
    from referee.serve.server import serve as run

    session = context.session()
    look = Sitting(session)
    if session.letter:
        raise NotAllowedError("mail has changed this file; take the log out first: referee use FILE -o LOG")
    address = _address() if lan else None
    gc.enable()  # it lives longer than a command
    sockets = _listening([HERE, *([address] if address else [])], port)
    links = Links(people_of(look))
    at = f"http://{address or HERE}:{sockets[0].getsockname()[1]}"
    served = Served(session, partial(_tell_trouble, context))
    room = Room(served, served.reading, Phones(session) if play else None)
    told = _Told(context, look, links, at, lan=lan, play=play)
    context.tell(told.begin())
    server = Server(app_of(room, links, hosts_at(sockets)), room)

    def typed(line: str) -> None:
        if line.lower() in LEAVING:
            server.should_exit = True
            return
        context.tell(told.answer(line))
        room.tell()

    with suppress(KeyboardInterrupt):
        asyncio.run(run(server, room, sockets, typed))
    return Answer(["Nothing is served any more."], lambda: {"served": False})


def _why_not(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken; leave --port out, and any that is free is taken"
    if error.errno == errno.EACCES:
        return f"port {port} is not for everybody; take one above 1023"
    return f"nothing can be served here: {error.strerror or error}"


class _Told:
    """What is told in the terminal while a game is served."""

    def __init__(self, context: Context, look: Sitting, links: Links, at: str, *, lan: bool, play: bool) -> None:
        self._context, self._look, self._links, self._at = context, look, links, at
        self._lan, self._play = lan, play
        self._at_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not context.screen.json
        self._is_shown = False
        """Whether something stands on the screen that others must not see."""

    def begin(self) -> Answer:
        """All links, and what there is to know about them."""
        return Answer(self._beginning(), lambda: {**self._facts(), "lan": self._lan, "play": self._play})

    def answer(self, line: str) -> Answer:
        """What comes of a line that is typed meanwhile."""
        self._clear()
        word, _, name = line.partition(" ")
        if line in ("", "links"):
            return Answer(self._all() if line else [], self._facts)
        renews = word == "new" and bool(name)
        try:
            eyes = self._eyes(name if renews else line)
        except MisuseError as error:
            told = f"{sentence(str(error))} {'' if renews else f'{NO_TABLE} '}{TYPED}"
            return Answer([told], lambda: {"message": told})
        if renews:
            self._links.renew(eyes)
        old = ["The old link shows nothing any more."] if renews else []
        return Answer([*old, *self._one(eyes), *self._to_clear(eyes)], self._facts)

    def _eyes(self, name: str) -> str | None:
        """Whose link is named; MisuseError."""
        eyes = None if name == TABLE else seat_of(name.strip(), self._look.facts.names)
        if eyes not in self._links.all:
            raise MisuseError(f"there is no link for {eyes}")
        return eyes

    def _beginning(self) -> Iterator[Shown]:
        whose = "phones in this network" if self._lan else "this computer alone; for phones: --lan"
        yield Text(f"{self._look.facts.game.title} is served to {whose}.", "bold")
        yield from self._all()
        if self._lan:
            yield OVERHEARD
        yield f"Who has a link sees what it shows. {TYPED}"
        bots = bots_of(self._look)
        if bots:
            yield f"No link for {listing(sorted(bots))}: a bot plays there."
        away = [seat for seat in self._look.facts.seats if seat not in self._look.facts.players]
        if away:
            yield f"No link for {listing(away)}: what is secret there is not kept on this computer."

    def _all(self) -> Iterator[Shown]:
        for eyes in self._links.all:
            if self._is_private(eyes):
                name = self._look.facts.player(str(eyes))
                yield f"{name}: when nobody else looks, type {eyes}, and Enter clears it."
            else:
                yield from self._one(eyes)

    def _is_private(self, eyes: str | None) -> bool:
        """Whether others at this screen must not see a link."""
        return self._at_terminal and eyes in self._look.facts.keepers

    def _to_clear(self, eyes: str | None) -> Iterator[Shown]:
        self._is_shown = self._is_private(eyes)
        if self._is_shown:
            yield "Enter clears the screen."

    def _clear(self) -> None:
        if self._is_shown:
            sys.stdout.write(CLEAR)
        self._is_shown = False

    def _one(self, eyes: str | None) -> Iterator[Shown]:
        link = self._link(eyes)
        yield Text(f"{TABLE if eyes is None else self._look.facts.player(eyes)}  {link}", whole=True)
        if self._lan:
            yield from self._code(link)

    def _code(self, link: str) -> Iterator[Shown]:
        from referee.serve.codes import code_of

        screen = self._context.screen
        rows = code_of(link, ascii_only=screen.ascii)
        if len(rows[0]) > screen.width:
            yield Text(f"Its QR code needs {len(rows[0])} columns.", indent=2)
        else:
            yield from (Text(row, "code", whole=True) for row in rows)

    def _link(self, eyes: str | None) -> str:
        return f"{self._at}/{self._links.all[eyes].token}"

    def _facts(self) -> Mapping[str, Any]:
        return {"links": {eyes or TABLE: self._link(eyes) for eyes in self._links.all}}
