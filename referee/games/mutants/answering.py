"""What players of a game with Hidden Movement say about their secrets (OPT.V): units hidden again, questions, answers.

A player tells what he was asked as it follows from his secret notes, and the game goes on.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from msgspec import Meta

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.mutants import bugging_out, doors, sequence
from referee.games.mutants.board import expand, is_square
from referee.games.mutants.events import Ended
from referee.games.mutants.notation import PLACE, Reader, check_names, check_owned
from referee.games.mutants.state import COMBATS, IN_PLAY, MUTANT_MOVEMENT, SETTING_UP, Question, State, UnitIds, side_of
from referee.games.mutants.telling import Announced, Asked, Barred, Concealed
from referee.games.mutants.timing import ASKED, check_presence, now
from referee.games.mutants.victory import disclosed, outcome_of

Name = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9-]{0,7}$")]
Names = Annotated[tuple[Name, ...], Meta(max_length=100)]
PADDING = frozenset({"wall", "walls", "nobody", "nothing", "no", "somebody", "is"})
"""Words that only make an answer readable."""
Subject = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])(-(x[NESW][1-9]|[A-I][1-9]))?$")]
"""What is asked about: a room, a square or a door."""

# Hiding again


class Hide(Action, frozen=True, tag="hide"):
    """Take units off the gameboard and note them in secret again (OPT.V.C-e)."""

    says = "hide {units}"
    units: UnitIds


def _hide_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Units that may be taken off the gameboard again, in anybody's Phase; nobody has to (OPT.V.C-e, M58)."""
    able = state.can_hide
    if able and seat == "human":
        yield Choice(Hide, units=Subset(able, 1, len(able)), minor=seat != state.to_act)


def _hide(_state: State, _seat: Seat, action: Hide, _dice: Dice) -> Script[State]:
    yield Concealed(action.units)


def _check_hide(state: State, seat: Seat, action: Hide) -> Iterator[Refusal]:
    """Every rule that hiding units breaks."""
    absent = check_presence(state, seat)
    if absent:
        yield from absent
    elif not state.is_hidden:
        yield Refusal("INTRO.IV.E", "nothing is noted in secret: Hidden Movement is not played")
    elif state.phase in SETTING_UP:
        yield Refusal("OPT.V.C-e", f"the game has not started: {now(state)}")
    elif seat != "human":
        yield Refusal("OPT.V.C-e", "only the Human player takes units off the gameboard")
    else:
        yield from _check_hidden(state, action.units)


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


def _in_vain(kind: type[Ask | Remove], why: Callable[[State, Seat, Any], Refusal]) -> Verb[State, Any]:
    """A verb that is never legal, and why."""

    def check(state: State, seat: Seat, action: Ask | Remove) -> Iterator[Refusal]:
        yield from check_presence(state, seat) or (why(state, seat, action),)

    def resolve(_state: State, _seat: Seat, action: Ask | Remove, _dice: Dice) -> Script[State]:
        raise ValueError(f"{action} is never legal")

    return Verb(kind, (), lambda _state, _seat: iter(()), check, resolve, read=lambda reader: reader.action(kind))


def _no_removal(_state: State, _seat: Seat, _action: Remove) -> Refusal:
    return Refusal("IV.A.5-b", "units leave the board only when they are eliminated")


def _no_answer(state: State, seat: Seat, action: Ask) -> Refusal:
    """Why a question is not answered. It is the same whatever is there, because it is judged on the asker's view."""
    about = action.about
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
    """Tell what was asked; there is only one answer that is true."""

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


def _answer(state: State, question: Question) -> tuple[str, ...]:
    """What has to be told, from the notes of who is asked."""
    found = {*state.all_fighters(question.of, question.rooms)}
    if question.of == "human":
        found |= {room for room in question.behind if state.fighters("human", room)}
        found |= state.walls.intersection(question.doors)
        if state.options["wall-reveal"] == "either-room":
            hidden = state.walls.difference(state.told.walls)
            found |= {wall for wall in hidden if not set(question.rooms).isdisjoint(state.board.ends[wall])}
    return _in_order(state, found)


def _tell_offers(state: State, seat: Seat) -> Iterator[Choice]:
    if state.asked and seat == state.asked.of:
        yield Choice(Tell, what=_answer(state, state.asked))


def _check_tell(state: State, seat: Seat, action: Tell) -> Iterator[Refusal]:
    """Every rule that an answer breaks: by saying too little, or too much."""
    question = state.asked
    if question is None or seat != question.of:
        yield from check_presence(state, seat) or (Refusal("OPT.V.A", "nothing is asked of you"),)
        return
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
    question = state.asked
    if question is None:
        raise ValueError("nothing is asked")
    if question.ending:
        state = yield disclosed(state, side_of(seat))
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
    Verb(Hide, IN_PLAY, _hide_offers, _check_hide, _hide, read=lambda reader: reader.action(Hide)),
    _in_vain(Ask, _no_answer),
    _in_vain(Remove, _no_removal),
    Verb(Tell, (ASKED,), _tell_offers, _check_tell, _tell, read=_read_answer),
)
