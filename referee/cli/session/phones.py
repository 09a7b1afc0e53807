"""Phones that speak for their seats. Taps and typed words become commands of the shell, said by the phone's seat.

A request is a `PhoneRequest`. The answer is all that the phone then shows (`referee.cli.session.phone_view`). The link
alone decides the seat: everything that a phone writes comes after the options, so it cannot name another seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.bots.roster import list_bot_names
from referee.cli.answer import MOVED_ON, NO, NOT_UNDERSTOOD, OK, Answer, PendingAction
from referee.cli.arguments import split_dice
from referee.cli.context import Context
from referee.cli.game_view import find_bot_to_act
from referee.cli.main import answer_command_line_eagerly
from referee.cli.screen import Screen
from referee.cli.session.command_text import strip_program_names
from referee.cli.session.live_log import LiveLog
from referee.cli.session.phone_consent import OpenPhoneProposal, PhoneCommand
from referee.cli.session.phone_view import (
    collect_seats_and_bots,
    find_touch_meanings,
    make_action_builder,
    make_phone_view,
)
from referee.engine.event import Seat
from referee.gate import UnreadableError, convert_value
from referee.record.log.entry import PlayEntry
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session
from referee.serve.action_builder import PHRASE_SLOT, Tap

TOO_LATE = "The game has moved on; look at it, then try again."
MAX_TAPS = 100
"""The most taps in one phrase."""
TYPED_FACE = re.compile(r"[0-9A-Za-z][\w'.-]{0,40}")
"""A die, or the name of something drawn. It can never be an option."""
HINT_LINE = re.compile(
    r"^\s*(Next|Now|The rule|If you mean it)\b.*|^\s*(Or|For \S+): +referee .*"
    r"|   \S+ \S+, turn .*|\s+\(all[^()]*: legal\)"
)
"""Lines of an answer that are for a keyboard, or that the phone shows anyway."""
PHONE_COLUMNS = 1_000
"""The columns of lines for a phone, which breaks lines by itself."""
RequestKind = Literal[
    "look", "say", "words", "why", "roll", "clear", "undo", "redo", "correct", "amend", "reveal", "finish"
]
ConsentCommand = Literal["resign", "leaves", "sits", "switch", "agree", "refuse"]


class PhoneRequest(Struct, forbid_unknown_fields=True):
    """A question or a command from a phone."""

    do: RequestKind | ConsentCommand | Literal["bot"] = "look"
    on: int | None = None
    """The last entry that the phone shows, or None. If the log has grown since, no action is carried out."""
    taps: tuple[Tap, ...] = ()
    """The taps since the last action."""
    at: tuple[int, str] | None = None
    """The thing on the board that was touched last."""
    words: str = ""
    """Typed words: an action, or a move for `correct`. They are the changes for `amend`, and the winners for `finish`.
    They are the player for `sits`; for `leaves`, the bot, or "" for nobody; for `switch`, OPTION=VALUE.
    """
    place: Seat = ""
    """The seat for `sits`, or an empty one for `leaves`; "" for the phone's own seat."""
    faces: tuple[str, ...] = ()
    """The rolled dice."""
    number: int = 0
    """The number of the proposal that is agreed to or refused; for `correct`, the entry."""
    sure: bool = False
    """True if the player means it although something may have been overlooked."""


class PhoneRequestHandler:
    """The part of a server that carries out the requests of a game's phones, one at a time."""

    def __init__(self, session: Session) -> None:
        self._live_log = LiveLog(session, screened=False)
        self._asking = OpenPhoneProposal()
        self._bots = list_bot_names()
        """The names of all bots. They stay the same while this program runs, and a search takes long."""
        self._waiting: dict[Seat, tuple[int, PendingAction]] = {}
        """The action of a seat that waits for dice, with the last entry in force when it was said."""
        self._news: dict[Seat, list[str]] = {}
        """The sentences that each phone gets with the answer to its next request."""

    def __call__(self, seat: Seat, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carries out a request of a seat's phone, and returns all that the phone then shows."""
        try:
            parsed = convert_value(request, PhoneRequest)
            parsed = replace(parsed, faces=tuple(split_dice(" ".join(parsed.faces))))
            if not all(map(TYPED_FACE.fullmatch, parsed.faces)):
                raise UnreadableError("these are not dice")
            self._refresh()
        except UnreadableError:
            return {"code": NOT_UNDERSTOOD, "lines": ["This page is too old for this server; load it again."]}
        except Exception:  # the terminal tells the reason, which may name files
            return {"code": NO, "lines": ["The log cannot be read now; nothing was done."]}
        self._drop_outdated_action(seat)
        before = self._asking.open_proposal
        answer, taps = self._carry_out(seat, parsed)
        self._asking.drop_if_outdated(self._head)
        if self._asking.open_proposal is not before:
            answer["wake"] = True
        news = self._news.pop(seat, [])
        answer["lines"] = [*news, *answer.get("lines", ())]
        return {
            **make_phone_view(self._view_as(seat), taps, self._find_pending(seat), self._asking, self._bots),
            **answer,
        }

    # The state of the game

    def _refresh(self) -> None:
        """Reads entries that others recorded.

        A phone has not shown these entries yet. The number `on` in its next request tells this.
        """
        self._live_log.refresh()
        self._live_log.was_changed = False
        self._asking.drop_if_outdated(self._head)

    @property
    def _head(self) -> str:
        return self._live_log.session.head.hash

    def _view_as(self, seat: Seat) -> SeatView:
        return SeatView(self._live_log.session, seat)

    @property
    def _last_in_force(self) -> int:
        """The last entry in force. Unlike the last entry of the log, it stays the same after a note."""
        return self._live_log.session.in_force()[-1]

    def _find_pending(self, seat: Seat) -> PendingAction | None:
        at, pending = self._waiting.get(seat, (-1, None))
        return pending if at == self._last_in_force else None

    def _drop_outdated_action(self, seat: Seat) -> None:
        """Drops a seat's action that waits for dice if somebody has played or taken back since, and tells the phone."""
        at, pending = self._waiting.get(seat, (-1, None))
        if pending and at != self._last_in_force:
            del self._waiting[seat]
            self._tell([seat], f'The game has moved on, and "{pending.what}" no longer waits for dice.')

    # Requests

    def _carry_out(self, seat: Seat, request: PhoneRequest) -> tuple[dict[str, Any], Sequence[Tap]]:
        """Carries out a request. Returns the members of its answer, and the taps that the phone keeps."""
        moved = request.on != len(self._live_log.session.entries) - 1
        taps = tuple(tap for tap in request.taps[:MAX_TAPS] if tap.word)
        lost: list[str] = []
        if moved and request.on is not None:
            taps, lost = self._keep_possible_taps(seat, request.on, taps)
        if moved and request.do not in ("look", "agree", "refuse"):
            half_said = tuple(tap for tap in taps if request.do != "say" or tap.slot != PHRASE_SLOT)
            return {"code": MOVED_ON, "lines": [TOO_LATE, *lost]}, half_said
        if request.do == "look":
            self._tell([seat], *lost)
            return self._handle_touch(seat, taps, request) if request.at else ({}, taps)
        if request.do == "clear":
            self._waiting.pop(seat, None)
            return {}, ()
        answer = self._run_request(seat, request, taps)
        return answer, () if answer["code"] == OK or request.do != "say" else taps

    def _keep_possible_taps(self, seat: Seat, on: int, taps: Sequence[Tap]) -> tuple[tuple[Tap, ...], list[str]]:
        """Returns the taps that are still possible after new entries, and sentences about those that are not.

        Returns no taps and no sentences if the seat has played since.
        """
        since = self._live_log.session.entries[on + 1 :]
        if any(isinstance(entry, PlayEntry) and entry.by == seat for entry in since):
            return (), []
        kept = make_action_builder(self._view_as(seat), taps).taps
        lost = [tap.word for tap in taps[len(kept) :]]
        return kept, [f"The game has moved on, and this is no longer possible: {', '.join(lost)}."] if lost else []

    def _handle_touch(
        self, seat: Seat, taps: Sequence[Tap], request: PhoneRequest
    ) -> tuple[dict[str, Any], Sequence[Tap]]:
        """Handles a touch on the board. Returns the members of the answer, and the taps that the phone keeps.

        A touch with only one meaning adds a tap. If a touch has several meanings, the answer asks for the right one. If
        it has none, the answer says so.
        """
        assert request.at is not None
        look = self._view_as(seat)
        name, found = find_touch_meanings(look, taps, request.at)
        if len(found) == 1:
            return {}, (*taps, *found)
        if found:
            return {"here": {"name": name, "chips": [[tap.word, tap.slot, tap.word] for tap in found]}}, taps
        return {"code": NO, "lines": [f"No legal move now has to do with {name}."]}, taps

    def _run_request(self, seat: Seat, request: PhoneRequest, taps: Sequence[Tap]) -> dict[str, Any]:
        if request.do in ("agree", "refuse"):
            return self._answer_proposal(seat, request)
        if request.do == "bot":
            return self._resume_bot()
        command = self._make_command(seat, request, taps)
        if command is None:
            return {"code": NO, "lines": ["Something is still missing; go on tapping."]}
        answer = self._run(command.list_arguments(() if command.by else (seat,)))
        if answer.pending:
            self._waiting[seat] = self._last_in_force, answer.pending
        elif answer.code == OK and request.do != "why":
            self._waiting.pop(seat, None)
        if self._asking.propose(seat, command, self._head, answer):
            return {"code": OK, "lines": ["The others see your question on their phones."]}
        return self._describe_answer(seat, answer)

    def _resume_bot(self) -> dict[str, Any]:
        """Lets a stopped or broken bot go on. Any player here may ask for that, since a bot moves for no person."""
        if not find_bot_to_act(SeatView(self._live_log.session)):
            return {"code": NO, "lines": ["No bot is to move now."]}
        answer = self._run(["do"])
        trouble = answer.facts().get("trouble", " ".join(answer.complaint))
        return {"code": answer.code, "lines": [trouble] if trouble else []}

    def _make_command(self, seat: Seat, request: PhoneRequest, taps: Sequence[Tap]) -> PhoneCommand | None:
        """Returns the command for a request; None if the request does not say enough for a command."""
        match request.do:
            case "say":
                text = make_action_builder(self._view_as(seat), taps).action_text
                return PhoneCommand("do", (text + "!" * request.sure,), seat) if text else None
            case "words" | "why":
                name, words = ("do" if request.do == "words" else "why"), request.words + "!" * request.sure
                return PhoneCommand(name, (words,), seat) if request.words.strip() else None
            case "roll":
                return self._make_dice_command(seat, request.faces)
            case "correct":
                right = request.faces or tuple(filter(None, [request.words.strip()]))
                return PhoneCommand("correct", (str(request.number), *right), seat) if right else None
            case "undo" | "redo":
                return PhoneCommand(request.do, (), seat)
            case "resign":  # the phone itself asks if the player is sure
                return PhoneCommand(request.do, (), seat, sure=True)
            case "leaves" | "sits":
                return self._make_seat_command(seat, request)
            case "switch":
                return PhoneCommand("switch", tuple(request.words.split())) if request.words.strip() else None
            case "amend" | "finish":
                return PhoneCommand(request.do, (request.words,)) if request.words.strip() else None
        return PhoneCommand("reveal")

    def _make_seat_command(self, seat: Seat, request: PhoneRequest) -> PhoneCommand | None:
        """Returns the command by which a player takes or leaves a seat.

        Returns None if the request names a wrong seat or bot, or lacks the name of the new player. A phone can leave
        only its own seat. For a seat that is free, other players may choose the next player.
        """
        view, words = collect_seats_and_bots(self._view_as(seat), self._bots), request.words.strip()
        place = request.place or seat
        if request.do == "sits":
            return PhoneCommand("sits", (place, words)) if place in view["free"] and words else None
        is_allowed = place == seat or (place in view["free"] and bool(words))
        return PhoneCommand("leaves", (place,), bot=words) if is_allowed and words in ("", *view["bots"]) else None

    def _make_dice_command(self, seat: Seat, faces: Sequence[str]) -> PhoneCommand:
        """Returns the command that gives these dice to the seat's waiting action, or else to the game."""
        pending = self._find_pending(seat)
        if pending is None or pending.words_left is None:
            return PhoneCommand("roll", (*(_list_typed_faces(pending) if pending else ()), *faces), seat)
        return PhoneCommand("do", (pending.words_left,), seat, (*_list_typed_faces(pending), *faces))

    def _answer_proposal(self, seat: Seat, request: PhoneRequest) -> dict[str, Any]:
        """Carries out the request of a seat that agrees to a proposal, refuses it or withdraws it."""
        act: Callable[[Seat, int], Any] = self._asking.agree if request.do == "agree" else self._asking.drop
        proposal, player = act(seat, request.number), self._view_as(seat).facts.format_seat(seat)
        if proposal is None:
            return {"code": MOVED_ON, "lines": ["This question is closed: the game has moved on."]}
        others = [one for one in (proposal.seat, *proposal.needs) if one != seat]
        if request.do == "refuse":
            self._tell(others, f"{player} {'takes the question back' if seat == proposal.seat else 'does not agree'}.")
            return {"code": OK, "lines": []}
        if proposal.seats_yet_to_agree:
            return {"code": OK, "lines": [], "wake": True}
        consent = proposal.needs if proposal.command.by else (proposal.seat, *proposal.needs)
        with self._live_log.session.allow_only(proposal.hash):
            answer = self._run_without_answers(proposal.command.list_arguments(consent))
        facts = self._describe_answer(proposal.seat, self._record_answers(answer))
        is_done = facts["code"] == OK
        agreed = f"All have agreed{'' if is_done else ', but it cannot be done'}."
        self._tell(others, agreed)
        if not is_done:  # the reason may be a secret of the player who asked
            self._tell([proposal.seat], *facts["lines"])
        return {"code": facts["code"], "lines": [agreed], "wake": True}

    def _tell(self, seats: Sequence[Seat], *words: str) -> None:
        for seat in seats:
            self._news.setdefault(seat, []).extend(words)

    def _run(self, arguments: Sequence[str]) -> Answer:
        """Runs a command, and records the forced answers of the players here after it."""
        return self._record_answers(self._run_without_answers(arguments))

    def _record_answers(self, answer: Answer) -> Answer:
        """Records the forced answers of the players here if a command succeeded.

        `answer` is the answer to that command, and is returned unchanged.
        """
        look = SeatView(self._live_log.session)
        while look.facts.asked_seat and look.facts.asked_seat in look.facts.vault_seats and answer.code == OK:
            if self._run_without_answers(["answer"]).code != OK:
                break
            look = look.at_present()
        return answer

    def _run_without_answers(self, arguments: Sequence[str]) -> Answer:
        context = Context(self._live_log, Screen(colour="never", width=PHONE_COLUMNS))
        answer = answer_command_line_eagerly(
            ["--color", "never", "--width", str(PHONE_COLUMNS), "-g", self._path, *arguments], context
        )
        if answer.code == MOVED_ON:
            self._live_log.read_again()
        return answer

    @property
    def _path(self) -> str:
        return str(self._live_log.session.path)

    def _describe_answer(self, seat: Seat, answer: Answer) -> dict[str, Any]:
        """Returns the code and the lines of an answer for a phone, and whether it is a doubt.

        Lines that the phone shows anyway are left out. Rules that a refused action breaks are quoted.
        """
        facts = answer.facts()
        facts = facts if isinstance(facts, dict) else {}
        verdict = facts.get("stopped", facts).get("verdict")
        rows, complaint, code = Screen(colour="never", width=PHONE_COLUMNS).render(strip_program_names(answer))
        look = self._view_as(seat)
        if answer.pending:  # the dice that are asked for are shown by themselves
            complaint, code = [], OK
        lines = [
            HINT_LINE.sub("", row).strip()
            for row in [*rows, *complaint]
            if not row.startswith(f"{look.facts.game.name} ")
        ]
        refused = [refusal.rule for one in facts.get("actions", ()) for refusal in one["refusals"]]
        known = look.facts.game.rulebook.rules
        rules = [f"{rule}: {known[rule].says}" for rule in dict.fromkeys(refused) if rule in known]
        return {"code": code, "lines": [*filter(None, lines), *rules], "doubt": verdict == "doubted"}


def _list_typed_faces(pending: PendingAction) -> tuple[str, ...]:
    """Returns all faces that were typed for a waiting action."""
    return (*pending.earlier_faces, *pending.held)
