import pytest
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.caching import cache_latest, cached


class Pair(Struct, frozen=True, dict=True):
    one: int
    other: int

    @cached
    def both(self) -> list[int]:
        """The two."""
        return [self.one, self.other]


def test_it_is_worked_out_once():
    pair = Pair(1, 2)
    assert pair.both == [1, 2]
    assert pair.both is pair.both


def test_a_changed_value_works_it_out_again_and_equality_does_not_ask_for_it():
    pair = Pair(1, 2)
    assert pair.both == [1, 2]
    assert replace(pair, one=3).both == [3, 2]
    assert pair == Pair(1, 2)


def test_an_error_is_not_kept():
    class Fails(Struct, frozen=True, dict=True):
        asked: list[int]

        @cached
        def it(self) -> int:
            """Fails at first."""
            self.asked.append(1)
            return 1 // (len(self.asked) - 1)

    value = Fails([])
    with pytest.raises(ZeroDivisionError):
        _ = value.it
    assert value.it == 1


def test_what_came_out_last_is_kept_for_the_same_things_alone():
    asked = []

    @cache_latest
    def pair(one, other):
        """The two."""
        asked.append((one, other))
        return [one, other]

    first, equal = [1], [1]
    assert pair(first, 2) is pair(first, 2)
    assert len(asked) == 1
    assert pair(equal, 2) == [[1], 2]
    assert pair(first, 2) == [[1], 2]
    assert len(asked) == 3
    assert pair.__doc__ == "The two."


def test_of_six_things_each_has_to_be_the_same():
    six = cache_latest(lambda a, b, c, d, e, f: [a, b, c, d, e, f])
    things = [[number] for number in range(6)]
    for at in range(6):
        others = [[number] if number == at else things[number] for number in range(6)]
        first = six(*things)
        assert six(*things) is first
        assert six(*others) is not first
