"""Audits that cannot judge everything: they say who withholds what, and find what everybody can tell is wrong."""

from __future__ import annotations

import json
from itertools import count
from random import Random

import pytest
from logfiles import beside, forge
from long_log import Writer
from support import ROOT

import referee
from referee.engine.dice_mode import OpenDice
from referee.record.log.entry import PlayEntry
from referee.record.table.deeds.resign import resign

HIDDEN = {"hidden-movement": "yes"}


@pytest.fixture(scope="module")
def fought(tmp_path_factory):
    """A hidden game up to the first fight whose dice the Mutants have thrown and that costs a unit, without them."""
    for seed in count():
        path = tmp_path_factory.mktemp("hidden") / "game.jsonl"
        session = referee.start("mutants", path, dice=OpenDice("5a" * 32), options=HIDDEN)
        writer, random = Writer(session), Random(seed)
        while writer.moment.to_act and writer.n < 500:
            seat, action = writer.moment.to_act, writer.moment.legal().pick(random)
            writer.play(action)
            if type(action).__name__ == "ResolvePair" and seat == "mutant":
                break
        writer.write()
        last = referee.open_log(path).entries[-1]
        if isinstance(last, PlayEntry) and last.rolls and last.events[0].eliminated:
            beside(path, ".mutant.vault").unlink()
            return path
    raise AssertionError("never")


@pytest.fixture
def copy(fought, tmp_path):
    """The same in a folder of its own, with the vault of the Human."""
    for file in (fought, beside(fought, ".human.vault")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / fought.name


def test_who_withholds_what_is_told(copy):
    report = referee.audit(copy)
    assert (report.fault, report.has_claimed_outcome, report.is_complete) == (None, False, False)
    assert report.unjudged.keys() == report.withheld.keys() == {"mutant"}
    assert report.secrets > report.withheld["mutant"] > 0
    beside(copy, ".human.vault").unlink()
    assert sum(referee.audit(copy).withheld.values()) == report.secrets


@pytest.mark.parametrize("change", ["the other loss", "no loss", "nothing"])
def test_a_fight_that_contradicts_its_dice_is_found_before_the_reveal(copy, change):
    def contradict(entries):
        events = entries[-1]["events"]
        fight = events[0]
        if change == "nothing":
            events.clear()
        elif change == "no loss":
            fight["eliminated"] = []
        else:
            fight["eliminated"] = [
                unit for unit in (fight["human"], fight["mutant"]) if unit not in fight["eliminated"]
            ]

    forge(copy, contradict)
    fault = referee.audit(copy).fault
    assert fault is not None
    assert (fault.code, fault.n) == ("wrong-events", len(copy.read_bytes().splitlines()) - 1)
    assert fault.expected


def test_an_outcome_is_only_claimed_where_not_all_was_judged(copy, cli, monkeypatch):
    monkeypatch.chdir(copy.parent)
    resign(referee.open_log(copy), "human")
    assert referee.audit(copy).has_claimed_outcome
    answer = cli("audit", copy.name)
    told = " ".join(answer.out.decode().split())
    assert answer.code == 0
    assert told.startswith(f"CLEAN SO FAR {copy.name} ")
    assert "of mutant cannot be judged before" in told
    assert "secrets of mutant are revealed" in told
    assert "The log says this, but not every move could be judged: human has resigned." in told
    facts = json.loads(cli("--json", "audit", copy.name).out)
    assert (facts["clean"], facts["judged"], facts["claimed"]) == (True, False, True)
    assert facts["withheld"].keys() == {"mutant"}


def test_nothing_is_claimed_or_withheld_once_it_is_judged():
    assert not referee.audit(ROOT / "logs" / "sample-crash.jsonl").has_claimed_outcome
    assert referee.audit(ROOT / "logs" / "sample-crash.jsonl").withheld == {}
