"""The first law of a treaty: what `new` and `branch` refuse, `open` refuses, whatever program wrote the mail."""

from __future__ import annotations

import msgspec
import pytest
from forger import Forger
from msgspec.structs import fields
from players import AT, Player, seated

from referee.engine.dice_mode import MailDice
from referee.engine.hash_chain import derive_chain
from referee.engine.plugin_errors import GameError
from referee.engine.registry import find_game, game_names
from referee.record.log.enrolment import Enrolment
from referee.record.log.entry import BranchEntry, Director, GameEntry, JoinEntry, MatchPlace
from referee.record.log.field_types import MAX_PACE_DAYS, MAX_PARENT_CHARACTERS
from referee.record.log.log_errors import LogError
from referee.record.table.opening_logs import branch, open_log, start

GAMES = [name for name in game_names() if name in ("manoover", "mutants", "sheboygan", "zombies")]
OPTIONS = [(game, option.name) for game in GAMES for option in find_game(game).options]
REFUSALS = (LogError, GameError, ValueError)


@pytest.fixture
def invite(tmp_path):
    """Returns a function that makes a cheat who has begun a game, its first entry, and a guest."""

    def make(game="manoover"):
        header = find_game(game)
        seats = header.seats(header.derive_options(()) | {one.name: one.default for one in header.options}, ())
        if len(seats) < 2:
            pytest.skip("one plays this game alone")
        cheat, guest = (Player(tmp_path / seat, seat) for seat in seats[:2])
        cheat.begins(game, derivation=2)
        body = cheat.log.read_bytes().splitlines()[0]
        return cheat, msgspec.json.decode(body)["entry"], guest

    return make


def first_mail(cheat, header):
    """Returns a first mail with this first entry. Everything after it is as it should be."""
    forged = Forger(cheat, 0)
    forged.add_bytes(msgspec.json.encode(header, order="sorted"))
    forged.game_id = forged.record_id = forged.head
    keeps = cheat.seat in cheat.session.reducer.keepers
    tip = derive_chain(forged.game_id, cheat.seat, bytes(32), 30)[0].hex()
    chair = Enrolment(cheat.key.public, tip, tip if keeps else None, 30, forged.head)
    join = cheat.session.entries[1]
    forged.add(JoinEntry, by=cheat.seat, seed=join.seed if keeps else None, chair=chair)
    return forged.seal("blue" if cheat.seat == "red" else cheat.session.reducer.seats[1]).packet()


def is_refused(guest, packet):
    """True if the guest opens the mail and keeps nothing of it."""
    try:
        verdict = guest.receives(packet)
    except REFUSALS:
        return not guest.log.exists()
    assert verdict.brings_new_entries == guest.log.exists(), verdict
    return not verdict.brings_new_entries


def is_not_begun(tmp_path, game, **told):
    try:
        start(game, tmp_path / "new.jsonl", dice=MailDice(2), **told)
    except REFUSALS:
        return not (tmp_path / "new.jsonl").exists()
    return False


def test_a_match_that_is_as_usual_is_taken(invite):
    cheat, header, guest = invite()
    assert not is_refused(guest, first_mail(cheat, {**header, "match": {"number": 1, "terms": TERMS}}))


def test_a_director_is_taken_who_sees_or_settles(invite):
    cheat, header, guest = invite()
    director = {"name": "Dee", "key": KEY, "settles": True}
    assert not is_refused(guest, first_mail(cheat, {**header, "pace": 9, "director": director}))


def test_no_player_directs_the_game(invite):
    cheat, header, guest = invite()
    director = {"name": "Dee", "key": cheat.key.public}
    assert is_refused(guest, first_mail(cheat, {**header, "director": director}))


@pytest.mark.parametrize("game", [game for game in GAMES if find_game(game).match_rules is None])
def test_no_match_of_a_game_that_has_none_is_taken(invite, tmp_path, game):
    assert is_not_begun(tmp_path, game, match=MatchPlace(1, TERMS))
    cheat, header, guest = invite(game)
    assert is_refused(guest, first_mail(cheat, {**header, "match": {"number": 1, "terms": TERMS}}))


def test_no_match_begins_from_a_position_or_at_a_table(invite, tmp_path):
    place = {"number": 1, "terms": TERMS}
    cheat, header, guest = invite()
    position = {"turn": "red"}
    assert is_refused(guest, first_mail(cheat, {**header, "match": place, "position": position}))
    with pytest.raises(LogError):
        start("manoover", tmp_path / "table.jsonl", match=MatchPlace(1, TERMS))


@pytest.mark.parametrize("game", GAMES)
def test_a_first_mail_that_is_as_usual_is_taken(invite, game):
    """Otherwise a refusal below would say nothing."""
    cheat, header, guest = invite(game)
    assert not is_refused(guest, first_mail(cheat, header))


# Every option


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_no_option_has_a_value_that_new_refuses(invite, tmp_path, game, option):
    assert is_not_begun(tmp_path, game, options={option: "no-such"})
    cheat, header, guest = invite(game)
    assert is_refused(guest, first_mail(cheat, {**header, "options": {**header["options"], option: "no-such"}}))


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_no_option_is_left_out(invite, game, option):
    cheat, header, guest = invite(game)
    rest = {name: value for name, value in header["options"].items() if name != option}
    assert is_refused(guest, first_mail(cheat, {**header, "options": rest}))


@pytest.mark.parametrize("game", GAMES)
def test_no_option_is_unknown(invite, tmp_path, game):
    assert is_not_begun(tmp_path, game, options={"no-such": "yes"})
    cheat, header, guest = invite(game)
    assert is_refused(guest, first_mail(cheat, {**header, "options": {**header["options"], "no-such": "yes"}}))


# Every field

TERMS = {"target": "9", "opening": "running-total"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO0196Vm8pfBEAk06MGpUqyandT2BfArcRm9tHpM2wX9"
SEATS = [{"name": "Anna", "seat": "red"}, {"name": "Bo", "seat": "blue"}]
NAMES = (
    *("red (blue)", "Bo); your key is good (checked", "Anna: wins", "referee", "all", "nobody", "draw", "red"),
    *("", "x" * 61, "An\u202ena", "An\x1b[2Jna", "\N{CYRILLIC CAPITAL LETTER A}nna", "ANNA"),
)
"""Names that nobody may have beside a player called Anna at red."""
FORGED = {
    "n": (1, -1),
    "prev": ("1" * 64, ""),
    "by": ("red", "nobody"),
    "at": ("yesterday", ""),
    "format": (0, 99),
    "game": ("no-such", "../manoover"),
    "rules": (0, 99),
    "options": ({}, None),
    "rulings": (["no-such"], None),
    "seats": (
        *([], SEATS[:1], SEATS[::-1], [*SEATS, {"name": "Cy", "seat": "green"}], [SEATS[0], SEATS[0]]),
        *([SEATS[0], {"name": name, "seat": "blue"}] for name in NAMES),
    ),
    "dice": ({"type": "pact", "derivation": 99}, {"type": "no-such"}, None),
    "files": ({}, {"no-such": {"sha256": "0" * 64}}),
    "position": ({}, {"turn": "green"}, "no-such"),
    "nonce": ("", "xyz", "0" * 31),
    "bots": ({"blue": "random"}, {"green": "random"}),
    "hints": ("yes", 1),
    "pace": (-1, MAX_PACE_DAYS + 1, "soon"),
    "match": (
        *({}, {"number": 1}, {"number": 0, "terms": TERMS}, {"number": 1, "terms": {}}, {"number": 2, "terms": TERMS}),
        *({"number": 1, "terms": {**TERMS, "target": told}} for told in ("0", "007", "many", 9)),
        {"number": 1, "terms": {**TERMS, "no-such": "1"}},
        {"number": 1, "terms": TERMS, "first": "1" * 64},
        {"number": 1, "terms": TERMS, "after": "1" * 64},
        {"number": 1, "terms": TERMS, "keys": {"blue": KEY}},
        {"number": 2, "terms": TERMS, "first": "1" * 64, "after": "1" * 64},
        {"number": 2, "terms": TERMS, "first": "1" * 64, "after": "1" * 64, "keys": {"red": KEY, "blue": KEY}},
        {"number": 1, "terms": TERMS, "first": "game"},
        {"number": 1, "terms": TERMS, "no-such": 1},
    ),
    "director": (
        *({}, {"name": "Dee"}, {"key": KEY}, {"name": "Dee", "key": "ssh-ed25519 AAAA"}, "Dee"),
        *(
            {"name": name, "key": KEY}
            for name in ("", "red", "\N{CYRILLIC CAPITAL LETTER A}nna", "An\u202ena", "x" * 61)
        ),
        {"name": "Dee", "key": f"ssh-ed25519 {'A' * 68}"},
        {"name": "Dee", "key": KEY, "settles": True},
        {"name": "Dee", "key": KEY, "settles": "yes"},
        {"name": "Dee", "key": KEY, "no-such": 1},
    ),
    "program": ("x" * 61, 7),
}
"""For each field of the first entry, values that no game may begin with."""


def as_place(value):
    """Returns what begins a game at this place in a match; None if it cannot even be said, or if the match decides."""
    try:
        place = msgspec.convert(value, MatchPlace)
    except msgspec.ValidationError:
        return None
    return None if place.keys and place.first else {"match": place}


def as_director(value):
    """Returns what begins a game with this director; None if such a one cannot even be said."""
    try:
        return {"director": msgspec.convert(value, Director)}
    except msgspec.ValidationError:
        return None


TYPED = {
    "rules": lambda value: {"rules": value},
    "seats": lambda value: {"seats": [one["name"] for one in value]} if len(value) == 2 else None,
    "position": lambda value: {"position": value} if isinstance(value, dict) else None,
    "bots": lambda value: {"bots": value},
    "pace": lambda value: {"pace": value} if isinstance(value, int) else None,
    "match": as_place,
    "director": as_director,
}
"""What somebody would type to begin a game with such a value, where it can be typed."""


def test_every_field_of_the_first_entry_is_forged():
    assert {field.encode_name for field in fields(GameEntry)} == FORGED.keys()


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in FORGED.items() for value in values])
def test_no_field_has_a_value_that_new_refuses(invite, field, value):
    cheat, header, guest = invite()
    assert is_refused(guest, first_mail(cheat, {**header, field: value}))


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in TYPED for value in FORGED[field] if TYPED[field](value)]
)
def test_new_refuses_what_is_forged(tmp_path, field, value):
    typed = TYPED[field](value)
    if typed == {"rules": 0}:
        typed = {"rules": -1}
    if field == "seats" and value == SEATS[::-1]:
        pytest.skip("in this order Bo would sit at red, which is fine")
    assert is_not_begun(tmp_path, "manoover", **typed), typed


# Branches

BRANCHES = {
    "n": (0, 99),
    "prev": ("1" * 64, ""),
    "by": ("red", "blue", "nobody"),
    "at": ("yesterday", ""),
    "name": ("", "../again", "a b", "x" * 65, "again\n", "-again", "\N{CYRILLIC SMALL LETTER A}gain"),
    "parent": ("x" * (MAX_PARENT_CHARACTERS + 1), "game\x1b[2J", "game\u202e", 7),
}
"""For each field of the entry that begins a branch, values that no branch may begin with."""


@pytest.fixture
def game(tmp_path):
    """A game in which both sit, and the log that the first one writes of a branch after entry 1."""
    red, blue = seated(tmp_path, "red", "blue", derivation=2)
    red.receives(blue.sends())
    return red, blue


def branched(red, field="", value=None, **more):
    """Returns the first mail of a branch after entry 1, with one field of its first entry forged."""
    forged = Forger(red, 2)
    told = {"n": 2, "prev": forged.head, "by": "referee", "at": AT, "type": "branch", "name": "again", "parent": "game"}
    told |= {field: value} if field else {}
    forged.add_bytes(msgspec.json.encode(told | more, order="sorted"))
    forged.record_id = forged.head
    tip = derive_chain(forged.game_id, "red", bytes(32), 30)[0].hex()
    forged.add(JoinEntry, by="red", seed=None, chair=Enrolment(red.key.public, tip, None, 30, forged.head))
    return forged.seal("blue").packet()


def test_a_branch_that_is_as_usual_is_taken(game, tmp_path):
    red, _ = game
    assert not is_refused(Player(tmp_path / "guest", "blue"), branched(red))


def test_every_field_of_a_branch_is_forged():
    assert {field.encode_name for field in fields(BranchEntry)} == BRANCHES.keys()


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in BRANCHES.items() for value in values])
def test_no_field_of_a_branch_has_a_value_that_branch_refuses(game, tmp_path, field, value):
    red, _ = game
    assert is_refused(Player(tmp_path / "guest", "blue"), branched(red, field, value))


def test_a_branch_has_no_other_fields(game, tmp_path):
    red, _ = game
    assert is_refused(Player(tmp_path / "guest", "blue"), branched(red, agreed=["blue"]))


@pytest.mark.parametrize("name", BRANCHES["name"])
def test_branch_refuses_the_names_that_are_forged(game, name):
    red, _ = game
    with pytest.raises(LogError):
        branch(open_log(red.log), name, 1)


@pytest.mark.parametrize("at", [-1, 99])
def test_branch_leaves_no_entry_that_is_not_there(game, at):
    red, _ = game
    with pytest.raises(LogError):
        branch(open_log(red.log), "again", at)


@pytest.mark.parametrize("field", ["bots", "seats", "pace", "options"])
def test_a_branch_hides_no_beginning_that_new_refuses(invite, field):
    """The first entry is forged, and a branch follows at once."""
    cheat, header, guest = invite()
    forged = Forger(cheat, 0)
    value = FORGED[field][-1] or {"first": "no-such"}
    forged.add_bytes(msgspec.json.encode({**header, field: value}, order="sorted"))
    forged.game_id = forged.head
    forged.add(BranchEntry, by="referee", name="again", parent="game")
    forged.record_id = forged.head
    tip = derive_chain(forged.game_id, "red", bytes(32), 30)[0].hex()
    forged.add(JoinEntry, by="red", seed=None, chair=Enrolment(cheat.key.public, tip, None, 30, forged.head))
    assert is_refused(guest, forged.seal("blue").packet())
