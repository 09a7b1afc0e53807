import hashlib
import hmac
import json
from collections import Counter

import pytest
from support import FIXTURES

from referee.engine.dice import Dice, DiceError, DiceNeededError, Need, Roll
from referee.engine.dice_derivation import derive_draw_key, derive_faces
from referee.engine.dice_source import RecordedSource, SeededSource, TypedSource
from referee.engine.target_number import ONLY_READ, Chance, Target

VECTORS = json.loads((FIXTURES / "dice-vectors.json").read_text())
SEED = bytes.fromhex(VECTORS["open"]["seed"])


@pytest.mark.parametrize("draw", VECTORS["open"]["draws"], ids=lambda draw: f"draw{draw['draw']}")
def test_open_vectors(draw):
    key = derive_draw_key(SEED, draw["draw"])
    assert key.hex() == draw["K"]
    assert list(derive_faces(key, [6] * 10)) == draw["d6x10"]
    assert list(derive_faces(key, [8] * 4)) == draw["d8x4"]
    assert list(derive_faces(key, [30])) == [draw["d30"]]


@pytest.mark.parametrize("sides", [6, 10, 20, 100])
def test_key_to_faces_vectors(sides):
    key = bytes.fromhex(VECTORS["key_blue"])
    faces = VECTORS[f"d{sides}x{10 if sides == 6 else 6}"]
    assert list(derive_faces(key, [sides] * len(faces))) == faces


def test_mixed_sides_vector():
    assert list(derive_faces(bytes.fromhex(VECTORS["key_blue"]), VECTORS["mixed_sides"])) == VECTORS["mixed"]


def test_rejection_vector():
    assert list(derive_faces(bytes.fromhex(VECTORS["rej_key"]), [6])) == [VECTORS["rej_d6"]]


def by_hand(seed, draw, sides):
    """The derivation once more, from nothing but hashlib: HMAC written out, words read one by one."""

    def mac(key, message):
        key = key.ljust(64, b"\0")
        inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + message).digest()
        return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()

    number = hashlib.sha256(b"refdice/1/draw\n" + draw.to_bytes(4, "big")).digest()
    key = mac(seed, b"refdice/1/key\n" + number)
    faces = []
    for index, n in enumerate(sides):
        width = 1 if n <= 256 else 2 if n <= 65536 else 3
        limit = 256**width - 256**width % n
        block = 0
        word = limit
        while word >= limit:
            data = mac(key, b"refdice/1/die\n" + index.to_bytes(4, "big") + block.to_bytes(4, "big"))
            words = [int.from_bytes(data[at : at + width], "big") for at in range(0, 32 - width + 1, width)]
            word = next((word for word in words if word < limit), limit)
            block += 1
        faces.append(1 + word % n)
    return faces


@pytest.mark.parametrize("draw", [0, 1, 7, 1000, 2**31])
def test_derivation_agrees_with_hashlib_alone(draw):
    sides = [2, 3, 6, 6, 6, 8, 8, 30, 52, 250, 256, 257, 1000, 65536, 65537, 1000000]
    assert list(derive_faces(derive_draw_key(SEED, draw), sides)) == by_hand(SEED, draw, sides)


def test_the_vector_of_blocks_is_what_hmac_makes():
    block = hmac.digest(bytes.fromhex(VECTORS["rej_key"]), b"refdice/1/die\n" + bytes(8), "sha256")
    assert block.hex() == VECTORS["rej_block0"]


def test_faces_are_even():
    faces = Counter(face for draw in range(3000) for face in derive_faces(derive_draw_key(SEED, draw), [6] * 4))
    expected = 3000 * 4 / 6
    chi_square = sum((faces[face] - expected) ** 2 / expected for face in range(1, 7))
    assert chi_square < 20.5  # 0.1 % of fair dice are worse, and these are always the same ones


def roll_of(draw, purpose, sides, faces, origin, *, to=None):
    return Roll(draw, purpose, sides, faces, origin, (), (), to)


def need_of(count):
    return Need("throw", count, 6, aims=ONLY_READ)


def test_open_source_counts_draws_and_never_repeats_one():
    dice = Dice(SeededSource({None: SEED.hex()}, {None: 5}))
    dice.roll(3, 6, "first")
    dice.roll(3, 6, "second")
    assert [roll.draw for roll in dice.rolls] == [5, 6]
    assert dice.rolls[0].faces == tuple(derive_faces(derive_draw_key(SEED, 5), [6] * 3))


def test_typed_faces_are_taken_in_order():
    dice = Dice(TypedSource([2, 2, 6, 4]))
    assert dice.roll(3, 6, "throw") == (2, 2, 6)
    assert dice.roll(1, 6, "again") == (4,)
    assert dice.rolls[1] == roll_of(1, "again", 6, (4,), "table")


def test_missing_faces_say_what_is_needed():
    with pytest.raises(DiceNeededError) as caught:
        TypedSource([1, 2]).draw(need_of(3))
    assert (caught.value.need.count, caught.value.need.sides) == (3, 6)


@pytest.mark.parametrize("face", [0, 7, -1])
def test_impossible_faces_are_refused(face):
    with pytest.raises(DiceError, match="cannot show"):
        TypedSource([face]).draw(need_of(1))


def test_faces_left_over_are_seen():
    source = TypedSource([1, 2])
    source.draw(need_of(1))
    assert list(source.unused_faces) == [2]


@pytest.mark.parametrize(
    "recorded",
    [
        roll_of(0, "another", 6, (1,), "table"),
        roll_of(0, "throw", 8, (1,), "table"),
        roll_of(0, "throw", 6, (1, 2), "table"),
        roll_of(0, "throw", 6, (7,), "table"),
        roll_of(1, "throw", 6, (1,), "table"),
        roll_of(0, "throw", 6, (1,), "open"),
    ],
)
def test_recorded_dice_must_be_those_the_rules_ask_for(recorded):
    with pytest.raises(DiceError):
        RecordedSource([recorded]).draw(need_of(1))


def test_recorded_dice_run_out():
    with pytest.raises(DiceError, match="no dice are recorded"):
        RecordedSource([]).draw(need_of(1))


def test_recorded_dice_of_others_are_passed_over():
    """What is thrown in secret stands elsewhere in a log than what everybody sees."""
    mine = roll_of(0, "throw", 6, (5,), "table", to="red")
    source = RecordedSource([roll_of(0, "throw", 6, (1,), "table"), mine])
    assert source.draw(Need("throw", 1, 6, to="red", aims=ONLY_READ)) == mine
    assert source.draw(need_of(1)).faces == (1,)
    with pytest.raises(DiceError, match="no dice are recorded"):
        source.draw(Need("throw", 1, 6, to="blue", aims=ONLY_READ))


def test_what_is_drawn_may_be_named():
    dice = Dice(TypedSource(["n4", 2]))
    assert dice.roll(1, 3, "which of those left", ("r7", "n4", "n12")) == (2,)
    assert dice.roll(1, 2, "which of those left", ("r7", "n12")) == (2,)
    assert [roll.faces for roll in dice.rolls] == [(2,), (2,)]


@pytest.mark.parametrize(("typed", "names"), [("n5", ("r7", "n4")), ("n4", ())])
def test_what_cannot_be_drawn_is_named(typed, names):
    with pytest.raises(DiceError, match=f"'{typed}'"):
        Dice(TypedSource([typed])).roll(1, 2, "which of those left", names)


def test_what_is_drawn_stands_in_the_record_by_name():
    dice = Dice(TypedSource(["n4"]))
    dice.roll(1, 3, "which of those left", ("r7", "n4", "n12"))
    assert dice.rolls[0].names == ("n4",)


def test_what_each_die_is_for_stands_in_the_record():
    dice = Dice(TypedSource([6, 1]))
    dice.roll(2, 6, "the fire", each=("A03", "B02"))
    assert (dice.rolls[0].each, dice.rolls[0].faces) == (("A03", "B02"), (6, 1))
    with pytest.raises(DiceNeededError) as caught:
        dice.roll(2, 6, "the fire", each=("A03", "B02"))
    assert str(caught.value.need) == "2d6 (the fire: A03, B02)"


def test_the_only_one_left_is_drawn_without_dice():
    dice = Dice(TypedSource([]))
    assert dice.draw(("ace",), "a card") == "ace"
    assert dice.rolls == []


def test_draws_of_each_seat_are_numbered_apart():
    """Who sees only the open ones can check that none was left out."""
    source = TypedSource([1, 2, 3, 4, 5])
    red, blue = Dice(source, "red"), Dice(source, "blue")
    red.roll(1, 6, "open")
    red.roll(1, 6, "secret", unseen=True)
    blue.roll(1, 6, "secret", unseen=True)
    red.roll(1, 6, "open")
    red.roll(1, 6, "secret", unseen=True)
    assert [(roll.to, roll.draw) for roll in red.rolls] == [(None, 0), ("red", 0), (None, 1), ("red", 1)]
    assert [(roll.to, roll.draw) for roll in blue.rolls] == [("blue", 0)]


def test_a_hidden_deed_throws_all_its_dice_in_secret():
    dice = Dice(TypedSource([1]), "red", hidden=True)
    dice.roll(1, 6, "where it drifts")
    assert dice.rolls[0].to == "red"


def test_secret_dice_come_from_the_seed_of_their_seat():
    seeds = {None: "00" * 32, "red": SEED.hex()}
    dice = Dice(SeededSource(seeds, {"red": 3}), "red")
    dice.roll(3, 6, "secret", unseen=True)
    dice.roll(3, 6, "open")
    secret, open_ = dice.rolls
    assert secret.faces == tuple(derive_faces(derive_draw_key(SEED, 3), [6] * 3))
    assert (secret.origin, secret.draw, open_.origin, open_.draw) == ("sealed", 3, "open", 0)
    with pytest.raises(DiceError, match="blue has sealed no seed"):
        Dice(SeededSource(seeds), "blue").roll(1, 6, "secret", unseen=True)


def test_missing_faces_are_not_counted_as_a_draw():
    source = TypedSource([1])
    with pytest.raises(DiceNeededError):
        source.draw(need_of(2))
    assert source.draw(need_of(1)).draw == 0


@pytest.mark.parametrize(
    ("aim", "number", "chance"),
    [
        (Target(most=3), "3 or less", (3, 6)),
        (Target(least=5), "5 or more", (2, 6)),
        (Target(6, 6), "6", (1, 6)),
        (Target(2, 4), "2 to 4", (3, 6)),
        (Target(most=0), "no number", (0, 6)),
        (Target(most=9), "9 or less", (6, 6)),
        (Target(least=8, of="sum"), "8 or more added up", (15, 36)),
        (Target(most=2, of="sum"), "2 or less added up", (1, 36)),
        (Target(of="alike"), "all the same", (6, 36)),
        (Target(most=1, whose="blue"), "1", (1, 6)),
    ],
)
def test_aims_have_a_number_and_a_chance(aim, number, chance):
    need = Need("attack", 2, 6, each=("red", "blue"), aims=(aim,))
    assert (aim.number_text, need.compute_chance(aim)) == (number, chance)
    throws = [(one, other) for one in range(1, 7) for other in range(1, 7)]
    if aim.of == "each":
        assert sum(aim.is_hit(face) for face in range(1, 7)) == chance[0]
    else:
        assert sum(aim.is_hit(*faces) for faces in throws) == chance[0]


def test_a_chance_as_a_person_says_it():
    assert list(map(str, [Chance(3, 6), Chance(15, 36), Chance(0, 6), Chance(6, 6)])) == [
        "3 in 6 (50 %)",
        "15 in 36 (41.7 %)",
        "0 in 6 (0 %)",
        "6 in 6 (100 %)",
    ]


def test_each_die_has_the_aims_of_what_it_is_thrown_for():
    mine, theirs, all_ = Target(most=3, whose="red"), Target(most=2, whose="blue"), Target(6, 6)
    need = Need("fight", 2, 6, each=("red", "blue"), aims=(mine, theirs, all_))
    assert [list(need.list_targets(die)) for die in range(2)] == [[mine, all_], [theirs, all_]]


def test_a_need_is_thrown_as_it_is_told():
    need = Need("fight", 2, 6, each=("red", "blue"), aims=(Target(most=3),))
    dice = Dice(TypedSource([3, 4]))
    assert dice.throw(need) == (3, 4)
    assert (dice.rolls[0].purpose, dice.rolls[0].each, dice.unseen) == ("fight", ("red", "blue"), False)


def test_what_is_drawn_is_named_by_the_beginning_of_one_name():
    need = Need("a card", 1, 4, ("pistol", "pistol", "rope", "rifle"), aims=ONLY_READ)
    assert [need.parse_face(name) for name in ("p", "pistol", "ro", "rifle")] == [1, 1, 3, 4]
    with pytest.raises(DiceError, match="'r' cannot be drawn"):
        need.parse_face("r")
    assert need.drawable_text == "pistol, rope or rifle"
    assert Need("a card", 1, 9, tuple("abcdefghi"), aims=ONLY_READ).drawable_text == "such as i"
