"""`referee log`: lists the entries, turn by turn, or retells the game."""

import re
from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import ForceOption, OutputOption, ViewOption
from referee.cli.effects_text import describe_events
from referee.cli.entry_text import describe_entry, has_hidden_action
from referee.cli.errors import MisuseError
from referee.cli.game_view import describe_turn, make_heading
from referee.cli.retelling import RetellingOptions, retell_game
from referee.cli.usage_errors import explain_misplaced_log
from referee.engine.secret import hide_secrets_from
from referee.engine.text import count_of
from referee.record.log.entry import DeedEntry, GameEntry, PlayEntry
from referee.record.table.seat_view import SeatView

EntrySpanArgument = Annotated[
    list[str] | None, Argument(metavar="[A..B|turn N]", help="List only these entries, or this turn.")
]
_TURN = re.compile(r"turn\s*([0-9]{1,9})", re.IGNORECASE)
FullOption = Annotated[
    bool, Option("--full", help="Retell each entry as instructions for the pieces, and show the board.")
]
FromOption = Annotated[str | None, Option("--from", metavar="WHEN", help="Start at entry 9, turn 7, or 7.blue.")]
ToOption = Annotated[str | None, Option("--to", metavar="WHEN", help="Stop after this entry or turn.")]
StepOption = Annotated[bool, Option("--step", help="Show the board after each entry and wait for Enter.")]
FormOption = Annotated[
    str | None, Option("--as", metavar="FORM", help="text, html (a page), json (frames), or for paper words or qr.")
]
WitnessOption = Annotated[
    bool, Option("--witness", help="Print four words for the last entry, to write down; or with --as qr, a code.")
]
SinceMineOption = Annotated[bool, Option("--since-mine", help="Start after the last move of the --by seat.")]
JudgeOption = Annotated[bool, Option("--judge", help="Review a finished game: chances to win and costly moves.")]
SecondsOption = Annotated[float, Option("--seconds", metavar="S", help="Time to review a move, in seconds.")]


def log(
    ctx: typer.Context,
    span: EntrySpanArgument = None,
    full: FullOption = False,
    since: FromOption = None,
    until: ToOption = None,
    since_mine: SinceMineOption = False,
    step: StepOption = False,
    witness: WitnessOption = False,
    form: FormOption = None,
    judge: JudgeOption = False,
    seconds: SecondsOption = 0.1,
    by: ViewOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
) -> Answer:
    """List the entries of the record, turn by turn. A minus marks what was taken back.

    With --full or any other option, retell the game as instructions for the pieces.

    \b
      referee log 10..20            referee log turn 7
      referee log --full --by SEAT  referee log --from turn 7 --step
      referee log -o game.html      referee log --by SEAT --since-mine -o new.html
      referee log -o game.txt       referee log -o game.svg
      referee log --judge -o chances.svg   (or game.html)

    A page is one file to keep, mail or print: every entry in words, every board, and the log, which the browser checks.
    It shows the public view, or with --by the view of a seat. To check a page: referee audit.

    With --witness, print four words to write down on paper; with --as qr or -o FILE.svg, a code to photograph or print.
    Later audit --witness tells if the log was changed.

    As words, a game has one line per move, with its dice or its seed. As qr, it is a QR code to print. To make the log
    again from either: referee new --from.
    """
    misplaced = explain_misplaced_log(span or (), ctx.command_path)
    if misplaced:
        raise MisuseError(misplaced)
    if witness:
        from referee.cli.witness_note import make_witness_note

        return make_witness_note(ctx.obj, ctx.obj.open_view(by), form, output, force=force)
    wanted = RetellingOptions(since, until, since_mine, step, form, judge, seconds)
    if not (full or output or wanted != RetellingOptions(seconds=seconds)):
        return _list_entries(ctx.obj.open_view(by), " ".join(span or ["0.."]))
    if span:
        first, last = _split_range(" ".join(span))
        wanted = replace(wanted, since=since or first, until=until or last)
    return retell_game(ctx.obj, by, wanted, output, force=force)


def _split_range(typed: str) -> tuple[str | None, str | None]:
    """Returns the first and the last moment of a range of entries or of a turn, as typed after --from and --to."""
    if _TURN.fullmatch(typed):
        return typed, typed
    first, dots, last = typed.partition("..")
    return first or None, (last or None) if dots else first


def _list_entries(look: SeatView, typed: str) -> Answer:
    """Lists the entries of a range, or of a turn, as typed."""
    of_turn = _TURN.fullmatch(typed)
    low, high = (0, look.log.entry_number) if of_turn else _parse_span(typed, look.log.entry_number)
    in_force = set(look.session.in_force(look.log.entry_number))
    lines: list[AnswerLine] = [make_heading(look)]
    facts, turn = [], 0
    for one in look.log.entries[low : high + 1]:
        then = _view_before(look, one.n)
        if of_turn and then.facts.turn != int(of_turn[1]):
            continue
        stands, text = one.n in in_force, describe_entry(look, one)
        counts = isinstance(one, GameEntry | PlayEntry) or (isinstance(one, DeedEntry) and one.irreversible == "agreed")
        gone = counts and not stands
        seen = describe_events(look, one) if has_hidden_action(one) else []
        if one.n and then.facts.turn != turn:
            turn = then.facts.turn
            lines.append(Text(describe_turn(then.facts), "bold"))
        line = f"{one.n:>4}{'-' if gone else ' '} {'  '.join([text, *seen])}"
        lines.append(Text(line, "faint" if gone else None, hanging=8))
        # programs get the public entry, and its text in this view
        facts.append({"entry": hide_secrets_from(one, None), "in_force": stands, "turn": then.facts.turn, "text": text})
    if not facts:
        raise MisuseError(f"there is no {typed}; the game has {count_of(look.facts.turn, 'turn')}")
    return Answer(lines, lambda: facts)


def _view_before(look: SeatView, n: int) -> SeatView:
    """Returns the game before an entry; for the first entry, the game after it."""
    at = max(0, n - 1)
    return look.at_entry(at)


def _parse_span(text: str, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text)
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is not a range of entries; type 10..20, 10.., 10 or turn 7")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"the log has entries 0 to {last}, not {text}")
    return first, until
