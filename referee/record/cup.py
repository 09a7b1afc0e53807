"""The cup that the next dice fall from: typed, derived from the log's seed, or thrown in secret."""

from __future__ import annotations

from referee.engine.dice import DiceError, DiceMode, OpenDice, OpenSource, Source, Typed, TypedSource
from referee.engine.text import count_of
from referee.record.timeline import Timeline


class Cup:
    """Hands out dice for several actions, one after another, and counts their draws.

    Draws made in the open and in secret are numbered apart, so that who sees the open ones can check them.
    """

    def __init__(self, mode: DiceMode, faces: list[Typed], timeline: Timeline) -> None:
        """`faces` are typed; DiceError when this game's dice are not."""
        if faces and isinstance(mode, OpenDice):
            raise DiceError("this game's dice come from the seed in its log; none can be typed in")
        self._mode = mode
        self._faces = faces
        self._seed = timeline.secret_seed
        self._draws = {False: timeline.draws, True: timeline.secret_draws}

    def source(self, *, secret: bool) -> Source:
        """The source of the next action's dice; DiceError when it has none."""
        first = self._draws[secret]
        if not isinstance(self._mode, OpenDice):
            self._typed = TypedSource(self._faces, first)
            return self._typed
        if not secret:
            return OpenSource(self._mode.seed, first)
        if self._seed is None:
            raise DiceError("no seed was sealed for dice thrown in secret")
        return OpenSource(self._seed, first, "sealed")

    def thrown(self, draws: int, *, secret: bool) -> None:
        """Count the draws of an action that was played."""
        self._draws[secret] += draws
        if not isinstance(self._mode, OpenDice):
            self._faces = list(self._typed.left_over)

    def check_empty(self) -> None:
        """DiceError for faces that nothing asked for."""
        if self._faces:
            left = " ".join(map(str, self._faces))
            raise DiceError(f"{count_of(len(self._faces), 'die', 'dice')} too many: nothing asks for {left}")
