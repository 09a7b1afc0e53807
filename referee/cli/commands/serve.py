"""`referee serve`: shows the board, and a view for each seat, in browsers."""

from __future__ import annotations

import asyncio
import errno
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import QUIT_WORDS, RunOption, parse_seat
from referee.cli.context import Context
from referee.cli.errors import MisuseError, format_sentence
from referee.cli.game_view import list_bot_seats, list_human_seats
from referee.cli.output import clear_terminal
from referee.cli.saved_links import TABLE_LINK, SavedLinks, read_links, save_links
from referee.cli.turn_hook import TurnHook, make_turn_hook
from referee.engine.text import listing
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from socket import socket

    from referee.record.table.session import Session
    from referee.serve.game_room import GameRoom
    from referee.serve.links import Links

TYPED_COMMANDS = 'Type "new SEAT" to replace a link, or "links" to see them. To stop, press Ctrl-C or type "quit".'
NO_TABLE = "Moves are made in another terminal, or on phones with --play. Here you can only ask for links."
MAX_PORT = 65535
LINKS_NOT_SAVED = "The links could not be saved, so they end when the server stops."
NOT_ENCRYPTED = "The connection is plain http: anyone in this network can read along, links and secrets included."


def serve(
    ctx: typer.Context,
    log: Annotated[
        str | None, Argument(metavar="[LOG]", help="The log of the game; default: the current game.")
    ] = None,
    lan: Annotated[bool, Option("--lan", help="Also serve phones in this network.")] = False,
    play: Annotated[bool, Option("--play", help="Let phones move for their seats.")] = False,
    port: Annotated[int | None, Option("--port", metavar="N", help="The port; default: any free one.")] = None,
    new_links: Annotated[bool, Option("--new-links", help="Make new links; those of last time stop working.")] = False,
    run: RunOption = None,
) -> Answer:
    """Show the board live in browsers: one link for the table, one for each seat. Ctrl-C stops it.

    \b
      referee serve                 referee serve --lan
      referee serve --lan --play    referee serve GAME.jsonl --port 8080
      referee serve --new-links     referee serve --run "paplay bell.oga"

    The table link shows the public view, a seat's link what this seat may see. Anyone who has a link can see its view.
    To replace a link, type "new SEAT". To see the links again, type "SEAT" or "links".

    The links of a game stay the same when you serve it again, so phones come back by themselves.

    --run starts a program of yours each time another player has to move, or once a pace is over. It gets the public
    facts as JSON on its stdin.
    """
    context: Context = ctx.obj
    if context.when is not None:
        raise MisuseError(
            "referee serve shows only the end of a game; make a branch at that entry, then serve the branch"
        )
    if context.live_log:
        raise MisuseError("you are in a session; leave it first, or serve from another terminal")
    if port is not None and not 0 < port <= MAX_PORT:
        raise MisuseError(f"--port takes a number from 1 to {MAX_PORT}")
    if context.log == "-" or log == "-":
        raise MisuseError("a piped game never changes; save it to a file first, or make a page of it")
    context.log = log or context.log
    return _serve_game(context, make_turn_hook(context, run), ServeOptions(lan, play, port, new_links))


class ServeOptions(NamedTuple):
    """The options of the command."""

    lan: bool
    """True if phones in the network are served, too."""
    play: bool
    """True if phones may move."""
    port: int | None
    """The wanted port; None for that of last time, or any free one."""
    new_links: bool
    """True if the links of last time must not work any more."""


def _find_address() -> str:
    """Returns the address of this computer in its network. Raises NotAllowedError if it is in none."""
    from referee.serve.server import find_own_address

    address = find_own_address()
    if address is None:
        raise NotAllowedError("this computer is not in a network; to serve only here, leave out --lan")
    return address


def _open_sockets(addresses: Sequence[str], port: int) -> list[socket]:
    """Returns sockets that listen at these addresses. Raises NotAllowedError if the port cannot be used."""
    from referee.serve.server import open_sockets

    try:
        return open_sockets(addresses, port)
    except OSError as error:
        raise NotAllowedError(_explain_failure(error, port)) from error


def _reopen_sockets(addresses: Sequence[str], port: int | None, last: SavedLinks | None) -> list[socket]:
    """Returns sockets at the wanted port, else at that of last time if it is free, else at any.

    Raises NotAllowedError if the wanted port cannot be used.
    """
    if port is None and last:
        with suppress(NotAllowedError):
            return _open_sockets(addresses, last.port)
    return _open_sockets(addresses, port or 0)


def _serve_game(context: Context, hook: TurnHook | None, wishes: ServeOptions) -> Answer:
    from referee.cli.log_file import WatchedLogFile
    from referee.cli.session.phones import PhoneRequestHandler
    from referee.serve.game_room import GameRoom
    from referee.serve.links import Links
    from referee.serve.server import LOCALHOST

    context.records = wishes.play
    session = context.open_session()
    look = SeatView(session)
    if session.letter or session.ends:
        raise NotAllowedError(
            "this log has several ends; first choose one: referee merge"
            if session.ends
            else "mail has changed this file; first take the log out: referee use FILE -o LOG"
        )
    address = _find_address() if wishes.lan else LOCALHOST
    gc.enable()  # the server runs longer than a command
    last = None if wishes.new_links else read_links(session.public.id)
    sockets = _reopen_sockets(list(dict.fromkeys([LOCALHOST, address])), wishes.port, last)
    links = Links(list_human_seats(look), last.index_tokens_by_eyes() if last else None)
    at = ServedLinks(session.public.id, links, address, sockets[0].getsockname()[1])
    if hook:
        hook.note_turn(look)
    served = WatchedLogFile(session, context.show_problem, _tell_turns(hook, session))
    room = GameRoom(served, served.last_reading, PhoneRequestHandler(session) if wishes.play else None)
    told = _ServeMessages(context, look, at, wishes, last)
    context.show_part(told.make_opening_answer())
    _run_server(context, room, sockets, told, _follow_pace(hook, session) if hook else None)
    return Answer(["The server has stopped."], lambda: {"served": False})


def _tell_turns(hook: TurnHook | None, session: Session) -> Callable[[SeatView], None]:
    """Returns a function that tells the hook who has to act, and by mail also the seat of this computer."""
    if hook is None:
        return lambda _: None
    if session.public.protocol is None:
        return hook.run_if_turn_changed
    from referee.mail.seats import find_own_seat, get_mail_protocol  # most served games are no games by mail

    def report_turn(look: SeatView) -> None:
        own = None
        with suppress(KeyProblemError):  # a key that cannot be read stops no board
            own = find_own_seat(get_mail_protocol(look.session))
        hook.run_if_turn_changed(look, own)

    return report_turn


async def _follow_pace(hook: TurnHook, session: Session) -> None:
    """Tells the hook when the game has waited longer than its pace."""
    if not session.public.header.pace:
        return
    from referee.cli.mail.pace_watch import SECONDS_BETWEEN_CHECKS, PaceWatch

    watch = PaceWatch(hook, session.path)
    while True:
        await asyncio.to_thread(watch.report_overdue_waits)
        await asyncio.sleep(SECONDS_BETWEEN_CHECKS)


def _run_server(
    context: Context,
    room: GameRoom,
    sockets: list[socket],
    told: _ServeMessages,
    paces: Coroutine[None, None, None] | None,
) -> None:
    """Runs the server and answers typed lines until somebody stops it. `paces` runs beside it."""
    from referee.serve.app import make_app
    from referee.serve.server import GameServer, list_host_names, serve_new_addresses
    from referee.serve.server import serve_room as run

    hosts = list_host_names(sockets)
    server = GameServer(make_app(room, told.at.links, hosts), room)

    def answer_typed_line(line: str) -> None:
        if line.lower() in QUIT_WORDS:
            server.should_exit = True
            return
        context.show_part(told.answer(line))
        room.wake_viewers()

    async def run_all() -> None:
        beside = [paces] if paces else []
        if told.wishes.lan:
            beside += [
                serve_new_addresses(
                    server, hosts, told.at.port, lambda address: context.show_part(told.change_address(address))
                )
            ]
        tasks = [asyncio.create_task(one) for one in beside]
        try:
            await run(server, room, sockets, answer_typed_line)
        finally:
            for task in tasks:
                task.cancel()

    with suppress(KeyboardInterrupt):
        asyncio.run(run_all())


def _explain_failure(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; to take any free one, leave out --port"
    if error.errno == errno.EACCES:
        return f"port {port} needs special rights; take one above 1023"
    return f"the server cannot start: {error.strerror or error}"


class ServedLinks:
    """The links of a served game, and the address and port in them. They are kept for the next time."""

    def __init__(self, game_id: str, links: Links, address: str, port: int) -> None:
        self._game_id, self.links, self.address, self.port = game_id, links, address, port
        self.is_kept = self.save()
        """True if the links last longer than the server."""

    def save(self) -> bool:
        """Keeps the links. Returns False if the disk does not take them."""
        return save_links(self._game_id, self.links, self.address, self.port)

    def renew_link(self, eyes: str | None) -> None:
        """Withdraws the link of a seat, or of the table (None), for good, and makes a new one."""
        self.links.renew(eyes)
        self.is_kept = self.save()

    def change_address(self, address: str) -> None:
        """Names another address in all links."""
        self.address = address
        self.is_kept = self.save()

    def format_link(self, eyes: str | None) -> str:
        """Returns the link of a seat, or of the table (None)."""
        return f"http://{self.address}:{self.port}/{self.links.by_eyes[eyes].token}"


class _ServeMessages:
    """The messages in the terminal while a game is served."""

    def __init__(
        self, context: Context, look: SeatView, at: ServedLinks, wishes: ServeOptions, last: SavedLinks | None
    ) -> None:
        """`last` are the links of the last time; None if all are new."""
        self._context, self._look, self.at, self.wishes, self._last = context, look, at, wishes, last
        self._at_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not context.screen.json
        self._is_shown = False
        """True if the screen shows a link that others must not see."""

    def make_opening_answer(self) -> Answer:
        """Returns all links, and notes about them."""
        return Answer(
            self._describe_start(), lambda: {**self._collect_facts(), "lan": self.wishes.lan, "play": self.wishes.play}
        )

    def change_address(self, address: str) -> Answer:
        """Names a new address of this computer in the links, and returns them."""
        self.at.change_address(address)
        told = f"This computer has a new address, {address}. Phones that do not come back need the link again:"
        return Answer([told, *self._list_links()], self._collect_facts)

    def answer(self, line: str) -> Answer:
        """Returns the answer to a line typed while the server runs: links, a new link, or help."""
        self._clear()
        word, _, name = line.partition(" ")
        if line in ("", "links"):
            return Answer(self._list_links() if line else [], self._collect_facts)
        renews = word == "new" and bool(name)
        try:
            eyes = self._parse_eyes(name if renews else line)
        except MisuseError as error:
            told = f"{format_sentence(str(error))} {'' if renews else f'{NO_TABLE} '}{TYPED_COMMANDS}"
            return Answer([told], lambda: {"message": told})
        if renews:
            self.at.renew_link(eyes)
        old = ["The old link no longer works."] if renews else []
        old += [LINKS_NOT_SAVED] if renews and not self.at.is_kept else []
        return Answer([*old, *self._describe_link(eyes), *self._mention_clearing(eyes)], self._collect_facts)

    def _parse_eyes(self, name: str) -> str | None:
        """Returns the seat of the named link; None for the table's. Raises MisuseError if there is no such link."""
        eyes = None if name == TABLE_LINK else parse_seat(name.strip(), self._look.facts.names)
        if eyes not in self.at.links.by_eyes:
            raise MisuseError(f"there is no link for {eyes}")
        return eyes

    def _describe_start(self) -> Iterator[AnswerLine]:
        whose = "phones in this network" if self.wishes.lan else "this computer only; for phones, add --lan"
        yield Text(f"{self._look.facts.game.title} is served to {whose}.", "bold")
        yield from self._list_links()
        if self._last:
            yield self._compare_with_last(self._last)
        if not self.at.is_kept:
            yield LINKS_NOT_SAVED
        if self.wishes.lan:
            yield NOT_ENCRYPTED
        yield f"Anyone who has a link can see its view. {TYPED_COMMANDS}"
        bots = list_bot_seats(self._look)
        if bots:
            yield f"No link for {listing(sorted(bots))}: a bot plays there."
        away = [seat for seat in self._look.facts.seats if seat not in self._look.facts.playable_seats]
        if away:
            yield f"No link for {listing(away)}: their secrets are not on this computer."

    def _compare_with_last(self, last: SavedLinks) -> str:
        """Returns a line that says if phones that were here last time find the server again."""
        if (last.address, last.port) == (self.at.address, self.at.port):
            return "These are the links of last time, so phones come back by themselves. To make new links: --new-links"
        what = "address" if last.address != self.at.address else "port"
        return f"The {what} has changed since last time, so phones need the link again."

    def _list_links(self) -> Iterator[AnswerLine]:
        for eyes in self.at.links.by_eyes:
            if self._is_private(eyes):
                name = self._look.facts.format_seat(str(eyes))
                yield f"{name}: for the link, type {eyes} when nobody else looks; Enter clears the screen."
            else:
                yield from self._describe_link(eyes)

    def _is_private(self, eyes: str | None) -> bool:
        """True if others at this screen must not see the link of a seat, since it shows secrets."""
        return self._at_terminal and eyes in self._look.facts.keepers

    def _mention_clearing(self, eyes: str | None) -> Iterator[AnswerLine]:
        self._is_shown = self._is_private(eyes)
        if self._is_shown:
            yield "Enter clears the screen."

    def _clear(self) -> None:
        if self._is_shown:
            clear_terminal()
        self._is_shown = False

    def _describe_link(self, eyes: str | None) -> Iterator[AnswerLine]:
        link = self.at.format_link(eyes)
        yield Text(f"{TABLE_LINK if eyes is None else self._look.facts.format_seat(eyes)}  {link}", is_unwrapped=True)
        if self.wishes.lan:
            yield from self._draw_code(link)

    def _draw_code(self, link: str) -> Iterator[AnswerLine]:
        from referee.cli.qr_code_text import draw_qr_code

        return draw_qr_code(link, self._context.screen)

    def _collect_facts(self) -> Mapping[str, Any]:
        return {"links": {eyes or TABLE_LINK: self.at.format_link(eyes) for eyes in self.at.links.by_eyes}}
