"""Matches of Manoover: points, bonuses, who opens the next game, and when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.event import Outcome, Seat
from referee.engine.options import Option, OptionError, Options
from referee.engine.ruling import Refusal
from referee.engine.series import Series
from referee.engine.text import begin_sentence, guess, listing
from referee.games.manoover.board import MAX_ROBOTS
from referee.games.manoover.options import SEATS, SeatName
from referee.games.manoover.state import State
from referee.games.manoover.victory import BONUS, leaders, three_player_bonus

Points = Annotated[int, Meta(ge=0, le=100_000)]

SHARED_BONUS = 2
"""Bonus points of each of two players who tie (match.3)."""

MOST = {form: MAX_ROBOTS * len(seats) - 1 for form, seats in SEATS.items()}
"""Robots of all colours that can have entered goals when a game ends, on any board: one at least is left."""

OPENING = Option(
    "opening",
    ("running-total", "last-game"),
    "what is lowest for who opens the next game of two players",
    "r.match-low",
)


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on before a match."""

    target: Annotated[int, Meta(ge=1, le=100_000)]
    """The total that ends the match."""
    opening: Literal["running-total", "last-game"]
    """What "the lowest score" compares when the next opener is sought."""


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How one game of a match went."""

    opened_by: SeatName | None
    """Who took the first turn; None: the game was ended before anybody did."""
    thrown: bool
    """Whether dice decided that."""
    scores: dict[SeatName, Points]
    """How many robots entered each seat's goal."""
    winners: Annotated[tuple[SeatName, ...], Meta(max_length=3)]
    """One for a win, several for a tie."""


class Score(Struct, frozen=True, forbid_unknown_fields=True):
    """A match between two games."""

    form: Literal["base", "plus", "three"]
    """The form of all its games."""
    terms: Terms
    totals: dict[SeatName, Points]
    games: tuple[Result, ...] = ()
    """The games that have ended, in order."""
    bonus: dict[SeatName, Points] = {}
    """Bonus points of the game just ended."""
    opener: SeatName | None = None
    """Who opens the next game; None: a throw of dice tells, or the match is over."""
    winner: SeatName | None = None
    """Who won the match; None while it goes on."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays, in playing order; what stands in a log is sorted otherwise."""
        return SEATS[self.form]

    @property
    def three(self) -> bool:
        """Whether three play."""
        return self.form == "three"

    def rule(self, of_two: str, of_three: str) -> str:
        """Which of these rules it is for so many players."""
        return of_three if self.three else of_two

    def counted(self, points: Mapping[Seat, int]) -> list[str]:
        """Points in words, in playing order: "red 3", "blue 5"."""
        return [f"{seat} {points[seat]}" for seat in self.seats if seat in points]


class ManooverSeries(Series[State, Terms, Result, Score]):
    """How Manoover is played in matches. Any form can be (plus.5)."""

    terms = Terms
    result = Result
    score = Score
    choices = (OPENING,)

    def agree(self, options: Options, given: Mapping[str, str]) -> Terms:
        """Terms by `target`, a number of points, and `opening`.

        The target is 21, but 30 for the two-player Plus game (match.5, match.three.8, plus.6, r.plus-target).
        """
        if options["first"] != "throw-off":
            rule = "match.three.1" if options["form"] == "three" else "match.7"
            raise OptionError(f"a throw of dice opens the first game of a match, not {options['first']} ({rule})")
        for name in given.keys() - {"target", "opening"}:
            raise OptionError(f"a match has no term {name!r}{guess(name, ('target', 'opening'))}")
        target = given.get("target", "30" if options["form"] == "plus" else "21")
        if not (target.isascii() and target.isdigit() and len(target) <= 6 and 1 <= int(target) <= 100_000):
            raise OptionError("a target is a number from 1 to 100000")
        opening: Any = given.get("opening", OPENING.default)
        if opening not in OPENING.values:
            raise OptionError(f"opening is {listing(OPENING.values, 'or')}, not {opening!r}")
        return Terms(int(target), opening)

    def begin(self, options: Options, terms: Terms) -> Score:
        """Before the first game, which a throw of dice opens (match.7, match.three.1)."""
        form: Any = options["form"]
        return Score(form, terms, dict.fromkeys(SEATS[form], 0))

    def next_options(self, score: Score) -> Options:
        """Who opens the next game, or that dice decide."""
        return {"first": score.opener or "throw-off"}

    def result_of(self, states: Iterable[State], options: Options, outcome: Outcome) -> Result:
        """Who took the first turn is who is on turn once the throw for it is settled."""
        opened_by = next((state.turn for state in states if state.phase != "throw-off"), None)
        return Result(opened_by, options["first"] == "throw-off", dict(outcome.scores), outcome.winners)

    def check(self, score: Score, result: Result) -> Iterator[Refusal]:
        """Every rule that a result breaks as the next game of this match."""
        if score.winner:
            rule = score.rule("match.5", "match.three.8")
            yield Refusal(rule, f"the match is over: {score.winner} has won it")
            return
        if result.opened_by is None:
            rule = score.rule("match.7", "match.three.1")
            yield Refusal(rule, "nobody has opened this game: it was ended before the throw for the first turn")
            return
        if not result.scores.keys() == score.totals.keys() >= {result.opened_by, *result.winners}:
            yield Refusal(score.rule("setup.1", "three.2"), f"{listing(score.seats)} play, all of them")
            return
        yield from _check_opener(score, result)
        if sum(result.scores.values()) > MOST[score.form]:
            told, most = listing(score.counted(result.scores)), MOST[score.form]
            because = f"{told} is impossible: at most {most} robots can enter goals before a game ends"
            yield Refusal(score.rule("match.1", "match.three.3"), because)

    def after(self, score: Score, result: Result) -> Score:
        """Points for robots in the goals, whatever their colour, and the bonus, added up (match.1, match.4).

        The same for three players (match.three.3, match.three.7).
        """
        bonus = {seat: points for seat in score.seats if (points := _bonus(result).get(seat))}
        result = replace(result, scores={seat: result.scores[seat] for seat in score.seats})
        totals = {seat: total + result.scores[seat] + bonus.get(seat, 0) for seat, total in score.totals.items()}
        after = replace(score, totals=totals, games=(*score.games, result), bonus=bonus)
        winner = _winner(after)
        return replace(after, winner=winner, opener=None if winner else _opener(after))

    def winners(self, score: Score) -> tuple[Seat, ...]:
        """The one who has won the match."""
        return (score.winner,) if score.winner else ()

    def tell(self, score: Score) -> Iterator[str]:
        """The game just ended, the totals, and who opens the next game or has won."""
        if score.games:
            bonus = ", ".join(score.counted(score.bonus)) or "nobody"
            scores = ", ".join(score.counted(score.games[-1].scores))
            yield f"Game {len(score.games)}: {scores}{_broken(score.games[-1])}; bonus: {bonus}."
        yield f"Totals: {', '.join(score.counted(score.totals))}."
        first = leaders(score.totals)
        if not score.winner and score.totals[first[0]] >= score.terms.target:
            rule = score.rule("match.6", "match.three.9")
            yield f"{begin_sentence(listing(first))} are level at the top, so the match goes on ({rule})."
        opener = begin_sentence(score.opener or "a throw of dice")
        yield (
            f"{begin_sentence(score.winner)} has won the match."
            if score.winner
            else f"{opener} opens game {len(score.games) + 1}."
        )


def _broken(result: Result) -> str:
    """That a tie was broken, and for whom; where the third wins by match points none was."""
    best = leaders(result.scores)
    is_broken = len(best) > 1 and result.winners in [(seat,) for seat in best]
    return f", the tie broken for {result.winners[0]}" if is_broken else ""


def _check_opener(score: Score, result: Result) -> Iterator[Refusal]:
    if not score.games:
        if not result.thrown:
            rule = score.rule("match.7", "match.three.1")
            yield Refusal(rule, "a throw of dice tells who opens the first game of a match")
    elif result.opened_by != score.opener or result.thrown:
        yield Refusal(_opening_rule(score), f"{score.opener} opens this game, not {result.opened_by}")


def _opening_rule(score: Score) -> str:
    if score.three:
        return "match.three.2"
    return "match.9" if len(set(_compared(score).values())) == 1 else "match.8"


def _bonus(result: Result) -> dict[Seat, int]:
    """The bonus points of a game.

    Two players: 4 for the winner (match.2), by tie-break too (r.match-ties), 2 each for a tie (match.3). Three: 4 for a
    sole leader (match.three.4), for the third when two tie (match.three.6), though he has no robots left
    (r.eliminated-bonus), and for nobody when all tie (match.three.5).
    """
    if len(result.scores) == 3:
        seat = three_player_bonus(result.scores)
        return {seat: BONUS} if seat else {}
    if len(result.winners) == 1:
        return {result.winners[0]: BONUS}
    return dict.fromkeys(result.scores, SHARED_BONUS)


def _winner(score: Score) -> Seat | None:
    """The sole highest total once somebody has reached the target; a tie for it plays on.

    Rules match.5 and match.6, match.three.8 and match.three.9; only the tie for the highest total counts
    (r.match-level).
    """
    first = leaders(score.totals)
    return first[0] if len(first) == 1 and score.totals[first[0]] >= score.terms.target else None


def _opener(score: Score) -> Seat:
    """Who opens the next game: of two the lower (match.8), else who was second (match.9); of three the next clockwise.

    The three pass it on to the left (match.three.2, r.table-order).
    """
    at = score.seats.index(score.games[-1].opened_by)
    following = score.seats[(at + 1) % len(score.seats)]
    compared = _compared(score)
    if score.three or len(set(compared.values())) == 1:
        return following
    return min(compared, key=lambda seat: compared[seat])


def _compared(score: Score) -> Mapping[Seat, int]:
    """What "the lowest score" compares: the totals, or the game just ended (r.match-low)."""
    if score.terms.opening == "last-game":
        scores = score.games[-1].scores
        return {seat: points + score.bonus.get(seat, 0) for seat, points in scores.items()}
    return score.totals
