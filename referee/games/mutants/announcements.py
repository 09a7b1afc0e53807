"""The facts that players are told, and questions they must answer, in a game with Hidden Movement (OPT.V).

Each action is judged on the view of the side that acts. From this view the referee tells both players what they must
learn, and asks the other side about the rest (OPT.V.C, OPT.V.D).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Script, SecretEvent
from referee.engine.secret import hide_secrets_from
from referee.games.mutants.board import DoorNames, Place, Side, compact_names, describe_door, is_square
from referee.games.mutants.phases import PHASES_BEFORE_PLAY
from referee.games.mutants.state import Places, Question, State, ToldFacts, UnitId, UnitIds
from referee.games.mutants.view import UnnoticedEvent, find_visible_units, list_disclosed_sides


class QuestionAsked(Event, frozen=True, tag="asked"):
    """A player has been asked about secret notes."""

    told = "The {question.of} player tells {question.about}."
    tells = True
    question: Question

    def apply(self, state: State) -> State:
        """Records the question. Nothing else can happen until it is answered."""
        return replace(state, asked=self.question)


class FactsAnnounced(Event, frozen=True, tag="announced"):
    """New facts that both players are told in a game with Hidden Movement."""

    tells = True
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)] = ()
    """Units that are put on the gameboard, or have moved there in plain sight, each with its place."""
    lost: UnitIds = ()
    """Mutants that were shown and are now out of sight."""
    walls: DoorNames = ()
    """Walls that are shown from now on."""
    clear: DoorNames = ()
    """Doors that were tried and have no Wall."""
    smashed: DoorNames = ()
    rooms: Places | None = None
    """All rooms that hold Mutants; None if they are the same as before."""
    behind: Annotated[tuple[tuple[Place, bool], ...], Meta(max_length=100)] = ()
    """Rooms that were asked about, each with True if a Human-side unit is in it."""

    def tell(self) -> str:
        """Lists the facts that both players learn."""
        return f"Both players are told: {' '.join(self._list_news())}"

    def _list_news(self) -> Iterator[str]:
        """Yields the new facts, one sentence each."""
        if self.lost:
            yield f"Take {compact_names(self.lost)} off the gameboard: out of sight."
        for place in dict.fromkeys(place for _, place in self.units):
            units = compact_names(tuple(unit for unit, at in self.units if at == place))
            yield f"Put {units} in {place} for all to see."
        yield from (f"Put the Wall on {describe_door(door)} for all to see." for door in self.walls)
        yield from (f"No Wall is on {describe_door(door)}." for door in self.clear)
        yield from (f"Put a Smashed Door marker on {describe_door(door)}." for door in self.smashed)
        yield from (f"{'Somebody' if there else 'Nobody'} is in {room}." for room, there in self.behind)
        if self.rooms is not None:
            yield f"Mutants are in {', '.join(self.rooms)}." if self.rooms else "No Mutants are in the building."

    def apply(self, state: State) -> State:
        """Records the new facts and clears the question that they answer."""
        return replace(
            state,
            told=self._update_knowledge(state),
            at=state.board.find_places_after_move(state.at, dict(self.units)) if self.units else state.at,
            moved=self._update_moves(state),
            walls=state.walls.union(self.walls),
            smashed=state.smashed.union(self.smashed),
            asked=None,
        )

    def _update_knowledge(self, state: State) -> ToldFacts:
        known, board = state.told, state.board
        of_side: dict[Side, list[str]] = {"human": [], "mutant": []}
        for unit, _ in self.units:
            of_side[board.find_side(unit)].append(unit)
        mutants = _merge_names(known.mutants, of_side["mutant"], board.sort_units)
        known = replace(
            known,
            humans=_merge_names(known.humans, of_side["human"], board.sort_units),
            mutants=tuple(unit for unit in mutants if unit not in self.lost) if self.lost else mutants,
            walls=_merge_names(known.walls, self.walls, sorted),
            clear=_merge_names(known.clear, self.clear, sorted),
            rooms=known.rooms if self.rooms is None else self.rooms,
            due=_merge_names(known.due, self._rooms_due(state), sorted),
        )
        return known.with_sighted_rooms(tuple(room for room, somebody in self.behind if somebody))

    def _rooms_due(self, state: State) -> tuple[str, ...]:
        """Returns the rooms that Mutants have just found and that the Human player tells about later.

        Empty unless the Human player tells about them when the Step ends (M68).
        """
        if not are_answers_delayed(state):
            return ()
        if state.phase == "smash":
            ends = {end for door in self.smashed for end in state.board.door_ends[door]}
            return tuple(end for end in ends if not is_square(end) and end not in state.told.rooms)
        return tuple(room for room in self.rooms or () if room not in state.told.rooms)

    def _update_moves(self, state: State) -> Mapping[str, str]:
        """Returns the units that have moved, including Penny if Mutants led her along in plain sight (M52)."""
        led = state.captive and state.phase == "move" and dict(self.units).get("penny")
        return {**state.moved, "penny": state.at["penny"]} if led and led != state.at["penny"] else state.moved


def _merge_names(
    known: tuple[str, ...], more: Collection[str], order: Callable[[set[str]], Iterable[str]]
) -> tuple[str, ...]:
    """Returns the known names with more names added, sorted by `order`.

    If no name is new, returns the known names unchanged.
    """
    new = set(more).difference(known) if more else ()
    return tuple(order({*new, *known})) if new else known


def are_answers_delayed(state: State) -> bool:
    """True if the Human player waits until the present Step ends before telling what Mutants find in it (M68)."""
    return state.options["answers"] == "by-step" and state.phase in ("smash", "move") and not state.asked


NO_NEWS = FactsAnnounced()
"""An announcement of no news."""


def add_announcements(state: State, side: Side, script: Script[State]) -> Script[State]:
    """Yields the events of a script, and after each event the news that both players are told because of it.

    `side` is the side that acts, and `state` is its view. The news holds what this side knows; the other side is asked
    about the rest. After a question the script must end. The answer continues the action (see answers.py).
    """
    happened = next(script, None)
    while happened is not None:
        event = happened.event if isinstance(happened, SecretEvent) else happened
        is_seen = not isinstance(event, UnnoticedEvent)
        before, state = state, (yield event if is_seen else SecretEvent(event))
        if _may_tell(before, state):
            news = _find_news(before, event if is_seen else None, state, side)
            state = (yield news) if news else state
            question = None if state.asked else _find_next_question(before, state)
            state = (yield QuestionAsked(question)) if question else state
        try:
            happened = script.send(state)
        except StopIteration:
            return


def _may_tell(before: State, after: State) -> bool:
    """True if an event may bring news. No event does so before the set-up is complete, or after the end."""
    if after.outcome or after.phase in PHASES_BEFORE_PLAY:
        return False
    return (
        before.at is not after.at
        or before.told is not after.told
        or before.smashed is not after.smashed
        or before.captive is not after.captive
        or (before.combat and before.combat.room) != (after.combat and after.combat.room)
    )


# The news that a side tells


def _find_places_in_sight(before: State, event: Event | None) -> Mapping[str, str]:
    """Returns the places of the units that everybody sees after an event. `event` is None for a secret event."""
    visible = find_visible_units(before, list_disclosed_sides(before))
    at = {unit: before.at[unit] for unit in visible if unit in before.at}
    return hide_secrets_from(event, None).apply(replace(before, at=at)).at if event else at


def _find_news(before: State, event: Event | None, after: State, side: Side) -> FactsAnnounced | None:
    """Returns the facts to announce after an event: all that everybody may now know and has not seen. None if there are
    none.

    `event` is None for a secret event.
    """
    known, at = after.told, after.at
    rooms = tuple(sorted(after.rooms_with_mutants if side == "mutant" else _find_known_mutant_rooms(before, after)))
    met = after.list_fighters_in_places("human", rooms) if side == "human" and rooms else ()
    mutants = _list_mutants_met(after)
    shown = [unit for unit in (*known.humans, *met, *mutants) if unit in at]
    seen = _find_places_in_sight(before, event) if shown else at
    moved = {unit for unit in shown if seen.get(unit) != at[unit]}
    news = FactsAnnounced(
        units=tuple((unit, at[unit]) for unit in after.board.sort_units(moved)) if moved else (),
        lost=tuple([unit for unit in known.mutants if unit not in mutants]),
        smashed=tuple(sorted(after.smashed - before.smashed)) if after.smashed is not before.smashed else (),
        rooms=rooms if rooms != known.rooms else None,
    )
    return news if news != NO_NEWS else None


def _list_mutants_met(state: State) -> tuple[str, ...]:
    """Returns the Mutants that both players see, as far as this view knows: those in a room with Human-side units."""
    shared = {*state.list_contested_rooms(), *([state.combat.room] if state.combat else [])}
    return state.list_fighters_in_places("mutant", shared) if shared else ()


def _find_known_mutant_rooms(before: State, after: State) -> Set[str]:
    """Returns the rooms that hold Mutants, as far as the Human player knows.

    A room stays in the list unless its Mutants were shown. If one Mutant in a room is shown, all are, so everybody sees
    when they leave.
    """
    in_sight = {before.at[unit] for unit in before.told.mutants}
    return after.rooms_with_mutants.union(room for room in after.told.rooms if room not in in_sight)


# The questions for the other side


def _find_next_question(before: State, after: State) -> Question | None:
    """Returns the next question for the side that knows the answer; None if there is none.

    It depends only on public facts.
    """
    if are_answers_delayed(before):
        return None
    for door in after.smashed - before.smashed:
        behind = tuple(room for room in after.board.door_ends[door] if room not in after.told.rooms)
        rooms = tuple(room for room in behind if not is_square(room))
        return Question("human", behind=rooms) if rooms else None
    entered = tuple([room for room in after.told.rooms if room not in before.told.rooms])
    if entered:
        return Question("human", rooms=entered)
    met = list_rooms_with_unshown_mutants(after)
    return Question("mutant", rooms=met) if met else None


def list_rooms_with_unshown_mutants(state: State) -> tuple[str, ...]:
    """Returns the rooms where Human-side units are shown and the Mutants with them are not yet (OPT.V.D-c)."""
    shown = {state.at[unit] for unit in state.told.humans if not state.is_captive(unit)}
    unmet = shown.difference([state.at[unit] for unit in state.told.mutants])
    return tuple([room for room in state.told.rooms if room in unmet]) if unmet else ()


# The announcements that a position requires


def complete_told_facts(state: State) -> ToldFacts:
    """Returns the facts that both players have been told, and those that the rules would have told them by now.

    The facts that an open question asks for are left out.

    When Mutants share a room with Human-side units, these units and these Mutants are shown (OPT.V.C-d). Human-side
    units are not shown before (OPT.V.C-c). Both players always know which rooms hold Mutants, so they also learn when
    Mutants leave a room (OPT.V.D-b, M58).
    """
    known, asked = state.told, state.asked or Question("human")
    rooms, untold = state.rooms_with_mutants, list_rooms_asked_about(state)
    shared = {*state.list_contested_rooms(), *([state.combat.room] if state.combat else [])}
    shown = shared.difference(untold)
    humans = {*known.humans, *state.list_fighters_in_places("human", shared if asked.of == "mutant" else shown)}
    mutants = {*known.mutants, *state.list_fighters_in_places("mutant", shown)}
    walls, clear = _find_discovered_walls(state, rooms.difference(untold))
    return ToldFacts(
        humans=state.board.sort_units(humans.union(["penny"] if state.captive else []) & state.at.keys()),
        mutants=state.board.sort_units(unit for unit in mutants if state.at.get(unit) in shared),
        walls=tuple(sorted(walls.union(known.walls))),
        clear=tuple(sorted(clear.union(known.clear))),
        rooms=tuple(sorted(rooms)),
        sighted=tuple(sorted(set(known.sighted) - rooms)),
        due=known.due,
    )


def list_rooms_asked_about(state: State) -> Places:
    """Returns the rooms with Mutants about which a question is open, or will be asked when the Step ends (M68)."""
    if state.asked:
        return state.asked.rooms
    return state.told.due if state.phase == "move" else ()


def _find_discovered_walls(state: State, rooms: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the Walls that Mutants have found, and the doors that they tried and that have no Wall (OPT.V.C-a, M23).

    They find Walls around the given rooms, or at doors that they tried; the option wall-reveal decides which.
    """
    if state.options["wall-reveal"] == "on-contact":
        tried = state.attempted.intersection(state.board.doors_for_walls)
        return tried & state.walls, tried - state.walls
    return frozenset(wall for wall in state.walls if not rooms.isdisjoint(state.board.door_ends[wall])), frozenset()
