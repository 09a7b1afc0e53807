"""Every game of the referee as a PettingZoo environment, in which agents act in turn.

    >>> env = zoo.env("manoover")
    >>> env.reset(seed=1)
    >>> observation, reward, over, cut, info = env.last()
    >>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

There may be more legal actions than anyone can count, so an agent says an action word by word. First it says the kind
of action, then a value for each slot. For a slot of several values it says one value after another, and then that this
is enough. Each step is one such word. The mask shows which words are possible, and `list_words()` tells what they mean.
The same agent continues until its action is complete.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

import numpy as np
from gymnasium import spaces
from msgspec import to_builtins
from pettingzoo import AECEnv

import referee
from referee.engine.partial_action import PartialAction

MAX_WORDS = 1024
"""The number of words among which an agent chooses. No slot of a shipped game has more values."""
OBSERVATION_LENGTH = 1024
"""The length of an observation."""
Word = tuple[str, PartialAction]
"""A word, and the action as far as it is complete after that word."""
END_OF_SLOT = "enough"
"""The word that ends a slot of several values."""


def env(game: str, options: Mapping[str, str] | None = None, most: int = 2000) -> "GameEnv":
    """Returns an environment for a game under these options. A game is cut off after `most` actions."""
    return GameEnv(game, options, most)


class GameEnv(AECEnv):
    """A game in memory. An agent sees what its seat may know, and nothing else."""

    def __init__(self, game: str, options: Mapping[str, str] | None = None, most: int = 2000) -> None:
        self.metadata = {"name": game, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self._begun, self._most = (game, dict(options or {})), most
        self.table = referee.table(game, options)
        self.possible_agents = list(self.table.seats)
        seen = {
            "observation": spaces.Box(-np.inf, np.inf, (OBSERVATION_LENGTH,), np.float32),
            "action_mask": spaces.Box(0, 1, (MAX_WORDS,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(MAX_WORDS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. The same seed gives the same dice. `options` is ignored: options are set when the
        environment is made.
        """
        game, settled = self._begun
        seed_hex = None if seed is None else sha256(str(seed).encode()).hexdigest()
        self.table = referee.table(game, settled, seed=seed_hex)
        self.agents = list(self.table.seats)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._played = 0
        self._draft: PartialAction | None = None
        self._look()

    def list_words(self) -> list[str]:
        """Returns the words that are possible now. A step takes the index of one of them."""
        return [word for word, _ in self._next]

    def step(self, action: int | None) -> None:
        """Says a word, given by its index in `list_words()`. Raises ValueError if there is no such word."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._next):
            raise ValueError(f"{action} is no word now: the mask allows 0 to {len(self._next) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._draft = self._next[action][1]
        if not self._open(self._draft):
            self._play(agent, self._draft)
        self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Returns the view of a seat as numbers, and the mask of the words that are possible for it now."""
        mask = np.zeros(MAX_WORDS, np.int8)
        if agent == self.agent_selection and not self._is_over:
            mask[: len(self._next)] = 1
        return {"observation": make_features(self.table.game, self.table.view(agent), agent), "action_mask": mask}

    def render(self) -> str:
        """Returns the state of play in one line."""
        return self.table.status

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    # Possible words

    @property
    def _is_over(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def _look(self) -> None:
        """Finds the agent to act, and its next words."""
        self.agent_selection = self.table.to_act or self.agents[0]
        if not self._is_over:
            self._next = [*self._kinds()] if self._draft is None else [*self._values(self._draft)]
            assert len(self._next) <= MAX_WORDS, "MAX_WORDS is too small for this game"

    def _kinds(self) -> Iterator[Word]:
        return ((choice.kind.says, PartialAction(choice)) for choice in self.table.legal().choices)

    def _open(self, draft: PartialAction) -> list[str]:
        """Returns the slots that are still open, in the order in which they are said."""
        says = draft.choice.kind.says
        names = sorted(draft.choice.slots, key=lambda name: says.find(f"{{{name}}}"))
        return [name for name in names if draft.find_only_value(name) is None]

    def _values(self, draft: PartialAction) -> Iterator[Word]:
        name = self._open(draft)[0]
        found = [(word, draft.fill_slot(name, word)) for word in draft.list_next_words(name)]
        yield from ((word, more) for word, more in [(END_OF_SLOT, draft.close_slot(name)), *found] if more is not None)

    def _play(self, agent: str, draft: PartialAction) -> None:
        action = draft.make_action()
        assert action is not None, f"every word leads to an end: {draft}"
        self.table.do(action, by=agent)
        self._draft, self._played = None, self._played + 1
        if result := self.table.result:
            tied = len(result.ranks) == 1 < len(result.winners)
            self.rewards = {seat: 0.0 if tied else 1.0 if seat in result.winners else -1.0 for seat in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._played >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)


def make_features(game: Any, view: Any, agent: str) -> np.ndarray:
    """Returns a view as numbers: each fact adds 1 at the index that its hash gives. This works for every game."""
    found = np.zeros(OBSERVATION_LENGTH, np.float32)
    for fact in list_facts("", to_builtins(game.position_from(view), enc_hook=str)):
        found[crc32(fact.encode()) % OBSERVATION_LENGTH] += 1
    found[crc32(agent.encode()) % OBSERVATION_LENGTH] += 1
    return found


def list_facts(path: str, value: Any) -> Iterator[str]:
    """Yields every non-empty value in a document, with the path that leads to it."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from list_facts(f"{path}/{name}", part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from list_facts(f"{path}/", part)
    elif value:
        yield f"{path}={value}"
