"""A legal list tells a long list of names once; what is not the same is always spelt out."""

from referee.cli.commands.legal import abbreviate_lists

ROOMS = [f"{column}{row}" for row in (1, 2) for column in "ABCDEFG"]
ALL = " / ".join(ROOMS)
WITHOUT_B1 = " / ".join(room for room in ROOMS if room != "B1")
WITHOUT_C1 = " / ".join(room for room in ROOMS if room != "C1")


def test_the_rooms_of_a_set_up_are_listed_once(cli):
    cli("new mutants -o a.jsonl")
    told = cli("--width 10000 legal").out
    assert told.count("A1 / B1 / C1 / ") == 1
    assert "put 1 of b1..b24 in A1 / ... / G7 (the same 48)" in told


def test_a_list_with_the_ends_and_the_length_of_another_is_spelt_out():
    phrases = [f"put a in {WITHOUT_B1}", f"put b in {WITHOUT_C1}", f"put c in {WITHOUT_C1}", f"put d in {ALL}"]
    assert abbreviate_lists(phrases) == phrases


def test_a_short_list_is_spelt_out_again():
    phrases = ["go A1 / B1 / C1", "turn A1 / B1 / C1"]
    assert abbreviate_lists(phrases) == phrases
