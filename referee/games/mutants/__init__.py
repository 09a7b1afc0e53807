"""Attack of the Mutants: Humans hold the Tech Room of the Science Building, Mutants smash their way in."""

from pathlib import Path

from referee.engine.game import Game, late
from referee.engine.ruling import RuleBook
from referee.games.mutants import actions, events, options, position
from referee.games.mutants.board import BoardFile, parse_board

_HERE = "referee.games.mutants"

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
    to_act=late(f"{_HERE}.rules:to_act"),
    turn_of=late(f"{_HERE}.rules:turn_of"),
    legal=late(f"{_HERE}.rules:legal"),
    check=late(f"{_HERE}.rules:check"),
    resolve=late(f"{_HERE}.rules:resolve"),
    view=late(f"{_HERE}.hidden:view"),
    outcome=late(f"{_HERE}.rules:outcome"),
    parse=late(f"{_HERE}.notation:parse"),
    phrases=actions.PHRASES,
    tell=late(f"{_HERE}.tell:tell"),
    standing=late(f"{_HERE}.tell:standing"),
    draw=late(f"{_HERE}.draw:draw"),
    stands_for=late(f"{_HERE}.naming:stands_for"),
    rulebook=RuleBook(Path(__file__).with_name("rules.toml")),
    keeps_secrets=options.keeps_secrets,
    disclose=late(f"{_HERE}.hidden:disclose"),
    examples=actions.EXAMPLES,
)
