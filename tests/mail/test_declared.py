"""What was declared is what is played: no throw is made twice, and none is turned away once its dice are known."""

from __future__ import annotations

from random import Random

import pytest
from cheating import refused
from forger import Forger
from players import at_random, seated

from referee.engine.secret import Secret
from referee.games.sheboygan.sequence import EndPhase
from referee.record.archive.audit import audit
from referee.record.log.entry import DeclareEntry, OfferEntry, PlayEntry
from referee.record.table.deeds.resign import ResignEntry
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.deeds.takeback import TakebackEntry, TakebackOffer
from referee.record.table.recording import record_note


def declared(place, game, seats, options, seed):
    """A game in which somebody with secrets has declared an attack in the open; the other has answered, so that both
    know its dice, and sends that.
    """
    one, other = seated(place, *seats, game=game, options=options)
    random = Random(seed)
    for _ in range(60):
        for player in (one, other):
            player.plays(at_random, random)
        writer, reader = (one, other) if one.desk.has_pen else (other, one)
        cast = writer.desk.protocol.joint_roll
        if writer.seat == seats[1] and cast and cast.declared_action and not cast.sealed:
            reader.receives(writer.sends())
            return writer, reader
        reader.receives(writer.sends())
    raise AssertionError("nothing was declared")


@pytest.fixture(scope="module")
def attack(tmp_path_factory):
    return declared(tmp_path_factory.mktemp("attack"), "sheboygan", ("human", "monster"), {}, 7)


@pytest.fixture
def both(attack, tmp_path):
    """The monster, which knows its dice, and the human, who cannot judge what it does before its secrets are open."""
    cheat, honest = (player.twin(tmp_path / player.seat) for player in attack)
    cheat.mail = honest.sends()
    return cheat, honest


class Cheat:
    """What the monster sends in place of its attack."""

    def __init__(self, cheat, honest):
        self.me, self.other = cheat.seat, honest.seat
        cast = honest.desk.protocol.joint_roll
        self.action, self.number, self.to = cast.declared_action, cast.number, cast.n
        self.forged = Forger(honest.twin(honest.log.parent.with_name("known")))
        self.forged.player, self.sent = cheat, len(self.forged.lines)
        chair = cheat.desk.protocol.chain_positions[self.me].enrolment
        chain = cheat.desk._derive_chain(self.me, "open", chair.after, chair.length)
        self.value = chain[self.number + 2].hex()

    def add(self, kind, **fields):
        return self.forged.add(kind, by=fields.pop("by", self.me), **fields)

    def declares(self, *actions, secret=None):
        return self.add(DeclareEntry, cast=self.number + 1, value=self.value, actions=actions, secret=secret)

    def plays(self, action, rolls=(), secret=None):
        return self.add(PlayEntry, action=action, rolls=rolls, events=(), secret=secret)


def dice_of(cheat):
    """The dice of the attack, which are known by now."""
    cheat.receives(cheat.mail)
    return next(entry.rolls for entry in reversed(cheat.session.entries) if isinstance(entry, PlayEntry))


def other_box(action):
    return type(action)(box="A01", points=action.points)


SEALED = Secret("monster", leaf="ab" * 32)
INSTEAD = {
    "the same declared again": lambda c, _: c.declares(c.action),
    "another thing declared": lambda c, _: c.declares(other_box(c.action)),
    "a secret declared": lambda c, _: c.declares(secret=SEALED),
    "another attack with these dice": lambda c, dice: c.plays(other_box(c.action), dice),
    "another play": lambda c, _: c.plays(other_box(c.action)),
    "the end of the Phase": lambda c, _: c.plays(EndPhase()),
    "a secret play": lambda c, _: c.plays(None, secret=SEALED),
    "a secret play with these dice": lambda c, dice: c.plays(None, dice, SEALED),
    "a draw offered": lambda c, _: c.add(OfferEntry, offer=AgreedEndOffer(()), on=c.sent - 1, signature=None),
    "a takeback offered": lambda c, _: c.add(OfferEntry, offer=TakebackOffer(c.to - 1), on=c.sent - 1, signature=None),
    "to give up": lambda c, _: c.add(ResignEntry, agreed=()),
}


@pytest.mark.parametrize("name", INSTEAD)
def test_what_was_declared_comes_first_whatever_the_secrets(both, name):
    cheat, honest = both
    made = Cheat(cheat, honest)
    forged = INSTEAD[name](made, dice_of(cheat))
    verdict = refused(both, forged.seal(made.other).packet(made.sent), "faulty")
    assert (verdict.seat, verdict.fault.fault.code, verdict.fault.fault.n) == (made.me, "bad-cast", made.sent)
    assert "declared" in verdict.fault.fault.cause


def test_going_back_from_it_needs_the_other(both):
    made = Cheat(*both)
    forged = made.add(TakebackEntry, to=made.to - 1, agreed=())
    assert refused(both, forged.seal(made.other).packet(made.sent), "faulty").fault.fault.code == "bad-agreement"


def test_a_remark_does_no_harm_and_the_attack_is_made(both):
    cheat, honest = both
    with cheat.at_home():
        cheat.receives(cheat.mail)
        record_note(cheat.session, "Grr.", cheat.seat)
    cheat.plays(at_random, Random(1))
    assert honest.receives(cheat.sends()).situation == "new"
    assert audit(honest.log).fault is None


def test_dice_of_a_list_are_for_that_list(both):
    """The first attack of a list is made; another than the second one cannot have the dice that come next."""
    cheat, honest = both
    made = Cheat(cheat, honest)
    dice = dice_of(cheat)
    due = cheat.log.read_bytes().splitlines(keepends=True)[made.sent : made.sent + 1]
    forged = made.forged.copy(due)
    made.plays(other_box(made.action), dice)
    verdict = refused(both, forged.seal(made.other).packet(made.sent), "faulty")
    assert verdict.fault.fault.code in ("bad-dice", "bad-cast")
    assert verdict.fault.fault.n == made.sent + 1
