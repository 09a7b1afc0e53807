"""The sample move of Robert Abbott's rules, typed in from a position file: the only game the source tells in full."""

from pathlib import Path

import pytest

POSITIONS = Path(__file__).parents[2] / "fixtures" / "manoover" / "positions"

STEPS = ("roll 2 2 6", "do 6 go", "do 2 go", "do 2 turn ne", "do auto 1", "do auto 2", "do auto 3", "do auto")
SAID = tuple(f"{step} --by-hand" for step in STEPS)

TOLD = {
    "second": [
        "thrown 2 2 6",
        "advanced NW: R6 e5",
        "advanced NW: R2 a3",
        "turned R2 NE",
        "phase-begun auto",
        "stepped N: R1 c3, R4 c4, B4 c5",
        "stepped NE: R2 b4, R3 c5, B4 d6",
        "captured B4 red",
        "stepped NE: R3 d6",
        "captured R3 red",
        "stepped NW: R4 b4, R2 a4, B5 off",
        "lost B5",
        "eliminated blue",
        "ended blue",
    ],
    "third": [
        "thrown 2 2 6",
        "advanced NW: R6 e4",
        "advanced NW: R2 a2",
        "turned R2 NE",
        "phase-begun auto",
        "stepped N: R1 c2, R4 c3, B4 c4",
        "stepped NE: R2 b3, R3 c4, B4 d5",
        "captured B4 red",
        "stepped NE: R3 d5",
        "captured R3 red",
        "stepped NW: R4 b3, R2 a3, B5 off",
        "lost B5",
        "eliminated blue",
        "ended blue",
    ],
}

AFTER_CONTROL = {
    "second": "B4 c4 S, B5 a4 S, R1 c2 N, R2 a3 NE, R3 b4 NE, R4 c3 NW, R5 d5 N, R6 e5 NW",
    "third": "B4 c3 S, B5 a3 S, R1 c1 N, R2 a2 NE, R3 b3 NE, R4 c2 NW, R5 d4 N, R6 e4 NW",
}
AFTER_R3 = {
    "second": "B5 a4 S, R1 c3 N, R2 b4 NE, R4 c4 NW, R5 d5 N, R6 e5 NW",
    "third": "B5 a3 S, R1 c2 N, R2 b3 NE, R4 c3 NW, R5 d4 N, R6 e4 NW",
}
AT_THE_END = {
    "second": "R1 c3 N, R2 a4 NE, R4 b4 NW, R5 d5 N, R6 e5 NW",
    "third": "R1 c2 N, R2 a3 NE, R4 b3 NW, R5 d4 N, R6 e4 NW",
}


@pytest.fixture(params=["second", "third"])
def goals(request, cli):
    """The sample position as a new game, with goals on these cells."""
    source = POSITIONS / f"sample-{request.param}.toml"
    answer = cli("new", "manoover", "--dice", "table", "--from", str(source), "-o", "sample.jsonl")
    assert answer.code == 0, answer.err
    return request.param


def robots(cli):
    return ", ".join(cli("--json show").facts["position"]["robots"])


def brief(event):
    """An event in a few words."""
    match event:
        case {"type": "thrown", "kept": kept, "picked_up": []}:
            return f"thrown {' '.join(map(str, kept))}"
        case {"type": "advanced" | "stepped" as kind, "toward": toward, "chain": chain}:
            return f"{kind} {toward}: {', '.join(' '.join(pair) for pair in chain)}"
        case {"type": "ended", "outcome": {"ranks": [[winner], *_]}}:
            return f"ended {winner}"
    return " ".join(event.values())


def play(cli, *said):
    for words in said:
        answer = cli(words)
        assert answer.code == 0, answer.shown


def test_every_event_in_order(cli, goals):
    events = []
    for words in SAID:
        answer = cli(f"--json {words}")
        assert answer.code == 0, answer.shown
        events += [brief(event) for action in answer.facts["actions"] for event in action["events"]]
    assert events == TOLD[goals]


def test_after_the_control_phase(cli, goals):
    play(cli, *SAID[:4])
    standing = cli("--json show").facts
    assert robots(cli) == AFTER_CONTROL[goals]
    assert standing["position"]["phase"] == "auto"
    assert standing["position"]["dice"] == []


def test_after_the_third_robot(cli, goals):
    play(cli, *SAID[:7])
    assert robots(cli) == AFTER_R3[goals]
    assert cli("--json show").facts["position"]["captured"] == {"red": ["B4", "R3"], "blue": ["B1", "B2", "B3"]}


def test_blue_wins_in_the_middle_of_the_phase(cli, goals):
    play(cli, *SAID)
    standing = cli("--json show").facts
    assert standing["to_act"] is None
    assert standing["outcome"]["ranks"][0] == ["blue"]
    assert dict(standing["outcome"]["scores"]) == {"red": 2, "blue": 3}
    assert robots(cli) == AT_THE_END[goals]
    assert standing["position"]["off"] == ["B6", "B5"]
    assert standing["position"]["taken"] == {"red": 1, "blue": 1}, "the turn that ended the game was not finished"
    assert cli("audit").code == 0


def test_nothing_can_be_done_any_more(cli, goals, snapshot):
    play(cli, *SAID)
    after = cli("do auto")
    assert after.code == 1
    assert len(cli("--json log").facts) == len(SAID) + 1
    assert [after.shown, cli("").shown] == snapshot


def test_a_step_at_a_time_or_all_at_once(cli, goals):
    play(cli, "roll 2 2 6", "do 6 go, 2 go, 2 turn ne")
    assert robots(cli) == AT_THE_END[goals]
    assert cli("--json show").facts["outcome"]["ranks"][0] == ["blue"]
