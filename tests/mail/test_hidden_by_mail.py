"""Games with secrets by mail: each side's vault stays on its own side, and nothing that travels tells a secret."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from played_by_mail import handed_over, played, quickly, revealed
from players import Player, at_random, played_out, seated

from referee.games.mutants.sequence import CheckRadioactiveMutants
from referee.mail import mail_player
from referee.record.archive.audit import audit


def canaries(player: Player) -> list[bytes]:
    """What nobody else may ever hold: a player's key and secret, the master of his salts, and of all secrets that are
    not revealed the salts and the values.
    """
    session = player.session
    vault = session.reducer.opener.vaults[player.seat]
    due = [found for _, found in session.reducer.sealed.values() if found.owner == player.seat]
    salts = [vault.compute_salt(found.item, vault.values[found.leaf]).hex() for found in due]
    values = [vault.values[found.leaf] for found in due]
    return [player.secret.hex().encode(), vault.head.master.encode(), *map(str.encode, salts), *values]


def held_by(player: Player) -> dict[str, bytes]:
    """Every file in his folder and home, but for his vault."""
    paths = [path for path in player.log.parent.rglob("*") if path.is_file() and path.suffix != ".vault"]
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.parametrize(
    ("game", "seats", "options", "least"),
    [
        ("mutants", ("human", "mutant"), {"hidden-movement": "yes"}, {"human": 10, "mutant": 40}),
        ("sheboygan", ("human", "monster"), {"countermix": "unknown"}, {"monster": 10}),
    ],
)
def test_secrets_stay_at_home_until_they_are_revealed(tmp_path, game, seats, options, least):
    players = seated(tmp_path, *seats, game=game, options=options)
    packets = played(players, partial(quickly, 3), Random(1))
    one, other = players
    secrets = {}
    for player, stranger in ((one, other), (other, one)):
        if player.seat not in least:
            assert not list(player.log.parent.rglob("*.vault"))
            continue
        secrets[player.seat] = canaries(player)
        assert len(secrets[player.seat]) >= least[player.seat]
        everywhere = [*packets, *held_by(player).values(), *held_by(stranger).values()]
        assert not [secret for secret in secrets[player.seat] if any(secret in data for data in everywhere)]
        assert {*audit(stranger.log).unjudged} == {player.seat}
        assert audit(stranger.log).fault is None
    last = next(player for player in players if player.desk.has_pen)
    for player in (last, *(player for player in players if player is not last)):
        if player.seat in secrets:
            if not player.desk.has_pen:
                handed_over(player, players)
            revealed(player, *(stranger for stranger in players if stranger is not player))
            log = player.log.read_bytes()
            assert sum(secret in log for secret in secrets[player.seat]) > 3  # so they would have been found before
    for player in players:
        report = audit(player.log)
        assert (report.fault, report.unjudged, report.secrets) == (None, {}, 0)
    assert one.log.read_bytes() == other.log.read_bytes()


def test_a_lie_about_a_secret_is_found_when_it_is_revealed(tmp_path, ambush, monkeypatch):
    """Blue's chest is there, and his computer says no. Nobody else can tell, until he opens his secrets at the end."""
    red, blue = seated(tmp_path, "red", "blue", game="ambush", options={"nights": "6"})
    told = {"hide": "hide cave", "raid": "raid cave 2"}
    for writer, other in ((blue, red), (red, blue), (blue, red), (red, blue)):
        with writer.at_home():
            for action in (
                (told[writer.session.moment().state.phase],) if writer.session.moment().to_act == writer.seat else ()
            ):
                writer.session.do(action)
        if writer is red and red.session.moment().state.phase == "answer":
            break
        other.receives(writer.sends())
    with monkeypatch.context() as patch:
        patch.setattr(mail_player, "record_forced_answers", lambda session: [])  # which would give the one true answer
        assert blue.receives(red.sends()).situation == "new"
        patch.setattr(type(blue.session.game), "check", lambda *_: iter(()))
        with blue.at_home():
            session = blue.session
            session.do("answer no", by="blue")
            lie = session.head.n - 1
    blue.plays(at_random, Random(4))
    assert red.receives(blue.sends()).situation == "new"
    played_out([red, blue], Random(5))
    assert audit(red.log).fault is None
    assert "blue" in audit(red.log).withheld
    if not blue.desk.has_pen:
        handed_over(blue, [red, blue])
    revealed(blue, red)
    for player in (red, blue):
        fault = audit(player.log).fault
        assert (fault.code, fault.n) == ("illegal-action", lie)
        assert fault.cause.startswith("blue: answer no")


def quietly(moment: Any, random: Random) -> Any:
    """A set-up at random, and then nothing but the ends of Phases."""
    kinds = {choice.kind.__name__: choice.kind for choice in moment.legal().choices}
    return next(
        (kinds[kind]() for kind in ("PutRestAtRandom", "Ready", "EndStep") if kind in kinds),
        moment.legal().pick(random),
    )


def test_nobody_waits_for_what_everybody_knows(tmp_path):
    """With Hidden Movement a quiet Turn costs two mails: the dice of Glow and Go lie ready, whatever their number, and
    that a Turn is recorded needs no word of the other.
    """
    players = seated(tmp_path, "human", "mutant", game="mutants", options={"hidden-movement": "yes"})
    random, mails = Random(2), Counter()
    while players[0].session.moment().facts.turn < 6:
        for player in players:
            player.plays(quietly, random)
        writer, other = sorted(players, key=lambda player: not player.desk.has_pen)
        assert other.receives(writer.sends()).situation == "new"
        mails[writer.session.moment().facts.turn] += 1
    assert [mails[turn] for turn in (3, 4, 5)] == [2, 2, 2]
    glowed = [
        entry
        for entry in players[1].session.entries
        if getattr(entry, "known_action", None) == CheckRadioactiveMutants()
    ]
    assert sum(len(roll.faces) for entry in glowed for roll in entry.known_rolls) > 4
    for player in players:
        assert audit(player.log).fault is None
    assert sorted(audit(players[0].log).unjudged) == ["mutant"]
