"""Who asks for what he should not: other names, other origins, too much, too often; and links that were withdrawn."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import Random

import pytest
from rooms import LOCALHOST, add

from referee.cli import log_file
from referee.record.table.opening_logs import open_log
from referee.serve import app, rate_limits, server
from referee.serve.http_refusals import REFUSAL_SENTENCES
from referee.serve.rate_limits import RateLimiter

SECRETIVE = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def paths(here):
    return [
        here.path(),
        f"{here.path()}/events?after=x",
        "/",
        "/favicon.ico",
        f"{here.path('red')}/say",
        "/x/y/z",
        "//",
    ]


def told_in_a_sentence(answer):
    """Whether a refusal is told in words, alike for all requests with its status."""
    return answer.text == REFUSAL_SENTENCES[answer.status] and answer.headers["content-type"].startswith("text/plain")


def test_every_answer_tells_browsers_to_keep_and_pass_on_nothing(table):
    here = table(play=True)
    answers = [here.ask(path, method) for path in paths(here) for method in ("GET", "POST", "PUT")]
    answers += [here.ask(here.path(), Host="evil.example"), here.say("red", {"say": "x"})]
    answers += [here.say("red", b'{"do":"\xff"}'), here.say("red", b"{}", Origin="http://evil.example")]
    answers += [here.ask(here.path(), X="\x00"), here.ask(here.path(), "G\xffT"), here.ask("/\xff")]
    assert {answer.status for answer in answers} >= {200, 400, 403, 404, 421}
    for answer in answers:
        assert answer.status == 200 or told_in_a_sentence(answer)
        assert {name: answer.headers.get(name) for name in SECRETIVE} == SECRETIVE
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert not {"set-cookie", "access-control-allow-origin", "server", "location"} & set(answer.headers)


def test_what_is_no_link_is_not_there_and_nothing_is_told(table):
    here = table()
    wrong = [
        "/", "/x", "/favicon.ico", "/robots.txt", f"{here.path()}/", f"{here.path()}x", here.path()[:-1],
        f"{here.path().upper()}/events", "/events", "/../etc/passwd", "/%2e%2e/", f"{here.path()}/say",
        f"{here.path()}/events/", f"//{here.host}{here.path()}", "/None", "/red",
    ]  # fmt: skip
    for path in wrong:
        answer = here.ask(path)
        assert (path, answer.status, answer.body) == (path, 404, REFUSAL_SENTENCES[404].encode())
    for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        assert here.ask(here.path(), method).status == 404
        assert here.ask(f"{here.path()}/events", method).status == 404
        assert here.ask(f"{here.path()}/code", method).status == 404


@pytest.mark.parametrize(
    "name", ["evil.example", "", "localhost", LOCALHOST, f"{LOCALHOST}:1", f"evil.example#{LOCALHOST}", "[::1]:1"]
)
def test_under_another_name_nobody_comes_in(table, name):
    """As a page elsewhere does whose name was made to lead to this computer."""
    here = table(play=True)
    for path in (here.path(), f"{here.path()}/events", f"{here.path()}/code", "/nothing"):
        answer = here.ask(path, Host=name)
        assert answer.status == 421 or (not name and answer.status == 400)
        assert b"doctype" not in answer.body
    assert here.say("red", {"say": "note x"}, Host=name).status in (421, 400)


def test_two_names_are_none(table):
    here = table()
    assert here.ask(here.path(), X=f"y\r\nHost: {here.host}").status in (400, 421)


def test_its_own_names_are_good(table):
    here = table()
    assert here.page().status == 200
    assert here.ask(here.path(), Host=f"localhost:{here.port}").status == 200
    assert here.ask(here.path(), Host=f"LOCALHOST:{here.port}").status == 200


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "https://{}", "http://{}/", "http://{}.evil.example"]
)
def test_another_page_cannot_speak(table, origin):
    here = table(play=True)
    before = here.log.read_bytes()
    assert here.say("red", {"say": "6 go"}, Origin=origin.format(here.host)).status == 403
    assert here.log.read_bytes() == before


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_forms_can_send_is_not_read(table, kind):
    """A page elsewhere may send these without asking."""
    assert table(play=True).say("red", {"say": "6 go"}, **{"Content-Type": kind}).status == 415


def test_too_much_is_not_read(table):
    here = table(play=True)
    assert here.say("red", b'{"say": "' + b"x" * rate_limits.MAX_BODY_BYTES + b'"}').status == 413
    chunks = b"".join(b"400\r\n" + b"x" * 0x400 + b"\r\n" for _ in range(8)) + b"0\r\n\r\n"
    answer = here.say("red", chunks, **{"Transfer-Encoding": "chunked", "Content-Length": ""})
    assert answer.status == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"x"', b"[" * 4000, b"{}x"])
def test_what_is_no_request_is_not_understood(table, body):
    assert table(play=True).say("red", body).status == 400


@pytest.mark.parametrize("body", [b"\xff", b'{"do":"\xff"}', b'{"\xe9":1}', b'{"do":"\xed\xa0\x80"}'])
def test_what_is_no_utf_8_is_not_understood(table, body):
    answer = table(play=True).say("red", body)
    assert (answer.status, told_in_a_sentence(answer)) == (400, True)


def test_a_body_that_does_not_come_is_not_waited_for(table, monkeypatch):
    monkeypatch.setattr(app, "REQUEST_SECONDS", 0.1)
    assert table(play=True).say("red", b"{", **{"Content-Length": "9"}).status == 408


def test_the_table_says_nothing_and_nobody_does_where_phones_only_look(rooms, table):
    assert table().say("red", {"say": "6 go"}).status == 404


def test_the_table_says_nothing_where_phones_speak(table):
    assert table(play=True).say(None, {"say": "6 go"}).status == 404


def test_a_seat_speaks_for_itself(table):
    here = table(play=True, later=0)
    viewer = here.watch()
    session = open_log(here.log)
    on = len(session.entries) - 1
    for words in ("--by blue 6 go", "note --by blue", "blue: 6 go"):
        assert here.say("red", {"do": "words", "words": words, "on": on}).json["code"] not in (0, 5)
    said = session.game.format(session.legal().pick(Random(1)))
    seats = sorted(session.reducer.seats, key=lambda seat: seat == session.moment().to_act)
    assert here.say(seats[0], {"do": "words", "words": said, "on": on}).json["code"] == 1
    assert here.say(seats[1], {"do": "words", "words": said, "on": on}).json["code"] == 0
    assert viewer.until("entry")["step"]["n"] == len(session.entries)


def test_no_more_viewers_than_are_good(table):
    here = table()
    viewers = [here.watch(after=here.place()) for _ in range(rate_limits.MAX_STREAMS_OF_LINK)]
    assert {viewer.status for viewer in viewers} == {200}
    assert here.watch(after="1.1").status == 429
    assert here.watch("red", after="1.1").status == 200
    viewers[0].close()
    add(here.log, *here.later)  # whoever has gone is missed when he is told something
    viewers[1].until("entry")
    assert here.watch(after="1.1").status in (200, 429)


def test_no_more_viewers_at_one_moment_than_are_good(table):
    here = table()
    head = f"GET {here.path()}/events HTTP/1.1\r\nHost: {LOCALHOST}:{here.port}\r\n\r\n".encode()
    asking = [socket.create_connection((LOCALHOST, here.port), 20) for _ in range(40)]
    for one in asking:
        one.sendall(head)
    told = [one.recv(12) for one in asking]
    assert told.count(b"HTTP/1.1 200") == rate_limits.MAX_STREAMS_OF_LINK
    assert told.count(b"HTTP/1.1 429") == 40 - rate_limits.MAX_STREAMS_OF_LINK
    for one in asking:
        one.close()


def test_nobody_asks_without_end(table):
    here = table()
    answers = [here.ask(f"{here.path()}").status for _ in range(int(rate_limits.MAX_REQUESTS_AT_ONCE) + 40)]
    assert answers[: int(rate_limits.MAX_REQUESTS_AT_ONCE)] == [200] * int(rate_limits.MAX_REQUESTS_AT_ONCE)
    assert 429 in answers
    assert here.page("red").status == 200


def test_a_bucket_fills_again():
    now = [0.0]
    bucket = RateLimiter(2, 1, lambda: now[0])
    assert [bucket.count_request() for _ in range(3)] == [True, True, False]
    now[0] = 1.5
    assert [bucket.count_request() for _ in range(2)] == [True, False]
    now[0] = 100
    assert [bucket.count_request() for _ in range(3)] == [True, True, False]


def test_a_link_that_was_withdrawn_shows_nothing_any_more(table):
    here = table(play=True)
    old, viewer, other = here.path("red"), here.watch("red"), here.watch("blue")
    place = viewer.place
    here.renew("red")
    assert viewer.next() == ("gone", {})
    assert viewer.next() is None
    for path in (old, f"{old}/code", f"{old}/events?after={place}"):
        assert here.ask(path).status == 404
    assert here.ask(f"{old}/say", "POST", b"{}", Content_Type="application/json").status == 404
    assert here.page("red").status == 200
    add(here.log, here.later[0])
    assert other.next()[0] == "entry"


def test_a_link_that_is_withdrawn_while_it_speaks_says_nothing(table):
    """Who has stolen it sends all but the end of what he says, and waits."""
    here = table(play=True)
    before = here.log.read_bytes()
    body = b'{"do":"words","words":"roll","on":0}'
    head = (
        f"POST {here.path('red')}/say HTTP/1.1\r\nHost: {here.host}\r\nOrigin: http://{here.host}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((LOCALHOST, here.port), 20) as thief:
        thief.sendall(head.encode() + body[:-1])
        here.page("red")  # his words are being read by now
        here.renew("red")
        thief.sendall(body[-1:])
        assert thief.recv(12) == b"HTTP/1.1 404"
    assert here.log.read_bytes() == before


def test_links_are_long_and_all_are_others(table):
    here = table()
    tokens = {link.token for link in here.links.by_eyes.values()} | {here.links.renew("red").token for _ in range(20)}
    assert len(tokens) == 23
    assert all(len(token) == 22 for token in tokens)


def test_garbage_ends_nothing(table):
    here = table()
    endless = b"GET / HTTP/1.1\r\nX: " + b"y" * 200_000
    for data in (endless, b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"\0" * 70_000, b"GET / HTTP/9.9\r\n\r\n"):
        with (
            socket.create_connection((LOCALHOST, here.port), 20) as asking,
            suppress(OSError),
        ):  # it may be closed by then
            asking.sendall(data)
            asking.shutdown(socket.SHUT_WR)
            assert b"doctype" not in asking.recv(4096)
    assert here.page().status == 200


def test_who_asks_nothing_is_not_waited_for(table, monkeypatch):
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.1)
    here = table()
    with socket.create_connection((LOCALHOST, here.port), 20) as silent, suppress(ConnectionError):
        silent.sendall(b"GET / HT")
        assert silent.recv(10) == b""
    viewer = here.watch()
    add(here.log, here.later[0])
    assert viewer.next()[0] == "entry"


def test_half_of_a_second_request_is_not_waited_for(table, monkeypatch):
    """A stranger without a link asks once, is refused, and would hold his connection for ever."""
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.1)
    here = table()
    viewer = here.watch()
    with socket.create_connection((LOCALHOST, here.port), 20) as slow, suppress(ConnectionError):
        slow.sendall(f"GET /x HTTP/1.1\r\nHost: {LOCALHOST}:{here.port}\r\n\r\n".encode())
        assert b"404" in slow.recv(4096)
        slow.sendall(b"GET /x HTTP/1.1\r\nHo")
        while slow.recv(4096):
            pass
    add(here.log, here.later[0])
    assert viewer.next()[0] == "entry"


def test_more_connections_than_are_good_are_closed(table, monkeypatch):
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 6)
    here = table()
    viewers = [here.watch(after="1.1") for _ in range(2)]
    held = [socket.create_connection((LOCALHOST, here.port), 20) for _ in range(12)]
    closed = 0
    for one in held[8:]:
        with suppress(ConnectionError):
            one.sendall(b"GET / HTTP/1.1\r\n\r\n")
            if one.recv(10):
                continue
        closed += 1
    for one in held:
        one.close()
    assert closed == 4
    assert [viewer.status for viewer in viewers] == [200, 200]


def test_nobody_takes_all_connections(table, monkeypatch):
    monkeypatch.setattr(server, "MAX_CONNECTIONS_PER_ADDRESS", 4)
    here = table()
    greedy = [socket.create_connection((LOCALHOST, here.port), 20, source_address=("127.0.0.2", 0)) for _ in range(8)]
    for one in greedy[4:]:
        with suppress(ConnectionError):
            assert one.recv(10) == b""
    assert here.watch(after="1.1").status == 200
    for one in greedy:
        one.close()


def test_a_bug_in_what_a_phone_says_is_told_in_a_sentence(table, monkeypatch):
    here = table(play=True)

    def broken(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(here.room, "_handle_request", broken)
    answer = here.say("red", {"do": "look"})
    assert (answer.status, told_in_a_sentence(answer)) == (500, True)
    assert {name: answer.headers.get(name) for name in SECRETIVE} == SECRETIVE
    assert here.page("red").status == 200


def test_a_bug_ends_nothing(table, monkeypatch):
    here = table()
    viewer = here.watch()

    def broken(*_, **__):
        raise RuntimeError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(log_file, "make_story_without_files", broken)
        add(here.log, here.later[0])
        assert "cannot be read now" in viewer.until("notice")["words"]
        assert here.page().status == 200
    assert "a bug" in here.troubles[0]
    add(here.log, here.later[1])
    assert [viewer.next()[0] for _ in range(3)] == ["entry", "entry", "notice"]
