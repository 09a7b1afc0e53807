"""Whole stories, as people live them."""

from __future__ import annotations

import json
import random
from pathlib import Path

from calling import tell

from referee.record.table.opening_logs import open_log


def standing(cli, log=None):
    return cli(f"--json -g {log}" if log else "--json").facts


def typed(rng, throw):
    """Faces as they might fall."""
    return " ".join(str(rng.randint(1, throw["sides"])) for _ in range(throw["count"]))


def one_step(cli, rng):
    """Ask what may be done and do one thing of it, as typed at the table by somebody who means it."""
    choices = cli("--json legal").facts["choices"]
    throw = next((choice["throws"] for choice in choices if choice["throws"]), None)
    if throw:
        table = standing(cli)["dice"]["mode"] == "table"
        return tell(cli, f"roll {typed(rng, throw)}" if table else "roll")
    text = rng.choice(choices)["text"]
    return tell(cli, f"do {' '.join(rng.choice(word.split('/')) for word in text.split())}!")


def test_an_evening_at_the_table_from_start_to_result(cli, snapshot):
    rng = random.Random(8)
    tell(cli, "new manoover --dice table --seats Anna,Bo -o logs/evening.jsonl")
    while standing(cli)["to_act"]:
        one_step(cli, rng)
    end = standing(cli)
    scores = dict(end["outcome"]["scores"])
    assert scores == {seat: len(robots) for seat, robots in end["position"]["captured"].items()}
    assert end["outcome"]["ranks"][0] == [seat for seat in ("red", "blue") if scores[seat] == max(scores.values())]
    assert cli("--json audit").facts["outcome"] == end["outcome"]
    assert cli("do throw").code == 1
    assert cli("--json legal").facts["count"] == 0
    assert [cli("").shown, cli("audit").shown] == snapshot


def test_a_dispute(cli, place, snapshot):
    tell(cli, "new manoover --dice table --seats Anna,Bo -o bo.jsonl", "roll 5 2", "roll 2 2 6", "do 2 go, 2 turn ne")
    anna, bo = place / "anna.jsonl", place / "bo.jsonl"
    anna.write_bytes(bo.read_bytes())
    tell(cli, "-g anna.jsonl do 6 go, auto", "-g bo.jsonl do 6 turn nw, auto", "-g bo.jsonl roll 1 1 1")

    parted = cli("diff anna.jsonl bo.jsonl")
    assert parted.code == 1
    facts = cli("--json diff anna.jsonl bo.jsonl").facts
    assert (facts["same"], facts["common"]) == (False, 5)
    assert [side["after"] for side in facts["sides"]] == [1, 2]
    assert [cli(f"audit {name}.jsonl").code for name in ("anna", "bo")] == [0, 0]

    before = bo.read_bytes()
    settled = tell(cli, "-g bo.jsonl branch settled --at 4")
    assert bo.read_bytes() == before, "the record they argued about stays as it is"
    branched = Path(standing(cli)["log"]).read_bytes()
    assert branched.splitlines()[:5] == before.splitlines()[:5]

    tell(cli, "do 6 go, auto", "roll 3 4 5")
    alone = cli("undo")
    assert alone.code == 1
    assert "red" in alone.out.lower()
    agreed = tell(cli, "undo --agreed-by red")
    again = tell(cli, "roll 3 3 5")
    now = tell(cli, "show --as position").out
    position = json.loads(now)
    robots = [text.replace("B3 e6 S", "B3 e5 S") for text in position["robots"]]
    (place / "now.json").write_text(json.dumps({**position, "robots": robots}))
    amended = tell(cli, "fix --from now.json --why 'the cat walked over B3' --agreed-by red,blue")

    assert "B3 e5 S" in standing(cli)["position"]["robots"]
    audit = cli("--json audit").facts
    assert audit["clean"]
    assert audit["takebacks"] == 1
    assert [item["why"] for item in audit["amendments"]] == ["the cat walked over B3"]
    told = [parted, settled, alone, agreed, again, amended, cli("log"), cli("audit")]
    assert [answer.shown for answer in told] == snapshot


def test_playing_on_from_the_good_part_of_a_bad_log(cli, control, place):
    tell(cli, "do 6 go, 2 go, 2 go, auto")
    data = control.read_bytes()
    bad = place / "bad.jsonl"
    bad.write_bytes(data.replace(b'"robot":"6"', b'"robot":"5"', 1))
    report = cli("--json audit bad.jsonl").facts
    assert report["fault"]["n"] == 3
    tell(cli, f"-g bad.jsonl branch mended --at {report['fault']['n'] - 1}", "do 6 turn nw, done, auto")
    assert cli("audit").code == 0
    assert open_log("bad-mended.jsonl").entries[3].name == "mended"


def test_play_by_mail(cli, place):
    """Two folders, one log carried to and fro as a file."""
    tell(cli, "new manoover --seats Anna,Bo -o anna.jsonl --seed " + "1" * 64)
    mail = (place / "anna.jsonl").read_bytes()
    for number in range(6):
        name = f"{'bo' if number % 2 else 'anna'}-{number}.jsonl"
        (place / name).write_bytes(mail)
        assert cli(f"audit {name}").code == 0
        tell(cli, f"use {name}")
        one_step(cli, random.Random(number))
        mail = (place / name).read_bytes()
    (place / "last.jsonl").write_bytes(mail)
    assert cli("--json diff anna-0.jsonl last.jsonl").facts["common"] == 2
    assert standing(cli, "last.jsonl")["entry"] == 7


def test_dice_are_not_thrown_again_by_taking_back(cli, solo):
    tell(cli, "undo --agreed-by red", "roll")
    throws = [entry.rolls[0] for entry in open_log(solo).entries if getattr(entry, "rolls", ())]
    assert [roll.draw for roll in throws] == [0, 1, 2]
    assert throws[1].faces != throws[2].faces


def test_a_log_cut_short_by_a_crash_is_played_on(cli, control, place):
    whole = control.read_bytes()
    torn = place / "torn.jsonl"
    torn.write_bytes(whole[:-30])
    tell(cli, "-g torn.jsonl note the battery was empty")
    kept = torn.read_bytes()
    assert whole.startswith(b"".join(kept.splitlines(keepends=True)[:2]))
    assert (place / "torn.jsonl.torn").read_bytes() == whole[len(b"".join(whole.splitlines(keepends=True)[:2])) : -30]
    assert cli("audit torn.jsonl").code == 0


def test_three_at_the_table(cli):
    rng = random.Random(5)
    tell(cli, "new manoover --dice table --option form=three --seats Anna,Bo,Carla -o three.jsonl")
    for _ in range(60):
        one_step(cli, rng)
    assert cli("audit").code == 0
    refused = cli(f"do --by {next(s for s in ('red', 'blue', 'green') if s != standing(cli)['to_act'])} done")
    assert refused.code == 1


def test_own_board(cli, place):
    import referee.games.manoover as module

    shipped = (Path(module.__file__).parent / "shipped" / "base.toml").read_text("utf-8")
    (place / "ours.toml").write_text(shipped.replace('"R1 a1 N"', '"R1 a2 N"'), "utf-8")
    tell(cli, "new manoover --board ours.toml --dice table -o ours.jsonl", "roll 6 1", "roll 1 2 3")
    assert "R1 a2 N" in standing(cli)["position"]["robots"]
    (place / "ours.toml").unlink()
    assert cli("audit").code == 0, "the log holds the whole board"
