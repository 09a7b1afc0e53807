import hmac

from hypothesis import given
from hypothesis import strategies as st

from referee.engine.hmac_key import BLOCK, HmacKey


@given(st.binary(max_size=BLOCK), st.lists(st.binary(max_size=200), max_size=3))
def test_it_is_hmac_for_every_key_and_one_message_after_another(key, messages):
    keyed = HmacKey(key)
    assert [keyed.digest(message) for message in messages] == [hmac.digest(key, each, "sha256") for each in messages]
