"""What two people agree on by mail: offers, replies, lost keys, branches."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from players import Player, seated

from referee.mail.packet import SignedOffer
from referee.mail.spool import write_waiting_offers
from referee.mail.sync import make_packet
from referee.record.archive.audit import audit
from referee.record.log.entry import OfferEntry, encode_for_log
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.deeds.amend import AmendEntry, amend_position
from referee.record.table.deeds.amend_pieces import AmendPiecesEntry, AmendPiecesOffer, amend_pieces
from referee.record.table.deeds.resign import ResignOffer
from referee.record.table.deeds.settle import AgreedEndEntry, AgreedEndOffer
from referee.record.table.deeds.takeback import TakebackEntry, TakebackOffer
from referee.record.table.opening_logs import branch, open_log
from referee.record.table.pending_offers import find_required_offer
from referee.record.table.proposal import make_proposal_of_offer
from referee.record.table.seat_view import SeatView
from referee.record.table.signed_texts import make_offer_text
from referee.record.table.undo_redo import undo


@pytest.fixture
def table(tmp_path):
    """Red is to move, has thrown, and has the pen."""
    red, blue = seated(tmp_path, "red", "blue", luck="red goes first 1")
    red.receives(blue.sends())
    assert (red.session.moment().to_act, red.desk.protocol.pen) == ("red", "red")
    return red, blue


def handed_over(red: Player, blue: Player) -> None:
    red.plays(lambda moment, random: moment.legal().pick(random), Random(1))
    blue.receives(red.sends())


def offers(player: Player, offer) -> None:
    with player.at_home():
        player.desk.record_offer(offer)


def replies(player: Player, *, agree: bool) -> None:
    with player.at_home():
        desk = player.desk
        desk.reply_to_offer(desk.pending_offer, agree=agree)


def asked(player: Player, offer) -> SignedOffer:
    """An offer by somebody who has not got the pen."""
    desk = player.desk
    on = len(desk.session.entries) - 1
    return SignedOffer(
        player.seat, offer, on, desk.key.sign(make_offer_text(desk.protocol.record_id, on, encode_for_log(offer)))
    )


def test_nothing_is_in_force_before_the_other_agrees(table):
    red, blue = table
    red.plays(lambda moment, random: moment.legal().pick(random), Random(1), most=1)
    there = red.session.in_force()
    with pytest.raises(NotAgreedError):
        undo(red.session, 2, "red", ["blue"])  # nobody agrees in another's name
    offers(red, TakebackOffer(there[-2]))
    blue.receives(red.sends())
    assert (red.session.in_force(), blue.session.in_force()) == (there, there)
    replies(blue, agree=True)
    assert isinstance(blue.session.entries[-1], TakebackEntry)
    red.receives(blue.sends())
    assert red.session.in_force() == blue.session.in_force() == there[:-1]
    assert audit(red.log).fault is None


def test_who_is_asked_replies_before_anything_else_goes_by_itself(table):
    red, blue = table
    offers(red, AgreedEndOffer(("red", "blue")))
    blue.receives(red.sends())
    assert blue.desk.pending_offer.offer == AgreedEndOffer(("red", "blue"))
    assert isinstance(blue.session.entries[-2], OfferEntry)
    replies(blue, agree=False)
    assert blue.desk.pending_offer is None
    red.receives(blue.sends())
    assert not red.session.moment().outcome
    offers(red, AgreedEndOffer(("blue",)))
    blue.receives(red.sends())
    replies(blue, agree=True)
    assert isinstance(blue.session.entries[-1], AgreedEndEntry)
    assert blue.session.moment().outcome.ranks[0] == ("blue",)
    assert audit(blue.log).fault is None


def test_an_offer_without_the_pen_rides_with_a_mail(tmp_path):
    red, blue = seated(tmp_path, "red", "blue", luck="red goes first 1")
    blue.sends()
    with pytest.raises(NotAllowedError, match="red has the pen"):
        blue.desk.record_offer(ResignOffer())
    write_waiting_offers(blue.log, (asked(blue, ResignOffer()),))
    packet = blue.sends()
    assert [ask.offer for ask in packet.head.asks] == [ResignOffer()]
    red.receives(packet)
    assert red.desk.pending_offer.by == "blue"
    red.receives(packet)
    assert len([entry for entry in red.session.entries if isinstance(entry, OfferEntry)]) == 1
    replies(red, agree=True)
    assert red.session.moment().outcome.ranks[0] == ("red",)
    blue.receives(red.sends())
    assert not blue.sends().head.asks
    assert audit(blue.log).fault is None


def test_nobody_plays_first_and_takes_up_an_old_offer_then(table):
    red, blue = table
    ask = asked(blue, TakebackOffer(0))
    before = red.session.entries[-1].n
    red.plays(lambda moment, random: moment.legal().pick(random), Random(1), most=1)
    with red.at_home():
        red.desk.record_signed_offers([ask])
    assert red.desk.pending_offer is None
    assert before < red.session.entries[-1].n
    stranger = SignedOffer("blue", TakebackOffer(0), len(red.session.entries) - 1, ask.signature)
    with red.at_home():
        red.desk.record_signed_offers([stranger])
    assert red.desk.pending_offer is None


def test_all_join_anew_on_a_branch(table):
    red, blue = table
    handed_over(red, blue)
    blue.receives(red.sends(0))
    other = branch(red.session, "what-if", 6, red.log.with_name("branch.jsonl"))
    assert other.reducer.protocol.seats_to_join == ("red", "blue")
    home, red.log = red.log, other.path
    red.joins()
    packet = red.sends()
    assert packet.head.record != packet.head.game
    assert blue.receives(packet).situation == "other-game"
    away, blue.log = blue.log, blue.log.with_name("branch.jsonl")
    assert blue.receives(packet).situation == "new"
    blue.joins()
    red.receives(blue.sends())
    values = {entry.value for entry in open_log(home).entries if hasattr(entry, "value")}
    fresh = {entry.value for entry in red.session.entries[7:] if hasattr(entry, "value")}
    assert fresh
    assert not values & fresh
    assert all(audit(path).fault is None for path in (home, away, red.log, blue.log))


def test_amending_by_mail(table):
    red, blue = table
    session = red.session
    position = msgspec.to_builtins(session.game.position_from(session.moment().state)) | {
        "taken": {"red": 1, "blue": 1}
    }
    with pytest.raises(NotAgreedError) as refused:
        amend_position(session, position, "the cat", ["red", "blue"])
    offers(red, find_required_offer(refused.value.entry))
    blue.receives(red.sends())
    replies(blue, agree=True)
    assert isinstance(blue.session.entries[-1], AmendEntry)
    red.receives(blue.sends())
    assert audit(red.log).amendments[0].why == "the cat"


def test_a_log_in_which_another_key_was_asked_for_stays_valid():
    """Older logs hold the request and the word of all as entries of their own."""
    report = audit(Path(__file__).with_name("rejoined.jsonl"))
    assert (report.fault, report.entries) == (None, 25)
    assert report.heirs["blue"].word == ("red",)


def second_turn_of_hidden_game(folder: Path) -> tuple[Player, Player]:
    """A game of Mutants with secrets in its second Turn."""
    human, mutant = seated(folder, "human", "mutant", game="mutants", options={"hidden-movement": "yes"})
    while human.session.moment().facts.turn < 2:
        for player in (human, mutant):
            player.plays(lambda moment, random: moment.legal().pick(random), Random(3))
        writer, other = sorted((human, mutant), key=lambda player: not player.has_pen)
        other.receives(writer.sends())
    return human, mutant


def test_nobody_agrees_to_pieces_that_contradict_their_secrets(tmp_path):
    """The mutant cannot know of a hidden Wall. Without this refusal the two logs would go apart."""
    human, mutant = second_turn_of_hidden_game(tmp_path)
    shown = [SeatView(player.session, player.seat).sight.pieces for player in (human, mutant)]
    door = next(name for name in shown[1] if "-" in name and [pieces[name] for pieces in shown] == ["wall", "none"])
    if not mutant.has_pen:
        mutant.receives(human.sends())
    offers(mutant, AmendPiecesOffer((f"{door} smashed",), "the cat"))
    human.receives(mutant.sends())
    before = human.session.entries
    with pytest.raises(NotAllowedError, match="this depends on a secret"):
        replies(human, agree=True)
    assert human.session.entries == before
    replies(human, agree=False)
    mutant.receives(human.sends())
    assert mutant.log.read_bytes() == human.log.read_bytes()
    assert audit(mutant.log).fault is None


def test_nobody_offers_pieces_that_contradict_their_own_secrets(tmp_path):
    human, mutant = second_turn_of_hidden_game(tmp_path)
    shown = SeatView(human.session, human.seat).sight.pieces
    door = next(name for name, how in shown.items() if "-" in name and how == "wall")
    with mutant.at_home():
        human.receives(make_packet(mutant.desk, to="human"))
    with pytest.raises(NotAllowedError, match="this depends on a secret"):
        offers(human, AmendPiecesOffer((f"{door} smashed",), "the cat"))


def test_pieces_are_amended_by_mail_with_all_secrets_sealed(tmp_path):
    """Nobody knows the whole position. Each computer changes its own view, and both come to what everybody sees."""
    human, mutant = second_turn_of_hidden_game(tmp_path)
    asks, agrees = sorted((human, mutant), key=lambda player: not player.desk.has_pen)
    sights = [SeatView(player.session, player.seat).sight for player in (asks, agrees)]
    seen = [sight.pieces for sight in sights]  # for one it may be a hidden wall
    door = next(name for name in seen[0] if "-" in name and all(pieces[name] == "none" for pieces in seen))
    with pytest.raises(NotAgreedError) as refused:
        amend_pieces(asks.session, [f"{door} smashed"], "the cat", ["human", "mutant"])
    offers(asks, find_required_offer(refused.value.entry))
    agrees.receives(asks.sends())
    offered = agrees.desk.pending_offer
    assert f"{door}: from none to smashed" in map(
        str, make_proposal_of_offer(SeatView(agrees.session, agrees.seat), offered.offer, offered.by).piece_changes
    )
    replies(agrees, agree=True)
    assert isinstance(agrees.session.entries[-1], AmendPiecesEntry)
    with agrees.at_home():
        asks.receives(make_packet(agrees.desk, to=asks.seat))
    for player in (asks, agrees):
        assert SeatView(player.session, None).sight.pieces[door] == "smashed"
        report = audit(player.log)
        assert (report.fault, report.amendments[0].changes) == (None, (f"{door}: from none to smashed",))
    assert SeatView(human.session, None).sight.view == SeatView(mutant.session, None).sight.view
