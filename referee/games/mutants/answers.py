"""Hiding units again, and asking and answering about secrets, in a game with Hidden Movement (OPT.V).

A player must answer a question truthfully from secret notes. Then the game goes on.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.caching import cache_latest
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import Subset
from referee.engine.text import listing
from referee.games.mutants import bugging_out, doors, sequence
from referee.games.mutants.announcements import FactsAnnounced, QuestionAsked
from referee.games.mutants.board import compact_names, expand_name_ranges, is_square
from referee.games.mutants.bugging_out import RetreatBarred
from referee.games.mutants.notation import (
    PLACE_WORD_PATTERN,
    Reader,
    check_owned_on_board,
    check_unit_names,
    make_reader,
)
from referee.games.mutants.order_of_play import ANY_TIME, ORDER, allow_any_seat
from referee.games.mutants.phases import COMBAT_PHASES, MUTANT_MOVEMENT_STEPS, PHASES_BEFORE_PLAY, QUESTION_PHASE
from referee.games.mutants.state import Question, State, UnitIds
from referee.games.mutants.status import describe_phase
from referee.games.mutants.victory import GameEnded, decide_outcome, make_disclosure

AnswerName = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9-]{0,7}$")]
AnswerNames = Annotated[tuple[AnswerName, ...], Meta(max_length=100)]
ANSWER_FILLER_WORDS = frozenset({"wall", "walls", "nobody", "nothing", "no", "somebody", "is"})
"""Words that the reader of an answer skips: they only make it easier to understand."""
QuestionSubject = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])(-(x[NESW][1-9]|[A-I][1-9]))?$")]
"""The subject of a question: a room, a square or a door."""
NO_HIDDEN_MOVEMENT = Refusal("INTRO.IV.E", "this game has no secret notes: Hidden Movement is off")

# Hiding again


class UnitsHidden(Event, frozen=True, tag="concealed"):
    """Human-side units were taken off the gameboard and are noted in secret again."""

    units: UnitIds

    def tell(self) -> str:
        """Tells the players which units to take off."""
        return f"Take {compact_names(self.units)} off the gameboard and note where they are."

    def apply(self, state: State) -> State:
        """Marks the units as no longer shown. They stay where they are."""
        return replace(state, told=state.told.without_units(self.units))


class HideUnits(Action, frozen=True, tag="hide"):
    """Take units off the gameboard and note them in secret again (OPT.V.C-e)."""

    says = "hide {units}"
    units: UnitIds


def _offer_hide(state: State, seat: Seat) -> Iterator[Choice]:
    """Offers the units that may be hidden again.

    The Human player may hide them in any Phase, and never has to (OPT.V.C-e, M58).
    """
    able = state.hideable_units
    if able and seat == "human":
        yield Choice(HideUnits, units=Subset(able, 1, len(able)), minor=seat != ORDER.to_act(state))


def _hide_units(_state: State, _seat: Seat, action: HideUnits, _dice: Dice) -> Script[State]:
    yield UnitsHidden(action.units)


def _check_hide(state: State, seat: Seat, action: HideUnits) -> Iterator[Refusal]:
    """Yields a refusal for every rule that hiding these units breaks."""
    if not state.has_hidden_movement:
        yield NO_HIDDEN_MOVEMENT
    elif seat != "human":
        yield Refusal("OPT.V.C-e", "only the Human player may hide units")
    else:
        yield from _check_hidden(state, action.units)


def _refuse_hide_outside_phase(state: State, _seat: Seat, _action: HideUnits) -> Iterator[Refusal]:
    yield (
        Refusal("OPT.V.C-e", f"the game has not started: {describe_phase(state)}")
        if state.has_hidden_movement
        else NO_HIDDEN_MOVEMENT
    )


def _check_hidden(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    wrong = list(check_unit_names(state, units)) or list(check_owned_on_board(state, "human", units))
    if wrong or not units:
        yield from wrong or [Refusal("OPT.V.C-e", "say which units you hide")]
        return
    for unit in units:
        place = state.at[unit]
        if unit not in state.told.humans:
            yield Refusal("OPT.V.C-e", f"{unit} is already hidden")
        elif is_square(place):
            yield Refusal("OPT.V.C-e", f"{unit} is outside, in {place}; only units in rooms can hide")
        elif place in state.told.rooms:
            yield Refusal("OPT.V.C-e", f"Mutants are in {place} with {unit}")
        elif not state.can_hide_units_in(place):
            yield Refusal("OPT.V.C-e", f"the Combat in {place} is not over")


# Asking


class AskAboutSecret(Action, frozen=True, tag="ask"):
    """Ask about a room, a square or a door. This is never legal; the referee tells you the rule (OPT.V.C-c, OPT.V.D-a,
    OPT.V.D-c).
    """

    says = "ask {about}"
    about: QuestionSubject


class RemoveUnits(Action, frozen=True, tag="remove"):
    """Take units off the board. This is never legal; the referee tells you the rule (IV.A.5-b)."""

    says = "remove {units}"
    units: UnitIds


def _refuse_removal(_state: State, _seat: Seat, _action: RemoveUnits) -> Iterator[Refusal]:
    yield Refusal("IV.A.5-b", "units leave the board only when they are eliminated")


def _refuse_question(state: State, seat: Seat, action: AskAboutSecret) -> Iterator[Refusal]:
    """Yields the refusal of a question. It is judged on the asker's view, so it reveals nothing."""
    yield _make_question_refusal(state, seat, action.about)


def _make_question_refusal(state: State, seat: Seat, about: str) -> Refusal:
    if "-" in about and about not in state.board.door_ends:
        return Refusal("IV.A.2-b", f"there is no door {about}")
    if "-" not in about and about not in state.board.places:
        return Refusal("IV.A.5-a", f"the board has no {about}")
    secret = (
        (_refuse_to_humans if seat == "human" else _refuse_to_mutants)(state, about)
        if state.has_hidden_movement
        else None
    )
    return secret or Refusal("INTRO.IV.E", f"nothing about {about} is hidden from you: look at the board")


def _refuse_to_humans(state: State, about: str) -> Refusal | None:
    """Returns the refusal if the Human player may not ask about `about`; None if it is no secret from that player.

    The Human player knows every Wall and is told which rooms hold Mutants. In a room with Human-side units the player
    also sees which Mutants are there.
    """
    if is_square(about) and "-" not in about:
        return Refusal("OPT.V.D-a", f"you are never shown what is in {about}")
    if about in state.told.rooms and about not in state.list_contested_rooms():
        return Refusal("OPT.V.D-c", f"Mutants are in {about}; you see how many and which only where you have units too")
    return None


def _refuse_to_mutants(state: State, about: str) -> Refusal | None:
    """Returns the refusal if the Mutant player may not ask about `about`; None if it is no secret from that player.

    The Mutant player knows what is in every square. Of rooms and Walls the player knows only what Mutants have seen.
    """
    if "-" in about:
        unseen = Refusal("OPT.V.C-a", f"you learn whether {about} has a Wall when Mutants get there")
        return None if _is_wall_known(state, about) else unseen
    if is_square(about) or about in state.told.rooms:
        return None
    return Refusal("OPT.V.C-c", f"you learn who is in {about} when Mutants enter it")


def _is_wall_known(state: State, door: str) -> bool:
    """True if Mutants know whether a door has a Wall: it cannot have one, was shown, was seen or was tried (M23)."""
    if door not in state.board.doors_for_walls or door in {*state.smashed, *state.told.walls, *state.told.clear}:
        return True
    return state.options["wall-reveal"] == "either-room" and not state.rooms_with_mutants.isdisjoint(
        state.board.door_ends[door]
    )


# Answers


class AnswerQuestion(Action, frozen=True, tag="tell"):
    """Answer the question; there is only one true answer (OPT.V.C-b)."""

    says = "tell {what}"
    what: AnswerNames
    """Units that are there, doors that have Walls, and rooms with somebody in them.

    Empty if there is nothing to name.
    """


def _read_answer(reader: Reader) -> AnswerQuestion:
    """Reads the names of an answer in any order: units, doors, and rooms if the question is about rooms."""
    state, found = reader.state, set[str]()
    while reader.words:
        word = reader.words[0].text
        if word in ANSWER_FILLER_WORDS:
            reader.words.pop(0)
        elif "-" in word:
            found.add(reader.read_door())
        elif PLACE_WORD_PATTERN.fullmatch(word) and (
            word not in state.board.units or (state.asked and state.asked.behind)
        ):
            found.add(reader.read_place())
        else:
            reader.words.pop(0)
            found.update(expand_name_ranges(word))
    return AnswerQuestion(_sort_names(state, found))


def _sort_names(state: State, names: set[str]) -> tuple[str, ...]:
    units = names & state.board.units.keys()
    return (*state.board.sort_units(units), *sorted(names - units))


# The true answer


@cache_latest
def _find_true_answer(state: State, question: Question) -> tuple[str, ...]:
    """Returns the true answer to a question, from the notes of the player who is asked."""
    found = {*state.list_fighters_in_places(question.of, question.rooms)}
    if question.of == "human":
        found |= {room for room in question.behind if state.list_fighters("human", room)}
        found |= state.walls.intersection(question.doors)
        if state.options["wall-reveal"] == "either-room":
            hidden, ends = state.walls.difference(state.told.walls), state.board.door_ends
            found.update(wall for wall in hidden if ends[wall][0] in question.rooms or ends[wall][1] in question.rooms)
    return _sort_names(state, found)


def _offer_tell(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(AnswerQuestion, what=_find_true_answer(state, _get_open_question(state)))


def _get_open_question(state: State) -> Question:
    """Returns the open question. Raises ValueError if there is none."""
    if state.asked is None:
        raise ValueError("nothing is asked")
    return state.asked


def _refuse_unasked(_state: State, _seat: Seat, _action: AnswerQuestion) -> Iterator[Refusal]:
    """Refuses an answer when no question is open."""
    yield Refusal("OPT.V.A", "there is no question for you to answer")


def _check_tell(state: State, _seat: Seat, action: AnswerQuestion) -> Iterator[Refusal]:
    """Yields a refusal if an answer leaves something out, or names something that is not true, or a name twice."""
    question = _get_open_question(state)
    due = _find_true_answer(state, question)
    missing = [name for name in due if name not in action.what]
    wrong = [name for name in action.what if name not in due]
    if missing:
        yield Refusal(question.rule, f"your answer leaves out {listing(missing)}: tell {question.about}, truthfully")
    if wrong:
        yield Refusal(question.rule, f"your answer is not true for {listing(wrong)}: tell {question.about}, truthfully")
    if not (missing or wrong) and action.what != due:
        yield Refusal("INTRO.IV.A", f"write each name once: {' '.join(due)}")


# After the answer


def _announce_answer(state: State, seat: Seat, action: AnswerQuestion, _dice: Dice) -> Script[State]:
    """Announces the answer, or its effect, and continues the action that waited for it."""
    question = _get_open_question(state)
    if question.ending:
        state = yield make_disclosure(state, seat)
        yield GameEnded(decide_outcome(state))
    elif state.pending:
        yield from doors.settle_attempt(state, state.pending)
    elif question.fleeing and action.what:
        yield RetreatBarred(question.behind[0])
    elif question.fleeing:
        yield from bugging_out.move_out_of_combat(state, question.fleeing, question.behind[0])
    else:
        state = yield _make_announcement(state, question, action.what)
        if question.doors:
            yield QuestionAsked(Question("mutant", doors=question.doors))
        elif not state.asked:
            yield from _resume_waiting_action(state)


def _make_announcement(state: State, question: Question, what: tuple[str, ...]) -> FactsAnnounced:
    """Returns the facts that both players learn from an answer."""
    empty = () if question.of == "mutant" else tuple(r for r in question.rooms if not state.list_fighters("human", r))
    return FactsAnnounced(
        units=tuple((name, state.at[name]) for name in what if name in state.board.units),
        walls=tuple(name for name in what if name in state.board.door_ends),
        clear=tuple(door for door in question.doors if door not in what),
        behind=tuple((room, room in what) for room in (*question.behind, *empty)),
    )


def _resume_waiting_action(state: State) -> Script[State]:
    """Continues the arrival, the Combat or the end of the Step that waited for the announcement, if there is one."""
    if state.told.due:
        yield from sequence.go_to_next_phase(state)
    elif state.phase == "arrival":
        yield from sequence.continue_after_arrival(state)
    elif state.combat:
        yield from bugging_out.continue_after_retreat(state)


# The questions that a position may hold


def check_open_question(state: State) -> Iterator[Refusal]:
    """Yields a refusal if the open question or the waiting attempt of a position is impossible there."""
    question = state.asked
    if not state.has_hidden_movement and (question or state.pending):
        yield Refusal("OPT.V.A", "a position without Hidden Movement has no question and no waiting attempt")
    elif question is None:
        if state.pending:
            yield Refusal("M23", f"the attempt at {state.pending.door} waits, but there is no question about it")
    elif state.phase in PHASES_BEFORE_PLAY or not _can_question_be_open(state, question):
        yield Refusal(question.rule, f"in this position nobody can be asked to tell {question.about}")


def _can_question_be_open(state: State, question: Question) -> bool:
    """True if this question can be open in this position. A question is about one subject only."""
    about = [question.rooms, question.doors, question.behind, question.ending]
    if sum(map(bool, about)) != 1 or bool(state.pending) != bool(question.doors):
        return False
    if question.doors:
        return _does_question_fit_attempt(state, question)
    if question.fleeing:
        return _does_question_fit_flight(state, question)
    if question.behind:
        return state.phase == "smash" and question.of == "human" and state.board.room_set.issuperset(question.behind)
    in_time = state.phase in ("arrival", "move", "human-move") or (
        state.phase in COMBAT_PHASES and state.combat is not None
    )
    return question.ending or (in_time and state.rooms_with_mutants.issuperset(question.rooms))


def _does_question_fit_attempt(state: State, question: Question) -> bool:
    """True if the question is about the Mutants' attempt at a door, and asks the right player (M23).

    First the Human player tells whether the door has a Wall. Then the Mutant player tells what happened.
    """
    attempt, (door, *others) = state.pending, question.doors
    if (
        attempt is None
        or others
        or attempt.door != door
        or door not in state.board.doors_for_walls
        or not attempt.units
    ):
        return False
    known = door in {*state.told.walls, *state.told.clear}
    beside = all(state.at.get(unit) in state.board.door_ends[door] for unit in attempt.units)
    mutants = all(unit in state.board.units_by_side["mutant"] for unit in attempt.units)
    in_time = state.phase == ("open" if attempt.die is None else "smash") and state.phase in MUTANT_MOVEMENT_STEPS
    contact = state.options["wall-reveal"] == "on-contact" and door not in state.smashed | state.attempted
    return contact and in_time and beside and mutants and known == (question.of == "mutant")


def _does_question_fit_flight(state: State, question: Question) -> bool:
    """True if the question fits a flight of Mutants, at the start of a Round, into a room that may hold enemies."""
    combat = state.combat
    if combat is None or not combat.may_retreat or combat.odds != "human" or combat.stage != "lay":
        return False
    here = {*state.list_fighters("mutant", combat.room), *(["penny"] if state.captive else [])}
    refuge = question.behind[0] if len(question.behind) == 1 else ""
    known = refuge in state.rooms_with_mutants or not state.are_neighbours(combat.room, refuge or combat.room)
    return question.of == "human" and here.issuperset(question.fleeing) and not (known or is_square(refuge))


VERBS = (
    Verb(
        HideUnits,
        ANY_TIME,
        _offer_hide,
        _check_hide,
        _hide_units,
        read=make_reader(HideUnits),
        late=_refuse_hide_outside_phase,
        may=allow_any_seat,
    ),
    Verb(AskAboutSecret, (), read=make_reader(AskAboutSecret), late=_refuse_question),
    Verb(RemoveUnits, (), read=make_reader(RemoveUnits), late=_refuse_removal),
    Verb(
        AnswerQuestion,
        (QUESTION_PHASE,),
        _offer_tell,
        _check_tell,
        _announce_answer,
        read=_read_answer,
        late=_refuse_unasked,
    ),
)
