"""Dice that were typed are never half lost, and no word falls where it was not meant, in a session at the table."""

from random import Random

import pytest

from referee.cli.screen import Screen
from referee.cli.session.prompt import make_prompt
from referee.cli.session.repl import Repl
from referee.engine.registry import find_game
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView


class Table:
    """A conversation on a log, and what it answers."""

    def __init__(self, log):
        self.log = log
        self.talk = Repl(open_log(log), lambda: Screen(colour="never", width=200))

    def say(self, line):
        reply = self.talk.run_line(line)
        self.code = reply.answer.code
        return "\n".join(reply.render_rows())

    @property
    def said(self):
        """What stands in the log, with its dice."""
        game = find_game(self.talk.look.facts.game.name)
        plays = [entry for entry in open_log(self.log).entries if isinstance(entry, PlayEntry)]
        return [
            (game.format(play.known_action), *(face for roll in play.known_rolls for face in roll.faces))
            for play in plays
        ]


@pytest.fixture
def race(evening):
    return Table(evening)


@pytest.fixture
def raid(cli):
    """Attack of the Mutants, everybody set up, before the first door is smashed."""
    cli("new mutants --dice table -o raid.jsonl")
    cli("do rest, ready, rest, ready")
    return Table("raid.jsonl")


def test_what_is_held_is_shown_and_a_whole_retype_replaces_it(race):
    assert "): red 4; still to be typed: blue" in race.say("4")
    assert "4 3 replaces what was typed before: red 4." in race.say("43")
    assert race.said == [("throwoff red blue", 4, 3)]


def test_what_is_missing_completes_what_is_held(race):
    race.say("4")
    race.say("3")
    assert race.said == [("throwoff red blue", 4, 3)]


def test_what_is_neither_the_rest_nor_all_of_it_is_asked_about_and_nothing_is_lost(race):
    race.say("43")
    race.say("1")
    asked = race.say("2345")
    assert (race.code, "Type 2 more dice (2 faces), or all 3 again; you typed 4." in asked) == (2, True)
    race.say("2 2")
    assert race.said[-1] == ("throw", 1, 2, 2)


def test_faces_are_never_taken_for_the_throw_of_somebody_else(race):
    race.say("43")
    race.say("226")
    asked = race.say("2 go, 2 go, 6 go, auto")
    assert race.code == 0, asked
    before = race.said
    asked = race.say("1 2 3 4 5 6")
    assert race.code == 2
    assert "3 dice too many" in asked
    assert race.said == before


def test_dice_typed_with_a_slip_after_them_stay(raid):
    raid.say("smash n4d1 n8, s4d7 n22, b3b4 all")
    told = raid.say("26")
    assert raid.code == 2
    assert "b3b4" in told
    assert raid.said[-2:] == [("smash xN4-D1 n8", 2), ("smash xS4-D7 n22", 6)]


def test_dice_typed_with_a_refusal_after_them_stay(raid):
    raid.say("smash n4d1 n8, n4d1 n22")
    told = raid.say("3 5")
    assert (raid.code, raid.said[-1]) == (1, ("smash xN4-D1 n8", 3))
    assert "REFUSED  smash xN4-D1 n22" in told
    assert "nothing of this line was recorded" not in told
    assert "Typed but not used: 5." in told


def test_without_dice_nothing_of_a_line_is_recorded_that_goes_wrong(raid):
    before = raid.said
    raid.say("end, smash n4d1 n8")
    assert raid.said == before


def test_what_waits_for_dice_is_not_left_without_a_question(raid):
    raid.say("smash n4d1 n8")
    before = raid.said
    for other in ("end", "smash s4d7 n22"):
        asked = raid.say(other)
        assert raid.code == 1
        assert "smash xN4-D1 n8 still waits for 1d6" in asked.replace("Smash", "smash")
    assert "waits" not in raid.say("smash n4d1 n8"), "the same once more is no slip"
    raid.say("3")
    assert raid.said[len(before) :] == [("smash xN4-D1 n8", 3)]
    raid.say("smash s4d7 n22")
    raid.say("end!")
    assert raid.said[-1] == ("end",)


def test_small_dice_need_no_spaces_in_the_shell_either(cli, evening):
    cli("roll 52")
    cli("roll 22,6")
    assert Table(evening).said == [("throwoff red blue", 5, 2), ("throw", 2, 2, 6)]


def test_what_was_understood_is_said_before_the_dice_fall(raid):
    assert "n: n5." in raid.say("smash n1a1 n")
    assert raid.talk.pending is not None


POSITION = """
phase = "mutant-combat"
units = { D3 = "buck n1", D4 = "prof penny" }
"""


def test_who_is_waited_for_is_named_die_by_die(cli, place):
    (place / "p.toml").write_text(POSITION)
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    table = Table("m.jsonl")
    table.say("fight d3 auto")
    asked = table.say("5")
    assert "): buck 5; still to be typed: n1 (3 or less)" in asked


FIRES = """
phase = "fire"
defense = 6
monster = "H12"
sheet = {}
units = { Y10 = "c1" }
flames = { I09 = 1, J07 = 1 }
"""


def test_where_fire_may_spread_each_box_is_asked_for_by_name(cli, place):
    (place / "p.toml").write_text(FIRES)
    cli("new sheboygan --dice table --option scenario=advanced-a --from p.toml -o s.jsonl")
    table = Table("s.jsonl")
    table.say("wind")
    threatened = table.say("1")
    assert "Roll 3d6 (spread of fire), then type the results: I07" in threatened
    asked = table.say("1")
    assert "of 3d6 (spread of fire): i07 1; still to be typed: j05 and j09 (" in asked.lower()
    assert ": I07 1 and J05 2; still to be typed: J09 (" in table.say("2")
    assert "5 4 6 replaces what was typed before: I07 1 and J05 2." in table.say("546")
    assert table.said[0] == ("wind", 1, 5, 4, 6)


@pytest.fixture
def city(cli):
    """A game of Zombie Mutation, and somebody who plays it at random as far as we like."""

    def play(until, **options):
        words = " ".join(f"--option {name}={value}" for name, value in options.items())
        for number in range(20):
            cli(f"new zombies {words} --seed {number:064x} -o z{number}.jsonl")
            session, random = open_log(f"z{number}.jsonl"), Random(number)
            while session.moment().to_act and not until(session):
                session.play(session.legal().pick(random))
            if session.moment().to_act:
                return Table(f"z{number}.jsonl")
        raise AssertionError("no such place in twenty games")

    return play


def test_several_things_to_do_are_not_done_by_a_bare_face(city):
    def may_do_more_than_throw(session):
        legal = session.legal()
        return legal.choices_with_roll and sum(not choice.minor for choice in legal.choices) > 1

    table = city(may_do_more_than_throw, players="1")
    before = table.said
    assert table.talk.need is None
    assert "d6" not in make_prompt(table.talk, 200), "the prompt names no throw as if it were all"
    assert "type your move" in table.say("roll")
    table.say("5")
    assert table.said == before


def test_the_end_said_by_habit_does_not_end_the_turn_of_another(city):
    def has_passed_by_itself(session):
        last = SeatView(session).log.last_spoken_entry
        if not last or session.moment().to_act in (None, session.entries[-1].by):
            return False
        before = SeatView(session, None).at_entry(last - 1)
        done = game.parse("done", session.moment().state, session.moment().to_act)
        offered = (before.sight.legal, session.legal())
        return session.entries[last].known_action != done and all(done in legal for legal in offered)

    game = find_game("zombies")
    table = city(has_passed_by_itself)
    before = table.said
    asked = table.say("done")
    assert (table.code, "is already over" in asked) == (1, True)
    assert table.said == before
    table.say("done!")
    assert table.said[len(before)] == ("done",)


BESIDE = """
phase = "action"
players = { LEE = { seat = "red", at = "Sd9" }, JAK = { seat = "blue", at = "Sp9" } }
zombies = { l1 = "Se9" }
acts = { moved = "move" }
"""


def test_nor_where_the_same_end_went_by_itself(cli, place):
    (place / "p.toml").write_text(BESIDE)
    cli("new zombies --dice table --from p.toml -o z.jsonl")
    assert "red: done   (by itself" in cli("hit Se9 fists --dice 6,6").out
    asked = cli("done")
    assert (asked.code, "The turn of red is already over" in asked.out) == (1, True)
    assert cli("done!").code == 0


ATTACK = """
phase = "human-combat"
defense = 6
monster = "H08"
sheet = { attack = 9, abilities = ["great-height"] }
units = { H09 = "t1 i1", H07 = "t2", Y10 = "c8" }
"""


def test_dice_typed_with_what_first_needs_an_answer_are_kept_for_it(cli, place):
    (place / "p.toml").write_text(ATTACK)
    cli("new sheboygan --option scenario=advanced-a --dice table --from p.toml -o s.jsonl")
    told = cli("attack m with t1 t2 --dice 4")
    assert told.code == 0
    assert "monster: answer no" in told.out
    assert "t1 t2 attack the monster: 2-1, die 4" in told.out


def test_what_is_drawn_is_typed_by_its_name_or_its_beginning(cli):
    cli("new zombies --dice table -o z.jsonl")
    cli("do fill --dice 1,1,1,1,1,1,1,1,1")
    cli("roll 5 3")
    table = Table("z.jsonl")
    assert "Draw, then type the result (special ability of lui)" in table.say("pick LUI")
    wrong = table.say("xyz")
    assert "'xyz' cannot be drawn (special ability of lui); you can draw brawler, fast-feet" in wrong
    table.say("pick LUI")
    table.say("fast")
    assert [said[0] for said in table.said][-1] == "pick LUI"


def test_who_has_to_draw_is_told_to_type_a_name(cli, place):
    cli("new zombies --dice table -o z.jsonl")
    cli("roll 1 1 1 1 1 1 1 1 1")
    cli("roll 6 5")
    told = " ".join(cli("pick lui").err.split())
    assert told.endswith("special ability of lui. Draw, then type: referee do pick LUI --dice NAME."), told
