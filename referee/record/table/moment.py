"""The game after one entry, as far as it is known here: the seat to act, the forced actions, the pending dice.

Nothing in this module touches a file. The reducer makes moments, commands look at them through eyes (`player_view`),
and the session keeps the latest one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_grammar import ParsedPhrase
from referee.engine.adjudication import (
    IllegalVerdict,
    LegalVerdict,
    PendingVerdict,
    Verdict,
    adjudicate,
    find_forced_answer,
)
from referee.engine.caching import cache_latest
from referee.engine.choice import Action
from referee.engine.dice import DiceError, Need, Source, TypedDie
from referee.engine.dice_mode import DiceMode, DiceSources, TableDice
from referee.engine.dice_source import JointRollSource, TypedSource
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.options import Options
from referee.engine.plugin_errors import GameError
from referee.engine.rulebook import Refusal
from referee.engine.secret import UnknownError
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.agreement import LinkedEntry
from referee.record.table.knowledge import Knowledge
from referee.record.table.public_facts import PublicFacts
from referee.record.table.seating import Seating

if TYPE_CHECKING:
    from referee.record.log.entry import GameEntry
    from referee.record.table.advice import Advice
    from referee.record.table.joint_roll import JointRoll


MAX_SUGGESTIONS = 3
"""The most legal actions that are suggested for words that could not be read."""
MAX_WORDS_COMPARED = 8
"""The most words of a phrase that are used to find suggestions for it."""


class JudgedAction(Struct, frozen=True, dict=True):
    """One action that somebody said, with the verdict on it."""

    seat: Seat
    action: Action
    verdict: Verdict
    before: Moment
    """The moment in which the action was judged."""
    forced: bool = False
    """True if nobody had to say the action: the seat answered a question, or had no other choice."""
    remarks: tuple[str, ...] = ()
    """Sentences about words that the parser filled in."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Every rule that the action breaks; empty if it was not refused."""
        return self.verdict.refusals if isinstance(self.verdict, IllegalVerdict) else ()

    @property
    def awaited_dice(self) -> Need | None:
        """The dice that must be rolled before there is a verdict; None if no dice are missing."""
        return self.verdict.need if isinstance(self.verdict, PendingVerdict) else None

    @property
    def needs_dice(self) -> bool:
        """True if the action needs dice, whether they are rolled already or not."""
        return self.awaited_dice is not None or (isinstance(self.verdict, LegalVerdict) and bool(self.verdict.rolls))

    @property
    def has_typed_dice(self) -> bool:
        """True if somebody typed dice for the action that were rolled on a real table."""
        return isinstance(self.verdict, LegalVerdict) and any(roll.is_typed for roll in self.verdict.rolls)

    @property
    def is_answer(self) -> bool:
        """True if the action answers a question to which only its seat knows the answer."""
        return self.before.is_answer_due

    @property
    def is_question(self) -> bool:
        """True if the action only asks another seat a question, and must be said again after the answer."""
        game = self.before.game
        return self.next_moment.is_answer_due and game.is_question(self.before.view(self.seat), self.action)

    @property
    def turn_part_identifier(self) -> Callable[[Moment], object] | None:
        """A function of a moment that shows if the part of the turn that this action closes is over.

        The function returns the same value for two moments in the same part of the turn, and another value once that
        part has ended. None if the action does more than close a part of the turn.
        """
        part = self.before.game.verbs.find_verb(type(self.action)).closes
        return part and (lambda moment: (moment.facts.turn, part(moment.state)))

    @cached_property
    def advice(self) -> Advice:
        """The advice after the action was refused, worked out from the knowledge of its seat."""
        from referee.record.table.advice import find_advice  # few actions are refused

        game, seat, before = self.before.game, self.seat, self.before
        view, secrets = before.view(seat), bool(before.keepers)
        return find_advice(game, view, seat, before.legal(seat), self.action, secrets=secrets)

    def with_remark(self, remark: str) -> JudgedAction:
        """Returns the same action with one more remark. Cached values are kept."""
        said = replace(self, remarks=(*self.remarks, remark))
        said.__dict__.update(self.__dict__)
        return said

    @property
    def may_change_view(self) -> bool:
        """True if another seat acts next, and may see other things than this seat."""
        then = self.next_moment
        return then.to_act is not None and self.before.facts.may_see_differently(self.seat, then.to_act)

    @cached_property
    def next_moment(self) -> Moment:
        """The moment after the action was played; the moment before it if it was not played."""
        return self.before.apply_action(self)


class Moment(Struct, frozen=True, dict=True):
    """The game after one entry. Every method that takes a `seat` uses that seat's knowledge."""

    game: AnyGame
    header: GameEntry
    """The first entry of the log: game, seats and options."""
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    seating: Seating
    """The players and bots at this moment."""
    options: Options
    """The options in force at this moment."""
    n: int
    """The number of the last recorded entry. Actions that are said but not recorded do not change it."""
    known: Knowledge
    line: LinkedEntry | None
    """The line of play that leads here; None if nobody will ask for it."""
    vault_seats: frozenset[Seat]
    """The seats whose vaults are on this computer. Questions to these seats are answered at once."""
    draws: Mapping[str | None, int]
    """The number of rolls so far: open ones under None, secret ones under their seat."""
    seeds: Mapping[str | None, str]
    """The seeds of dice that are known here: the open one under None, secret ones under their seat."""
    joint_roll: JointRoll | None = None
    """The joint roll by mail that is open or still gives dice; None without one."""
    awaits_dice: bool = False
    """True if every action waits for its dice, whatever the dice mode of the game."""
    draws_lots: bool = True
    """True if lots are drawn at once in a game with typed dice. Otherwise actions wait for them, too."""
    lot_seed: bytes | None = None
    """The seed of the next lots; None stands for a fresh one."""

    def make_hypothetical(self) -> Moment:
        """Returns this moment for a "what if" question: no dice are rolled and no seat answers."""
        return replace(self, vault_seats=frozenset(), awaits_dice=True, draws_lots=False)

    def with_dice_used_until(self, now: Moment) -> Moment:
        """Returns this earlier moment, to play on from it.

        Dice that were rolled up to the moment `now` count as used.
        """
        return replace(self, draws=now.draws, seeds=now.seeds, vault_seats=now.vault_seats)

    def with_entry_number(self, n: int, line: LinkedEntry | None) -> Moment:
        """Returns this moment with the number of the entry that recorded it. Cached values are kept."""
        moment = replace(self, n=n, line=line)
        moment.__dict__.update(self.__dict__)
        return moment

    @property
    def dice(self) -> DiceMode:
        """The dice mode: where dice come from."""
        return TableDice() if self.awaits_dice else self.header.dice

    @cached_property
    def state(self) -> Any:
        """The true state, or as much of it as spectators see. Ask it only for things that every view shows."""
        return self.known.public

    @cached_property
    def to_act(self) -> Seat | None:
        """The seat to act; None when the game is over."""
        return None if self.known.ended else self.game.to_act(self.state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end of the game, by its rules or by its players; None while it goes on."""
        return self.known.find_outcome(self.game)

    @cached_property
    def facts(self) -> PublicFacts:
        """All public facts of this moment."""
        asked = self.to_act if self.is_answer_due else None
        names = self.seating.map_seats_to_names(self.game, self.state)
        return PublicFacts(
            game=self.game,
            header=self.header,
            seats=self.seats,
            keepers=self.keepers,
            vault_seats=self.vault_seats,
            options=self.options,
            first_names=self.game.find_current_names(self.state, self.header.names),
            names={seat: name or seat for seat, name in names.items()},
            bots=self.seating.bots,
            empty_seats=tuple(seat for seat in self.seats if not names[seat]),
            dice=self.dice,
            to_act=self.to_act,
            asked_seat=asked,
            turn=self.game.get_turn_number(self.state),
            outcome=self.outcome,
            ended=self.known.ended,
            is_partly_known=self.known.views is not None,
        )

    def view(self, seat: Seat | None) -> Any:
        """Returns the state as a seat may know it; None stands for a spectator. The view is cached.

        Raises UnknownError if the secrets of the seat are not known here.
        """
        if seat not in self._views:
            self._views[seat] = self.known.view_of(self.game, seat)
        return self._views[seat]

    @cached_property
    def _views(self) -> dict[Seat | None, Any]:
        return {}

    def legal(self, seat: Seat | None = None) -> LegalActions:
        """Returns everything that a seat may do; by default, the seat to act. Empty after the end of the game.

        The list is cached. Raises UnknownError if the secrets of the seat are not known here.
        """
        seat = None if self.known.ended else seat or self.to_act
        if seat is None:
            return LegalActions()
        if seat not in self._legal:
            self._legal[seat] = self.game.legal(self.view(seat), seat)
        return self._legal[seat]

    @cached_property
    def _legal(self) -> dict[Seat, LegalActions]:
        return {}

    @cached_property
    def is_answer_due(self) -> bool:
        """True if the seat to act owes an answer that only this seat knows."""
        return not self.known.ended and self.game.awaits_answer(self.state)

    @property
    def knows_acting_seat_secrets(self) -> bool:
        """True if the secrets of the seat to act are known here."""
        return self.to_act is not None and self.known.can_open_view_of(self.to_act)

    def find_speaker(self, by: Seat | None) -> Seat:
        """Returns the seat that speaks: `by`, else the seat to act, else the first seat."""
        return by or self.to_act or self.seats[0]

    def parse(self, phrase: str, by: Seat | None = None) -> Action:
        """Returns the action that a phrase means. Raises NotUnderstoodError if it means none."""
        seat = self.find_speaker(by)
        action: Action = self.game.parse(phrase, self.view(seat), seat)
        return action

    def read(self, phrase: str, by: Seat | None = None, after: str = "") -> ParsedPhrase:
        """Reads a phrase that follows one with the verb `after`. Raises NotUnderstoodError if it means no action."""
        seat = self.find_speaker(by)
        return self.game.read(phrase, self.view(seat), seat, after)

    def suggest_actions(self, phrase: str, by: Seat | None = None) -> tuple[str, ...]:
        """Returns legal actions that share as many words as possible with a phrase that was not understood.

        Names of pieces count first, then the last words, since they usually name the goal. Empty if more than
        `MAX_SUGGESTIONS` actions fit.
        """
        seat = self.find_speaker(by)
        near, view = self.game.verbs.without_resigning(self.legal(seat)), self.view(seat)
        pieces = {piece.lower() for piece in self.game.pieces(view)}
        words = list(reversed(re.findall(r"\w+", phrase)[-MAX_WORDS_COMPARED:]))
        for word in sorted(words, key=lambda word: word.lower() not in pieces):
            near = self.game.filter(near, [word], view) or near
        found = tuple(map(self.game.format, islice(near, MAX_SUGGESTIONS + 1)))
        return found if len(found) <= MAX_SUGGESTIONS else ()

    def check(self, action: Action, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Returns every rule that the action breaks; empty if it is legal. Nothing else is worked out."""
        seat = self.find_speaker(by)
        return tuple(self.game.check(self.view(seat), seat, action))

    def make_dice_source(self, faces: list[TypedDie], seat: Seat | None = None, action: Action | None = None) -> Source:
        """Returns the source of dice for an action. Raises DiceError if faces are typed in a game that takes none."""
        if faces and not self.dice.is_typed:
            raise DiceError(self.dice.why_untyped)
        together = partial(self._make_joint_source, seat, action)
        return self.dice.make_dice_source(
            DiceSources(self.draws, self.seeds, partial(self._make_typed_source, faces), together)
        )

    def _make_typed_source(self, faces: list[TypedDie]) -> Source:
        """Returns a source of the typed faces. If `draws_lots` is True, it also draws lots from a seed; otherwise, an
        action that draws lots has to wait.
        """
        return TypedSource(faces, self.draws, self._derive_lot_seed if self.draws_lots else None)

    def _make_joint_source(self, seat: Seat | None, action: Action | None) -> Source:
        """Returns the dice of the present joint roll if they are for this action; otherwise a source without dice."""
        if self.joint_roll is not None and seat is not None and self.uses_joint_roll(seat, action):
            return self.joint_roll.make_dice_source(self.draws)
        return JointRollSource({}, {}, self.draws)

    def _derive_lot_seed(self, count: int) -> bytes:
        """Returns the seed from which lots are drawn; `count` random bytes if no seed is given."""
        return os.urandom(count) if self.lot_seed is None else self.lot_seed

    def uses_joint_roll(self, seat: Seat, action: Action | None) -> bool:
        """True if the joint roll by mail gives its dice to this action: a declared action, or the only one possible."""
        cast = self.joint_roll
        if cast is None or not cast.is_complete:
            return False
        is_declared = seat == cast.by and action == cast.declared_action
        return action is not None and (is_declared or (cast.serves_forced_rolls and action == self.only_roll))

    @cached_property
    def only_roll(self) -> Action | None:
        """The roll that is the only possible action of the seat to act, when nobody else may speak; None otherwise."""
        return None if self.known.ended else find_only_roll(self.game, self.known)

    def find_due_roll(self) -> JudgedAction | None:
        """Returns the roll that is due by mail without any decision, judged: the only possible action, or the declared
        one.

        None if dice are missing, a seat has a choice, or the view of the seat to act is not known here.
        """
        cast, seat = self.joint_roll, self.to_act
        if (
            cast is None
            or not cast.is_complete
            or seat is None
            or not self.known.can_open_view_of(seat)
            or self.is_answer_due
        ):
            return None
        action = self.only_roll or (cast.declared_action if cast.by == seat else None)
        if (
            action is not None
            and action == self.only_roll
            and self.keepers
            and self.legal(seat).only_action() != action
        ):
            return None  # the seat sees more than the public and has a choice
        said = self.judge(action, seat)[0] if action is not None else None
        return said if said and isinstance(said.verdict, LegalVerdict) else None

    def find_automatic_action_of_others(self, seat: Seat | None) -> JudgedAction | None:
        """Returns the only possible action of a seat other than `seat`, judged. It rolls no dice and shows no secret.

        None if that seat has a choice, or if `seat` is to act.
        """
        if self.known.ended or self.to_act in (None, seat):
            return None
        return self._find_publicly_forced_action() if self.keepers else self.find_forced_action()

    def _find_publicly_forced_action(self) -> JudgedAction | None:
        """Returns, judged, the action that is the only possible one, as everybody knows.

        None if there is a choice, or if the action holds a roll or a secret.
        """
        public = self.known.view_of(self.game, None)
        action = self.game.find_publicly_forced_action(public)
        if action is None or self.game.is_secret(public, action):
            return None
        by = self.find_speaker(None)
        if self.known.can_open_view_of(by):
            said = replace(self, awaits_dice=True).judge(action, by)[0]
            return replace(said, before=self, forced=True) if isinstance(said.verdict, LegalVerdict) else None
        verdict = adjudicate(self.game, public, by, action, JointRollSource({}, {}, self.draws))
        return JudgedAction(by, action, verdict, self, forced=True) if isinstance(verdict, LegalVerdict) else None

    def judge(
        self, action: Action, by: Seat | None = None, faces: Iterable[TypedDie] = ()
    ) -> tuple[JudgedAction, list[TypedDie]]:
        """Judges an action. Returns it with its verdict, and the faces that are left over.

        Raises DiceError for faces that do not fit, UnknownError for unknown secrets, NotAllowedError after the end.
        """
        if self.known.ended:
            raise NotAllowedError(f"the game is over: {self.known.ended.because}; to take that back: referee undo")
        seat, typed = self.find_speaker(by), list(faces)
        source = self.make_dice_source(typed, seat, action)
        state = self.known.truth if self.known.views is None else self.view(seat)
        verdict = adjudicate(self.game, state, seat, action, source)
        left = list(source.unused_faces) if isinstance(source, TypedSource) else []
        return JudgedAction(seat, action, verdict, self), left if isinstance(verdict, LegalVerdict) else typed

    def apply_action(self, said: JudgedAction) -> Moment:
        """Returns the moment after an action was played; this moment if it was not."""
        verdict = said.verdict
        if not isinstance(verdict, LegalVerdict):
            return self
        if self.known.views is None:
            known = Knowledge(verdict.state)
        else:
            known = self.known.apply_play(self.game, said.seat, verdict.events, verdict.open_events)
        draws = dict(self.draws)
        for roll in verdict.rolls:
            draws[roll.to] = draws.get(roll.to, 0) + 1
        cast = self.joint_roll and self.joint_roll.advance_past_play(
            said.seat, said.action, verdict.rolls, answered=self.is_answer_due, hidden=verdict.hidden
        )
        return replace(self, known=known, draws=draws, joint_roll=cast)

    def find_forced_answer(self) -> JudgedAction | None:
        """Returns the judged answer that the seat to act owes.

        None if this seat owes no answer, or if its vault is not on this computer. Raises GameError if the answer needs
        dice or is illegal.
        """
        seat = self.to_act
        if seat is None or seat not in self.vault_seats or not self.is_answer_due:
            return None
        said, _ = self.judge(find_forced_answer(self.game, self.view(seat), seat), seat)
        if not isinstance(said.verdict, LegalVerdict):
            raise GameError(self.game.name, "awaits_answer", f"{seat} is asked something that is not answered at once")
        return replace(said, forced=True)

    def find_forced_action(self) -> JudgedAction | None:
        """Returns the only possible action, judged. None if a seat has to decide or to roll.

        Nothing is forced while another seat may speak as well. In a game with secrets, an action is forced only if
        everybody knows that there is no other. Otherwise, making it would tell something.
        """
        seat = self.to_act
        if seat is None or self.is_answer_due or self.game.list_other_actors(self.state):
            return None
        if self.keepers:
            return self._find_publicly_forced_action()
        action = self.legal(seat).forced_action()
        said = replace(self, awaits_dice=True).judge(action, seat)[0] if action is not None else None
        if said is None or not isinstance(said.verdict, LegalVerdict):
            return None
        remarks = self.read(self.game.format(said.action), seat).remarks
        return replace(said, before=self, forced=True, remarks=remarks)


@cache_latest
def find_only_roll(game: AnyGame, known: Knowledge) -> Action | None:
    """Returns the roll that everybody can see to be the only possible action.

    None if there is a choice, or if only the seat itself knows that there is none. The answer is cached: by mail, it is
    needed when a joint roll is opened and again when the roll is played.
    """
    state = known.view_of(game, None)
    seat = game.to_act(state)
    if seat is None or game.awaits_answer(state) or game.list_other_actors(state):
        return None
    sole: Action | None = game.find_publicly_forced_action(state)
    if sole is not None and game.is_secret(state, sole):  # everybody knows the action, only not how many dice it takes
        return sole
    try:
        legal = game.legal(state, seat)
        only: Action | None = legal.only_action() if legal.awaited_roll is not None else None
    except UnknownError:  # the choices depend on secrets of the seat
        return None
    return only
