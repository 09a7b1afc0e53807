"""The model of a page: a game entry by entry, as one seat or everybody sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from referee.engine.scene import Scene
from referee.record.table.ledger import FamilyRolls


class StoryStep(Struct, frozen=True):
    """An entry, and the game after it."""

    n: int
    headline: str
    """The headline above the entry: the part of the game that it belongs to, such as a seat's turn."""
    entry_text: str
    """The entry in one line."""
    scene: Scene
    """The board after the entry, with its heading and the changes."""
    event_texts: tuple[str, ...] = ()
    """The events, as things to do with the pieces."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules that the entry rests on."""
    chances: tuple[str, ...] = ()
    """The possible effects of the entry's dice, with the chance of each."""
    luck: tuple[tuple[str, float], ...] = ()
    """Each seat that has luck in the entry's dice, with its hits minus the expected number of hits."""
    in_force: bool = True
    """True if the entry counts. Entries that were taken back are folded away."""
    scene_before: Scene | None = None
    """The board before the entry; None if it is the board of the step before."""


class PlayEvaluation(NamedTuple):
    """A later judgement of a play by the maker of the page. Nobody can prove it from the log."""

    n: int
    """The entry's number."""
    seat: str
    chance: int
    """The seat's chance to win, in per cent."""
    cost: int
    """The part of that chance that the play lost, in per cent; 0 if no loss is certain."""


class Story(Struct, frozen=True):
    """A game as a page tells it."""

    title: str
    players: tuple[str, ...]
    """The seats with the names of their players."""
    facts: tuple[str, ...]
    """Facts about the whole game: how dice were rolled, what is a reconstruction."""
    steps: tuple[StoryStep, ...]
    """The steps, at least one."""
    log: str
    """The log up to the last step."""
    rules: Mapping[str, str]
    """The text of each rule that a step names, by its number."""
    version: str
    """The version of the program that makes the page."""
    eyes: str | None = None
    """The seat whose page it is; None for what everybody may know."""
    is_whole: bool = True
    """True if the page tells the game from its beginning."""
    evaluations: Sequence[PlayEvaluation] = ()
    """The judged plays in order, if somebody judged them."""
    treaty: Sequence[str] = ()
    """Sentences about everything unusual that the players have accepted."""
    ledger: Sequence[str] = ()
    """A sentence for each roll that all seats made together, or never made."""
    family_rolls: FamilyRolls = FamilyRolls()
    """The facts in the treaty and the ledger that stand in other logs of the game."""
    files: Sequence[str] = ()
    """The players' own files beside the log, in the order of their SHA-256."""
