"""The words of a treaty: everything that a player accepts with one yes. No other module puts a treaty into words."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import AnswerLine, Text
from referee.cli.entry_text import describe_entry
from referee.cli.errors import format_sentence
from referee.engine.text import begin_sentence, count_of, listing
from referee.gate import read_json
from referee.record.log.entry import Director, MatchPlace
from referee.record.table.play_description import format_rolls

if TYPE_CHECKING:
    from referee.record.table.proposal import CorrectedEntry, NewPlayer, Proposal
    from referee.record.table.seat_view import SeatView
    from referee.record.table.treaty import BranchEffects, OfferEffects, Treaty
    from referee.record.table.unusual_settings import UnusualField, UnusualSettings

FIRST_POSITION_HEADING = "Before the first move"
"""The heading of a picture of the first position."""
MAX_DESCRIBED_ENTRIES = 12
"""The number of entries that are described one by one."""


def describe_treaty(treaty: Treaty) -> Iterator[AnswerLine]:
    """Yields everything that a player accepts: terms, entries that no longer count, and rolls that are dropped.

    Leaves out everything that is as usual.
    """
    for doubt in list_treaty_doubts(treaty):
        yield Text(f"{begin_sentence(doubt)}.", "refused", indent=2)
    for seat, name in treaty.invited.items():
        yield Text(f"The seat {seat} is for {name}.", indent=2)
    if treaty.settings:
        yield from _describe_settings(treaty.settings, is_before_joining=treaty.is_before_joining)
    begun, today = treaty.rules
    if begun != today:
        versions = f"version {begun} of its rules; this referee plays version {today}"
        yield Text(f"The game began under {versions}.", indent=2)
    if treaty.first_board:
        board = treaty.first_board
        yield replace(board.sight.draw_picture(), heading=FIRST_POSITION_HEADING, to_move=board.facts.to_act)
    for game in treaty.left:
        yield from _describe_left_game(game, is_asked=treaty.is_before_joining)
    if treaty.effects:
        yield from _describe_effects(treaty.effects)


def list_treaty_lines(treaty: Treaty) -> list[str]:
    """Returns the lines of `describe_treaty`, without pictures."""
    return [line.text for line in describe_treaty(treaty) if isinstance(line, Text)]


def list_treaty_doubts(treaty: Treaty) -> list[str]:
    """Returns clauses about doubts in a game by mail: replaced keys, dropped rolls, rulings and a missing log.

    The missing log is the one from which a branch started.
    """
    if not (treaty.replaced_keys or treaty.dropped or treaty.rulings or treaty.parent):
        return []
    from referee.cli.mail.mail_entry_text import (  # games by mail alone have them
        describe_dropped_rolls,
        describe_missing_parent_log,
        describe_replaced_keys,
        describe_rulings,
    )

    parent = [describe_missing_parent_log(treaty.parent)] if treaty.parent else []
    player = treaty.describe_seat
    dropped, ruled = describe_dropped_rolls(treaty.dropped, player), describe_rulings(treaty.rulings, player)
    return [*describe_replaced_keys(treaty.replaced_keys, player), *dropped, *ruled, *parent]


# What holds


def _describe_settings(found: UnusualSettings, *, is_before_joining: bool) -> Iterator[Text]:
    """Yields the unusual settings in words, for somebody who may still join or for all others."""
    if found.refused:
        yield Text(f"No game may begin like this: {found.refused}.", "refused", indent=2)
    if found.options:
        told = [f"{one.name} is {one.value} (default: {one.usual})" for one in found.options]
        yield Text(f"House {'option' if len(told) == 1 else 'options'}: {listing(told)}.", indent=2)
    for part in found.parts:
        differs = ", which differs in:" if part.differs else ", with the same content as the usual one."
        yield Text(f"A {part.name} of the players' own{differs}", indent=2)
        yield from (Text(one, indent=4, hanging=2) for one in part.differs)
        if part.more:
            yield Text(f"and {count_of(part.more, 'other place')}", indent=4)
    yield from (Text(_describe_field(one, is_before_joining=is_before_joining), indent=2) for one in found.fields)
    if found.position:
        yield Text("The game begins from a position of the players' own: referee show --at 0", indent=2)


def _describe_field(field: UnusualField, *, is_before_joining: bool) -> str:
    """Returns a sentence about an unusual field. An unknown field is shown as the log has it."""
    match field.name:
        case "hints":
            return "Hints are allowed: every player may ask what a bot would do."
        case "pace":
            return f"A turn may take {count_of(int(field.value), 'day')}. Nothing happens by itself when they are over."
        case "bots":
            pairs = read_json(field.value, dict[str, str]).items()
            return f"Bots play: {listing([f'{bot} plays {seat}' for seat, bot in pairs])}."
        case "director":
            return _describe_director(read_json(field.value, Director))
        case "match":
            return _describe_match_place(read_json(field.value, MatchPlace), is_before_joining=is_before_joining)
    return f"Unusual: {field.name} is {field.value}."


def _describe_director(director: Director) -> str:
    """Returns sentences about a director: who they are, what they see, and exactly what they may do."""
    from referee.mail.key import spell_fingerprint  # few games have a director

    told = f"{director.name} directs this game, with the key {spell_fingerprint(director.key)}, and plays no seat. "
    told += f"The players send {director.name} every mail; {director.name} sees what spectators see."
    if not director.settles:
        return f"{told} {director.name} decides nothing."
    return (
        f"{told} If the game waits for a player longer than the pace, another player may offer to end it. Once all "
        f"others agree, {director.name} may agree in place of the late player, and may do nothing else. "
        "The log shows it."
    )


def _describe_match_place(place: MatchPlace, *, is_before_joining: bool) -> str:
    """Returns sentences about a match by mail. A player who joins its first game agrees to the whole match."""
    terms = listing([f"{name} {value}" for name, value in sorted(place.terms.items())])
    if place.number > 1:
        told = f"This is game {place.number} of a match with the terms {terms}."
        return f"{told} The same people play, with the same keys."
    whole = (
        "If you join it, you play the whole match, at the same seat."
        if is_before_joining
        else "The same people play the whole match, at the same seats."
    )
    return (
        f"This is the first game of a match with the terms {terms}. {whole} "
        "The score decides the options of each later game; each computer works out the score from the games. "
        "When a game is over, the first seat to sign its end begins the next game in the same mail. "
        "The other computers sit down in the next game by themselves."
    )


# Games that a branch leaves


def _describe_left_game(game: BranchEffects, *, is_asked: bool) -> Iterator[AnswerLine]:
    """Yields the entries and rolls of `game` that no longer count when a branch leaves that game.

    The entries are shown in the view of the player here.
    """
    sits = f", where you sit at {game.seat}" if game.seat else ""
    first = "Before you join: this" if is_asked else "This"
    yield Text(f"{first} branch leaves {game.log}{sits}, after entry {game.n - 1}. In the branch:", "bold", indent=2)
    does = [] if game.effects.proposal.cannot else list(_describe_effects(game.effects))
    yield from does
    if game.dropped:
        from referee.cli.mail.mail_entry_text import describe_dropped_rolls

        rolls = map(begin_sentence, describe_dropped_rolls(game.dropped, game.effects.look.facts.format_seat))
        yield from (Text(f"{told}.", "refused", indent=2) for told in rolls)
    elif not does:
        yield Text("everything still counts", indent=2)
    if is_asked:
        yield Text(f"Until you join, that game goes on: referee use {quote(str(game.log))}", indent=2)


# The effects of an offer


def _describe_effects(effects: OfferEffects) -> Iterator[Text]:
    """Yields the effects of an offer line by line. The lines are the same before and after everyone has agreed."""
    look, proposal = effects
    if proposal.cannot:
        yield Text(f"This is not possible: {proposal.cannot}.", "refused", indent=2)
    yield from _describe_corrections(look, proposal)
    yield from _describe_entries(look, proposal)
    yield from _describe_dropped_rolls(proposal)
    yield from _describe_board(proposal)
    yield from _describe_opened_secrets(proposal)
    yield from _describe_future(look, proposal)


def _describe_corrections(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields lines about corrected dice, and about the moves that would be made again with them."""
    if proposal.corrected:
        yield _describe_corrected(look, proposal.corrected)
    for said in proposal.said[:MAX_DESCRIBED_ENTRIES]:
        thrown = format_rolls(look.sight.list_visible_rolls(said))
        yield Text(f"made again:  {said.seat}: {look.facts.game.format(said.action)}{thrown}", indent=2, hanging=4)
    if len(proposal.said) > MAX_DESCRIBED_ENTRIES:
        yield Text(f"and {count_of(len(proposal.said[MAX_DESCRIBED_ENTRIES:]), 'more move')} made again", indent=2)


def _describe_corrected(look: SeatView, corrected: CorrectedEntry) -> Text:
    """Returns the line about the corrected dice or the corrected play, as far as these eyes see them."""
    what = "the move" if corrected.words else "the dice"
    right = " ".join(filter(None, [corrected.words, *corrected.faces]))
    if not right:
        return Text("the correction stays sealed", indent=2)
    was = describe_entry(look, look.log.entries[corrected.n])
    return Text(f"{what}:  {corrected.n}  {was}, in truth {right}", indent=2, hanging=4)


def _describe_entries(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields the entries that no longer count or count again, with the reason."""
    for n in proposal.gone[:MAX_DESCRIBED_ENTRIES]:
        thrown = "; its dice are rolled again" if n in proposal.thrown else ""
        yield Text(f"no longer counts:  {n}  {describe_entry(look, look.log.entries[n])}{thrown}", indent=2, hanging=4)
    if proposal.because:
        yield Text(format_sentence(proposal.because), indent=4)
    for n in proposal.again[:MAX_DESCRIBED_ENTRIES]:
        yield Text(f"counts again:  {n}  {describe_entry(look, look.log.entries[n])}", indent=2, hanging=4)
    more = len(proposal.gone[MAX_DESCRIBED_ENTRIES:]) + len(proposal.again[MAX_DESCRIBED_ENTRIES:])
    if more:
        yield Text(f"and {count_of(more, 'more entry', 'more entries')}", indent=2)


def _describe_dropped_rolls(proposal: Proposal) -> Iterator[Text]:
    for roll in proposal.drops:
        known = f"{listing(roll.known)} may already know" if roll.known else "nobody can know"
        told = f"roll {roll.number}, which waits; {known} its dice"
        yield Text(f"never made:  {told}", indent=2, hanging=4)


def _describe_board(proposal: Proposal) -> Iterator[Text]:
    """Yields the changes on the board as instructions for the pieces."""
    for change in proposal.piece_changes:
        told = change.reversed_text if proposal.gone and not proposal.corrected else change
        yield Text(f"on the board:  {told}", indent=2, hanging=4)


def _describe_opened_secrets(proposal: Proposal) -> Iterator[Text]:
    for seat, count in proposal.opens:
        what = f"{count_of(count, 'secret')} of {seat}" if count else f"every secret of {seat} in the position"
        yield Text(f"open to everyone from then on:  {what}", indent=2, hanging=4)


def _describe_future(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields the changes for the rest of the game: its rules, its end, and the player of a seat."""
    if proposal.rules:
        number, differ = proposal.rules
        which = f", which differ in {listing(differ)}" if differ else "; every move is judged as before"
        yield Text(f"from then on rules {number} of {look.facts.game.name} apply{which}", indent=2)
    for one in proposal.switched:
        yield Text(f"from then on {one.name} is {one.after} (it is {one.before})", indent=2)
    if proposal.new_player:
        yield Text(f"from then on {_describe_new_player(proposal.new_player)}", indent=2)
    if proposal.gone and look.facts.outcome and look.facts.header.match:
        yield Text("in the match: the result of this game no longer counts, nor does any later game", indent=2)
    if proposal.outcome:
        yield Text(f"from then on the game is over: {proposal.outcome.because}", indent=2, hanging=4)
        if look.log.sealed_entries:
            yield Text("secrets stay sealed until somebody types: referee reveal", indent=2, hanging=4)
    if proposal.offer.new_enrolment and not proposal.new_player:
        yield Text(f"from then on the holder of the new key plays {proposal.by}", indent=2)


def _describe_new_player(new: NewPlayer) -> str:
    who = f"the bot {new.bot} plays" if new.bot else f"{new.name or 'nobody'} plays"
    return f"{who} {new.seat}"
