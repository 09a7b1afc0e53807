"""What players are told of dice: what to throw, what was wrong with what they typed, what a log should have held."""

from __future__ import annotations

import msgspec
import pytest

from referee.engine import dice_derivation
from referee.engine.dice import Dice, DiceError, DiceNeededError, Need, Roll
from referee.engine.dice_derivation import derive_faces
from referee.engine.dice_source import LOT_SEED_PURPOSE, RecordedSource, TypedSource
from referee.engine.target_number import ONLY_READ, Target

CARDS = ("ace", "king", "queen", "jack", "ten", "nine", "eight")


def test_dice_are_told_by_number_sides_and_purpose():
    assert str(Need("who goes first", 2, 6, each=("red", "blue"), aims=ONLY_READ)) == "2d6 (who goes first: red, blue)"
    assert str(Need("throw", 3, 6, aims=ONLY_READ)) == "3d6 (throw)"


def test_what_is_drawn_is_told_by_its_purpose_alone():
    assert str(Need("a card", 1, 7, CARDS, aims=ONLY_READ)) == "a card"
    assert str(Need("where each stands", 80, 9, lots=True, aims=ONLY_READ)) == "where each stands"


def test_few_names_are_listed_and_of_many_one_is_an_example():
    assert Need("a card", 1, 6, CARDS[:6], aims=ONLY_READ).drawable_text == "ace, king, queen, jack, ten or nine"
    assert Need("a card", 1, 7, CARDS, aims=ONLY_READ).drawable_text == "such as eight"


@pytest.mark.parametrize(
    ("need", "typed", "told"),
    [
        (Need("throw", 1, 6, aims=ONLY_READ), 0, "1 die with 6 sides needed: throw"),
        (Need("throw", 3, 6, aims=ONLY_READ, rule="5.1"), 1, "3 dice with 6 sides needed, 1 face typed: throw (5.1)"),
        (Need("a card", 1, 2, ("ace", "king"), aims=ONLY_READ), 0, "a name needed, ace or king: a card"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(need, typed, told):
    error = DiceNeededError(need, typed)
    assert (str(error), error.typed) == (told, typed)
    assert DiceNeededError(need).typed == 0


@pytest.mark.parametrize(
    ("need", "typed", "told"),
    [
        (Need("throw", 1, 6, aims=ONLY_READ), 7, "a die with 6 sides cannot show 7 (throw)"),
        (Need("throw", 1, 6, aims=ONLY_READ, rule="5.1"), 7, "a die with 6 sides cannot show 7 (throw; 5.1)"),
        (Need("throw", 1, 6, aims=ONLY_READ), "x", "'x' is not a number on a die; type dice like 3,6"),
        (
            Need("a card", 1, 2, ("ace", "king"), aims=ONLY_READ, rule="5.1"),
            "x",
            "'x' cannot be drawn (a card; 5.1); you can draw ace or king",
        ),
    ],
)
def test_what_cannot_be_is_said_with_purpose_and_rule(need, typed, told):
    with pytest.raises(DiceError) as caught:
        need.parse_face(typed)
    assert str(caught.value) == told


@pytest.mark.parametrize("typed", ["JAK", "jak", "Ja"])
def test_a_name_is_typed_in_any_case(typed):
    assert Need("a hero", 1, 2, ("LEE", "JAK"), aims=ONLY_READ).parse_face(typed) == 2


def test_what_cannot_be_is_told_as_it_was_typed():
    with pytest.raises(DiceError, match="'Queen' cannot be drawn"):
        Need("a card", 1, 2, ("ace", "king"), aims=ONLY_READ).parse_face("Queen")


def test_programs_are_told_what_is_not_usual():
    told = {"purpose": "throw", "count": 1, "sides": 6, "aims": ()}
    assert msgspec.to_builtins(Need("throw", 1, 6, aims=ONLY_READ)) == told
    assert msgspec.to_builtins(Target(most=3)) == {"most": 3}
    assert Target(most=3).does == ""


def test_what_is_hidden_is_known_to_have_been():
    thrown, hidden = (Dice(TypedSource([1]), "red", hidden=hidden) for hidden in (False, True))
    for one in (thrown, hidden):
        one.roll(1, 6, "throw")
    assert (thrown.unseen, hidden.unseen) == (False, True)


def test_what_is_drawn_is_no_lot_unless_it_is_said():
    """Lots come from a seed also where dice are typed in; a card that people draw does not."""
    thrown = Dice(TypedSource(["king"], fresh=bytes))
    assert thrown.draw(("ace", "king"), "a card") == "king"
    assert [roll.origin for roll in thrown.rolls] == ["table"]


# What a log should have held


def recorded(*rolls):
    return RecordedSource([Roll(n, *roll, each=(), names=(), to=None) for n, roll in enumerate(rolls)])


@pytest.mark.parametrize(
    ("roll", "told"),
    [
        (("other", 8, (1, 2), "table"), "the rules ask for 1d6 (throw), but the log holds 2d8 (other)"),
        (("throw", 6, (7,), "table"), "a die with 6 sides cannot show 7"),
        (("throw", 6, (1,), "open"), "the next roll must be roll 0 from the table, but the log has roll 0 of open"),
    ],
)
def test_what_should_have_been_recorded_is_said(roll, told):
    with pytest.raises(DiceError) as caught:
        recorded(roll).draw(Need("throw", 1, 6, aims=ONLY_READ))
    assert str(caught.value) == told


def test_lots_that_their_seed_does_not_give_are_said():
    source = recorded((LOT_SEED_PURPOSE, 256, (1,) * 32, "lots"), ("where", 6, (7,) * 2, "lots"))
    assert source.draw_lot_seed(None)
    with pytest.raises(DiceError, match="cannot show 7"):
        source.draw(Need("where", 2, 6, lots=True, aims=ONLY_READ))
    source = recorded((LOT_SEED_PURPOSE, 256, (1,) * 32, "lots"), ("where", 100, (1, 2), "lots"))
    source.draw_lot_seed(None)
    with pytest.raises(DiceError, match=r"draw 1 of this seed shows [0-9]+ [0-9]+, but 1 2 is recorded"):
        source.draw(Need("where", 2, 100, lots=True, aims=ONLY_READ))


@pytest.mark.parametrize("faces", [(1,) * 31, (1,) * 33, (1,) * 31 + (257,), (257,) + (1,) * 31])
def test_a_seed_of_lots_is_32_bytes(faces):
    """Each stands in the log as a die with 256 faces, a byte and one."""
    assert recorded((LOT_SEED_PURPOSE, 256, (256,) * 32, "lots")).draw_lot_seed(None)
    with pytest.raises(DiceError) as caught:
        recorded((LOT_SEED_PURPOSE, 256, faces, "lots")).draw_lot_seed(None)
    assert str(caught.value) == "the seed of the lots is not 32 bytes, or is in the wrong place"


def test_the_record_has_one_word_for_the_seed_of_lots():
    assert LOT_SEED_PURPOSE == "the seed of the lots"


# What is skipped in deriving faces


class Blocks:
    """In place of what HMAC gives: these blocks, one after the other."""

    def __init__(self, *blocks):
        self._blocks = blocks

    def __call__(self, key):
        return self

    def digest(self, message):
        assert message.startswith(b"refdice/1/die\n")
        return self._blocks[int.from_bytes(message[-4:], "big")]


@pytest.mark.parametrize(
    ("sides", "blocks", "face"),
    [
        (6, (b"\xff" * 32, b"\x05" + b"\0" * 31), 6),
        (6, (b"\xff" * 31 + b"\x04",), 5),
        (6, (b"\xff" * 32, b"\xff" * 31 + b"\x03"), 4),
        (300_000, (b"\xff" * 30 + b"\0\0", b"\xff" * 27 + b"\0\0\x07" + b"\0\0"), 8),
    ],
    ids=["a whole block", "up to its last word", "and the next", "a short rest"],
)
def test_words_past_the_limit_are_passed_over(monkeypatch, sides, blocks, face):
    """Also a rest of a block that is too short for a word."""
    monkeypatch.setattr(dice_derivation, "HmacKey", Blocks(*blocks))
    assert list(derive_faces(bytes(32), [sides])) == [face]
