"""A legal list tells a long list of names once; what is not the same is always spelt out."""

from referee.cli.commands.legal import abbreviate_lists

ROOMS = [f"{column}{row}" for column in "ABCDEFG" for row in (1, 2)]
ALL = " / ".join(ROOMS)
WITHOUT_B1 = " / ".join(room for room in ROOMS if room != "B1")
WITHOUT_C1 = " / ".join(room for room in ROOMS if room != "C1")


def test_the_rooms_of_a_set_up_are_listed_once(cli):
    cli("new mutants -o a.jsonl")
    told = cli("--width 10000 legal").out
    assert told.count("A1..A7 / B1..B7 / ") == 1
    assert "put 1 of b1..b24 in A1 / ... / G7 (the same 48)" in told


def test_a_list_with_the_ends_and_the_length_of_another_is_spelt_out():
    phrases = [f"put a in {WITHOUT_B1}", f"put b in {WITHOUT_C1}", f"put c in {WITHOUT_C1}", f"put d in {ALL}"]
    assert abbreviate_lists(phrases) == phrases


def test_a_short_list_is_spelt_out_again():
    phrases = ["go A1 / B1 / C1", "turn A1 / B1 / C1"]
    assert abbreviate_lists(phrases) == phrases


def test_places_of_a_long_list_come_in_order_with_their_runs():
    near_first = "h1 C10 / D02 / C09 / C11 / D01 / D03 / C12..C14 / D04 / E07 / E09 / E10 / F01"
    assert abbreviate_lists([near_first]) == ["h1 C09..C14 / D01..D04 / E07 / E09 / E10 / F01"]


def test_a_long_list_of_other_names_keeps_its_order():
    phrase = "hit " + " / ".join(f"x{letter}" for letter in "lkjihgfedcba")
    assert abbreviate_lists([phrase]) == [phrase]


def test_a_long_list_of_places_names_the_picture(cli, tmp_path):
    lines = [
        'phase = "human-move"',
        "turn = 3",
        "defense = 9",
        'monster = "Y09"',
        "sheet = {}",
        'units = { H09 = "h1" }',
    ]
    (tmp_path / "far.toml").write_text("\n".join(lines))
    cli(f"new sheboygan --from {tmp_path / 'far.toml'} -o far.jsonl")
    told = cli("--width 10000 legal").out
    assert "h1 A01..A04 / B01..B05 / C05..C14 / " in told
    assert "On the board: referee show --reach h1" in told
    assert "A01" in cli("show --reach h1 --by human").out
