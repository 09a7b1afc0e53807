"""The flow of a move: judging a line, asking for dice or answers, and recording it as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.action_text import (
    NOTHING_OF_LINE_RECORDED,
    collect_line_facts,
    describe_played_actions,
    describe_refusal,
    is_made_by_referee,
)
from referee.cli.answer import NO, OK, Answer, PendingAction, Text
from referee.cli.dice_text import DicePrompt
from referee.cli.errors import NOT_RECORDED, answer_dice_missing, explain_error, format_sentence, make_negative_answer
from referee.cli.game_view import (
    collect_summary_facts,
    describe_needed_answer,
    describe_present_state,
    describe_turn,
    list_bot_seats,
    make_heading,
    open_views_before_and_after,
)
from referee.cli.slip_warnings import is_needless_end, make_slip_warner
from referee.engine.choice import Action
from referee.engine.dice import Need, TypedDie
from referee.engine.event import Seat
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError
from referee.record.table.action_batch import ActionBatch
from referee.record.table.moment import JudgedAction
from referee.record.table.recording import record_forced_answers
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.context import Context


def judge_line(
    context: Context,
    look: SeatView,
    phrases: Sequence[str | Action],
    faces: Sequence[TypedDie] = (),
    *,
    use_spare_faces: bool = False,
) -> ActionBatch:
    """Judges a line as people type it. Makes forced moves on the way, and stops with a question at a likely slip.

    `faces` are the dice typed for the line. With `use_spare_faces`, surplus faces count for the rolls that come next.

    In a game with secrets, the line ends at the first action that reveals something. Otherwise a refusal could show the
    result of an action that is then not recorded.
    """
    return look.judge_line(
        phrases,
        faces,
        use_spare_faces=use_spare_faces,
        make_forced=not context.by_hand,
        doubt_slips=True,
        stop_before_news=bool(look.facts.keepers),
        find_doubt=make_slip_warner(context, look),
    )


def record_line(
    context: Context,
    look: SeatView,
    done: list[JudgedAction],
    line: ActionBatch,
    left: list[TypedDie],
    *,
    last: bool = True,
) -> Answer | None:
    """Records a line as far as it goes. Returns the answer if the line stops or leaves dice over; None otherwise.

    If a part of the line is wrong, the parts before it are recorded only if dice were typed for them. Recorded actions
    are added to `done`. `left` holds typed faces that nothing has used yet. `last` is True if no further line can use
    them.
    """
    try:
        return _record_parts(context, look, done, line, left, last=last)
    except (NotUnderstoodError, UnknownError) as error:
        if not record_legal_start(look, done, line.said, line):
            raise
        return add_recorded_part(
            look, done, add_leftover_dice(explain_error(error, look.log.path), [*line.faces, *left])
        )


def _record_parts(
    context: Context, look: SeatView, done: list[JudgedAction], line: ActionBatch, left: list[TypedDie], *, last: bool
) -> Answer | None:
    while True:
        _give_dice(line, left, context.dice_prompt)
        if line.doubt and context.confirm_prompt and context.confirm_prompt(format_sentence(line.doubt)):
            line.continue_with(sure=True)
            continue
        if last and not line.left and not line.refused:
            _use_leftover_dice(line, left)
            line.add_forced_actions()
        stop = record_judged_line(look, done, line, left)
        if stop or not line.left:
            return stop or _use_dice_after_answer(context, look, done, left)
        line.continue_with()


def _give_dice(line: ActionBatch, left: list[TypedDie], ask: DicePrompt | None) -> None:
    """Gives the line the dice that it waits for: first those in `left`, then those that `ask` returns."""
    while line.awaiting and line.awaiting.need:
        missing = line.awaiting.need.count - line.awaiting.typed_count
        given, left[:missing] = left[:missing], []
        faces = given or (ask(line.awaiting.need, line.awaiting.typed_count) if ask else [])
        if faces:
            line.continue_with(faces)
        if len(faces) < missing and not given:
            return


def _use_leftover_dice(line: ActionBatch, left: list[TypedDie]) -> None:
    """Uses leftover faces for the next roll.

    Raises DiceError if no roll can use them; then nothing is recorded. Does nothing if an answer must come first.
    """
    waits = line.awaiting or line.is_answer_due or any(said.is_answer for said in line.said)
    if left and not waits:
        faces, left[:] = list(left), []
        line.add_faces_for_roll(faces)
        line.continue_with()


def _use_dice_after_answer(
    context: Context, look: SeatView, done: list[JudgedAction], left: list[TypedDie]
) -> Answer | None:
    """Uses leftover faces after an answer: for the due roll, or else to repeat the last action with these faces.

    Returns None if there are no leftover faces. If an answer is still missing or nothing needs the faces, returns an
    answer that reports them.
    """
    if not left:
        return None
    now = look.at_present()
    if now.facts.asked_seat:
        return add_recorded_part(look, done, add_leftover_dice(report_missing_answer(now, now.facts.asked_seat), left))
    said = next(said.action for said in reversed(done) if not said.is_answer)
    throw = now.sight.legal.awaited_roll
    if throw or said in now.sight.legal:
        faces, left[:] = list(left), []
        line = judge_line(context, now, [next(iter(throw)) if throw else said], faces, use_spare_faces=True)
        return record_line(context, look, done, line, left)
    return add_leftover_dice(answer_with_result(look, done), left)


def record_legal_start(look: SeatView, done: list[JudgedAction], said: list[JudgedAction], line: ActionBatch) -> bool:
    """Records the legal start of a line that goes wrong later, if dice were typed for it.

    So nobody has to type those dice again. Returns True if something was recorded. Records nothing in a game with
    secrets at a table.
    """
    if _must_record_whole(look) or not any(one.has_typed_dice for one in said):
        return False
    look.session.record(said)
    done += said
    line.pop_recorded_actions()
    return True


def add_leftover_dice(answer: Answer, faces: Sequence[TypedDie]) -> Answer:
    """Adds to an answer the faces that were typed and not used."""
    if not faces:
        return answer
    told = f"Typed but not used: {' '.join(map(str, faces))}."
    facts = answer.facts() | {"unused": list(faces)}
    return replace(answer, lines=[*answer.lines, Text(told, indent=2)], facts=lambda: facts)


def give_owed_answers(look: SeatView) -> tuple[list[JudgedAction], SeatView]:
    """Gives every forced answer of the seats here. Returns the answers and the game after them."""
    done = record_forced_answers(look.session) if look.facts.asked_seat in look.facts.vault_seats else []
    return done, look.at_present() if done else look


def report_missing_answer(look: SeatView, seat: Seat, heading: str = NOT_RECORDED) -> Answer:
    """Returns the answer that names the seat whose forced answer is missing."""
    return make_negative_answer(
        describe_needed_answer(look, seat), lambda: {"verdict": "awaiting", "answer_due": seat}, heading
    )


def record_judged_line(
    look: SeatView, done: list[JudgedAction], line: ActionBatch, left: Sequence[TypedDie] = ()
) -> Answer | None:
    """Records a line and adds its actions to `done`. Returns the answer that says why the line stops, or None.

    Actions before missing dice are recorded. In a game with secrets, a line is recorded as a whole and waits for all
    its dice. `left` are typed faces that nothing has used yet.
    """
    stop = _explain_stop(look, done, line, left)
    if stop:
        return stop
    if not (_must_record_whole(look) and line.awaiting):
        look.session.record(line.said)
        done += line.pop_recorded_actions()
    return _answer_waiting_line(look, done, line)


def _explain_stop(
    look: SeatView, done: list[JudgedAction], line: ActionBatch, left: Sequence[TypedDie]
) -> Answer | None:
    """Returns the answer that says why a line may not be recorded as it is; None if it may."""
    if line.ends_early:
        return add_recorded_part(look, done, _answer_too_early(look, line))
    if line.refused and len(line.said) == 1 and not line.left and is_needless_end(look.at_present(), line.said[0]):
        return _report_needless_end(look, done, line.said[0], [*line.faces, *left])
    if line.refused:
        return _answer_refused(look, done, line, [*line.faces, *left])
    if line.doubt:
        record_legal_start(look, done, line.said, line)
        return add_recorded_part(look, done, _answer_doubt(look, line, [*line.faces, *left]))
    return _declare_question(look, done, line) if look.protocol and not line.awaiting else None


def _answer_refused(look: SeatView, done: list[JudgedAction], line: ActionBatch, unused: Sequence[TypedDie]) -> Answer:
    """Returns the answer to a line whose last action is refused. `unused` are faces that were not needed."""
    last = line.said[-1]
    whole = len(line.said) == 1 or record_legal_start(look, done, line.said[:-1], line)
    facts = collect_line_facts(look, [last] if whole else line.said, told=False)
    facts |= {"recorded": False, "after": collect_summary_facts(look.at_present())}
    no_ = Answer(list(describe_refusal(look, last, whole=whole)), lambda: facts, NO)
    return add_recorded_part(look, done, add_leftover_dice(no_, unused) if done else no_)


def _answer_waiting_line(look: SeatView, done: list[JudgedAction], line: ActionBatch) -> Answer | None:
    """Returns the answer that says what a line waits for; None if it waits for nothing."""
    if line.awaiting and line.awaiting.need and look.protocol:
        from referee.cli.mail.mail_answers import declare_actions

        return add_recorded_part(look, done, declare_actions(look.at_present(), line.read_remaining_actions()))
    if line.awaiting and line.awaiting.need:
        stop = answer_dice_missing(_make_pending(look, line, line.awaiting.need))
        remarks = [Text(remark, indent=2) for remark in line.remarks]
        return add_recorded_part(look, done, replace(stop, lines=remarks))
    if line.awaiting and line.awaiting.answer:
        return add_recorded_part(look, done, report_missing_answer(look.at_present(), line.awaiting.answer))
    return None


def _report_needless_end(
    look: SeatView, done: list[JudgedAction], said: JudgedAction, left: Sequence[TypedDie]
) -> Answer | None:
    """Reports that an ending word such as "done" is not needed, because that part of the turn has ended by itself.

    Adds a remark to the last action in `done` and returns None, or returns an answer if nothing was done.
    """
    words = look.facts.game.format(said.action)
    told = f"{words}: not needed, because this part of the turn has already ended by itself."
    if done:
        done[-1] = done[-1].with_remark(told)
        return None
    lines = [
        make_heading(look),
        Text(f"{told} Nothing was recorded.", indent=2),
        *describe_present_state(look, describe_turn(look.facts)),
    ]
    facts = {"verdict": "needless", "text": words, "recorded": False}
    return add_leftover_dice(Answer(lines, lambda: {**facts, "after": collect_summary_facts(look)}), left)


def _declare_question(look: SeatView, done: list[JudgedAction], line: ActionBatch) -> Answer | None:
    """Declares an action by mail that only asks a question: once to ask, and once more to act after the answer.

    So one mail carries both. Returns None if the last action of the line is of another kind.
    """
    if not (line.said and line.said[-1].is_question):
        return None
    from referee.cli.mail.mail_answers import declare_actions

    *before, last = line.pop_recorded_actions()
    look.session.record(before)
    done += before
    return add_recorded_part(
        look, done, declare_actions(look.at_present(), [last.action, last.action, *line.read_remaining_actions()])
    )


def _must_record_whole(look: SeatView) -> bool:
    """True if nothing of a line is recorded before all its dice are there. By mail, actions are declared instead."""
    return bool(look.facts.keepers) and look.protocol is None


def _answer_too_early(look: SeatView, line: ActionBatch) -> Answer:
    """Returns the answer to a line that goes on after an action that reveals something. Nothing is recorded."""
    words = look.facts.game.format(line.pending)
    first = ", ".join([*(look.facts.game.format(said.action) for said in line.said), words])
    why = "In a game with secrets, end a line after an action that rolls dice, asks a player or passes the turn."
    told = [
        Text(f"Not recorded yet: {words}   {make_heading(look)}", "refused"),
        Text(f"{why} Nothing of this line was recorded.", indent=2),
        Text(f"Type first: referee {first}", indent=2, hanging=4),
    ]
    return Answer(told, lambda: {"verdict": "too early", "text": words, "first": first, "recorded": False}, NO)


def _make_pending(look: SeatView, line: ActionBatch, need: Need) -> PendingAction:
    """Returns the rest of a line that waits for missing dice, with the faces of this roll typed so far."""
    faces, what = tuple(map(str, line.faces)), look.facts.game.format(line.pending)
    new = len(faces) - (line.awaiting.typed_count if line.awaiting else 0)
    before, held = faces[:new], faces[new:]
    by = look.eyes if look.eyes != line.to_act else None
    if line.use_spare_faces:
        return PendingAction(need, held, None, by, what, before)
    parts = line.phrases if _must_record_whole(look) else line.left
    left = ", ".join(part if isinstance(part, str) else look.facts.game.format(part) for part in parts)
    return PendingAction(need, held, left, by, what, before)


def _answer_doubt(look: SeatView, line: ActionBatch, faces: Sequence[TypedDie]) -> Answer:
    """Returns the answer that questions a likely slip.

    If the move is meant, the answer names the line to type, together with the dice that were typed.
    """
    words, doubt = look.facts.game.format(line.pending), format_sentence(line.doubt or "")
    before = [look.facts.game.format(said.action) for said in line.said if not said.forced]
    after = [part if isinstance(part, str) else look.facts.game.format(part) for part in line.left[1:]]
    insisting = f"{words}! " if after else f"{words}!"  # "!," means something to a shell
    meant = ", ".join([*before, insisting, *after])
    dice = f" --dice {','.join(map(str, faces))}" if faces else ""
    told = [
        Text(f"Not recorded yet: {words}   {make_heading(look)}", "refused"),
        Text(doubt, indent=2),
        *([Text(NOTHING_OF_LINE_RECORDED, indent=2)] if line.said else []),
        Text(f"If you mean it, type: referee {meant}{_format_by_option(look)}{dice}", indent=2, hanging=4),
    ]
    unused = {"unused": list(faces)} if faces else {}
    facts = {"verdict": "doubted", "text": words, "doubt": doubt, "recorded": False, **unused}
    return Answer(told, lambda: facts, NO)


def _format_by_option(look: SeatView) -> str:
    """Returns the `--by` option for a suggested line; "" if no seat was named or the game has secrets."""
    return f" --by {look.eyes}" if look.eyes and not look.facts.keepers else ""


def add_recorded_part(look: SeatView, done: Sequence[JudgedAction], stop: Answer) -> Answer:
    """Returns `stop`, the answer where a line stopped, below the result of what was recorded before."""
    if not done:
        return stop
    before = answer_with_result(look, done)
    facts = before.facts() | {"stopped": stop.facts()}
    return Answer([*before.lines, *stop.lines], lambda: facts, stop.code, stop.complaint, stop.pending)


def _describe_hidden_part(look: SeatView) -> Text:
    """Returns the line that says where the seat reads what is hidden here, since the next player sees this screen."""
    told = f"Only {look.eyes} may see all that happened: referee log --by {look.eyes}"
    return Text(told, indent=2, hanging=4)


def answer_with_result(look: SeatView, done: Sequence[JudgedAction]) -> Answer:
    """Returns the result of the recorded actions, the moves of bots after them, and the present state."""
    trouble, code = "", OK
    typed = [item for item in done if not is_made_by_referee(item)]
    if list_bot_seats(look):
        from referee.cli.bot_turns import play_bot_turns

        said, trouble, why = play_bot_turns(look.at_present())
        done, code = [*done, *said], OK if done else why
    own = look.with_eyes(look.sight.speaker)
    look, now = open_views_before_and_after(own)
    kept = (
        []
        if look.eyes
        or all(own.sight.list_visible_events(item) == look.sight.list_visible_events(item) for item in done)
        else [_describe_hidden_part(own)]
    )
    troubled = [Text(trouble, "refused")] if trouble else []
    lines = [
        *describe_played_actions(look, done, typed),
        *kept,
        *troubled,
        *describe_present_state(now, describe_turn(look.facts)),
    ]
    told = {"recorded": True, **({"trouble": trouble} if trouble else {})}
    return Answer(lines, lambda: collect_line_facts(look, done) | {**told, "after": collect_summary_facts(now)}, code)
