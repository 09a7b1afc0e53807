"""Manoover (Robot Attack, Crash!): robots that obey the dice, push one another and fall into goals."""

from pathlib import Path

from referee.engine.game import Game, late
from referee.engine.ruling import RuleBook
from referee.engine.series import Series
from referee.games.manoover import actions, events, options, state
from referee.games.manoover.board import BoardFile, parse_board

_HERE = "referee.games.manoover"

GAME = Game(
    name="manoover",
    title="Manoover (Robot Attack)",
    rules_version=1,
    seats=options.seats,
    options=options.OPTIONS,
    check_options=options.check_options,
    board_file=options.board_file,
    board_type=BoardFile,
    parse_board=parse_board,
    actions=actions.ManooverAction,
    events=events.ManooverEvent,
    position=state.Position,
    setup=state.setup,
    check_position=state.check_position,
    place=state.place,
    position_of=state.position_of,
    to_act=state.to_act,
    turn_of=state.turn_of,
    view=state.view,
    outcome=state.outcome,
    legal=late(f"{_HERE}.rules:legal"),
    check=late(f"{_HERE}.checks:check"),
    resolve=late(f"{_HERE}.rules:resolve"),
    parse=late(f"{_HERE}.notation:parse"),
    phrases=actions.PHRASES,
    tell=late(f"{_HERE}.tell:tell"),
    standing=late(f"{_HERE}.tell:standing"),
    draw=late(f"{_HERE}.draw:draw"),
    rulebook=RuleBook(Path(__file__).with_name("rules.toml")),
    examples=actions.EXAMPLES,
    series=Series(
        openings=("running-total", "last-game"),
        target=late(f"{_HERE}.match:target"),
        begin=late(f"{_HERE}.match:begin"),
        check=late(f"{_HERE}.match:check"),
        score=late(f"{_HERE}.match:score"),
        opened_by=late(f"{_HERE}.match:opened_by"),
        opening_option="first",
        thrown="throw-off",
    ),
)
