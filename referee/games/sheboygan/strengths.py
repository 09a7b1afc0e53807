"""Points on the strengths of the monster: in actions, as they are typed, and in words."""

from typing import Annotated

from msgspec import Meta

from referee.engine.choice import Action
from referee.engine.text import listing, match_word
from referee.games.sheboygan.notation import Reader

Strength = Annotated[int, Meta(ge=0, le=99)]
STRENGTH_NAMES = ("attack", "defense", "destruction", "movement")
STRENGTH_WORDS = {"att": "attack", "def": "defense", "des": "destruction", "mov": "movement"}
"""The strengths by the words that are typed for them."""


class StrengthPointsAction(Action, frozen=True):
    """An action that gives a number of points for each strength."""

    attack: Strength
    defense: Strength
    destruction: Strength
    movement: Strength

    @property
    def total(self) -> int:
        """The sum of all points."""
        return self.attack + self.defense + self.destruction + self.movement


def describe_strengths(attack: int, destruction: int, movement: int) -> str:
    """Returns strengths with their points in words: "attack 3 and movement 2"; "nothing" if all are 0."""
    points = {"attack": attack, "destruction": destruction, "movement": movement}
    return listing([f"{strength} {count}" for strength, count in points.items() if count]) or "nothing"


def read_strengths(reader: Reader) -> dict[str, int]:
    """Reads strengths with numbers: `att=9 def=8`, or `att 9 def 8`. A strength without a number counts 1."""
    found = dict.fromkeys(STRENGTH_WORDS.values(), 0)
    while reader.words:
        word = reader.next("a strength")
        name, _, number = word.text.partition("=")
        strength = match_word(name[:3], tuple(STRENGTH_WORDS))
        if strength is None:
            raise reader.make_word_error(word, "a strength: att, def, des or mov, such as att=9", tuple(STRENGTH_WORDS))
        if not number and reader.words and reader.words[0].text.isdecimal():
            number = reader.next("a number").text
        if not (number or "1").isdecimal() or len(number) > 2:
            raise reader.make_word_error(word, f"a number of points, such as {strength}=9")
        found[STRENGTH_WORDS[strength]] += int(number or 1)
    return found
