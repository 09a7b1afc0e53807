"""Matches: played to the end, added up, audited, and lied about."""

import random
import shutil

import pytest
from logfiles import forge

from referee.engine.dice_mode import OpenDice
from referee.engine.options import OptionError
from referee.record.archive.match import open_match, start_match
from referee.record.archive.match_audit import audit_match
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.log.match_entry import GameEndedEntry
from referee.record.table.deeds.settle import end_by_agreement

FORMS = [{}, {"form": "plus", "order": "alternate"}, {"form": "three"}, {"edition": "crash"}, {"edition": "kadon"}]


def play_out(session, rng):
    while session.moment().to_act:
        session.play(rng.choice(list(rng.choice(session.legal().choices))))


def play_match(path, options, seed, target):
    rng = random.Random(seed)
    match = start_match("manoover", path, options=options, terms={"target": str(target)})
    while not match.winners:
        play_out(match.start_next(OpenDice(f"{rng.getrandbits(256):064x}")), rng)
        match.end_game()
    return match


@pytest.fixture(scope="module")
def won(tmp_path_factory):
    """A finished match of three games or more, to be copied and changed."""
    folder = tmp_path_factory.mktemp("match")
    for seed in range(20):
        match = play_match(folder / f"m{seed}.jsonl", {}, seed, target=12)
        if len(match.ended_games) >= 3:
            return match.path
    raise AssertionError("no match took three games")


@pytest.fixture
def copied(won, tmp_path):
    for path in won.parent.glob(f"{won.stem}*.jsonl"):
        shutil.copy(path, tmp_path)
    return tmp_path / won.name


@pytest.mark.parametrize("options", FORMS, ids=lambda options: "-".join(options.values()) or "base")
def test_matches_of_every_form_end_and_audit_clean(tmp_path, options):
    match = play_match(tmp_path / "match.jsonl", options, 7, target=9)
    report = audit_match(match.path)
    assert report.fault is None
    assert len(report.games) == len(match.ended_games)
    assert report.score.winner == match.score.winner
    assert open_match(match.path).score == match.score
    assert max(match.score.totals.values()) >= 9


def test_totals_are_the_sum_of_the_games(won):
    match = open_match(won)
    for seat, total in match.score.totals.items():
        assert total == sum(
            entry.result.scores[seat] + entry.standing.bonus.get(seat, 0) for entry in match.ended_games
        )


def test_the_first_game_is_opened_by_dice_and_the_others_by_rule(won):
    match = open_match(won)
    assert [entry.result.thrown for entry in match.ended_games] == [True] + [False] * (len(match.ended_games) - 1)
    for before, entry in zip(match.ended_games, match.ended_games[1:], strict=False):
        assert entry.result.opened_by == before.standing.opener


def test_a_game_that_is_not_over_cannot_be_entered(tmp_path):
    match = start_match("manoover", tmp_path / "match.jsonl")
    session = match.start_next()
    with pytest.raises(NotAllowedError, match="not over"):
        match.end_game()
    with pytest.raises(NotAllowedError, match="being played"):
        match.start_next()
    play_out(session, random.Random(1))
    match.end_game()
    with pytest.raises(NotAllowedError, match="no game"):
        match.end_game()


def test_nothing_follows_a_match_that_is_won(won):
    with pytest.raises(NotAllowedError, match="over"):
        open_match(won).start_next()


@pytest.mark.parametrize(
    ("given", "message"),
    [({"terms": {"target": "0"}}, "target"), ({"terms": {"first": "red"}}, "first"), ({"options": {"x": "y"}}, "x")],
)
def test_terms_that_do_not_exist(tmp_path, given, message):
    with pytest.raises(OptionError, match=message):
        start_match("manoover", tmp_path / "match.jsonl", **given)
    assert not (tmp_path / "match.jsonl").exists()


def test_a_changed_game_is_found(copied):
    game = copied.with_name(f"{copied.stem}-2.jsonl")
    data = game.read_bytes()
    game.write_bytes(data.replace(b'"faces":[1', b'"faces":[2', 1))
    report = audit_match(copied)
    assert report.fault.code == "bad-hash"
    assert report.fault.clause.startswith(f"{game.name}, entry ")


def test_another_game_in_its_place_is_found(copied):
    first, second = (copied.with_name(f"{copied.stem}-{number}.jsonl") for number in (1, 2))
    shutil.copy(first, second)
    assert audit_match(copied).fault.code == "wrong-game"


def test_a_game_that_was_shortened_is_found(copied):
    game = copied.with_name(f"{copied.stem}-2.jsonl")
    game.write_bytes(b"".join(game.read_bytes().splitlines(keepends=True)[:-1]))
    assert audit_match(copied).fault.code == "wrong-game"


def test_a_missing_game_is_found(copied):
    copied.with_name(f"{copied.stem}-1.jsonl").unlink()
    assert audit_match(copied).fault.code == "missing-game"


def ended(entries):
    return [entry for entry in entries if entry["type"] == "game-ended"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda entries: ended(entries)[0]["standing"]["totals"].update(red=99), "wrong-score"),
        (lambda entries: ended(entries)[0]["standing"]["bonus"].update(red=9), "wrong-score"),
        (lambda entries: ended(entries)[0]["standing"].update(opener="nobody"), "wrong-score"),
        (lambda entries: ended(entries)[0]["standing"].update(winner="red"), "wrong-score"),
        (
            lambda entries: ended(entries)[0]["standing"].update(terms={"target": 1, "opening": "last-game"}),
            "wrong-score",
        ),
        (lambda entries: ended(entries)[0]["result"].update(thrown=False), "illegal-action"),
        (lambda entries: ended(entries)[0]["result"].update(opened_by=None), "illegal-action"),
        (lambda entries: ended(entries)[0]["result"]["scores"].update(red=9, blue=9), "illegal-action"),
        (lambda entries: ended(entries)[0].update(head="0" * 64), "wrong-game"),
        (lambda entries: entries[1].update(game="0" * 64), "wrong-game"),
        (lambda entries: entries.append(entries[1]), "bad-order"),
        (lambda entries: entries.append(entries[2]), "bad-order"),
        (lambda entries: entries.insert(2, entries[1]), "bad-order"),
        (lambda entries: entries.append(entries[0]), "bad-order"),
        (lambda entries: entries[0]["options"].update(ties="survivor"), "wrong-game"),
        (lambda entries: entries[1].update(log="../elsewhere.jsonl"), "not-an-entry"),
        (lambda entries: entries[0].update(rules=9), "newer-format"),
        (lambda entries: entries[0]["options"].update(ties="sometimes"), "bad-options"),
        (lambda entries: entries[0]["options"].pop("ties"), "bad-options"),
        (lambda entries: entries[0]["options"].update(weather="fine"), "bad-options"),
        (lambda entries: entries[0]["seats"].reverse(), "bad-seat"),
        (lambda entries: entries[0]["seats"][0].update(seat="green"), "bad-seat"),
        (lambda entries: entries[0]["seats"].pop(), "bad-seat"),
        (lambda entries: entries[0]["seats"][0].update(name="\u3164"), "bad-seat"),
        (lambda entries: entries[0]["seats"][0].update(name="Cleo"), "wrong-game"),
        (lambda entries: entries[0].update(by="green"), "bad-seat"),
        (lambda entries: entries[1].update(by="green"), "bad-seat"),
        (lambda entries: ended(entries)[0].update(by="green"), "bad-seat"),
    ],
)
def test_lies_in_the_match_itself_are_found(copied, change, code):
    forge(copied, change)
    report = audit_match(copied)
    assert report.fault.code == code
    assert report.entries < len(copied.read_bytes().splitlines())


@pytest.mark.parametrize("lost", [1, 2])
def test_a_match_that_was_shortened_is_found(copied, lost):
    count, last = len(copied.read_bytes().splitlines()), open_match(copied).head.hash
    memory = copied.with_name(f"{copied.name}.head")
    memory.write_text(f"{count} {last}\n")
    copied.write_bytes(b"".join(copied.read_bytes().splitlines(keepends=True)[:-lost]))
    assert audit_match(copied).fault.code == "lost-tail"
    with pytest.raises(FaultError, match="lost-tail"):
        open_match(copied)
    memory.write_text(" ")
    report = audit_match(copied)
    assert (report.fault, f"{copied.name}.head was changed" in report.forgotten) == (None, True)


def test_games_and_matches_are_not_mistaken_for_each_other(won):
    from referee.record.archive.audit import audit

    assert audit(won).fault.code == "not-a-log"
    assert audit_match(won.with_name(f"{won.stem}-1.jsonl")).fault.code == "not-a-log"
    with pytest.raises(FaultError, match="log of a game, not"):
        open_match(won.with_name(f"{won.stem}-1.jsonl"))


def test_an_ended_game_says_what_follows(won):
    last = open_match(won).entries[-1]
    assert isinstance(last, GameEndedEntry)
    assert last.standing.winner in ("red", "blue")
    assert last.standing.opener is None


def test_a_game_that_nobody_opened_is_no_game_of_a_match(tmp_path):
    """It was ended before the roll for the first turn: the match waits until that is taken back."""
    match = start_match("manoover", tmp_path / "match.jsonl")
    session = match.start_next()
    end_by_agreement(session, ("red",), match.seats)
    with pytest.raises(NotAllowedError, match=r"nobody opened this game.*match\.7"):
        match.end_game()
    assert open_match(match.path).current_log == session.path
