"""Sizes that a player chooses: so many units that what he may do with them could never be listed."""

from __future__ import annotations

from random import Random

import pytest

from referee.record.table.opening_logs import open_log

HELICOPTERS = " ".join(f"h{number}" for number in range(1, 61))
SOME = " ".join(f"h{number}" for number in range(1, 60))
AIR_FORCE = (
    "abilities jumping flying",
    "record att=1 def=1 des=1 mov=1!",
    "edge w",
    "buy 60 helicopters",
)
NAMED = ", ".join(f'"{unit}"' for unit in SOME.split())
STRIKE, ASSAULT = 'phase = "monster-combat"\n', 'phase = "human-combat"\n'
PLACES = {
    "its own box": STRIKE + f'units = {{ H09 = "{HELICOPTERS}" }}',
    "one kept from all": STRIKE + f'attacked = ["i1"]\nunits = {{ H09 = "{SOME} i1" }}',
    "all but one attacked": STRIKE + f'attacked = [{NAMED}]\nunits = {{ H09 = "{SOME} t1" }}',
    "against the strong": ASSAULT + f'defense = 99\nunits = {{ H09 = "{HELICOPTERS}", Y10 = "c8" }}',
    "their own": STRIKE + f'control = "t1"\ncontrolled = true\nunits = {{ H09 = "{SOME}", H10 = "t1" }}',
}


def test_an_air_force_is_bought_and_put_on_the_map(cli):
    cli("new sheboygan --option scenario=city-eating --option countermix=unknown -o s.jsonl")
    for said in AIR_FORCE:
        assert cli("do", "--by", "human" if said.startswith("buy") else "monster", said).code == 0
    assert "More actions than anyone can count" in cli("legal").out
    assert int(cli("legal --count").out) > 2**63
    assert cli("legal --json").facts["count"] > 2**63
    assert cli("show").code == cli("why place h1..h60 E05").code == cli("do place h1..h60 E05").code == 0
    assert cli("do place h1 E05").code == 1


@pytest.mark.parametrize("place_", PLACES.values(), ids=PLACES.keys())
def test_who_fights_in_a_crowd_is_told_what_may_be_done(cli, place, place_):
    sheet = 'sheet = { attack = 20, abilities = ["mind-control"] }'
    text = f'defense = 20\nmonster = "H08"\n{sheet}\nturn = 3\n{place_}\n[options]\nscenario = "city-eating"\n'
    text = text.replace("defense = 20\n", "") if "defense = 99" in text else text
    (place / "many.toml").write_text(text)
    answer = cli("new sheboygan --from many.toml -o s.jsonl")
    assert answer.code == 0, answer.err
    seat = cli("show --json").facts["to_act"]
    for command in ("legal", "legal --json", "legal h3", "show", "why attack h1 with 1", "do nothing", "do h"):
        assert cli(*command.split(), "--by", seat).code in (0, 1, 2), command
    assert "attack" in cli("legal", "--by", seat).out
    session = open_log("s.jsonl")
    for seed in range(20):
        assert session.legal().pick(Random(seed)) in session.legal()
