"""The public interface: what it is called, and that it is small."""

import inspect
from operator import attrgetter

import pytest
from third_party import installed

import referee
from referee.engine.text import NotUnderstoodError


def test_exported_names_are_exactly_these():
    assert referee.__all__ == [
        "AuditReport",
        "AuditedLog",
        "BoardError",
        "DiceError",
        "FaultError",
        "GameError",
        "MovedOnError",
        "NotAllowedError",
        "NotRecordedError",
        "NotUnderstoodError",
        "OpenDice",
        "OptionError",
        "PositionError",
        "Session",
        "Table",
        "TableDice",
        "TooManyError",
        "UnconfirmedError",
        "UnknownError",
        "UnknownGameError",
        "audit",
        "audit_all",
        "branch",
        "find_game",
        "game_names",
        "join",
        "open_log",
        "outcomes",
        "replay",
        "start",
        "table",
    ]


@pytest.mark.parametrize("name", referee.__all__)
def test_every_name_is_there_and_documented(name):
    thing = getattr(referee, name)
    assert inspect.getdoc(thing)
    assert name in dir(referee)


def test_other_names_are_not():
    with pytest.raises(AttributeError):
        attrgetter("nonsense")(referee)


def test_a_game_in_a_few_lines(tmp_path):
    game = referee.start("manoover", tmp_path / "game.jsonl", dice=referee.TableDice(), options={"first": "blue"})
    assert game.moment().to_act == "blue"
    assert game.legal().awaited_roll.need.count == 3
    game.do("throw", faces=[1, 1, 4])
    assert len(game.legal()) == 15
    assert game.do("2 go").said[0].refusals[0].rule == "control.1"
    assert len(game.entries) == 2
    game.do("1 turn sw, 4 go, 1 go, auto")
    assert referee.open_log(tmp_path / "game.jsonl").moment().state == game.moment().state
    assert referee.audit(tmp_path / "game.jsonl").fault is None


def test_a_line_is_recorded_whole_or_not_at_all(tmp_path):
    game = referee.start("manoover", tmp_path / "game.jsonl", dice=referee.TableDice(), options={"first": "red"})
    before = game.path.read_bytes()
    assert game.do("throw, 1 go, 3 go", faces=[1, 1, 4]).refused
    with pytest.raises(NotUnderstoodError):
        game.do("throw, 1 fly", faces=[1, 1, 4])
    with pytest.raises(referee.DiceError):
        game.do("throw", faces=[1, 1, 4, 5])
    assert game.path.read_bytes() == before


def test_games_are_found_by_their_entry_point():
    assert "manoover" in referee.game_names()
    assert referee.find_game("manoover").name == "manoover"
    with pytest.raises(referee.UnknownGameError, match="manoover"):
        referee.find_game("manover")


def test_a_third_party_adds_a_game_by_its_entry_point_alone(tmp_path):
    with installed():
        assert referee.game_names() == ["ambush"]
        assert referee.find_game("ambush").title == "Ambush"
        game = referee.start("ambush", tmp_path / "game.jsonl")
        assert game.do("hide reef").said[0].verdict.hidden
        assert referee.audit(tmp_path / "game.jsonl").fault is None


def test_a_game_of_another_name_than_its_entry_point_is_told_as_faulty(monkeypatch):
    class Point:
        name, value = "chess960", "manoover:GAME"

        def load(self):
            return referee.find_game("manoover")

    monkeypatch.setattr("referee.engine.registry._find_entry_points", lambda: [Point()])
    with pytest.raises(referee.GameError, match="it calls itself 'manoover'"):
        referee.find_game("chess960")


@pytest.mark.parametrize("game", ["manoover", "sheboygan"])
def test_no_folder_is_made_that_was_not_asked_for(tmp_path, game):
    with pytest.raises(FileNotFoundError):
        referee.start(game, tmp_path / "nowhere" / "x.jsonl")
    session = referee.start(game, tmp_path / "x.jsonl")
    with pytest.raises(FileNotFoundError):
        referee.branch(session, "what-if", path=tmp_path / "nowhere" / "y.jsonl", agreed=session.reducer.seats)
    assert [path for path in tmp_path.rglob("*") if path.is_dir()] == []


@pytest.mark.parametrize("name", ["", b"", ".", "x\0y", b"x\0y", "/"])
@pytest.mark.parametrize("do", [referee.open_log, referee.audit, lambda path: next(referee.replay(path))])
def test_what_is_no_name_of_a_file_is_told_so(name, do):
    with pytest.raises(OSError, match=r"this is not a (file name|file but a folder)"):
        do(name)


def test_a_log_may_be_named_in_bytes(tmp_path):
    name = str(tmp_path / "x.jsonl").encode()
    with pytest.raises(OSError, match="this is not a file name"):
        referee.start("manoover", "")
    referee.start("manoover", name)
    assert referee.open_log(name).path == tmp_path / "x.jsonl"
    assert referee.audit(name).fault is None
    assert len(list(referee.replay(name))) == 1
