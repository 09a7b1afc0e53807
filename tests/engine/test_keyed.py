import hmac

from hypothesis import given
from hypothesis import strategies as st

from referee.engine.keyed import BLOCK, Keyed


@given(st.binary(max_size=BLOCK), st.lists(st.binary(max_size=200), max_size=3))
def test_it_is_hmac_for_every_key_and_one_message_after_another(key, messages):
    keyed = Keyed(key)
    assert [keyed.digest(message) for message in messages] == [hmac.digest(key, each, "sha256") for each in messages]
