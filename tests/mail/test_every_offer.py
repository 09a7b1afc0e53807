"""A law of offers by mail: where a player's own computer lets them agree, both come to one log that audits clean.

An offer that only one computer could carry out would part two honest players, and nothing would bring them together.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from players import Player, at_random, seated

from referee.engine.option_resolution import list_possible_switches
from referee.mail.sync import make_packet
from referee.record.archive.audit import audit
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.offer import Offer
from referee.record.table.deeds.amend import AmendOffer
from referee.record.table.deeds.amend_pieces import AmendPiecesOffer
from referee.record.table.deeds.resign import ResignOffer
from referee.record.table.deeds.reveal import RevealOffer
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.deeds.switch import SwitchOffer
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.seat_view import SeatView

GAMES: dict[str, tuple[str, tuple[str, str], dict[str, str]]] = {
    "manoover": ("manoover", ("red", "blue"), {}),
    "mutants": ("mutants", ("human", "mutant"), {}),
    "mutants, hidden": ("mutants", ("human", "mutant"), {"hidden-movement": "yes"}),
    "mutants, by step": ("mutants", ("human", "mutant"), {"hidden-movement": "yes", "answers": "by-step"}),
    "sheboygan": ("sheboygan", ("human", "monster"), {}),
    "zombies": ("zombies", ("red", "blue"), {}),
}


def random_offer(player: Player, random: Random) -> Offer:
    """Returns something that a player may want to agree on, possible or not."""
    session: Any = player.session
    pieces = SeatView(session, player.seat).sight.pieces
    doors = [piece for piece, how in pieces.items() if "-" in piece and how == "none"]
    sealed = [n for n, _ in session.reducer.sealed.values()]
    position = session.game.position_from
    offers: list[Offer] = [
        TakebackOffer(random.choice(session.in_force()[-6:])),
        AgreedEndOffer(tuple(random.sample(session.reducer.seats, random.randint(0, 2)))),
        ResignOffer(),
        *(
            SwitchOffer(dict([change]))
            for change in random_sample(list_possible_switches(session.game, session.moment().options), random)
        ),
        *(
            AmendPiecesOffer((f"{piece} {random.choice([*pieces.values()])}",), "cat")
            for piece in random_sample(pieces, random)
        ),
        *(AmendPiecesOffer((f"{door} smashed",), "cat") for door in random_sample(doors, random) * 3),
        *(RevealOffer((n,)) for n in random_sample(sealed, random)),
    ]
    if not session.reducer.keepers:
        before = session.moment(random.choice(session.in_force()[-6:])).known.truth
        offers.append(AmendOffer(msgspec.to_builtins(position(before)), "cat"))
    return random.choice(offers)


def random_sample(values: Any, random: Random) -> list[Any]:
    """Returns one of the values; none if there are none."""
    found = [*values]
    return random.sample(found, min(1, len(found)))


def reply(player: Player, random: Random) -> None:
    """Agrees to the offer of the other if that is possible here, and refuses it otherwise."""
    with player.at_home():
        desk = player.desk
        if desk.pending_offer and desk.has_pen:
            try:
                desk.reply_to_offer(desk.pending_offer, agree=random.random() < 0.8)
            except NotAllowedError:
                desk.reply_to_offer(desk.pending_offer, agree=False)


def post(writer: Player, other: Player) -> None:
    """Hands the pen over, even in the middle of a turn."""
    with writer.at_home():
        packet = make_packet(writer.desk, to=other.seat)
    assert other.receives(packet).fault is None


@pytest.mark.parametrize(
    ("kind", "seed"), [*((kind, 0) for kind in GAMES), ("mutants, by step", 110), ("mutants, hidden", 190)]
)
def test_both_carry_out_the_same(kind, seed, tmp_path):
    """In the games of seeds 110 and 190, two logs went apart before agreement was judged on both computers."""
    game, seats, options = GAMES[kind]
    random = Random(f"{kind} {seed}")
    players = seated(tmp_path, *seats, game=game, options=options, luck=str(seed))
    for _ in range(24):
        writer, other = sorted(players, key=lambda player: not player.has_pen)
        reply(writer, random)
        if writer.session.moment().outcome:
            break
        writer.plays(at_random, random, most=random.choice((3, 20, 60)))
        with suppress(NotAllowedError), writer.at_home():
            writer.desk.record_offer(random_offer(writer, random))
        post(writer, other)
        assert other.log.read_bytes().startswith(writer.log.read_bytes())  # who opens a mail may carry out an offer
        assert [audit(player.log).fault for player in players] == [None, None]
