"""People who come and go: who sits where is a fact of the record, and what they did stays theirs."""

# ruff: noqa: RUF001 - names that look alike are a part of what this is about

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from logfiles import files_of, forge

from referee.chances.luck import NO_LUCK, list_seat_lucks
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.chances.stats import list_player_lucks_of_log, list_roll_rows, list_typed_faces, map_logs
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game
from referee.record.archive.audit import audit
from referee.record.archive.diff import compare_logs
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.leaves import leave_seat
from referee.record.table.deeds.resign import resign
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.deeds.sits import sit_down
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.seat_names import list_players_of_seats
from referee.record.table.sheet import format_sheet, parse_sheet
from referee.record.table.sheet_import import start_from_sheet
from referee.record.table.undo_redo import redo, undo

SEED = "5" * 64
TESTS = Path(__file__).parents[2]
ALL = ("red", "blue", "green")
AT = {"at": "2026-01-01T00:00:00Z"}


@pytest.fixture
def three(path):
    """Three at a table of Zombies."""
    return start("zombies", path, options={"players": "3"}, seats=["Ann", "Bo", "Cem"], dice=OpenDice(SEED))


def names(session, at=None):
    return dict(session.moment(at).facts.names)


# One leaves, another comes


def test_all_others_agree_that_somebody_leaves(three):
    with pytest.raises(NotAgreedError, match="leaving the game needs green to agree"):
        leave_seat(three, "blue", agreed=["red"])
    leave_seat(three, "blue", agreed=["red", "green"])
    assert names(three) == {"red": "Ann", "blue": "blue", "green": "Cem"}
    assert three.moment().facts.empty_seats == ("blue",)
    assert three.moment().facts.format_seat("blue") == "blue (nobody)"
    assert (three.moment().outcome, audit(three.path).fault) == (None, None)


def test_those_who_are_there_agree_to_a_newcomer_and_nobody_else_is_asked(three):
    leave_seat(three, "blue", agreed=["red", "green"])
    with pytest.raises(NotAgreedError, match="another player needs red and green to agree"):
        sit_down(three, "blue", "Dee")
    sit_down(three, "blue", "Dee", ["red", "green"])
    assert names(three)["blue"] == "Dee"
    assert names(open_log(three.path)) == names(three)
    assert audit(three.path).names == names(three)
    with pytest.raises(NotAgreedError, match="needs blue and green to agree"):
        end_by_agreement(three, [], ["red"])


def test_earlier_entries_are_those_of_the_earlier_player(three):
    three.do("fill")
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    assert [names(three, n)["blue"] for n in range(4)] == ["Bo", "Bo", "blue", "Dee"]
    assert list_players_of_seats(three) == {"red": ("Ann",), "blue": ("Bo", "Dee"), "green": ("Cem",)}
    assert [(one.n, one.seat, one.player) for one in audit(three.path).seat_changes] == [
        (2, "blue", ""),
        (3, "blue", "Dee"),
    ]


def test_both_are_taken_back_as_all_else_that_was_agreed(three):
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    with pytest.raises(NotAgreedError, match="all agreed on the player of a seat in entry 2"):
        undo(three, by="red")
    undo(three, by="red", agreed=ALL)
    assert names(three)["blue"] == "blue"
    undo(three, by="red", agreed=ALL)
    assert names(three)["blue"] == "Bo"
    assert three.moment().facts.empty_seats == ()
    assert (audit(three.path).fault, audit(three.path).names["blue"]) == (None, "Bo")
    assert names(open_log(three.path)) == names(three)


def test_what_was_taken_back_of_it_comes_again(three):
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    undo(three, 2, by="red", agreed=ALL)
    redo(three, by="red", agreed=ALL)
    assert (names(three)["blue"], names(open_log(three.path))["blue"]) == ("Dee", "Dee")
    assert audit(three.path).fault is None


def test_two_logs_differ_where_somebody_else_sat_down(three, tmp_path):
    leave_seat(three, "blue", agreed=ALL)
    other = tmp_path / "other.jsonl"
    other.write_bytes(three.path.read_bytes())
    sit_down(three, "blue", "Dee", ALL)
    sit_down(open_log(other), "blue", "Eve", ALL)
    assert compare_logs(three.path, other).what == "play"


def test_a_branch_has_the_players_of_its_place(three, tmp_path):
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    assert names(branch(three, "before", 1, path=tmp_path / "before.jsonl"))["blue"] == "blue"
    assert names(branch(three, "after", 2, path=tmp_path / "after.jsonl"))["blue"] == "Dee"


def test_a_takeback_to_before_somebody_came_lets_the_one_before_sit_again(three):
    three.do("fill")
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    undo(three, 3, by="red", agreed=ALL)
    assert (names(three)["blue"], audit(three.path).fault) == ("Bo", None)


def test_a_bot_plays_on_and_gives_up_its_seat_to_a_person(three):
    leave_seat(three, "blue", "steady", ALL)
    facts = three.moment().facts
    assert (facts.names["blue"], facts.bots, facts.empty_seats) == ("steady", {"blue": "steady"}, ())
    with pytest.raises(NotAllowedError, match="steady plays blue already"):
        leave_seat(three, "blue", "steady", ALL)
    leave_seat(three, "blue", "random", ALL)
    sit_down(three, "blue", "Bo", ALL)
    assert (three.moment().facts.bots, names(three)["blue"]) == ({}, "Bo")
    assert audit(three.path).fault is None


def test_a_bot_of_the_first_entry_is_let_go(path):
    session = start("zombies", path, options={"players": "3"}, dice=OpenDice(SEED), bots={"blue": "steady"})
    sit_down(session, "blue", "Dee", ALL)
    assert session.moment().facts.bots == {}
    assert session.reducer.header.bots == {"blue": "steady"}


def test_all_may_leave_and_somebody_comes_back(three):
    leave_seat(three, "blue", agreed=["red", "green"])
    leave_seat(three, "red", agreed=["green"])
    leave_seat(three, "green")
    assert three.moment().facts.occupied_seats == ()
    sit_down(three, "green", "Cem")
    assert (names(three)["green"], audit(three.path).fault) == ("Cem", None)


def test_where_one_of_three_has_left_one_of_two_gives_up_alone(three):
    leave_seat(three, "blue", agreed=ALL)
    resign(three, "red")
    assert three.moment().outcome.winners == ("green",)
    assert audit(three.path).fault is None


def test_players_who_changed_chairs_keep_their_names(path):
    session = start("mutants", path, options={"sides": "roll"}, seats=["Ann", "Bo"], dice=OpenDice(SEED))
    while session.moment().state.phase == "sides":
        session.do("sides")
    session.do("choose mutant" if session.moment().to_act == "human" else "choose human")
    assert names(session) == {"human": "Bo", "mutant": "Ann"}
    leave_seat(session, "human", agreed=["mutant"])
    sit_down(session, "human", "Dee", ["mutant"])
    assert names(session) == {"human": "Dee", "mutant": "Ann"}


# What is refused, with nothing half done


@pytest.mark.parametrize(
    ("seat", "name", "why"),
    [
        ("red", "Dee", "Ann sits at red, and has to leave first: referee leaves red"),
        ("blue", "Ann", "Ann sits at red already"),
        ("blue", "ann", "the name ann is taken"),
        ("blue", "Cém", "the name Cém is taken"),
        ("blue", "bo", "Bo played here before; type Bo for the same player, or choose another name"),
        ("blue", "Bó", "Bo played here before; type Bo for the same player"),
        ("blue", "Во", "Bo played here before"),
        ("blue", "green", "the name green is taken"),
        ("blue", "nobody", "the name nobody is taken"),
        ("blue", "all", "the name all is taken"),
        ("blue", "", "a name must have 1 to 60 characters"),
        ("blue", "x" * 61, "a name must have 1 to 60 characters"),
        ("blue", "Dee\u202e", "a name must be readable"),
        ("blue", "Dee (red)", "has brackets"),
        ("yellow", "Dee", "there is no seat 'yellow'; the seats are red, blue and green"),
        ("referee", "Dee", "referee has no seat"),
    ],
)
def test_who_cannot_sit_down(three, seat, name, why):
    leave_seat(three, "blue", agreed=ALL)
    before = files_of(three.path)
    with pytest.raises(NotAllowedError, match=why.replace("(", r"\(")):
        sit_down(three, seat, name, ALL)
    assert files_of(three.path) == before


def test_a_seat_is_taken_once(three):
    leave_seat(three, "blue", agreed=ALL)
    sit_down(three, "blue", "Dee", ALL)
    with pytest.raises(NotAllowedError, match="Dee sits at blue, and has to leave first"):
        sit_down(three, "blue", "Eve", ALL)


def test_nobody_leaves_twice_and_no_stranger_leaves(three):
    leave_seat(three, "blue", agreed=ALL)
    for seat, why in (
        ("blue", "nobody sits at blue"),
        ("yellow", "there is no seat"),
        ("referee", "referee has no seat"),
    ):
        with pytest.raises(NotAllowedError, match=why):
            leave_seat(three, seat, agreed=ALL)


def test_nobody_comes_or_goes_after_the_end(three):
    leave_seat(three, "blue", agreed=ALL)
    end_by_agreement(three, [], ALL)
    for late in (lambda: leave_seat(three, "red", agreed=ALL), lambda: sit_down(three, "blue", "Dee", ALL)):
        with pytest.raises(NotAllowedError, match="the game is over"):
            late()


def test_a_bot_needs_dice_that_roll_by_themselves(path):
    session = start("manoover", path, dice=TableDice())
    with pytest.raises(NotAllowedError, match="needs open dice"):
        leave_seat(session, "blue", "steady", ["red"])
    leave_seat(session, "blue", agreed=["red"])


def test_a_bot_plays_no_seat_whose_secrets_are_elsewhere(path):
    session = start("mutants", path, options={"hidden-movement": "yes"}, dice=OpenDice(SEED), sitting=["human"])
    with pytest.raises(NotAllowedError, match="steady cannot see what mutant sees"):
        leave_seat(session, "mutant", "steady", ["human"])
    leave_seat(session, "human", "steady", ["mutant"])


def test_old_logs_have_no_words_for_it(three):
    three.reducer.form = 1
    for act in (lambda: leave_seat(three, "blue", agreed=ALL), lambda: sit_down(three, "blue", "Dee", ALL)):
        with pytest.raises(
            NotAllowedError, match=r"log format 1 cannot record that players come or go.*referee upgrade"
        ):
            act()


LEFT = {**AT, "agreed": ["red", "green"], "by": "blue", "type": "leaves"}
SAT = {**AT, "agreed": list(ALL), "by": "referee", "name": "Dee", "seat": "blue", "type": "sits"}


@pytest.mark.parametrize(
    ("entries", "code", "cause"),
    [
        ([SAT], "bad-seat", "Bo sits at blue"),
        ([LEFT, LEFT], "bad-seat", "nobody sits at blue"),
        ([{**LEFT, "by": "referee", "agreed": list(ALL)}], "bad-seat", "referee has no seat"),
        ([{**LEFT, "by": "yellow", "agreed": list(ALL)}], "bad-seat", "yellow"),
        ([{**LEFT, "agreed": ["red"]}], "bad-agreement", "leaving the game needs green to agree"),
        ([LEFT, {**SAT, "agreed": ["red"]}], "bad-agreement", "another player needs green to agree"),
        ([LEFT, {**SAT, "seat": "yellow"}], "bad-seat", "yellow"),
        ([LEFT, {**SAT, "name": "  "}], "bad-seat", "1 to 60"),
        ([LEFT, SAT, SAT], "bad-seat", "Dee sits at blue"),
    ],
)
def test_a_log_with_such_entries_is_found(three, entries, code, cause):
    forge(three.path, lambda found: found.extend(entries))
    fault = audit(three.path).fault
    assert fault.code == code
    assert cause in fault.cause


def test_it_is_no_part_of_a_game_by_mail(path):
    from referee.record.log.entry import make_offer_types

    kinds = {kind.__struct_config__.tag for kind in make_offer_types().__args__}
    assert not kinds & {"leaves", "sits"}


# On paper


def test_people_come_and_go_on_a_sheet(three, tmp_path):
    three.do("fill")
    leave_seat(three, "blue", "steady", ALL)
    sit_down(three, "blue", "Dée \\ Z", ALL)
    leave_seat(three, "green", agreed=ALL)
    text = format_sheet(three.game, three.entries)
    assert '2. blue: *leaves, agreed red green: {"bot":"steady"}' in text
    assert "\n4. green: *leaves, agreed red blue\n" in text
    again = start_from_sheet(parse_sheet(text), tmp_path / "again.jsonl")
    assert [names(again, n) for n in range(5)] == [names(three, n) for n in range(5)]
    assert format_sheet(again.game, again.entries) == text
    assert audit(again.path).fault is None


# Statistics are those of the people, counted by hand


PLAYED = [
    ("manoover", {}, TableDice()),
    ("manoover", {"form": "three"}, OpenDice(SEED)),
    ("mutants", {"sides": "roll"}, OpenDice(SEED)),
    ("mutants", {"hidden-movement": "yes"}, OpenDice(SEED)),
    ("sheboygan", {}, OpenDice(SEED)),
    ("zombies", {"players": "4"}, OpenDice(SEED)),
]
PEOPLE = ["Ann", "Bo", "Cem", "Dee", "Eve", "Fay", "Gus", "Hal"]


class Evening:
    """A game at random, in which people come and leave. Who made which roll is written down beside it."""

    def __init__(self, session, random):
        self.session, self.random = session, random
        self.sits = dict(zip(session.reducer.seats, PEOPLE, strict=False))
        self.told = []
        """Who sat where after each entry."""
        self.note()
        self.made = {}
        """By entry, who made its rolls that everybody sees."""

    def others(self, but=None):
        return [seat for seat in self.session.reducer.seats if self.sits[seat] and seat != but]

    def note(self):
        while len(self.told) < len(self.session.entries):
            self.told.append({**self.sits})

    def play(self):
        session = self.session
        line = ActionBatch(session.moment(), [session.legal().pick(self.random)], None, self.faces())
        if line.refused or line.awaiting:
            return
        first = len(session.entries)
        session.record(line.said)
        self.note()
        for entry in session.entries[first:]:
            assert isinstance(entry, PlayEntry)
            here = self.chair(entry.n - 1, entry.by)
            self.made[entry.n] = (here, sum(1 for roll in entry.rolls if roll.to is None))

    def faces(self):
        """Dice for a table, if the only thing to do is to roll some."""
        throw = self.session.legal().awaited_roll
        typed = self.session.reducer.header.dice.is_typed and throw and throw.need
        return [self.random.randint(1, throw.need.sides) for _ in range(throw.need.count)] if typed else []

    def chair(self, n, seat):
        """Who sits at a seat; in Mutants both may have changed chairs."""
        swapped = getattr(self.session.moment(n).state, "swapped", False)
        other = {"human": "mutant", "mutant": "human"}
        return self.told[n][other[seat] if swapped else seat] or seat

    def seat_now(self, seat):
        swapped = getattr(self.session.moment().state, "swapped", False)
        return {"human": "mutant", "mutant": "human"}[seat] if swapped else seat

    def leave(self):
        start = self.random.choice(self.session.reducer.seats)
        if not self.sits[start]:
            return
        bot = None if self.session.reducer.header.dice.is_typed or self.random.random() < 0.5 else "random"
        if bot and self.sits[start] == bot:
            return
        leave_seat(self.session, self.seat_now(start), bot, self.session.reducer.seats)
        self.sits[start] = bot or ""
        self.note()

    def come(self):
        start = self.random.choice(self.session.reducer.seats)
        name = self.random.choice([one for one in PEOPLE if one not in self.sits.values()])
        if self.sits[start] not in ("", "random"):
            return
        sit_down(self.session, self.seat_now(start), name, self.session.reducer.seats)
        self.sits[start] = name
        self.note()

    def undo(self):
        session = self.session
        try:
            undo(session, self.random.randint(1, 3), agreed=session.reducer.seats)
        except NotAllowedError:
            return
        self.sits = {**self.told[session.entries[-1].to]}
        self.note()

    def go_on(self, steps):
        for _ in range(steps):
            if self.session.moment().to_act is None or self.session.moment().is_answer_due:
                return
            what = self.random.choices([self.play, self.leave, self.come, self.undo], [14, 2, 3, 1])[0]
            what()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("game", "options", "dice"), PLAYED, ids=lambda one: str(one)[:24])
def test_each_roll_is_counted_for_whoever_made_it(path, game, options, dice, seed):
    module = find_game(game)
    people = dict(zip(module.seats(choose_options(module, options)), PEOPLE, strict=False))
    evening = Evening(start(game, path, options=options, seats=people, dice=dice), Random(f"{game} {seed}"))
    evening.go_on(90)
    session = open_log(evening.session.path)
    report = audit(session.path)
    assert report.fault is None
    force = session.in_force()
    due = Counter()
    for n in force:
        who, rolls = evening.made.get(n, ("", 0))
        due[who] += rolls
    found = Counter(row.player for result in map_logs([str(session.path)], list_roll_rows) for row in result.found)
    assert +found == +due
    lucky = {}
    for throw in list_recorded_rolls(session):
        if throw.is_in_force and throw.roll.to is None and not throw.need.names and not throw.need.lots:
            for seat, luck in list_seat_lucks(throw):
                who = evening.chair(throw.n - 1, seat) if seat in session.reducer.seats else seat
                lucky[who] = lucky.get(who, NO_LUCK) + luck
    told = {}
    for result in map_logs([str(session.path)], list_player_lucks_of_log):
        for who, luck in result.found:
            told[who] = told.get(who, NO_LUCK) + luck
    assert told == lucky
    faces = Counter(name for result in map_logs([str(session.path)], list_typed_faces) for _, name, _ in result.found)
    assert faces.keys() <= found.keys()
    now = session.moment().facts
    here = {seat: evening.chair(len(session.entries) - 1, seat) for seat in session.reducer.seats}
    assert dict(now.names) == report.names == here


def test_a_newcomer_by_mail_is_named_before_their_first_move(tmp_path):
    """Entry 14 of the log is the newcomer's; a join stands in no line of play."""
    log = tmp_path / "game.jsonl"
    log.write_bytes(b"".join((TESTS / "mail" / "succeeded.jsonl").read_bytes().splitlines(keepends=True)[:15]))
    session = open_log(log)
    assert list_players_of_seats(session) == {"red": ("Anna",), "blue": ("Bo", "Dee")}
    assert list_players_of_seats(session, 13)["blue"] == ("Bo",)
