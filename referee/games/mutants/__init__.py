"""Attack of the Mutants: Humans hold the Tech Room of the Science Building, Mutants smash their way in."""

from pathlib import Path

from referee.engine.game import Game
from referee.engine.ruling import RuleBook
from referee.games.mutants import actions, draw, events, notation, options, position, rules, tell
from referee.games.mutants.board import BoardFile, parse_board

GAME = Game(
    name="mutants",
    title="Attack of the Mutants",
    rules_version=1,
    seats=options.seats,
    options=options.OPTIONS,
    check_options=options.check_options,
    board_file=options.board_file,
    board_type=BoardFile,
    parse_board=parse_board,
    actions=actions.MutantsAction,
    events=events.MutantsEvent,
    position=position.Position,
    setup=position.setup,
    check_position=position.check_position,
    place=position.place,
    position_of=position.position_of,
    to_act=rules.to_act,
    turn_of=rules.turn_of,
    legal=rules.legal,
    check=rules.check,
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
