"""Lots where dice are typed in: drawn from a seed of their own, recorded with the play, checked by any audit."""

import shutil

import pytest
from logfiles import forge

from referee.engine.dice_derivation import derive_draw_key, derive_faces
from referee.engine.dice_mode import TableDice
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.record.archive.audit import audit
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import open_log, start
from referee.record.table.undo_redo import undo

HIDDEN = {"hidden-movement": "yes"}


def set_up(path, options=None):
    game = start("mutants", path, dice=TableDice(), options=options or {})
    for phrase in ("random", "ready", "random", "ready"):
        assert not game.do(phrase).awaiting
    return game


def seeds_of(game):
    rolls = [roll for entry in game.entries for roll in getattr(entry, "known_rolls", ())]
    return [bytes(face - 1 for face in roll.faces) for roll in rolls if roll.purpose == LOT_SEED_PURPOSE]


def test_each_random_set_up_has_a_seed_of_its_own_from_which_its_lots_follow(tmp_path):
    game = set_up(tmp_path / "g.jsonl")
    assert len(set(seeds_of(game))) == 2
    assert {roll.origin for n in (1, 3) for roll in game.entries[n].rolls} == {"lots"}
    seed, *lots = game.entries[1].rolls
    assert (seed.purpose, seed.sides, len(seed.faces)) == (LOT_SEED_PURPOSE, 256, 32)
    for roll in lots:
        key = derive_draw_key(seeds_of(game)[0], roll.draw)
        assert roll.faces == tuple(derive_faces(key, (roll.sides,) * len(roll.faces)))
    assert audit(tmp_path / "g.jsonl").fault is None


def test_two_in_one_line_do_not_share_a_seed(tmp_path):
    game = start("mutants", tmp_path / "g.jsonl", dice=TableDice())
    game.do("random, ready, random, ready")
    assert len(set(seeds_of(game))) == 2
    assert audit(tmp_path / "g.jsonl").fault is None


def test_open_dice_need_no_other_seed(tmp_path):
    game = start("mutants", tmp_path / "g.jsonl")
    game.do("random")
    assert not seeds_of(game)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rolls: rolls[0]["faces"].reverse(), "of this seed shows"),
        (lambda rolls: rolls.pop(0), "the next roll must be roll 0 from the table"),
        (lambda rolls: rolls[0]["faces"].pop(), "not 32 bytes"),
        (lambda rolls: rolls[0].update(sides=300, faces=[300] * 32), "not 32 bytes"),
        (lambda rolls: rolls[0].update(origin="table"), "in the wrong place"),
        (lambda rolls: rolls[1].update(origin="table"), "from lots, but the log has roll 1 of table"),
        (lambda rolls: rolls[1].update(faces=[81 - rolls[1]["faces"][0]]), "of this seed shows"),
        (lambda rolls: rolls.insert(1, rolls[0]), "the rules ask for"),
    ],
)
def test_lots_that_are_not_those_of_the_seed_are_found(tmp_path, change, told):
    path = tmp_path / "g.jsonl"
    set_up(path)
    forge(path, lambda entries: change(entries[1]["rolls"]))
    fault = audit(path).fault
    assert fault.code == "bad-dice", fault
    assert told in fault.cause


def test_names_that_were_typed_in_stay_good(tmp_path):
    """Logs from before lots had a seed hold them as dice from the table."""
    path = tmp_path / "g.jsonl"
    set_up(path)

    def typed(entries):
        for entry in (entries[1], entries[3]):
            del entry["rolls"][0]
        rolls = [roll for n in (1, 3) for roll in entries[n]["rolls"]]
        for draw, roll in enumerate(rolls):
            roll.update(origin="table", draw=draw)

    forge(path, typed)
    assert audit(path).fault is None


def test_secret_lots_and_their_seed_are_sealed_in_their_play(tmp_path):
    path = tmp_path / "g.jsonl"
    game = set_up(path, HIDDEN)
    assert len(set(seeds_of(game))) == 2
    assert LOT_SEED_PURPOSE.encode() not in path.read_bytes()
    assert audit(path).fault is None
    other = tmp_path / "other" / "g.jsonl"
    other.parent.mkdir()
    shutil.copy(path, other)
    report = audit(other)
    assert report.fault is None
    assert report.unjudged
    reveal_secrets(game, agreed=game.reducer.seats)
    shutil.copy(path, other)
    assert audit(other).is_complete


def test_what_was_drawn_is_never_drawn_again(tmp_path):
    game = set_up(tmp_path / "g.jsonl")
    undo(game, 4, agreed=game.reducer.seats)
    game.do("random")
    assert len(set(seeds_of(game))) == 3
    assert audit(tmp_path / "g.jsonl").fault is None
    assert open_log(tmp_path / "g.jsonl").moment().state == game.moment().state
