"""Bots of others in processes of their own: they play as they would here, and end with the program."""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from bots_of_others import install_bots
from third_party import EXAMPLES

import referee
from referee.bots import foreign_bot, roster
from referee.bots.bot import BotError, Observation
from referee.bots.bot_messages import decode_action, encode_action, find_board, pickle_view, unpickle_view
from referee.bots.bot_process import make_environment, make_module_path
from referee.bots.ranking import list_pairings, play_pairing
from referee.bots.roster import choose_action, find_bot, list_bot_names
from referee.engine.choice import Action
from referee.engine.plugin_errors import GameError
from referee.engine.registry import register_for_now
from referee.engine.secret import Secret
from referee.gate import UnreadableError

BOTS = """
import os
from referee.bots.steady_bot import choose_steady_action
from referee.bots.strong_bot import search_actions

class Dicey:
    def choose(self, seen):
        return seen.legal.pick(seen.random)

class Calm:
    def choose(self, seen):
        return choose_steady_action(seen)

class Deep:
    def choose(self, seen):
        return search_actions(seen).chosen

class Number:
    def choose(self, seen):
        raise ValueError(f"number {os.getpid()}")

class Blames:
    def choose(self, seen):
        from referee.engine.plugin_errors import GameError
        raise GameError("race", "race:7", "it has no end")

class Waits:
    def choose(self, seen):
        import time
        with open(FILE, "w") as file:
            file.write(f"{os.getpid()} {os.getcwd()}")
        time.sleep(600)

class Holds(Waits):
    def choose(self, seen):
        import ctypes, time
        time.sleep = ctypes.PyDLL(None).sleep
        super().choose(seen)

class Kills(Waits):
    def choose(self, seen):
        os.kill(os.getppid(), 9)
        super().choose(seen)
"""
NAMES = ("Dicey", "Calm", "Deep", "Number", "Blames", "Waits", "Holds", "Kills")
PAIRS = (("dicey", "random"), ("calm", "steady"), ("deep", "strong"))
"""Bots of others, and ours that do the same. The last takes long."""
OPTIONS = {"mutants": {"hidden-movement": "yes"}}
MAIN = "from referee.cli.main import run; run()"
posix = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture
def place(tmp_path):
    """The file in which a bot notes its process."""
    return tmp_path / "process"


@pytest.fixture(autouse=True)
def site(tmp_path, monkeypatch, place):
    """The folder in which the bots are installed, and the example games."""
    folder = install_bots(tmp_path / "site", f"FILE = {str(place)!r}\n{BOTS}", NAMES)
    with (folder / "others-1.0.dist-info" / "entry_points.txt").open("a") as points:
        points.write("[referee.games]\nrace = race:GAME\nambush = ambush:GAME\n")
    monkeypatch.setattr(sys, "path", [str(folder), *map(str, EXAMPLES.values()), *sys.path])
    importlib.invalidate_caches()
    yield folder
    sys.modules.pop("theirs", None)


def test_a_bot_plays_as_it_would_in_this_process(site, monkeypatch):
    theirs = importlib.import_module("theirs")
    for name, most in (("race", 2), ("ambush", 2), ("manoover", 1)):
        games = list(list_pairings(name, {}, ["dicey", "calm"], most, 0.1, "7"))
        there = [played(game) for game in games]
        with monkeypatch.context() as patch:
            patch.setattr("referee.bots.ranking.find_bot", lambda bot: getattr(theirs, bot.title())())
            assert [played(game) for game in games] == there


def played(game):
    """The result of a game of bots, and all that was chosen."""
    chosen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "referee.bots.ranking.choose_action", lambda *given: chosen.append(choose_action(*given)) or chosen[-1]
        )
        result = play_pairing(game)
    assert len(chosen) > 10
    return result, chosen


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies", "race", "ambush"])
def test_it_chooses_as_our_bots_do_with_the_same_view_and_dice(site, name):
    game, random = referee.table(name, OPTIONS.get(name), seed="0" * 64), Random(3)
    for number in range(40):
        if game.to_act is None or game.result:
            break
        if number % 8 == 0:
            for theirs, ours in PAIRS[: 3 if number == 0 else 2]:
                here, there = Random(number), Random(number)
                one = choose_action(ours, find_bot(ours), observed(game, here))
                other = choose_action(theirs, find_bot(theirs), observed(game, there))
                assert (one, here.getstate()) == (other, there.getstate())
        game.do(game.legal().pick(random))


def observed(game, random):
    return Observation(game.game, game.view(game.to_act), game.to_act, random, playouts=2)


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies", "race", "ambush"])
def test_views_and_actions_come_back_as_they_were_sent(site, name):
    game, random = referee.table(name, OPTIONS.get(name), seed="1" * 64), Random(5)
    board = pickle.loads(pickle.dumps(find_board(game.state)))
    assert board is not None
    for _ in range(60):
        if game.to_act is None or game.result:
            break
        view = game.view(game.to_act)
        again = unpickle_view(pickle_view(view, find_board(view)), board)
        assert again == view
        assert find_board(again) is board
        action = game.legal().pick(random)
        assert decode_action(encode_action(action), game.game.action_types) == action
        game.do(action)


class Hides(Action, frozen=True, tag="hides"):
    says = "hides {card}"
    card: Secret[tuple[int, ...]]


def test_secrets_in_an_action_come_back_with_their_values_or_without():
    for card in (Secret("red", (7, 8)), Secret("red", (7,), "ab" * 32), Secret("blue", leaf="cd" * 32)):
        again = decode_action(encode_action(Hides(card)), Hides).card
        assert (again, again.known, again.leaf) == (card, card.known, card.leaf)
    for wrong in ([], ["red"], ["red", 7], ["red", "", "seven"], ["red", "", [1], 2], {"red": 7}, 7, None):
        with pytest.raises(UnreadableError):
            decode_action(encode_action({"type": "hides", "card": wrong}), Hides)


def test_one_process_plays_all_actions_of_a_bot(site):
    game = referee.table("race", seed="0" * 64)
    numbers = set()
    for _ in range(3):
        with pytest.raises(BotError) as error:
            choose_action("number", find_bot("number"), observed(game, Random(1)))
        numbers.add(str(error.value))
    assert len(numbers) == 1
    assert str(os.getpid()) not in numbers.pop()


def test_a_bot_that_is_shown_another_board_plays_on_that(site):
    tables = [referee.table("manoover", {"form": form}, seed="0" * 64) for form in ("base", "three", "plus", "base")]
    for number, game in enumerate(tables * 2):
        here, there = Random(number), Random(number)
        one = choose_action("random", find_bot("random"), observed(game, here))
        assert choose_action("dicey", find_bot("dicey"), observed(game, there)) == one
        game.do(one)


def test_a_game_that_its_process_does_not_find_is_told(site):
    class Unseen(importlib.import_module("race").Race):
        name = "unseen"

    told = r"the referee cannot show the game to the bot dicey from others 1\.0 \(UnknownGameError: "
    with register_for_now(Unseen()):
        game = referee.table("unseen", seed="0" * 64)
        with pytest.raises(BotError, match=told):
            choose_action("dicey", find_bot("dicey"), observed(game, Random(1)))


def test_a_fault_of_a_game_that_it_meets_is_the_fault_of_that_game(site):
    game = referee.table("race", seed="0" * 64)
    with pytest.raises(GameError, match="the game race is faulty at race:7: it has no end"):
        choose_action("blames", find_bot("blames"), observed(game, Random(1)))


def test_a_view_that_cannot_be_sent_is_told(site):
    seen = Observation(referee.table("race").game, lambda: None, "red", Random(1))
    with pytest.raises(BotError, match=r"the referee cannot show the game to the bot dicey from others 1\.0 \(race: "):
        find_bot("dicey").choose(seen)


def test_no_process_is_started_where_only_our_bots_play():
    for name in ("random", "steady", "strong"):
        find_bot(name)
    assert not foreign_bot._processes
    assert list_bot_names()[3:] == sorted(name.lower() for name in NAMES)


def test_without_metadata_a_bot_has_its_name_alone(site, monkeypatch):
    class Point:
        name, value = "dicey", "theirs:Missing"

    monkeypatch.setattr(roster, "find_entry_points", lambda group: [Point()])
    with pytest.raises(BotError, match="the bot dicey cannot be used: it is faulty at theirs "):
        find_bot("dicey")


def test_the_folder_of_the_logs_is_no_folder_of_code_unless_code_lies_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for first in ("", str(tmp_path)):
        monkeypatch.setattr(sys, "path", [first, "/usr/lib/code"])
        assert make_module_path([Path("/usr/lib")]) == ["/usr/lib/code"]
        assert make_module_path([tmp_path]) == [str(tmp_path), "/usr/lib/code"]
    monkeypatch.setattr(sys, "path", ["/usr/bin", str(tmp_path)])
    assert make_module_path([]) == ["/usr/bin", str(tmp_path)]


def test_its_environment_names_no_folder_but_its_own(monkeypatch):
    for name in ("REFEREE_GAME", "XDG_DATA_HOME", "PWD", "OLDPWD", "SSH_AUTH_SOCK", "PYTHONPATH", "HOME", "TMPDIR"):
        monkeypatch.setenv(name, "/secret")
    assert "/secret" not in make_environment("/own").values()
    assert make_environment("/own")["HOME"] == "/own"


# The end


def start(folder, bot, code=MAIN):
    """The program in a process of its own, where this bot thinks."""
    words = ["new", "manoover", "--option", "first=blue", "--bots", f"blue={bot}", "-o", "logs/m.jsonl"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def note_of(place):
    """The process and the folder of the bot that waits."""
    await_that(lambda: place.exists() and len(place.read_text().split()) == 2)
    number, folder = place.read_text().split()
    return int(number), Path(folder)


def await_that(true):
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def is_alive(number):
    with suppress(ProcessLookupError):
        os.kill(number, 0)
        return True
    return False


@posix
@pytest.mark.parametrize(("kind", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, -15), (signal.SIGINT, 0)])
def test_it_ends_with_the_program_that_asks_it(tmp_path, place, kind, code):
    with start(tmp_path, "waits") as program:
        number, folder = note_of(place)
        assert is_alive(number)
        assert folder.is_dir()
        assert list(folder.iterdir()) == []
        program.send_signal(kind)
        told = program.communicate()[0].decode()
    assert program.returncode == code
    assert code or "Stopped while waits was thinking for blue." in told
    await_that(lambda: not is_alive(number) and not folder.exists())


@posix
def test_one_that_lets_no_python_run_ends_some_time_after_the_program(tmp_path, place):
    with start(
        tmp_path, "holds", f"from referee.bots import foreign_bot as b; b.EXTRA_SECONDS = 1.0; {MAIN}"
    ) as program:
        number, _ = note_of(place)
        program.kill()
    await_that(lambda: not is_alive(number))


@posix
def test_a_folder_that_two_deaths_have_left_is_removed_with_the_next(site, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    left, kept = tmp_path / f"referee-bot-{dead.pid}-0", tmp_path / f"referee-bot-{os.getpid()}-0"
    other = tmp_path / "referee-bot-x"
    for folder in (left, kept, other):
        folder.mkdir()
    find_bot("dicey")
    foreign_bot.end_bot_processes()
    assert sorted(tmp_path.glob("referee-bot-*")) == sorted([kept, other])


@posix
def test_one_that_kills_the_program_leaves_a_whole_log_and_ends(tmp_path, place):
    with start(tmp_path, "kills") as program:
        program.wait()
    assert program.returncode == -9
    assert audited(tmp_path).startswith("CLEAN")
    if place.exists():
        number, folder = note_of(place)
        await_that(lambda: not is_alive(number) and not folder.exists())


def audited(folder):
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "audit", "logs/m.jsonl"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    return done.stdout.decode()
