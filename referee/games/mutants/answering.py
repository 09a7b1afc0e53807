"""What players of a game with Hidden Movement say about their secrets (OPT.V): units hidden again, questions, answers.

A player tells what he was asked as it follows from his secret notes, and the game goes on.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, Subset
from referee.engine.once import latest
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.mutants import bugging_out, doors, sequence
from referee.games.mutants.board import compact, expand, is_square
from referee.games.mutants.bugging_out import Barred
from referee.games.mutants.notation import PLACE, Reader, check_names, check_owned, reading
from referee.games.mutants.order import ANY_TIME, ORDER, anybody
from referee.games.mutants.state import ASKED, COMBATS, MUTANT_MOVEMENT, SETTING_UP, Question, State, UnitIds
from referee.games.mutants.status import now
from referee.games.mutants.telling import Announced, Asked
from referee.games.mutants.victory import Ended, disclosed, outcome_of

Name = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9-]{0,7}$")]
Names = Annotated[tuple[Name, ...], Meta(max_length=100)]
PADDING = frozenset({"wall", "walls", "nobody", "nothing", "no", "somebody", "is"})
"""Words that only make an answer readable."""
Subject = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])(-(x[NESW][1-9]|[A-I][1-9]))?$")]
"""What is asked about: a room, a square or a door."""
NOT_HIDDEN = Refusal("INTRO.IV.E", "nothing is noted in secret: Hidden Movement is not played")

# Hiding again


class Concealed(Event, frozen=True, tag="concealed"):
    """Human-side units were taken off the gameboard, to be noted in secret again."""

    units: UnitIds

    def tell(self) -> str:
        """Whom to take off."""
        return f"Take {compact(self.units)} off the gameboard and note where they are."

    def apply(self, state: State) -> State:
        """They stay where they are, and are no longer shown."""
        return replace(state, told=state.told.without(self.units))


class Hide(Action, frozen=True, tag="hide"):
    """Take units off the gameboard and note them in secret again (OPT.V.C-e)."""

    says = "hide {units}"
    units: UnitIds


def _hide_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Units that may be taken off the gameboard again, in anybody's Phase; nobody has to (OPT.V.C-e, M58)."""
    able = state.can_hide
    if able and seat == "human":
        yield Choice(Hide, units=Subset(able, 1, len(able)), minor=seat != ORDER.to_act(state))


def _hide(_state: State, _seat: Seat, action: Hide, _dice: Dice) -> Script[State]:
    yield Concealed(action.units)


def _check_hide(state: State, seat: Seat, action: Hide) -> Iterator[Refusal]:
    """Every rule that hiding units breaks."""
    if not state.is_hidden:
        yield NOT_HIDDEN
    elif seat != "human":
        yield Refusal("OPT.V.C-e", "only the Human player takes units off the gameboard")
    else:
        yield from _check_hidden(state, action.units)


def _hide_late(state: State, _seat: Seat, _action: Hide) -> Iterator[Refusal]:
    yield Refusal("OPT.V.C-e", f"the game has not started: {now(state)}") if state.is_hidden else NOT_HIDDEN


def _check_hidden(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    wrong = list(check_names(state, units)) or list(check_owned(state, "human", units))
    if wrong or not units:
        yield from wrong or [Refusal("OPT.V.C-e", "say which units are taken off the gameboard")]
        return
    for unit in units:
        place = state.at[unit]
        if unit not in state.told.humans:
            yield Refusal("OPT.V.C-e", f"{unit} is hidden already")
        elif is_square(place):
            yield Refusal("OPT.V.C-e", f"{unit} is outside, in {place}, and in no room")
        elif place in state.told.rooms:
            yield Refusal("OPT.V.C-e", f"Mutants are in {place} with {unit}")
        elif not state.is_unwatched(place):
            yield Refusal("OPT.V.C-e", f"the Combat in {place} is not over")


# Asking


class Ask(Action, frozen=True, tag="ask"):
    """Ask what is in a room, a square or a door. Players ask; it is never legal (OPT.V.C-c, OPT.V.D-a, OPT.V.D-c)."""

    says = "ask {about}"
    about: Subject


class Remove(Action, frozen=True, tag="remove"):
    """Ask to take units off the board. Players ask; it is never legal (IV.A.5-b)."""

    says = "remove {units}"
    units: UnitIds


def _no_removal(_state: State, _seat: Seat, _action: Remove) -> Iterator[Refusal]:
    yield Refusal("IV.A.5-b", "units leave the board only when they are eliminated")


def _no_answer(state: State, seat: Seat, action: Ask) -> Iterator[Refusal]:
    """Why a question is not answered. It is the same whatever is there, because it is judged on the asker's view."""
    yield _unanswered(state, seat, action.about)


def _unanswered(state: State, seat: Seat, about: str) -> Refusal:
    if "-" in about and about not in state.board.ends:
        return Refusal("IV.A.2-b", f"there is no door {about}")
    if "-" not in about and about not in state.board.places:
        return Refusal("IV.A.5-a", f"the board has no {about}")
    secret = (_kept_from_humans if seat == "human" else _kept_from_mutants)(state, about) if state.is_hidden else None
    return secret or Refusal("INTRO.IV.E", f"nothing about {about} is hidden from you: look at the board")


def _kept_from_humans(state: State, about: str) -> Refusal | None:
    """The Human player noted the Walls himself; of Mutants he knows the rooms, and sees them where his own are."""
    if is_square(about) and "-" not in about:
        return Refusal("OPT.V.D-a", f"what is in {about} is never shown to you")
    if about in state.told.rooms and about not in state.contested():
        return Refusal("OPT.V.D-c", f"Mutants are in {about}; how many and which is shown where you have units too")
    return None


def _kept_from_mutants(state: State, about: str) -> Refusal | None:
    """The Mutant player knows his squares; of rooms and Walls what Mutants see there."""
    if "-" in about:
        unseen = Refusal("OPT.V.C-a", f"whether a Wall is in {about} is shown when Mutants get there")
        return None if _is_wall_known(state, about) else unseen
    if is_square(about) or about in state.told.rooms:
        return None
    return Refusal("OPT.V.C-c", f"who is in {about} is shown when Mutants enter it")


def _is_wall_known(state: State, door: str) -> bool:
    """Whether Mutants know if a door has a Wall: none can be there, it was shown, or they saw or tried it (M23)."""
    if door not in state.board.wallable or door in {*state.smashed, *state.told.walls, *state.told.clear}:
        return True
    return state.options["wall-reveal"] == "either-room" and not state.held_by_mutants.isdisjoint(
        state.board.ends[door]
    )


# Answers


class Tell(Action, frozen=True, tag="tell"):
    """Tell what was asked; there is only one answer that is true (OPT.V.C-b)."""

    says = "tell {what}"
    what: Names
    """Units that are there, doors that have Walls, rooms in which somebody is. Empty: nothing of the kind."""


def _read_answer(reader: Reader) -> Tell:
    """Names in any order, as they are written: units as counters are, doors, and rooms where rooms are asked about."""
    state, found = reader.state, set[str]()
    while reader.words:
        word = reader.words[0].text
        if word in PADDING:
            reader.words.pop(0)
        elif "-" in word:
            found.add(reader.door())
        elif PLACE.fullmatch(word) and (word not in state.board.units or (state.asked and state.asked.behind)):
            found.add(reader.place())
        else:
            reader.words.pop(0)
            found.update(expand(word))
    return Tell(_in_order(state, found))


def _in_order(state: State, names: set[str]) -> tuple[str, ...]:
    units = names & state.board.units.keys()
    return (*state.board.sorted(units), *sorted(names - units))


# What is true


@latest
def _answer(state: State, question: Question) -> tuple[str, ...]:
    """What has to be told, from the notes of who is asked."""
    found = {*state.all_fighters(question.of, question.rooms)}
    if question.of == "human":
        found |= {room for room in question.behind if state.fighters("human", room)}
        found |= state.walls.intersection(question.doors)
        if state.options["wall-reveal"] == "either-room":
            hidden, ends = state.walls.difference(state.told.walls), state.board.ends
            found.update(wall for wall in hidden if ends[wall][0] in question.rooms or ends[wall][1] in question.rooms)
    return _in_order(state, found)


def _tell_offers(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Tell, what=_answer(state, _asked(state)))


def _asked(state: State) -> Question:
    """What is asked; ValueError if nothing is."""
    if state.asked is None:
        raise ValueError("nothing is asked")
    return state.asked


def _nothing_asked(_state: State, _seat: Seat, _action: Tell) -> Iterator[Refusal]:
    yield Refusal("OPT.V.A", "nothing is asked of you")


def _check_tell(state: State, _seat: Seat, action: Tell) -> Iterator[Refusal]:
    """Every rule that an answer breaks: by saying too little, or too much."""
    question = _asked(state)
    due = _answer(state, question)
    missing = [name for name in due if name not in action.what]
    wrong = [name for name in action.what if name not in due]
    if missing:
        yield Refusal(question.rule, f"that leaves out {listing(missing)}: tell {question.about}, as it is")
    if wrong:
        yield Refusal(question.rule, f"that is not so for {listing(wrong)}: tell {question.about}, as it is")
    if not (missing or wrong) and action.what != due:
        yield Refusal("INTRO.IV.A", f"write each name once: {' '.join(due)}")


# What follows


def _tell(state: State, seat: Seat, action: Tell, _dice: Dice) -> Script[State]:
    """What was told is announced, and what has waited for it goes on."""
    question = _asked(state)
    if question.ending:
        state = yield disclosed(state, seat)
        yield Ended(outcome_of(state))
    elif state.pending:
        yield from doors.settle(state, state.pending)
    elif question.fleeing and action.what:
        yield Barred(question.behind[0])
    elif question.fleeing:
        yield from bugging_out.flee(state, question.fleeing, question.behind[0])
    else:
        state = yield _announced(state, question, action.what)
        if question.doors:
            yield Asked(Question("mutant", doors=question.doors))
        elif not state.asked:
            yield from _go_on(state)


def _announced(state: State, question: Question, what: tuple[str, ...]) -> Announced:
    """What both learn from an answer."""
    empty = () if question.of == "mutant" else tuple(r for r in question.rooms if not state.fighters("human", r))
    return Announced(
        units=tuple((name, state.at[name]) for name in what if name in state.board.units),
        walls=tuple(name for name in what if name in state.board.ends),
        clear=tuple(door for door in question.doors if door not in what),
        behind=tuple((room, room in what) for room in (*question.behind, *empty)),
    )


def _go_on(state: State) -> Script[State]:
    """What has waited until all was shown, if anything has."""
    if state.phase == "arrival":
        yield from sequence.after_arrival(state)
    elif state.combat:
        yield from bugging_out.after_flight(state)


# What may be asked in a position


def check_asked(state: State) -> Iterator[Refusal]:
    """Why nothing can be asked, or be waiting for an answer, in a position as it is."""
    question = state.asked
    if not state.is_hidden and (question or state.pending):
        yield Refusal("OPT.V.A", "nothing is asked: Hidden Movement is not played")
    elif question is None:
        if state.pending:
            yield Refusal("M23", f"nobody is asked about the attempt at {state.pending.door}")
    elif state.phase in SETTING_UP or not _fits(state, question):
        yield Refusal(question.rule, f"nobody can be asked here {question.about}")


def _fits(state: State, question: Question) -> bool:
    about = [question.rooms, question.doors, question.behind, question.ending]
    if sum(map(bool, about)) != 1 or bool(state.pending) != bool(question.doors):
        return False
    if question.doors:
        return _fits_attempt(state, question)
    if question.fleeing:
        return _fits_flight(state, question)
    if question.behind:
        return state.phase == "smash" and question.of == "human" and state.board.all_rooms.issuperset(question.behind)
    in_time = state.phase in ("arrival", "move", "human-move") or (state.phase in COMBATS and state.combat is not None)
    return question.ending or (in_time and state.held_by_mutants.issuperset(question.rooms))


def _fits_attempt(state: State, question: Question) -> bool:
    """A door is tried where Mutants are beside it, and its Wall could be unknown."""
    attempt, (door, *others) = state.pending, question.doors
    if attempt is None or others or attempt.door != door or door not in state.board.wallable or not attempt.units:
        return False
    known = door in {*state.told.walls, *state.told.clear}
    beside = all(state.at.get(unit) in state.board.ends[door] for unit in attempt.units)
    mutants = all(unit in state.board.of_side["mutant"] for unit in attempt.units)
    in_time = state.phase == ("open" if attempt.die is None else "smash") and state.phase in MUTANT_MOVEMENT
    contact = state.options["wall-reveal"] == "on-contact" and door not in state.smashed | state.attempted
    return contact and in_time and beside and mutants and known == (question.of == "mutant")


def _fits_flight(state: State, question: Question) -> bool:
    """Mutants flee from a Combat at the start of a Round."""
    combat = state.combat
    if combat is None or not combat.may_retreat or combat.odds != "human" or combat.stage != "lay":
        return False
    here = {*state.fighters("mutant", combat.room), *(["penny"] if state.captive else [])}
    refuge = question.behind[0] if len(question.behind) == 1 else ""
    known = refuge in state.held_by_mutants or not state.are_beside(combat.room, refuge or combat.room)
    return question.of == "human" and here.issuperset(question.fleeing) and not (known or is_square(refuge))


VERBS = (
    Verb(Hide, ANY_TIME, _hide_offers, _check_hide, _hide, read=reading(Hide), late=_hide_late, may=anybody),
    Verb(Ask, (), read=reading(Ask), late=_no_answer),
    Verb(Remove, (), read=reading(Remove), late=_no_removal),
    Verb(Tell, (ASKED,), _tell_offers, _check_tell, _tell, read=_read_answer, late=_nothing_asked),
)
