"""Comparison of quick lists with slow definitions, on states of random games and on changed states.

States come from play on the shipped boards and on the players' own. Each is compared as it was reached. More are made
from these states: disturbed, thinned out, or carried over to another board. If a state shows a difference, it is made
smaller as long as the difference remains.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from referee.engine.component import BoardError
from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.testing.definitions import Definition, Difference, find_difference, is_comparable
from referee.testing.position_changes import (
    Document,
    disturb_position,
    list_smaller_documents,
    make_document,
    make_position,
    thin_out_position,
)
from referee.testing.trial import Trial

MAX_REACHED_STATES = 400
"""The most reached states of one verb that are kept to be compared and changed."""
MAX_OWN_BOARD_ACTIONS = 800
"""The most actions that are played in one game on an own board."""
SHRINK_SECONDS = 20.0
"""The most seconds that are spent on making the state of one difference smaller."""
TRIES_TO_CHANGE = 4
"""The most attempts to change each reached state. The first attempt that gives a possible state is compared too."""
STATES_IN_LAW, SECONDS_IN_LAW = 2_000, 0.3
"""The most states and seconds for a definition in a law."""
MAX_FAILURES = 200
"""The number of impossible changes in a row after which no more are tried."""
ComponentFiles = Mapping[str, Any]
"""Decoded files by component, for components that are not the shipped ones."""


class Situation(NamedTuple):
    """A state, and everything that is needed to set it up."""

    state: Any
    options: Options
    board: Any
    own: ComponentFiles
    """The files of the board that are not the shipped ones."""


class Finding(NamedTuple):
    """A difference, and the smallest state that was found to show it."""

    game: AnyGame
    difference: Difference
    situation: Situation

    def __str__(self) -> str:
        action = self.difference.action
        words = f"{self.difference.seat}'s {repr(self.game.format(action)) if action else 'list'}"
        return f"{words} {self.difference.told}. To see it, type:\n{self.commands}"

    @property
    def commands(self) -> str:
        """The commands that set up the state and ask about the action."""
        name, situation, action = self.game.name, self.situation, self.difference.action
        files = {f"{part}.json": document for part, document in situation.own.items()}
        files["state.json"] = make_brief_document(self.game, situation)
        lines = [f"cat > {file} <<'END'\n{_encode_json(document)}\nEND" for file, document in files.items()]
        chosen = {option.name: situation.options[option.name] for option in self.game.options}
        options = [f"--option {option.name}={chosen[option.name]}" for option in self.game.options]
        options = [
            given
            for given, option in zip(options, self.game.options, strict=True)
            if chosen[option.name] != option.default
        ]
        own = [f"--own {part}={part}.json" for part in situation.own]
        lines.append(" ".join(["referee new", name, *options, *own, "--from state.json"]))
        lines.append(f"referee why {shlex.quote(self.game.format(action))}" if action else "referee legal")
        return "\n".join(lines)


class Comparison:
    """The states of one game on which its definitions are tried."""

    def __init__(
        self, trial: Trial, definitions: Sequence[Definition], own: Sequence[ComponentFiles] = (), own_games: int = 1
    ) -> None:
        """Prepares a comparison on the games of a trial, and on `own_games` games on each own board.

        `own` are the boards, each as the files that differ from the shipped ones.
        """
        self.game, self._definitions, self._own_games = trial.game, definitions, own_games
        self._trials = [trial, *(Trial(trial.game, 0, trial.seed, MAX_OWN_BOARD_ACTIONS, parts) for parts in own)]
        self._reached: dict[type, list[Situation]] | None = None
        self._documents: dict[int, Document] = {}
        self._boards: dict[tuple[int, tuple[tuple[str, str], ...]], Any] = {}
        self.counts: Counter[str] = Counter()
        """The number of states that were compared for the latest definition, by their origin."""

    def find_breaches(self, definition: Definition) -> Iterator[str]:
        """Yields differences from a definition in words, for a law: as many as are found in a short time.

        If no state could be compared, yields a sentence that says so.
        """
        self._trials[0].where = ""
        yield from map(str, self.find_differences(definition, STATES_IN_LAW, SECONDS_IN_LAW))
        if not self.counts:
            yield "nothing is compared, because no random game comes to a state for it; play more of them with games="

    def find_differences(self, definition: Definition, states: int, seconds: float) -> Iterator[Finding]:
        """Yields differences from a definition, each in a state that is made as small as possible.

        Stops after `states` different states, or after `seconds` seconds. The time limit holds only once a state was
        compared, or more than `MAX_REACHED_STATES` were tried.
        """
        self.counts = Counter()
        met = set[bytes]()
        situations = self._list_situations(definition, Random(f"{self._trials[0].seed} {definition}"))
        end = monotonic() + seconds
        for tried, (origin, situation) in enumerate(situations):
            if monotonic() > end and (self.counts or tried > MAX_REACHED_STATES):
                return
            state = situation.state
            key = msgspec.json.encode([self.game.position_from(state), situation.options, id(situation.board)])
            if key in met or not is_comparable(self.game, definition, state):
                continue
            met.add(key)
            self.counts[origin] += 1
            if self._find_difference(definition, situation):
                yield self.shrink(definition, situation)
            if self.counts.total() >= states:
                return

    # States

    def _list_situations(self, definition: Definition, random: Random) -> Iterator[tuple[str, Situation]]:
        """Returns states in which the definition's verb may be due, each with the word for its origin."""
        return self._vary_situations(self.sample_reached_situations(definition), random)

    def _vary_situations(self, reached: Sequence[Situation], random: Random) -> Iterator[tuple[str, Situation]]:
        """Yields each reached state and one changed state made from it, if there is one. Then yields changed states
        without end.

        Stops after `MAX_FAILURES` impossible changes in a row.
        """
        failed = 0
        for situation in reached:
            yield "own board" if situation.own else "reached", situation
            tries = (self._change_situation(situation, reached, random) for _ in range(TRIES_TO_CHANGE))
            yield from islice(chain.from_iterable(tries), 1)
        while reached and failed < MAX_FAILURES:
            found = list(self._change_situation(random.choice(reached), reached, random))
            failed = 0 if found else failed + 1
            yield from found

    def _change_situation(
        self, situation: Situation, reached: Sequence[Situation], random: Random
    ) -> Iterator[tuple[str, Situation]]:
        """Yields at most one changed state."""
        other = random.choice(reached)
        share, document = random.random(), self._make_document(situation)
        if share < 0.3:
            origin, position = "thinned out", thin_out_position(self.game, document, random)
        else:
            taken = self._make_document(other)
            origin, position = "disturbed", disturb_position(self.game, situation.state, document, taken, random)
        if share > 0.8:
            situation = situation._replace(board=self._build_board(other.own, situation.options), own=other.own)
        found = self._make_situation(position, situation)
        if found is not None:
            yield "own board" if found.own else origin, found

    def _build_board(self, own: ComponentFiles, options: Options) -> Any:
        """Returns the board that these files make under these options; None if they make no board that can be played
        on.
        """
        key = id(own), tuple(options.items())
        if key not in self._boards:
            trial = next(trial for trial in self._trials if trial.own is own)
            with suppress(BoardError):
                self._boards[key] = self.game.build_board(trial.read_components(options), options)
        return self._boards.setdefault(key, None)

    def _make_document(self, situation: Situation) -> Document:
        """Returns the document of a reached situation. Each document is made only once."""
        key = id(situation.state)
        if key not in self._documents:
            self._documents[key] = make_brief_document(self.game, situation)
        return self._documents[key]

    def _make_situation(self, position: Any, situation: Situation) -> Situation | None:
        """Returns a situation with this position; None if the rules do not allow such a position."""
        options, board = situation.options, situation.board
        try:
            if position is None or board is None or next(self.game.check_position(position, options, board), None):
                return None
            return situation._replace(state=self.game.state_from(position, options, board))
        except BoardError:  # a text in the position cannot be read
            return None

    def sample_reached_situations(self, definition: Definition) -> list[Situation]:
        """Returns states from play in which the definition's verb is due.

        They are a random choice of at most `MAX_REACHED_STATES`.
        """
        if self._reached is None:
            self._reached = self._gather_situations()
        return self._reached[definition.kind]

    def _gather_situations(self) -> dict[type, list[Situation]]:
        """Returns some states of all games by the kinds of action that are due in them."""
        found: dict[type, list[Situation]] = {definition.kind: [] for definition in self._definitions}
        random, many = Random(0), Counter[type]()
        for situation in self._play_situations():
            for definition in self._definitions:
                if not definition.is_due(self.game, situation.state):
                    continue
                kind = definition.kind
                many[kind] += 1
                if len(found[kind]) < MAX_REACHED_STATES:
                    found[kind].append(situation)
                elif (at := random.randrange(many[kind])) < MAX_REACHED_STATES:  # each state is as likely to be kept
                    found[kind][at] = situation
        for situations in found.values():
            random.shuffle(situations)
        return found

    def _play_situations(self) -> Iterator[Situation]:
        """Yields the states of random games on all boards."""
        for play in self._trials[0].random_games:
            own = self._trials[0].own
            yield from (Situation(spot.state, play.options, play.board, own) for spot in play.spots)
        for trial in self._trials[1:]:
            for number in range(self._own_games):
                with suppress(BoardError):  # the options ask for something that this board has not
                    play = trial.make_random_game(number)
                    spots = islice(play.play_through(), MAX_OWN_BOARD_ACTIONS)
                    yield from (Situation(spot.state, play.options, play.board, trial.own) for spot in spots)

    # A small state

    def shrink(self, definition: Definition, situation: Situation) -> Finding:
        """Returns a difference of a definition, found in a state that is made smaller as far as time allows."""
        end, found = monotonic() + SHRINK_SECONDS, situation
        typed = self._make_situation(self.game.position_from(situation.state), situation)
        smaller = typed if typed and self._differs(definition, typed) else None
        while smaller and monotonic() < end:
            found = smaller
            candidates = list_smaller_documents(make_brief_document(self.game, found))
            smaller = next(self._keep_differing(definition, found, candidates, end), None)
        difference = self._find_difference(definition, found)
        assert difference is not None, "a difference stays while a state is made smaller"
        return Finding(self.game, difference, found)

    def _keep_differing(
        self, definition: Definition, situation: Situation, documents: Iterator[Any], end: float
    ) -> Iterator[Situation]:
        """Yields a situation for each document that is a possible position and still shows the difference, until time
        is up.
        """
        for document in documents:
            if monotonic() > end:
                return
            found = self._make_situation(make_position(self.game, document), situation)
            if found and found.state != situation.state and self._differs(definition, found):
                yield found

    def _differs(self, definition: Definition, situation: Situation) -> bool:
        comparable = is_comparable(self.game, definition, situation.state)
        return comparable and self._find_difference(definition, situation) is not None

    def _find_difference(self, definition: Definition, situation: Situation) -> Difference | None:
        return find_difference(self.game, definition, situation.state, self.game.seats(situation.options))


def make_brief_document(game: AnyGame, situation: Situation) -> Document:
    """Returns the position of a situation as a document, without fields that nobody needs to type."""
    options, board = situation.options, situation.board
    position = game.position_from(situation.state)
    document, state = make_document(position), game.state_from(position, options, board)
    for name in list(document):
        left = {other: value for other, value in document.items() if other != name}
        shorter = make_position(game, left)
        if shorter == position or (shorter is not None and game.state_from(shorter, options, board) == state):
            document = left
    return document


def _encode_json(document: Any) -> str:
    return msgspec.json.encode(document).decode()
