"""Events and positions in words that a person at the table can act on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.engine.text import count_of, in_runs, listing
from referee.games.sheboygan import combat_events, events, monster_events, unit_events
from referee.games.sheboygan.options import HUMAN
from referee.games.sheboygan.state import Losses, Question, Retreats, State
from referee.games.sheboygan.timing import DUES, PHASES

BEGUN: Mapping[str, str] = {name: f"Now {words}." for name, words in PHASES.items()}
CAUSES: Mapping[str, str] = {
    "attack": "destroyed by the monster",
    "treason": "destroyed",
    "repulse": "lost in the attack",
    "no-retreat": "destroyed: there is no box to retreat to",
    "suicide": "lost in the suicide assault",
    "overrun": "overrun by the monster",
    "bridge": "lost with the bridge",
    "grabbed": "grabbed and eaten by the monster",
    "flames": "lost in flames",
    "crushed": "crushed by the falling monster",
}
EDGES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def tell(event: Any) -> str:
    """One line that says what to do with the counters on the map."""
    teller = _TELLERS.get(type(event))
    return teller(event) if teller else flames_told(event)


def flames_told(event: Any) -> str:
    """What fire does."""
    from referee.games.sheboygan.flames import told

    return told(event)


def _units(units: tuple[str, ...]) -> str:
    return " ".join(in_runs(units))


def _scored(points: int) -> str:
    return f" {count_of(points, 'Victory Point')}." if points else ""


def _strengths(event: Any) -> str:
    names = {"attack": "attack", "destruction": "destruction", "movement": "movement"}
    told = [f"{name} {getattr(event, field)}" for field, name in names.items() if getattr(event, field)]
    return listing(told) or "nothing"


def _moved(event: unit_events.Moved) -> str:
    leader, *riders = event.units
    return f"Move {_units((leader, *riders))} to {event.box} ({count_of(event.cost, 'Movement Point')})."


def _webbed(event: monster_events.Webbed) -> str:
    caught = f" {_units(event.units)} must stay there for two Human Movement Phases." if event.units else ""
    return f"Put a web marker in {listing(event.boxes)}.{caught}"


def _struck(event: combat_events.Struck) -> str:
    bolt = "Lightning strikes" if event.bolt else "The monster attacks"
    return (
        f"{bolt} {_units(event.units)} with {event.strength}: {event.column}, die {event.die}, result {event.result}."
    )


def _assailed(event: combat_events.Assailed) -> str:
    target = "the monster" if event.target == ("m",) else _units(event.target)
    one = len(event.units) == 1
    verb = "attacks" if one else "attack"
    return f"{_units(event.units)} {verb} {target}: {event.column}, die {event.die}, result {event.result}."


def _passed(event: unit_events.Passed) -> str:
    return f"{event.unit} passes through the monster's box: die {event.die}."


def _wrecked(event: monster_events.Wrecked) -> str:
    bridge = event.box.startswith("BR")
    put = "Put an inverted rubble marker" if bridge else "Put a rubble marker"
    return f"{event.box} is destroyed. {put} there.{_scored(event.points)}"


def _attempted(event: monster_events.Attempted) -> str:
    points = count_of(event.strength, "point")
    return f"The monster tries to destroy {event.box} with {points}: {event.column}, die {event.die}."


def _asked(event: combat_events.Asked) -> str:
    ability = event.question.ability if isinstance(event.question, Question) else "that"
    return f"The monster player is asked whether his monster has {ability}."


def _answered(event: combat_events.Answered) -> str:
    if event.ability == "radiation" and not event.has:
        return "The monster has no radiation: units of several boxes may attack together. Say the attack again."
    return f"The monster has {'' if event.has else 'no '}{event.ability}."


def _toppled(event: combat_events.Toppled) -> str:
    return "The monster dies" + (", and falls on something." if event.due else ".")


def _worked(event: unit_events.Worked) -> str:
    left = f"; still caught: {_units(tuple(event.caught))}" if event.caught else ""
    return f"Units in webs have worked for a phase{left}."


def _forded(event: unit_events.Forded) -> str:
    return f"{event.unit} fords: put it in {event.box}."


def _flew(event: monster_events.Landed) -> str:  # noqa: ARG001 - it holds nothing
    return "The monster lands."


def _plain(words: str) -> Callable[[Any], str]:
    return lambda _event: words


_TELLERS: Mapping[type[Any], Callable[[Any], str]] = {
    events.AbilitiesTaken: lambda e: f"Note in secret: abilities {listing(e.abilities) or 'none'}.",
    events.AbilitiesNoted: _plain("The monster's abilities are noted in secret."),
    events.StrengthsTaken: lambda e: f"Note in secret: {_strengths(e)}.",
    events.Recorded: lambda e: f"The monster's record is written. Its defense strength is {e.defense}.",
    events.EdgeTaken: lambda e: f"Note in secret: the monster enters at the {EDGES[e.edge]} edge.",
    events.EdgeNoted: _plain("The entry edge is noted in secret. The human player buys his units."),
    events.Bought: lambda e: f"Take {_units(e.units)} for {count_of(e.cost, 'point')}.",
    events.Placed: lambda e: f"Put {_units(e.units)} in {e.box}.",
    events.PhaseBegun: lambda e: BEGUN[e.phase],
    events.TurnBegun: lambda e: f"Game-Turn {e.turn}. Now the Monster Movement Phase.",
    monster_events.Entered: lambda e: f"The monster enters at the {EDGES[e.edge]} edge: put it in {e.box}.",
    monster_events.Prowled: lambda e: f"Move the monster to {e.box} ({count_of(e.cost, 'Movement Point')}).",
    monster_events.Jumped: lambda e: f"The monster jumps: put it in {e.box} ({count_of(e.cost, 'Movement Point')}).",
    monster_events.TookOff: _plain("The monster takes off and is in flight."),
    monster_events.Landed: _flew,
    monster_events.Overran: lambda e: f"The monster overruns {_units(e.units)} with {e.strength}: put it in {e.box}.",
    monster_events.Scorched: lambda e: f"Flames in {e.box} hurt the monster: 2 points of damage.",
    monster_events.Withstood: lambda e: f"The monster walks through the flames in {e.box} unhurt.",
    monster_events.Attempted: _attempted,
    monster_events.Wrecked: _wrecked,
    monster_events.Webbed: _webbed,
    monster_events.Flashed: _plain("A flash of blinding light: nobody attacks the monster in this Game-Turn."),
    monster_events.Feared: lambda e: f"{_units(e.units)} cannot move in this Human Movement Phase, for fear.",
    monster_events.Controlled: lambda e: f"The monster player takes over {e.unit}.",
    unit_events.Moved: _moved,
    unit_events.Towed: lambda e: f"{e.tank} tows {e.gun}: put both in {e.box}.",
    unit_events.Forded: _forded,
    unit_events.Recalled: lambda e: f"Put {e.unit} back in {e.box}.",
    unit_events.Passed: _passed,
    unit_events.Worked: _worked,
    combat_events.Struck: _struck,
    combat_events.Assailed: _assailed,
    combat_events.Volunteered: lambda e: f"{e.unit} makes a suicide assault: its strength is doubled in this phase.",
    combat_events.Done: _plain("That is done."),
    combat_events.StruckOff: lambda e: f"Strike off in secret: {_strengths(e)}.",
    combat_events.Hurt: lambda e: f"The damage is struck off; defense loses {e.defense}.",
    combat_events.Cornered: _plain("The monster has no box to retreat to, and takes a point of damage."),
    combat_events.Withdrew: lambda e: f"The monster retreats: put it in {e.box}.",
    combat_events.Retreated: lambda e: f"{e.unit} retreats: put it in {e.box}.",
    combat_events.Eliminated: lambda e: f"Take {_units(e.units)} off the map: {CAUSES[e.cause]}.{_scored(e.points)}",
    combat_events.Grown: lambda e: f"Note in secret: the monster gains {_strengths(e)}.",
    combat_events.Grew: lambda e: f"The monster grows; defense gains {e.defense}.",
    combat_events.Asked: _asked,
    combat_events.Answered: _answered,
    combat_events.Toppled: _toppled,
    combat_events.Fell: lambda e: f"The dead monster falls on {e.box}.{_scored(e.points)}",
    events.Resigned: lambda e: f"The {e.seat} player gives the game up.",
    events.Ended: lambda e: f"Game over: {e.outcome.because}.",
}


def status(view: State) -> str:
    """The state in one line: phase, points, defense."""
    if view.outcome:
        return view.outcome.because
    score = f"{count_of(view.points, 'Victory Point')} of {view.scenario.level}, defense {view.defense}"
    return f"{_waiting(view)}; {score}{_own_sheet(view)}"


def _waiting(view: State) -> str:
    if not view.due:
        left = f", {count_of(view.budget, 'point')} left" if view.phase == "buy" else ""
        hand = f", to be placed: {_units(view.hand)}" if view.hand and view.phase != "buy" else ""
        return PHASES[view.phase].removeprefix("the ") + left + hand
    due = view.due[0]
    if isinstance(due, Losses):
        return f"{due.count} of {_units(due.units)} lost: the owner chooses"
    if isinstance(due, Retreats):
        return f"{_units(due.units)} must retreat"
    points = getattr(due, "points", 0)
    return DUES[due.phase][1] + (f": {count_of(points, 'point')}" if points else "")


def _own_sheet(view: State) -> str:
    """What only the monster's player knows."""
    if not view.turn or view.sheet is None or not view.sheet.known:
        return ""
    sheet = view.sheet.value
    if view.holder == HUMAN:
        return f"; attack {sheet.attack}, destruction {sheet.destruction}, movement {sheet.movement}"
    attack = f"attack {max(0, sheet.attack - view.struck)} of {sheet.attack}"
    destruction = f"destruction {max(0, sheet.destruction - view.smashed)} of {sheet.destruction}"
    return f"; {attack}, {destruction}, movement {max(0, sheet.movement - view.walked)} of {sheet.movement}"
