"""Matches of Manoover: points, bonuses, who opens the next game, and when the match is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.event import Outcome, Seat
from referee.engine.match_rules import MatchRules
from referee.engine.options import Option, OptionError, Options
from referee.engine.rulebook import Refusal
from referee.engine.text import begin_sentence, did_you_mean, listing
from referee.games.manoover.board import MAX_ROBOTS
from referee.games.manoover.options import SEATS_BY_FORM, SeatName
from referee.games.manoover.state import State
from referee.games.manoover.victory import WINNER_BONUS, find_bonus_seat, find_leaders

Points = Annotated[int, Meta(ge=0, le=100_000)]

SHARED_BONUS = 2
"""The bonus points of each of two players who tie (match.3)."""

MAX_ROBOTS_IN_GOALS = {form: MAX_ROBOTS * len(seats) - 1 for form, seats in SEATS_BY_FORM.items()}
"""For each form, the most robots of all colours that can be in goals when a game ends, on any board: all but one."""

OPENING_OPTION = Option(
    "opening",
    ("running-total", "last-game"),
    "which score decides who opens the next two-player game: the running total or the last game",
    "r.match-low",
)


class MatchTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms that the players agree on before a match."""

    target: Annotated[int, Meta(ge=1, le=100_000)]
    """The total that ends the match."""
    opening: Literal["running-total", "last-game"]
    """The score that is compared to find the next opener: the running total, or the last game alone."""


class GameResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one game of a match."""

    opened_by: SeatName | None
    """The seat that took the first turn; None if the game ended before anybody did."""
    thrown: bool
    """True if dice decided who opened the game."""
    scores: dict[SeatName, Points]
    """The number of robots in each seat's goal."""
    winners: Annotated[tuple[SeatName, ...], Meta(max_length=3)]
    """The winner, or several seats for a tie."""


class MatchScore(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a match between two games."""

    form: Literal["base", "plus", "three"]
    """The form of all games of the match."""
    terms: MatchTerms
    totals: dict[SeatName, Points]
    games: tuple[GameResult, ...] = ()
    """The games that have ended, in order."""
    bonus: dict[SeatName, Points] = {}
    """The bonus points of the game that has just ended."""
    opener: SeatName | None = None
    """The seat that opens the next game; None if dice decide it, or if the match is over."""
    winner: SeatName | None = None
    """The winner of the match; None while it goes on."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order. Mappings from a log may be in another order."""
        return SEATS_BY_FORM[self.form]

    @property
    def has_three_seats(self) -> bool:
        """True if three people play."""
        return self.form == "three"

    def choose_rule(self, of_two: str, of_three: str) -> str:
        """Returns the rule id for this number of players."""
        return of_three if self.has_three_seats else of_two

    def format_points(self, points: Mapping[Seat, int]) -> list[str]:
        """Returns points in words, in playing order: "red 3", "blue 5"."""
        return [f"{seat} {points[seat]}" for seat in self.seats if seat in points]


class ManooverMatchRules(MatchRules[State, MatchTerms, GameResult, MatchScore]):
    """The rules of a match of Manoover, in any form (plus.5)."""

    terms = MatchTerms
    result = GameResult
    score = MatchScore
    choices = (OPENING_OPTION,)

    def parse_terms(self, options: Options, given: Mapping[str, str]) -> MatchTerms:
        """Reads the terms of a match: `target`, a number of points, and `opening`.

        The default target is 21, or 30 for the two-player Plus game (match.5, match.three.8, plus.6, r.plus-target).

        Raises OptionError for any other term or a wrong value. Raises OptionError, too, if the options name the seat
        that opens the first game.
        """
        if options["first"] != "throw-off":
            rule = "match.three.1" if options["form"] == "three" else "match.7"
            raise OptionError(
                f"dice decide who opens the first game of a match, so leave out first={options['first']} ({rule})"
            )
        for name in given.keys() - {"target", "opening"}:
            raise OptionError(f"a match has no term {name!r}{did_you_mean(name, ('target', 'opening'))}")
        target = given.get("target", "30" if options["form"] == "plus" else "21")
        if not (target.isascii() and target.isdigit() and len(target) <= 6 and 1 <= int(target) <= 100_000):
            raise OptionError("a target is a number from 1 to 100000")
        opening: Any = given.get("opening", OPENING_OPTION.default)
        if opening not in OPENING_OPTION.values:
            raise OptionError(f"opening is {listing(OPENING_OPTION.values, 'or')}, not {opening!r}")
        return MatchTerms(int(target), opening)

    def make_initial_score(self, options: Options, terms: MatchTerms) -> MatchScore:
        """Returns the score before the first game. Dice decide who opens that game (match.7, match.three.1)."""
        form: Any = options["form"]
        return MatchScore(form, terms, dict.fromkeys(SEATS_BY_FORM[form], 0))

    def next_options(self, score: MatchScore) -> Options:
        """Returns the option that names the next opener, or "throw-off" if dice decide."""
        return {"first": score.opener or "throw-off"}

    def result_of(self, states: Iterable[State], options: Options, outcome: Outcome) -> GameResult:
        """Returns the result of a game. The opener is the seat to move in the first state after the throw-off.

        If the game ended before that, it has no opener.
        """
        opened_by = next((state.turn for state in states if state.phase != "throw-off"), None)
        return GameResult(opened_by, options["first"] == "throw-off", dict(outcome.scores), outcome.winners)

    def check(self, score: MatchScore, result: GameResult) -> Iterator[Refusal]:
        """Yields a refusal for every rule that a result breaks as the next game of this match."""
        if score.winner:
            rule = score.choose_rule("match.5", "match.three.8")
            yield Refusal(rule, f"the match is over: {score.winner} has won it")
            return
        if result.opened_by is None:
            rule = score.choose_rule("match.7", "match.three.1")
            yield Refusal(rule, "nobody opened this game: it ended before the roll for the first turn")
            return
        if not result.scores.keys() == score.totals.keys() >= {result.opened_by, *result.winners}:
            yield Refusal(
                score.choose_rule("setup.1", "three.2"), f"the result must name all players: {listing(score.seats)}"
            )
            return
        yield from _check_opener(score, result)
        if sum(result.scores.values()) > MAX_ROBOTS_IN_GOALS[score.form]:
            reason, most = listing(score.format_points(result.scores)), MAX_ROBOTS_IN_GOALS[score.form]
            because = f"{reason} is impossible: at most {most} robots can enter goals before a game ends"
            yield Refusal(score.choose_rule("match.1", "match.three.3"), because)

    def add_result(self, score: MatchScore, result: GameResult) -> MatchScore:
        """Returns the score after a game. Each robot in a goal counts one point, and the bonus is added (match.1,
        match.4).

        The same holds for three players (match.three.3, match.three.7).
        """
        bonus = {seat: points for seat in score.seats if (points := _find_bonuses(result).get(seat))}
        result = replace(result, scores={seat: result.scores[seat] for seat in score.seats})
        totals = {seat: total + result.scores[seat] + bonus.get(seat, 0) for seat, total in score.totals.items()}
        after = replace(score, totals=totals, games=(*score.games, result), bonus=bonus)
        winner = _find_winner(after)
        return replace(after, winner=winner, opener=None if winner else _find_opener(after))

    def winners(self, score: MatchScore) -> tuple[Seat, ...]:
        """Returns the winner of the match as a tuple; an empty tuple while the match goes on."""
        return (score.winner,) if score.winner else ()

    def tell(self, score: MatchScore) -> Iterator[str]:
        """Yields sentences about the last game, the totals, and who opens the next game or has won."""
        if score.games:
            bonus = ", ".join(score.format_points(score.bonus)) or "nobody"
            scores = ", ".join(score.format_points(score.games[-1].scores))
            yield f"Game {len(score.games)}: {scores}{_describe_broken_tie(score.games[-1])}; bonus: {bonus}."
        yield f"Totals: {', '.join(score.format_points(score.totals))}."
        first = find_leaders(score.totals)
        if not score.winner and score.totals[first[0]] >= score.terms.target:
            rule = score.choose_rule("match.6", "match.three.9")
            yield f"{begin_sentence(listing(first))} are level at the top, so the match goes on ({rule})."
        opener = begin_sentence(score.opener or "a roll of dice")
        yield (
            f"{begin_sentence(score.winner)} has won the match."
            if score.winner
            else f"{opener} opens game {len(score.games) + 1}."
        )


def _describe_broken_tie(result: GameResult) -> str:
    """Returns a note that names the winner of a broken tie; "" if no tie was broken.

    If a third player wins by match points, that does not break the tie.
    """
    best = find_leaders(result.scores)
    is_broken_tie = len(best) > 1 and result.winners in [(seat,) for seat in best]
    return f", the tie broken for {result.winners[0]}" if is_broken_tie else ""


def _check_opener(score: MatchScore, result: GameResult) -> Iterator[Refusal]:
    if not score.games:
        if not result.thrown:
            rule = score.choose_rule("match.7", "match.three.1")
            yield Refusal(rule, "dice decide who opens the first game of a match")
    elif result.opened_by != score.opener or result.thrown:
        yield Refusal(_find_opening_rule(score), f"{score.opener} opens this game, not {result.opened_by}")


def _find_opening_rule(score: MatchScore) -> str:
    if score.has_three_seats:
        return "match.three.2"
    return "match.9" if len(set(_scores_to_compare(score).values())) == 1 else "match.8"


def _find_bonuses(result: GameResult) -> dict[Seat, int]:
    """Returns the bonus points of a game.

    Two players: 4 for the winner (match.2), also by tie-break (r.match-ties), and 2 each for a tie (match.3).

    Three players: 4 for a sole leader (match.three.4). If two tie, the third gets the 4 points (match.three.6), even
    without robots (r.eliminated-bonus). If all tie, nobody gets a bonus (match.three.5).
    """
    if len(result.scores) == 3:
        seat = find_bonus_seat(result.scores)
        return {seat: WINNER_BONUS} if seat else {}
    if len(result.winners) == 1:
        return {result.winners[0]: WINNER_BONUS}
    return dict.fromkeys(result.scores, SHARED_BONUS)


def _find_winner(score: MatchScore) -> Seat | None:
    """Returns the seat with the sole highest total, once a total has reached the target; None if the match goes on.

    A tie for the highest total prolongs the match; other ties do not matter (match.5, match.6, match.three.8,
    match.three.9, r.match-level).
    """
    first = find_leaders(score.totals)
    return first[0] if len(first) == 1 and score.totals[first[0]] >= score.terms.target else None


def _find_opener(score: MatchScore) -> Seat:
    """Returns the seat that opens the next game.

    Of two players it is the one with the lower score (match.8). With equal scores it is the one who played second
    (match.9). Of three players it is the next clockwise (match.three.2, r.table-order).
    """
    index = score.seats.index(score.games[-1].opened_by)
    following = score.seats[(index + 1) % len(score.seats)]
    compared = _scores_to_compare(score)
    if score.has_three_seats or len(set(compared.values())) == 1:
        return following
    return min(compared, key=lambda seat: compared[seat])


def _scores_to_compare(score: MatchScore) -> Mapping[Seat, int]:
    """Returns the scores that decide the next opener: the totals, or the last game's points (r.match-low)."""
    if score.terms.opening == "last-game":
        scores = score.games[-1].scores
        return {seat: points + score.bonus.get(seat, 0) for seat, points in scores.items()}
    return score.totals
