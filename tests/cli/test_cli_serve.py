"""`referee serve` as it is typed: links, codes, other links, bad input, the end."""

import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
import terminal
from decoder import read_off_terminal

import referee.serve.server
from referee.cli.saved_links import read_links, save_links
from referee.serve.http_refusals import REFUSAL_SENTENCES
from referee.serve.link_code import QUIET_ZONE, draw_qr_rows
from referee.serve.links import Links

LINK = re.compile(r"http://[\d.]+:\d+/[\w-]{22}")


def fetched(link):
    """Status and text of what a link leads to."""
    try:
        with urllib.request.urlopen(link, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextmanager
def serving(*words, **how):
    """The program in a process of its own; it is ended as by Ctrl-C."""
    command = [sys.executable, "-c", "from referee.cli.main import run; run()", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, **how) as running:
        try:
            yield running
        finally:
            if running.poll() is None:
                running.send_signal(signal.SIGINT)
            running.stdin.close()
            running.wait(20)


def test_links_as_json_and_the_end(control):
    with serving("--json", "serve") as running:
        told = json.loads(running.stdout.readline())
        assert (told["lan"], told["play"], list(told["links"])) == (False, False, ["table", "red", "blue"])
        for link in told["links"].values():
            assert LINK.fullmatch(link)
            status, page = fetched(link)
            assert (status, "Robot Attack" in page) == (200, True)
        running.stdin.write("new red\n")
        running.stdin.flush()
        again = json.loads(running.stdout.readline())["links"]
        assert again["blue"] == told["links"]["blue"]
        assert fetched(told["links"]["red"]) == (404, REFUSAL_SENTENCES[404])
        assert fetched(again["red"])[0] == 200
        running.send_signal(signal.SIGINT)
        assert json.loads(running.stdout.readline()) == {"served": False}
        assert (running.wait(20), running.stderr.read()) == (0, "")


def test_a_program_of_ones_own_is_told_whose_turn_it_is(control, cli):
    code = "import sys; open('rung.txt', 'a').write(sys.stdin.read() + chr(10))"
    with serving("--json", "serve", "--run", f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}") as running:
        link = json.loads(running.stdout.readline())["links"]["table"]
        assert fetched(link)[0] == 200
        assert not Path("rung.txt").exists()
        cli("do done!")
        while not (Path("rung.txt").exists() and Path("rung.txt").read_text("utf-8").endswith("\n")):
            time.sleep(0.02)
    told = json.loads(Path("rung.txt").read_text("utf-8"))
    assert (told["to_act"], told["player"], told["turn"]) == ("blue", "Bo", 2)


def test_a_program_is_told_when_a_served_game_has_waited_longer_than_its_pace(people):
    """The game began on the second of January 2026, and the server asks the real clock."""
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --option first=red --seats Anna,Bo --pace 3")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    rung = anna.folder / "rung.txt"
    code = f"import sys; open({str(rung)!r}, 'a').write(sys.stdin.read() + chr(10))"
    with serving(
        "--json", "-g", str(anna.log), "serve", "--run", f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    ):
        while not (rung.exists() and rung.read_text("utf-8").endswith("\n")):
            time.sleep(0.02)
    told = json.loads(rung.read_text("utf-8"))
    assert (told["because"], told["wait"]["seat"], told["wait"]["pace"]) == ("pace", "red", 3)


def test_who_types_quit_ends_it_and_who_plays_there_is_told_where(control):
    with serving("serve") as running:
        running.stdin.write("6 go\nquit\n")
        running.stdin.flush()
        assert running.wait(20) == 0
        told = " ".join(running.stdout.read().split())
    assert "Nobody sits at '6 go'; the seats are red (Anna) and blue (Bo). Moves are made in another" in told
    assert told.endswith("The server has stopped.")


def test_it_ends_though_somebody_looks(control):
    with serving("--json", "serve") as running:
        link = json.loads(running.stdout.readline())["links"]["table"]
        with urllib.request.urlopen(f"{link}/events?after=x", timeout=20) as stream:
            assert stream.readline().startswith(b"retry")
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 0
        assert running.stderr.read() == ""


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_codes_in_a_terminal_lead_to_the_links(control, columns):
    if referee.serve.server.find_own_address() is None:
        pytest.skip("this computer is in no network")
    with terminal.Terminal("serve", "--lan", columns=columns, lines=90) as table:
        table.wait('"quit".')
        codes = [row for row in table.screen.display if set(row) <= set(" ▀▄█")]
        width = max(len(row.rstrip()) for row in codes) + QUIET_ZONE
        assert read_off_terminal([row[:width] for row in codes]) == LINK.findall(table.text.replace("\n", ""))
        assert "anyone in this network can read along" in " ".join(table.text.split())
        dark = [cell for line in table.screen.buffer.values() for cell in line.values() if cell.data in "▀▄█"]
        assert {(cell.fg, cell.bg) for cell in dark} == {("black", "brightwhite")} or {cell.bg for cell in dark} != {
            "default"
        }
        table.type("\x03")
        assert table.left() == 0


def test_a_code_in_ascii():
    link = "http://192.168.178.123:43211/0123456789abcdefghijkl"
    narrow, wide = draw_qr_rows(link), draw_qr_rows(link, ascii_only=True)
    assert read_off_terminal(narrow) == [link]
    assert len(narrow[0]) <= 40
    assert {len(row) for row in wide} == {2 * len(narrow[0])}
    halves = [row[::2] for row in wide]
    assert [row.replace("#", "█") for row in halves[::2]] != narrow  # two rows of it are one of the other


def test_in_a_game_with_secrets_a_link_is_shown_to_its_seat_alone(cli, place):
    cli("new mutants --option hidden-movement=yes -o h.jsonl")
    with terminal.Terminal("serve", columns=100) as table:
        table.wait('"quit".')
        (shared,) = LINK.findall(table.text)
        assert "type human when nobody else looks" in table.text
        table.type("human\r")
        table.wait("Enter clears the screen")
        (mine,) = set(LINK.findall(table.text)) - {shared}
        assert fetched(mine)[0] == 200
        table.type("\r")
        table.until(lambda: mine not in table.text, "cleared")
        assert mine not in table.scrolled_away
        table.type("new human\r")
        table.wait("The old link no longer works.")
        assert fetched(mine)[0] == 404
        table.type("nobody\r")
        table.wait("nobody sits at 'nobody'".capitalize())
        table.type("\x03")
        assert table.left() == 0


def test_a_seat_whose_secrets_are_elsewhere_has_no_link(cli, place):
    cli("new mutants --option hidden-movement=yes -o h.jsonl")
    Path("h.jsonl.human.vault").unlink()
    with serving("--json", "serve") as running:
        assert list(json.loads(running.stdout.readline())["links"]) == ["table", "mutant"]


def test_a_port_that_is_taken(cli, control):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = cli(f"serve --port {port}")
    assert answer.code == 1
    assert answer.out == f"Not done: port {port} is in use; to take any free one, leave out --port.\n"


def test_no_network(cli, control, monkeypatch):
    monkeypatch.setattr(referee.serve.server, "find_own_address", lambda: None)
    answer = cli("serve --lan")
    assert (answer.code, len(answer.out.splitlines())) == (1, 2)
    assert "is not in a network" in answer.out


@pytest.mark.parametrize("words", ["--port 0", "--port -1", "--port 65536", "--port x", "-", "a b", "--at 1"])
def test_what_cannot_be_meant(cli, control, words):
    answer = cli(f"serve {words}")
    assert (answer.code, answer.out) == (2, "")
    assert "bug" not in answer.err


def test_a_log_that_is_missing_or_broken(cli, control):
    assert cli("serve none.jsonl").code == 3
    control.write_bytes(control.read_bytes().replace(b'"n":1,', b'"n":2,'))
    answer = cli("serve")
    assert answer.code == 3
    assert "from entry 1 on" in answer.err


def test_no_game(cli, place):
    assert cli("serve").code == 4


def test_a_bot_has_no_link(cli):
    cli("new manoover --bots blue=steady --option first=red")
    with serving("serve", "--play") as running:
        told = [running.stdout.readline() for _ in range(6)]
    assert "No link for blue: a bot plays there.\n" in told
    assert [line.split()[0] for line in told if LINK.search(line)] == ["table", "red"]


def test_a_session_is_no_place_to_serve_from(cli, control):
    assert "leave it first" in cli("play", stdin=b"serve\n").out


def test_what_is_wrong_with_the_log_is_told_in_the_terminal(control):
    with serving("--json", "serve") as running:
        running.stdout.readline()
        whole = control.read_bytes()
        changed = control.with_name("changed")
        changed.write_bytes(whole.replace(b'"n":1,', b'"n":2,'))
        changed.replace(control)  # at once: else a log that is half written may be looked at
        assert "from entry 1 on" in json.loads(running.stdout.readline())["trouble"]
        control.write_bytes(whole)


def links_of(*words):
    """The links of a server that is started and stopped at once; and the lines that it prints."""
    with serving("--json", "serve", *words) as running:
        return json.loads(running.stdout.readline())["links"]


def test_links_outlive_the_server_and_withdrawn_ones_stay_withdrawn(control, home):
    first = links_of()
    with serving("serve") as running:
        running.stdin.write("new red\nquit\n")
        running.stdin.flush()
        assert running.wait(20) == 0
        assert "These are the links of last time" in " ".join(running.stdout.read().split())
    second = links_of()
    assert {name for name in first if first[name] != second[name]} == {"red"}
    (kept,) = home.rglob("links/*.json")
    assert kept.stat().st_mode & 0o077 == 0
    third = links_of("--new-links")
    assert not set(third.values()) & set(second.values())
    assert links_of() == third


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[" * 9000, b'{"version":1,"port":80,"address":"","tokens":{"red":"../x"}}']
)
def test_links_that_cannot_be_read_are_made_anew(control, home, data):
    links_of()
    (kept,) = home.rglob("links/*.json")
    kept.write_bytes(data)
    assert all(map(LINK.fullmatch, links_of().values()))


def test_a_port_that_was_taken_meanwhile(control):
    first = links_of()
    port = int(first["table"].split(":")[2].split("/")[0])
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with serving("serve") as running:
            running.stdin.write("quit\n")
            running.stdin.flush()
            assert running.wait(20) == 0
            told = " ".join(running.stdout.read().split())
    assert "The port has changed since last time, so phones need the link again." in told
    assert first["red"].split("/")[-1] in told


def test_links_that_the_disk_does_not_take(control, home):
    home.mkdir()
    (home / ".local").write_text("no folder")
    with serving("serve") as running:
        running.stdin.write("quit\n")
        running.stdin.flush()
        assert running.wait(20) == 0
        assert "The links could not be saved" in running.stdout.read()


def test_a_link_that_is_withdrawn_stays_so_though_its_successor_cannot_be_kept(monkeypatch):
    links = Links(("red", "blue"))
    assert save_links("0" * 64, links, "127.0.0.1", 8080)
    assert read_links("0" * 64).index_tokens_by_eyes()["red"] == links.by_eyes["red"].token
    links.renew("red")
    monkeypatch.setattr("referee.cli.saved_links.replace_file", full_disk)
    assert not save_links("0" * 64, links, "127.0.0.1", 8080)
    assert read_links("0" * 64) is None


def full_disk(*_, **__):
    raise OSError(28, "No space left on device")
