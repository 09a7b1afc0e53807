"""Manoover (Robot Attack, Crash!): robots that obey the dice, push one another and fall into goals."""

from pathlib import Path

from referee.engine.game import Game
from referee.engine.ruling import RuleBook
from referee.games.manoover import actions, checks, draw, events, notation, options, rules, state, tell
from referee.games.manoover.board import BoardFile, parse_board

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
    to_act=rules.to_act,
    turn_of=rules.turn_of,
    legal=rules.legal,
    check=checks.check,
    resolve=rules.resolve,
    view=rules.view,
    outcome=rules.outcome,
    parse=notation.parse,
    phrases=notation.PHRASES,
    tell=tell.tell,
    standing=tell.standing,
    draw=draw.draw,
    rulebook=RuleBook(Path(__file__).with_name("rules.toml")),
    examples=notation.EXAMPLES,
)
