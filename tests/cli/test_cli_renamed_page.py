"""A page whose name has lost its ending: the answer says how to read it, and that works."""

import pytest


@pytest.mark.parametrize("words", ["use given -o taken.jsonl", "audit given"])
def test_a_page_without_its_ending_is_read_once_it_has_it_again(cli, control, place, words):
    cli("log -o page.html")
    given = (place / "page.html").rename(place / "given")
    answer = cli(words)
    assert answer.code == 3
    assert "a name that ends in .html" in " ".join((answer.out + answer.err).split())
    given.rename(place / "given.html")
    assert cli(words.replace("given", "given.html")).code == 0
