"""Laws of rules, words and positions, tried at one spot of a random game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from referee.engine.adjudicate import Played, adjudicate, answer_to, fold
from referee.engine.aim import ONLY_READ
from referee.engine.dice import Need
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.pieces import amended, everything
from referee.engine.position import decode_position
from referee.engine.source import CastSource
from referee.show.text import picture
from referee.testing.trial import Spot

EXPANDED = 1_000
"""Lists longer than this are not counted one by one."""
TYPED = 24
"""So many pieces are typed at one spot, at the most."""


def legal_or_refused(spot: Spot) -> Iterator[str]:
    """`action in legal` exactly when `check` yields nothing: for every seat, whatever is said."""
    for seat, action, refusals in spot.tried:
        if (action in spot.legal[seat]) == bool(refusals):
            what = f"is refused ({refusals[0].rule}: {refusals[0].because})" if refusals else "breaks no rule"
            listed = "listed" if refusals else "not listed"
            yield f"{seat}'s {spot.game.format(action)!r} ({action}) {what} and is {listed} as legal"


def cited(spot: Spot) -> Iterator[str]:
    """Refusals name rules that are in the rulebook, in a clause."""
    book = spot.game.rulebook
    for seat, action, refusals in spot.tried:
        for refusal in refusals:
            if refusal.rule not in book.rules and refusal.rule not in book.rulings:
                yield f"{seat}'s {spot.game.format(action)!r} is refused by {refusal.rule!r}, which does not exist"
            if not refusal.because:
                yield f"{seat}'s {spot.game.format(action)!r} is refused without a word"


def opened(spot: Spot) -> Iterator[str]:
    """What the book of openings says is legal, and the same whenever it is asked."""
    for seat, legal in spot.legal.items():
        action = spot.game.opening(spot.view(seat), seat) if legal else None
        if action is not None and action not in legal:
            yield f"{spot.game.format(action)!r}, {seat}'s opening, is not legal"
        elif legal and spot.game.opening(spot.afresh(seat), seat) != action:
            yield f"{seat}'s opening is another when asked for again"


def listed(spot: Spot) -> Iterator[str]:
    """How many there are, whether any, none twice, each time in the same order; what is picked is listed."""
    random = spot.random
    for seat, legal in spot.legal.items():
        everything = list(islice(legal, EXPANDED))
        if len(legal) < EXPANDED and len(legal) != len(everything):
            yield f"{seat} has {len(everything)} actions, but {len(legal)} are counted"
        twice = [action for action, count in Counter(everything).items() if count > 1]
        if twice:
            yield f"{spot.game.format(twice[0])!r} is listed twice for {seat}"
        again = spot.game.legal(spot.afresh(seat), seat)
        if repr(again) != repr(legal):
            yield f"{seat}'s list is another when asked for again"
        for picked in (legal.pick(random) for _ in range(5) if legal):
            if picked not in legal:
                yield f"{spot.game.format(picked)!r} is picked for {seat}, but not listed"


def read_back(spot: Spot) -> Iterator[str]:
    """`parse` of `format` is the action, in capitals and with more spaces too."""
    for seat, legal in spot.legal.items():
        for choice in legal.choices:
            if not spot.game.format_choice(choice):
                yield f"{choice} has no words"
        for action in spot.some(legal):
            words = spot.game.format(action)
            for text in (words, words.upper(), f"  {words.replace(' ', '   ')} "):
                if spot.game.parse(text, spot.view(seat), seat) != action:
                    yield f"{seat}'s {text!r} is read as {spot.game.parse(text, spot.view(seat), seat)}, not {action}"


def settled(spot: Spot) -> Iterator[str]:
    """Somebody is to act exactly until the end, others can do nothing, and who is asked has one answer."""
    game = spot.game
    for state in (spot.state, spot.played.state):
        pen, may = game.to_act(state), game.may_act(state)
        ended = game.outcome(state) is not None
        if ended != (pen is None):
            yield "the game has an outcome exactly when nobody is to act"
        if not {*may, pen or spot.seat} <= set(spot.play.seats):
            yield "somebody may act who has no seat"
        others = [seat for seat in spot.play.seats if seat not in (pen, *may)]
        strangers = [seat for seat in others if game.legal(game.view(state, seat), seat)]
        if strangers:
            yield f"{strangers[0]} may do something when others are to act"
        if not ended and game.asks(state) and pen:
            answer_to(game, game.view(state, pen), pen)
        yield from _other_than_sole(spot, state)


def _other_than_sole(spot: Spot, state: Any) -> Iterator[str]:
    """What everybody knows to be all that somebody can do is all of it, and in the open alike for everybody."""
    game, public = spot.game, spot.game.view(state, None)
    sole, seat = game.sole(public), game.to_act(state)
    if sole is None or seat is None:
        return
    view = game.view(state, seat)
    if game.legal(view, seat).only() != sole:
        yield f"{seat} can do other things than {game.format(sole)!r}, which is said to be all"
    elif not game.hides(public, sole):
        told, known = (adjudicate(game, eyes, seat, sole, CastSource({}, {}, {})) for eyes in (public, view))
        if not (isinstance(told, Played) and isinstance(known, Played) and told.events == known.events):
            yield f"{game.format(sole)!r} leads elsewhere as everybody sees it"


def announced(spot: Spot) -> Iterator[str]:
    """What a choice tells of the dice that it takes is what is thrown first."""
    for seat, legal in spot.legal.items():
        for choice in legal.choices if spot.answers(seat) else ():
            if choice.need:
                yield from _other_dice(spot, seat, choice.pick(spot.random), choice.need)


def _other_dice(spot: Spot, seat: Seat, action: Action, need: Need) -> Iterator[str]:
    verdict = adjudicate(spot.game, spot.state, seat, action, spot.source())
    rolls = verdict.rolls if isinstance(verdict, Played) else ()
    thrown = [Need(roll.purpose, len(roll.faces), roll.sides, aims=ONLY_READ) for roll in rolls[:1]]
    if thrown != [Need(need.purpose, need.count, need.sides, aims=ONLY_READ)]:
        yield f"{seat}'s {spot.game.format(action)!r} announces {need}, but throws {thrown[0] if thrown else 'nothing'}"


def playable(spot: Spot) -> Iterator[str]:
    """What is legal is played, and its events lead to the state that it comes to."""
    for seat, legal in spot.legal.items():
        for action in spot.some(legal) if spot.answers(seat) else ():
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.source())
            if not isinstance(verdict, Played):
                yield f"{seat}'s {spot.game.format(action)!r} is legal, but comes to {verdict}"
            elif fold(spot.state, verdict.events) != verdict.state:
                yield f"the events of {spot.game.format(action)!r} lead elsewhere when they are folded"
            elif verdict != adjudicate(spot.game, spot.state, seat, action, spot.source()):
                yield f"{spot.game.format(action)!r} comes to something else the second time"


def placed(spot: Spot) -> Iterator[str]:
    """`place` of `position_of` is the state while the game goes on, through JSON too.

    What comes before a game can be entered, such as a throw for the first turn, may have no position.
    """
    game, options, board = spot.game, spot.play.options, spot.play.board
    position = game.position_of(spot.state)
    refusal = spot.why_refused(spot.state)
    if refusal:
        if not all(earlier.why_refused(earlier.state) for earlier in spot.play.spots[: spot.at]):
            yield f"its position is refused ({refusal.rule}: {refusal.because})"
    elif game.place(position, options, board) != spot.state:
        yield "its position, placed, is another state"
    document = msgspec.json.decode(msgspec.json.encode(position))
    if decode_position(game, document) != position:
        yield "its position is another when read from a file"


def amendable(spot: Spot) -> Iterator[str]:
    """What a position says of any piece can be typed as it is told, and nothing has changed."""
    game = spot.game
    known, position = everything(game, spot.state), game.position_of(spot.state)
    for name, where in spot.random.sample(list(known.items()), min(TYPED, len(known))):
        position = amended(game, position, known, [f"{name} {where}"])
    if not spot.why_refused(spot.state) and game.place(position, spot.play.options, spot.play.board) != spot.state:
        yield "its position, typed piece by piece, is another state"


def told(spot: Spot) -> Iterator[str]:
    """Every event is told in a line, every view has its line and its picture."""
    for event in spot.played.events:
        line = spot.game.tell(event)
        if not line.strip() or "\n" in line:
            yield f"{event} is told as {line!r}"
    for viewer, view in spot.looks:
        line = spot.game.status(view)
        if not line.strip() or "\n" in line:
            yield f"{viewer or 'a spectator'} is told {line!r}"
        scene = spot.game.draw(view)
        if not scene.words or not picture(scene):
            yield f"{viewer or 'a spectator'} has no picture or no words"
