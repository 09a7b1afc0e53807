import pytest
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.once import cached


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
