"""Phones that speak for their seats: what a phone taps or types is said with the commands of the shell, as its seat.

A request is a `Request`, the answer what its phone shows from then on (`referee.cli.session.shown`). Who speaks is told
by the link alone: no word of a request can name another seat, since all that a phone wrote stands behind the options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from referee.cli.answer import MOVED_ON, NO, NOT_UNDERSTOOD, OK, Answer, Pending
from referee.cli.context import Context
from referee.cli.look import bot_to_act
from referee.cli.main import whole_answer_to
from referee.cli.screen import Screen
from referee.cli.session.asking import Asking, Deed
from referee.cli.session.resident import Resident
from referee.cli.session.shown import shown_to, tapping_of, taps_at
from referee.cli.session.wording import without_name
from referee.engine.event import Seat
from referee.record.log.entry import PlayEntry
from referee.record.table.session import Session
from referee.record.table.sitting import Sitting
from referee.serve.tapping import PHRASE, Tap

TOO_LATE = "The game has moved on; look how it stands, then say it again."
MOST_TAPS = 100
"""Taps of one phrase."""
FACE = re.compile(r"[0-9A-Za-z][\w'.-]{0,40}")
"""A die or the name of what was drawn: nothing that could be an option."""
HINT = re.compile(r"^\s*(Next|Now|The rule|If you mean it)\b.*|   \S+ \S+, turn .*|\s+\(all[^()]*: legal\)")
"""What of an answer is for a keyboard, or stands on the phone anyway."""
WIDE = 1_000
"""Columns of what is said to a phone, which breaks lines itself."""
What = Literal["look", "say", "words", "why", "roll", "clear", "undo", "redo", "correct", "amend", "reveal", "finish"]
Consent = Literal["resign", "agree", "refuse"]


class Request(Struct, forbid_unknown_fields=True):
    """What a phone asks or says."""

    do: What | Consent | Literal["bot"] = "look"
    on: int | None = None
    """The last entry that it shows: on any other nothing is said, since the game has moved on. None: it shows none."""
    taps: tuple[Tap, ...] = ()
    """What was tapped so far."""
    at: tuple[int, str] | None = None
    """The thing on the board that was touched last."""
    words: str = ""
    """What was typed: an action; for `amend` what changes, for `finish` who has won."""
    faces: tuple[str, ...] = ()
    """Dice as they fell."""
    number: int = 0
    """Of what is agreed to or refused; for `correct` the entry with the throw."""
    sure: bool = False
    """Whether it is meant though something may have been overlooked."""


class Phones:
    """All phones of a game, one request at a time."""

    def __init__(self, session: Session) -> None:
        self._resident = Resident(session, screened=False)
        self._asking = Asking()
        self._waiting: dict[Seat, tuple[int, Pending]] = {}
        """The dice that what a seat said waits for, and the entry after which it is said."""
        self._news: dict[Seat, list[str]] = {}
        """What a phone is told when it next asks."""

    def __call__(self, seat: Seat, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to what the phone of a seat asks or says."""
        try:
            asked = msgspec.convert(request, Request)
            if not all(map(FACE.fullmatch, asked.faces)):
                raise msgspec.ValidationError("dice that no page of ours sends")
            self._refresh()
        except msgspec.ValidationError:
            return {"code": NOT_UNDERSTOOD, "lines": ["The page is another one than the server's; load it again."]}
        except Exception:  # what is wrong with the log is told in the terminal, and names files
            return {"code": NO, "lines": ["The log cannot be read now; nothing was said."]}
        self._drop_throw(seat)
        before = self._asking.asked
        told, taps = self._done(seat, asked)
        self._asking.lapse(self._head)
        if self._asking.asked is not before:
            told["wake"] = True
        news = self._news.pop(seat, [])
        told["lines"] = [*news, *told.get("lines", ())]
        return {**shown_to(self._look(seat), taps, self._pending(seat), self._asking), **told}

    # How it stands

    def _refresh(self) -> None:
        """Read what others have recorded. Whether it has moved for a phone is told by the entry that it asked on."""
        self._resident.refresh()
        self._resident.moved = False
        self._asking.lapse(self._head)

    @property
    def _head(self) -> str:
        return self._resident.session.head.hash

    def _look(self, seat: Seat) -> Sitting:
        return Sitting(self._resident.session, seat)

    @property
    def _stands_after(self) -> int:
        """The last entry in force: a note changes nothing of how the game stands."""
        return self._resident.session.in_force()[-1]

    def _pending(self, seat: Seat) -> Pending | None:
        at, pending = self._waiting.get(seat, (-1, None))
        return pending if at == self._stands_after else None

    def _drop_throw(self, seat: Seat) -> None:
        """Names what a seat said that waits for dice no more, since somebody else has played or taken back."""
        at, pending = self._waiting.get(seat, (-1, None))
        if pending and at != self._stands_after:
            del self._waiting[seat]
            self._tell([seat], f'The game has moved on, and "{pending.what}" waits for dice no more.')

    # What is done

    def _done(self, seat: Seat, asked: Request) -> tuple[dict[str, Any], Sequence[Tap]]:
        """What is told of a request, and the taps that still stand."""
        moved = asked.on != len(self._resident.session.entries) - 1
        taps = tuple(tap for tap in asked.taps[:MOST_TAPS] if tap.word)
        lost: list[str] = []
        if moved and asked.on is not None:
            taps, lost = self._said_again(seat, asked.on, taps)
        if moved and asked.do not in ("look", "agree", "refuse"):
            half_said = tuple(tap for tap in taps if asked.do != "say" or tap.of != PHRASE)
            return {"code": MOVED_ON, "lines": [TOO_LATE, *lost]}, half_said
        if asked.do == "look":
            self._tell([seat], *lost)
            return self._touched(seat, taps, asked) if asked.at else ({}, taps)
        if asked.do == "clear":
            self._waiting.pop(seat, None)
            return {}, ()
        told = self._said(seat, asked, taps)
        return told, () if told["code"] == OK or asked.do != "say" else taps

    def _said_again(self, seat: Seat, on: int, taps: Sequence[Tap]) -> tuple[tuple[Tap, ...], list[str]]:
        """Returns what of the words half said on an older board still leads on, and names what does not. Where the seat
        has played since, they were said.
        """
        since = self._resident.session.entries[on + 1 :]
        if any(isinstance(entry, PlayEntry) and entry.by == seat for entry in since):
            return (), []
        kept = tapping_of(self._look(seat), taps).taps
        lost = [tap.word for tap in taps[len(kept) :]]
        return kept, [f"The game has moved on, and this leads on no more: {', '.join(lost)}."] if lost else []

    def _touched(self, seat: Seat, taps: Sequence[Tap], asked: Request) -> tuple[dict[str, Any], Sequence[Tap]]:
        """A thing on the board was touched: a word more where it can only be one, else which it may be."""
        assert asked.at is not None
        look = self._look(seat)
        name, found = taps_at(look, taps, asked.at)
        if len(found) == 1:
            return {}, (*taps, *found)
        if found:
            return {"here": {"name": name, "chips": [[tap.word, tap.of, tap.word] for tap in found]}}, taps
        return {"code": NO, "lines": [f"Nothing that may be done now has to do with {name}."]}, taps

    def _said(self, seat: Seat, asked: Request, taps: Sequence[Tap]) -> dict[str, Any]:
        if asked.do in ("agree", "refuse"):
            return self._answered(seat, asked)
        if asked.do == "bot":
            return self._let_go_on()
        deed = self._deed(seat, asked, taps)
        if deed is None:
            return {"code": NO, "lines": ["Something is missing still; tap on."]}
        answer = self._run(deed.arguments(() if deed.by else (seat,)))
        if answer.pending:
            self._waiting[seat] = self._stands_after, answer.pending
        elif answer.code == OK and asked.do != "why":
            self._waiting.pop(seat, None)
        if self._asking.put(seat, deed, self._head, answer):
            return {"code": OK, "lines": ["Asked; the others see it on their phones."]}
        return self._told(seat, answer)

    def _let_go_on(self) -> dict[str, Any]:
        """A bot that was stopped, or broke, goes on. Its seat is nobody's phone: whoever plays here may let it; and
        where a person is to act nothing is said for him.
        """
        if not bot_to_act(Sitting(self._resident.session)):
            return {"code": NO, "lines": ["No bot is to move now."]}
        answer = self._run(["do"])
        trouble = answer.facts().get("trouble", answer.complaint)
        return {"code": answer.code, "lines": [trouble] if trouble else []}

    def _deed(self, seat: Seat, asked: Request, taps: Sequence[Tap]) -> Deed | None:
        """The command that a request is; None: it says nothing yet."""
        match asked.do:
            case "say":
                said = tapping_of(self._look(seat), taps).says
                return Deed("do", (said + "!" * asked.sure,), seat) if said else None
            case "words" | "why":
                name, words = ("do" if asked.do == "words" else "why"), asked.words + "!" * asked.sure
                return Deed(name, (words,), seat) if asked.words.strip() else None
            case "roll":
                return self._with_dice(seat, asked.faces)
            case "correct":
                return Deed("correct", (str(asked.number), *asked.faces), seat)
            case "undo" | "redo":
                return Deed(asked.do, (), seat)
            case "resign":  # the phone itself asks whether that is meant
                return Deed(asked.do, (), seat, sure=True)
            case "amend" | "finish":
                return Deed(asked.do, (asked.words,)) if asked.words.strip() else None
        return Deed("reveal")

    def _with_dice(self, seat: Seat, faces: Sequence[str]) -> Deed:
        """What was said with the dice that it waits for; else the dice that the game waits for."""
        pending = self._pending(seat)
        if pending is None or pending.left is None:
            return Deed("roll", (*(_fallen(pending) if pending else ()), *faces), seat)
        return Deed("do", (pending.left,), seat, (*_fallen(pending), *faces))

    def _answered(self, seat: Seat, asked: Request) -> dict[str, Any]:
        """A seat agrees, refuses, or takes back what it asked."""
        act: Callable[[Seat, int], Any] = self._asking.agree if asked.do == "agree" else self._asking.drop
        found, player = act(seat, asked.number), self._look(seat).facts.player(seat)
        if found is None:
            return {"code": MOVED_ON, "lines": ["That is asked no more: the game has moved on."]}
        others = [one for one in (found.seat, *found.needs) if one != seat]
        if asked.do == "refuse":
            self._tell(others, f"{player} {'asks it no more' if seat == found.seat else 'does not agree'}.")
            return {"code": OK, "lines": []}
        if found.missing:
            return {"code": OK, "lines": [], "wake": True}
        consent = found.needs if found.deed.by else (found.seat, *found.needs)
        with self._resident.session.bound_to(found.hash):
            answer = self._command(found.deed.arguments(consent))
        told = self._told(found.seat, self._and_answers(answer))
        is_done = told["code"] == OK
        agreed = f"All have agreed{'' if is_done else ', but it cannot be done'}."
        self._tell(others, agreed)
        if not is_done:  # what is told to who asked may be his secret
            self._tell([found.seat], *told["lines"])
        return {"code": told["code"], "lines": [agreed], "wake": True}

    def _tell(self, seats: Sequence[Seat], *words: str) -> None:
        for seat in seats:
            self._news.setdefault(seat, []).extend(words)

    def _run(self, arguments: Sequence[str]) -> Answer:
        """What a command comes to, with the answers that follow."""
        return self._and_answers(self._command(arguments))

    def _and_answers(self, answer: Answer) -> Answer:
        """Records the answers that who plays here is asked for after a command, which need no word of theirs."""
        look = Sitting(self._resident.session)
        while look.facts.asked and look.facts.asked in look.facts.here and answer.code == OK:
            if self._command(["answer"]).code != OK:
                break
            look = look.now()
        return answer

    def _command(self, arguments: Sequence[str]) -> Answer:
        context = Context(self._resident, Screen(colour="never", width=WIDE))
        answer = whole_answer_to(["--color", "never", "--width", str(WIDE), "-g", self._path, *arguments], context)
        if answer.code == MOVED_ON:
            self._resident.read_again()
        return answer

    @property
    def _path(self) -> str:
        return str(self._resident.session.path)

    def _told(self, seat: Seat, answer: Answer) -> dict[str, Any]:
        """What a phone shows of an answer: why not, or what was understood; what happened is on the board."""
        facts = answer.facts()
        facts = facts if isinstance(facts, dict) else {}
        verdict = facts.get("stopped", facts).get("verdict")
        rows, complaint, code = Screen(colour="never", width=WIDE).render(without_name(answer))
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


def _fallen(pending: Pending) -> tuple[str, ...]:
    """All dice that were typed for what waits."""
    return (*pending.before, *pending.held)
