"""Laws of rules, words and positions, tried at one spot of a random game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from referee.engine.adjudication import LegalVerdict, adjudicate, apply_events, find_forced_answer
from referee.engine.choice import Action
from referee.engine.dice import Need
from referee.engine.dice_source import JointRollSource
from referee.engine.event import Seat
from referee.engine.position import decode_position
from referee.engine.position_diff import amend_position, list_pieces_and_fields
from referee.engine.target_number import ONLY_READ
from referee.gate import read_json
from referee.show.text_picture import draw_text_picture
from referee.testing.trial import Spot

MAX_COUNTED_ACTIONS = 1_000
"""The length from which a list is no longer counted one by one."""
MAX_PIECES_TYPED = 24
"""The most pieces whose places are typed and read back at one spot."""


def check_legality(spot: Spot) -> Iterator[str]:
    """Checks that `action in legal` holds exactly when `check` yields nothing, for every seat and action."""
    for seat, action, refusals in spot.tried_actions:
        if (action in spot.legal[seat]) == bool(refusals):
            what = f"is refused ({refusals[0].rule}: {refusals[0].because})" if refusals else "breaks no rule"
            listed = "listed" if refusals else "not listed"
            yield f"{seat}'s {spot.game.format(action)!r} ({action}) {what} and is {listed} as legal"


def check_citations(spot: Spot) -> Iterator[str]:
    """Checks that every refusal cites a rule or ruling of the rulebook, and gives a reason."""
    book = spot.game.rulebook
    for seat, action, refusals in spot.tried_actions:
        for refusal in refusals:
            if refusal.rule not in book.rules and refusal.rule not in book.rulings:
                yield f"{seat}'s {spot.game.format(action)!r} is refused by {refusal.rule!r}, which does not exist"
            if not refusal.because:
                yield f"{seat}'s {spot.game.format(action)!r} is refused without a reason"


def check_recommended_opening(spot: Spot) -> Iterator[str]:
    """Checks that `recommend_opening` recommends a legal action or none, and the same one each time."""
    for seat, legal in spot.legal.items():
        action = spot.game.recommend_opening(spot.view(seat), seat) if legal else None
        if action is not None and action not in legal:
            yield f"{spot.game.format(action)!r}, {seat}'s opening, is illegal"
        elif legal and spot.game.recommend_opening(spot.make_fresh_view(seat), seat) != action:
            yield f"{seat}'s opening is different when it is asked for again"


def check_legal_lists(spot: Spot) -> Iterator[str]:
    """Checks that lists of legal actions have the right count, no duplicates and a stable order.

    An action that is picked at random must be in the list.
    """
    random = spot.random
    for seat, legal in spot.legal.items():
        everything = list(islice(legal, MAX_COUNTED_ACTIONS))
        if len(legal) < MAX_COUNTED_ACTIONS and len(legal) != len(everything):
            yield f"{seat} has {len(everything)} actions, but {len(legal)} are counted"
        twice = [action for action, count in Counter(everything).items() if count > 1]
        if twice:
            yield f"{spot.game.format(twice[0])!r} is listed twice for {seat}"
        again = spot.game.legal(spot.make_fresh_view(seat), seat)
        if repr(again) != repr(legal):
            yield f"{seat}'s list is different when it is asked for again"
        for picked in (legal.pick(random) for _ in range(5) if legal):
            if picked not in legal:
                yield f"{spot.game.format(picked)!r} is picked for {seat}, but not listed"


def check_parsing(spot: Spot) -> Iterator[str]:
    """Checks that `parse` turns the words of `format` back into the action, also in capitals and with extra spaces."""
    for seat, legal in spot.legal.items():
        for choice in legal.choices:
            if not spot.game.format_choice(choice):
                yield f"{choice} has no words"
        for action in spot.sample_actions(legal):
            words = spot.game.format(action)
            for text in (words, words.upper(), f"  {words.replace(' ', '   ')} "):
                if spot.game.parse(text, spot.view(seat), seat) != action:
                    yield f"{seat}'s {text!r} is read as {spot.game.parse(text, spot.view(seat), seat)}, not {action}"


def check_turns(spot: Spot) -> Iterator[str]:
    """Checks that a seat is to move until the end of the game, and that other seats can do nothing.

    A seat that is asked for something must have exactly one answer.
    """
    game = spot.game
    for state in (spot.state, spot.played.state):
        pen, may = game.to_act(state), game.list_other_actors(state)
        ended = game.outcome(state) is not None
        if ended != (pen is None):
            yield "the game must have an outcome exactly when nobody is to act"
        if not {*may, pen or spot.seat} <= set(spot.play.seats):
            yield "a seat that does not exist may act"
        others = [seat for seat in spot.play.seats if seat not in (pen, *may)]
        strangers = [seat for seat in others if game.legal(game.view(state, seat), seat)]
        if strangers:
            yield f"{strangers[0]} may do something when others are to act"
        if not ended and game.awaits_answer(state) and pen:
            find_forced_answer(game, game.view(state, pen), pen)
        yield from _check_only_action(spot, state)


def _check_only_action(spot: Spot, state: Any) -> Iterator[str]:
    """Yields breaches of `find_publicly_forced_action`.

    The action that it returns must be all that the seat can do. If the action is not a secret, its events must be the
    same in every view.
    """
    game, public = spot.game, spot.game.view(state, None)
    sole, seat = game.find_publicly_forced_action(public), game.to_act(state)
    if sole is None or seat is None:
        return
    view = game.view(state, seat)
    if game.legal(view, seat).only_action() != sole:
        others = f"{seat} can take other actions than {game.format(sole)!r}"
        yield f"{others}, though `find_publicly_forced_action` returns that"
    elif not game.is_secret(public, sole):
        told, known = (adjudicate(game, eyes, seat, sole, JointRollSource({}, {}, {})) for eyes in (public, view))
        if not (isinstance(told, LegalVerdict) and isinstance(known, LegalVerdict) and told.events == known.events):
            yield f"{game.format(sole)!r} leads to another result in the view of spectators"


def check_announced_dice(spot: Spot) -> Iterator[str]:
    """Checks that the first dice that a choice rolls are those that it announces."""
    for seat, legal in spot.legal.items():
        for choice in legal.choices if spot.awaits_no_answer(seat) else ():
            if choice.need:
                yield from _find_other_dice(spot, seat, choice.pick(spot.random), choice.need)


def _find_other_dice(spot: Spot, seat: Seat, action: Action, need: Need) -> Iterator[str]:
    verdict = adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source())
    rolls = verdict.rolls if isinstance(verdict, LegalVerdict) else ()
    thrown = [Need(roll.purpose, len(roll.faces), roll.sides, aims=ONLY_READ) for roll in rolls[:1]]
    if thrown != [Need(need.purpose, need.count, need.sides, aims=ONLY_READ)]:
        yield f"{seat}'s {spot.game.format(action)!r} announces {need}, but throws {thrown[0] if thrown else 'nothing'}"


def check_playing(spot: Spot) -> Iterator[str]:
    """Checks that a legal action can be played, that its events lead to its state, and that both are repeatable.

    The state in which it is played must stay as it is. The action that the random game played at this spot must lead to
    the same result again.
    """
    before = repr(spot.state)
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal) if spot.awaits_no_answer(seat) else ():
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source())
            if not isinstance(verdict, LegalVerdict):
                yield f"{seat}'s {spot.game.format(action)!r} is legal, but comes to {verdict}"
            elif apply_events(spot.state, verdict.events) != verdict.state:
                yield f"the events of {spot.game.format(action)!r} lead to another state when they are applied"
            elif verdict != adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source()):
                yield f"{spot.game.format(action)!r} has another result the second time"
    if repr(spot.state) != before:
        yield "playing an action changes the state in which it is played"
    elif adjudicate(spot.game, spot.state, spot.seat, spot.action, spot.make_dice_source()) != spot.played:
        yield f"{spot.seat}'s {spot.game.format(spot.action)!r} had another result when the game was played"


def check_positions(spot: Spot) -> Iterator[str]:
    """Checks that `state_from` turns the position of a state back into that state, and that JSON keeps the position.

    Only states at the beginning of a game, such as the roll for the first turn, may break rules as positions.
    """
    game, options, board = spot.game, spot.play.options, spot.play.board
    position = game.position_from(spot.state)
    refusal = spot.find_position_refusal(spot.state)
    if refusal:
        if not all(earlier.find_position_refusal(earlier.state) for earlier in spot.play.spots[: spot.at]):
            yield f"its position is refused ({refusal.rule}: {refusal.because})"
    elif game.state_from(position, options, board) != spot.state:
        yield "a game set up from its position is in another state"
    document = read_json(msgspec.json.encode(position))
    if decode_position(game, document) != position:
        yield "its position is different when it is read from a file"


def check_invariants(spot: Spot) -> Iterator[str]:
    """Checks that every invariant of the game holds in a state that play has reached, and in the state after it.

    A state in which the game has ended is left out: it stands in the middle of an action.
    """
    for state in (spot.state, spot.played.state):
        for refusal in spot.game.check_invariants(state) if spot.game.outcome(state) is None else ():
            yield f"play reaches a state that breaks an invariant ({refusal.rule}: {refusal.because})"


def check_typed_pieces(spot: Spot) -> Iterator[str]:
    """Checks that the place of each piece can be typed as it is shown, and that doing so changes nothing."""
    game = spot.game
    known, position = list_pieces_and_fields(game, spot.state), game.position_from(spot.state)
    for name, where in spot.random.sample(list(known.items()), min(MAX_PIECES_TYPED, len(known))):
        position = amend_position(game, position, known, [f"{name} {where}"])
    if (
        not spot.find_position_refusal(spot.state)
        and game.state_from(position, spot.play.options, spot.play.board) != spot.state
    ):
        yield "its position leads to another state when it is typed piece by piece"


def check_texts(spot: Spot) -> Iterator[str]:
    """Checks that every event has a line, and every view a status line and a picture."""
    for event in spot.played.events:
        line = spot.game.tell(event)
        if not line.strip() or "\n" in line:
            yield f"{event} is told as {line!r}"
    for viewer, view in spot.views_with_viewers:
        line = spot.game.status(view)
        if not line.strip() or "\n" in line:
            yield f"{viewer or 'a spectator'} is told {line!r}"
        scene = spot.game.draw(view)
        if not scene.words or not draw_text_picture(scene):
            yield f"{viewer or 'a spectator'} has no picture or no words"
