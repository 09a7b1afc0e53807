"""Phones that speak for their seats. Taps and typed words become commands of the shell, said by the phone's seat.

A request is a `PhoneRequest`. The answer is all that the phone then shows (`referee.cli.session.phone_view`). The link
alone decides the seat: everything that a phone writes comes after the options, so it cannot name another seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.bots.roster import bot_names
from referee.cli.answer import MOVED_ON, NO, NOT_UNDERSTOOD, OK, Answer, Pending
from referee.cli.arguments import split_dice
from referee.cli.context import Context
from referee.cli.game_view import bot_to_act
from referee.cli.main import whole_answer_to
from referee.cli.screen import Screen
from referee.cli.session.command_text import without_program_name
from referee.cli.session.live_log import LiveLog
from referee.cli.session.phone_consent import PhoneCommand, PhoneConsent
from referee.cli.session.phone_view import action_builder_for, phone_view, seats_view, targets_at
from referee.engine.event import Seat
from referee.record.log.entry import PlayEntry
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session
from referee.serve.action_builder import PHRASE, Tap

TOO_LATE = "The game has moved on; look at it, then try again."
MAX_TAPS = 100
"""The most taps in one phrase."""
FACE = re.compile(r"[0-9A-Za-z][\w'.-]{0,40}")
"""A die, or the name of something drawn. It can never be an option."""
HINT = re.compile(
    r"^\s*(Next|Now|The rule|If you mean it)\b.*|^\s*(Or|For \S+): +referee .*"
    r"|   \S+ \S+, turn .*|\s+\(all[^()]*: legal\)"
)
"""Lines of an answer that are for a keyboard, or that the phone shows anyway."""
WIDE = 1_000
"""The columns of lines for a phone, which breaks lines by itself."""
What = Literal["look", "say", "words", "why", "roll", "clear", "undo", "redo", "correct", "amend", "reveal", "finish"]
Consent = Literal["resign", "leaves", "sits", "switch", "agree", "refuse"]


class PhoneRequest(Struct, forbid_unknown_fields=True):
    """A question or a command from a phone."""

    do: What | Consent | Literal["bot"] = "look"
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


class Phones:
    """All phones of a game. It carries out one request at a time."""

    def __init__(self, session: Session) -> None:
        self._live_log = LiveLog(session, screened=False)
        self._asking = PhoneConsent()
        self._bots = bot_names()
        """The names of all bots. They stay the same while this program runs, and a search takes long."""
        self._waiting: dict[Seat, tuple[int, Pending]] = {}
        """The action of a seat that waits for dice, with the last entry in force when it was said."""
        self._news: dict[Seat, list[str]] = {}
        """The sentences that each phone gets with the answer to its next request."""

    def __call__(self, seat: Seat, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carries out a request of a seat's phone, and returns all that the phone then shows."""
        try:
            asked = msgspec.convert(request, PhoneRequest)
            asked = replace(asked, faces=tuple(split_dice(" ".join(asked.faces))))
            if not all(map(FACE.fullmatch, asked.faces)):
                raise msgspec.ValidationError("these are not dice")
            self._refresh()
        except msgspec.ValidationError:
            return {"code": NOT_UNDERSTOOD, "lines": ["The page is another one than the server's; load it again."]}
        except Exception:  # the terminal tells the reason, which may name files
            return {"code": NO, "lines": ["The log cannot be read now; nothing was done."]}
        self._drop_throw(seat)
        before = self._asking.open_proposal
        told, taps = self._carry_out(seat, asked)
        self._asking.lapse(self._head)
        if self._asking.open_proposal is not before:
            told["wake"] = True
        news = self._news.pop(seat, [])
        told["lines"] = [*news, *told.get("lines", ())]
        return {**phone_view(self._look(seat), taps, self._pending(seat), self._asking, self._bots), **told}

    # The state of the game

    def _refresh(self) -> None:
        """Reads entries that others recorded. No request fails because of them: `on` tells if a phone knows them."""
        self._live_log.refresh()
        self._live_log.was_changed = False
        self._asking.lapse(self._head)

    @property
    def _head(self) -> str:
        return self._live_log.session.head.hash

    def _look(self, seat: Seat) -> SeatView:
        return SeatView(self._live_log.session, seat)

    @property
    def _last_in_force(self) -> int:
        """The last entry in force. Unlike the last entry of the log, it stays the same after a note."""
        return self._live_log.session.in_force()[-1]

    def _pending(self, seat: Seat) -> Pending | None:
        at, pending = self._waiting.get(seat, (-1, None))
        return pending if at == self._last_in_force else None

    def _drop_throw(self, seat: Seat) -> None:
        """Drops a seat's action that waits for dice if somebody has played or taken back since, and tells the phone."""
        at, pending = self._waiting.get(seat, (-1, None))
        if pending and at != self._last_in_force:
            del self._waiting[seat]
            self._tell([seat], f'The game has moved on, and "{pending.what}" no longer waits for dice.')

    # Requests

    def _carry_out(self, seat: Seat, asked: PhoneRequest) -> tuple[dict[str, Any], Sequence[Tap]]:
        """Carries out a request. Returns the members of its answer, and the taps that the phone keeps."""
        moved = asked.on != len(self._live_log.session.entries) - 1
        taps = tuple(tap for tap in asked.taps[:MAX_TAPS] if tap.word)
        lost: list[str] = []
        if moved and asked.on is not None:
            taps, lost = self._possible_taps(seat, asked.on, taps)
        if moved and asked.do not in ("look", "agree", "refuse"):
            half_said = tuple(tap for tap in taps if asked.do != "say" or tap.of != PHRASE)
            return {"code": MOVED_ON, "lines": [TOO_LATE, *lost]}, half_said
        if asked.do == "look":
            self._tell([seat], *lost)
            return self._touch(seat, taps, asked) if asked.at else ({}, taps)
        if asked.do == "clear":
            self._waiting.pop(seat, None)
            return {}, ()
        told = self._run_request(seat, asked, taps)
        return told, () if told["code"] == OK or asked.do != "say" else taps

    def _possible_taps(self, seat: Seat, on: int, taps: Sequence[Tap]) -> tuple[tuple[Tap, ...], list[str]]:
        """Returns the taps that are still possible after new entries, and sentences about those that are not.

        Returns no taps and no sentences if the seat has played since.
        """
        since = self._live_log.session.entries[on + 1 :]
        if any(isinstance(entry, PlayEntry) and entry.by == seat for entry in since):
            return (), []
        kept = action_builder_for(self._look(seat), taps).taps
        lost = [tap.word for tap in taps[len(kept) :]]
        return kept, [f"The game has moved on, and this is no longer possible: {', '.join(lost)}."] if lost else []

    def _touch(self, seat: Seat, taps: Sequence[Tap], asked: PhoneRequest) -> tuple[dict[str, Any], Sequence[Tap]]:
        """Handles a touch on the board: adds a tap if the touch has only one meaning, otherwise asks which is meant."""
        assert asked.at is not None
        look = self._look(seat)
        name, found = targets_at(look, taps, asked.at)
        if len(found) == 1:
            return {}, (*taps, *found)
        if found:
            return {"here": {"name": name, "chips": [[tap.word, tap.of, tap.word] for tap in found]}}, taps
        return {"code": NO, "lines": [f"No legal move now has to do with {name}."]}, taps

    def _run_request(self, seat: Seat, asked: PhoneRequest, taps: Sequence[Tap]) -> dict[str, Any]:
        if asked.do in ("agree", "refuse"):
            return self._answer_proposal(seat, asked)
        if asked.do == "bot":
            return self._let_go_on()
        deed = self._command_for(seat, asked, taps)
        if deed is None:
            return {"code": NO, "lines": ["Something is still missing; go on tapping."]}
        answer = self._run(deed.arguments(() if deed.by else (seat,)))
        if answer.pending:
            self._waiting[seat] = self._last_in_force, answer.pending
        elif answer.code == OK and asked.do != "why":
            self._waiting.pop(seat, None)
        if self._asking.propose(seat, deed, self._head, answer):
            return {"code": OK, "lines": ["The others see your question on their phones."]}
        return self._facts_for_phone(seat, answer)

    def _let_go_on(self) -> dict[str, Any]:
        """Lets a stopped or broken bot go on. Any player here may do that, since it moves for no person."""
        if not bot_to_act(SeatView(self._live_log.session)):
            return {"code": NO, "lines": ["No bot is to move now."]}
        answer = self._run(["do"])
        trouble = answer.facts().get("trouble", " ".join(answer.complaint))
        return {"code": answer.code, "lines": [trouble] if trouble else []}

    def _command_for(self, seat: Seat, asked: PhoneRequest, taps: Sequence[Tap]) -> PhoneCommand | None:
        """Returns the command for a request; None if its taps or words are not an action yet."""
        match asked.do:
            case "say":
                said = action_builder_for(self._look(seat), taps).action_text
                return PhoneCommand("do", (said + "!" * asked.sure,), seat) if said else None
            case "words" | "why":
                name, words = ("do" if asked.do == "words" else "why"), asked.words + "!" * asked.sure
                return PhoneCommand(name, (words,), seat) if asked.words.strip() else None
            case "roll":
                return self._command_with_faces(seat, asked.faces)
            case "correct":
                right = asked.faces or tuple(filter(None, [asked.words.strip()]))
                return PhoneCommand("correct", (str(asked.number), *right), seat) if right else None
            case "undo" | "redo":
                return PhoneCommand(asked.do, (), seat)
            case "resign":  # the phone itself asks if the player is sure
                return PhoneCommand(asked.do, (), seat, sure=True)
            case "leaves" | "sits":
                return self._command_about_seat(seat, asked)
            case "switch":
                return PhoneCommand("switch", tuple(asked.words.split())) if asked.words.strip() else None
            case "amend" | "finish":
                return PhoneCommand(asked.do, (asked.words,)) if asked.words.strip() else None
        return PhoneCommand("reveal")

    def _command_about_seat(self, seat: Seat, asked: PhoneRequest) -> PhoneCommand | None:
        """Returns the command by which a player comes or goes; None if it names a wrong seat or bot, or no player.

        A phone leaves only its own seat. Others may choose the next player of a seat that is free.
        """
        view, words = seats_view(self._look(seat), self._bots), asked.words.strip()
        place = asked.place or seat
        if asked.do == "sits":
            return PhoneCommand("sits", (place, words)) if place in view["free"] and words else None
        is_allowed = place == seat or (place in view["free"] and bool(words))
        return PhoneCommand("leaves", (place,), bot=words) if is_allowed and words in ("", *view["bots"]) else None

    def _command_with_faces(self, seat: Seat, faces: Sequence[str]) -> PhoneCommand:
        """Returns the command that gives these dice to the seat's waiting action, or else to the game."""
        pending = self._pending(seat)
        if pending is None or pending.words_left is None:
            return PhoneCommand("roll", (*(_typed_faces(pending) if pending else ()), *faces), seat)
        return PhoneCommand("do", (pending.words_left,), seat, (*_typed_faces(pending), *faces))

    def _answer_proposal(self, seat: Seat, asked: PhoneRequest) -> dict[str, Any]:
        """Carries out the request of a seat that agrees to a proposal, refuses it or withdraws it."""
        act: Callable[[Seat, int], Any] = self._asking.agree if asked.do == "agree" else self._asking.drop
        found, player = act(seat, asked.number), self._look(seat).facts.seat_with_name(seat)
        if found is None:
            return {"code": MOVED_ON, "lines": ["This question is closed: the game has moved on."]}
        others = [one for one in (found.seat, *found.needs) if one != seat]
        if asked.do == "refuse":
            self._tell(others, f"{player} {'takes the question back' if seat == found.seat else 'does not agree'}.")
            return {"code": OK, "lines": []}
        if found.missing:
            return {"code": OK, "lines": [], "wake": True}
        consent = found.needs if found.command.by else (found.seat, *found.needs)
        with self._live_log.session.allow_only(found.hash):
            answer = self._command(found.command.arguments(consent))
        told = self._facts_for_phone(found.seat, self._and_answers(answer))
        is_done = told["code"] == OK
        agreed = f"All have agreed{'' if is_done else ', but it cannot be done'}."
        self._tell(others, agreed)
        if not is_done:  # the reason may be a secret of the player who asked
            self._tell([found.seat], *told["lines"])
        return {"code": told["code"], "lines": [agreed], "wake": True}

    def _tell(self, seats: Sequence[Seat], *words: str) -> None:
        for seat in seats:
            self._news.setdefault(seat, []).extend(words)

    def _run(self, arguments: Sequence[str]) -> Answer:
        """Runs a command, and records the forced answers of the players here after it."""
        return self._and_answers(self._command(arguments))

    def _and_answers(self, answer: Answer) -> Answer:
        """Records the forced answers of the players here after a command that succeeded. Returns its answer."""
        look = SeatView(self._live_log.session)
        while look.facts.asked and look.facts.asked in look.facts.vault_seats and answer.code == OK:
            if self._command(["answer"]).code != OK:
                break
            look = look.at_present()
        return answer

    def _command(self, arguments: Sequence[str]) -> Answer:
        context = Context(self._live_log, Screen(colour="never", width=WIDE))
        answer = whole_answer_to(["--color", "never", "--width", str(WIDE), "-g", self._path, *arguments], context)
        if answer.code == MOVED_ON:
            self._live_log.read_again()
        return answer

    @property
    def _path(self) -> str:
        return str(self._live_log.session.path)

    def _facts_for_phone(self, seat: Seat, answer: Answer) -> dict[str, Any]:
        """Returns the code and the lines of an answer for a phone, without lines that the phone shows anyway.

        Rules that a refused action breaks are quoted.
        """
        facts = answer.facts()
        facts = facts if isinstance(facts, dict) else {}
        verdict = facts.get("stopped", facts).get("verdict")
        rows, complaint, code = Screen(colour="never", width=WIDE).render(without_program_name(answer))
        look = self._look(seat)
        if answer.pending:  # the dice that are asked for are shown by themselves
            complaint, code = [], OK
        lines = [
            HINT.sub("", row).strip() for row in [*rows, *complaint] if not row.startswith(f"{look.facts.game.name} ")
        ]
        refused = [refusal.rule for one in facts.get("actions", ()) for refusal in one["refusals"]]
        known = look.facts.game.rulebook.rules
        rules = [f"{rule}: {known[rule].says}" for rule in dict.fromkeys(refused) if rule in known]
        return {"code": code, "lines": [*filter(None, lines), *rules], "doubt": verdict == "doubted"}


def _typed_faces(pending: Pending) -> tuple[str, ...]:
    """Returns all faces that were typed for a waiting action."""
    return (*pending.earlier_faces, *pending.held)
