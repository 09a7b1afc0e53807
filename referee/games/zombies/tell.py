"""Events and states in words, as things to do at the table."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.text import count_of, listing
from referee.games.zombies import card_events as cards
from referee.games.zombies import events as acts
from referee.games.zombies import turn_events as course
from referee.games.zombies import zombie_events as dead
from referee.games.zombies.board import LEVELS
from referee.games.zombies.happenings import ZombiesEvent
from referee.games.zombies.state import NAMES, SETTING_UP, State
from referee.games.zombies.tasks import March
from referee.games.zombies.timing import asked

GOES: Mapping[str, str] = {
    "supplies": "keeps it",
    "survivors": "has a survivor more",
    "burdens": "has to roll for it",
    "discards": "discards it",
    "level": "a mutation for the whole level",
}


def tell(event: ZombiesEvent) -> str:
    """An event as one line that a person can act on at the table."""
    match event:
        case course.AreaFilled(area, level, faces, squares):
            thrown = " ".join(map(str, faces))
            return f"{area}, {thrown}: put level {level} zombies on {' '.join(squares)}."
        case course.ThrewOff(faces, highest):
            thrown = listing([f"{seat} {face}" for seat, face in faces])
            again = f" {listing(highest)} roll again." if len(highest) > 1 else ""
            return f"Rolled for the first turn: {thrown}.{again}"
        case course.OrderSettled(order):
            return f"Turns go: {', '.join(order)}." if len(order) > 1 else "One player, alone against the city."
        case course.Picked(seat, hero, health, is_zombie, ability):
            kind = f"as a zombie hero, health {health}" if is_zombie else f"with {ability}, health {health}"
            return f"{seat} plays {hero} {kind}."
        case course.PutDown(hero, at):
            return f"Put {hero} on {at}."
        case course.PenPassed(phase, seat):
            return f"Now {seat}: {NAMES[phase]}."
        case course.TurnBegun(hero, seat, _):
            return f"{hero}'s turn ({seat})."
        case course.PhaseBegun(hero, _):
            return f"{hero}'s actions are over."
        case course.Due((March(), *_)):
            return "Zombies that see a hero move."
        case course.Due(tasks):
            return f"{tasks[0].by} has to {asked(tasks[0])}."
        case course.StealthWore(hero, left):
            return f"{hero} stays undetected." if left else f"{hero}'s stealth is over."
        case course.TurnedZombie(hero, health, survivors, tiles):
            lost = f" Discard {listing(survivors)}." if survivors else ""
            lies = f" Leave {count_of(tiles, 'blocking tile')} on the square." if tiles else ""
            turn = "turn the card over, exchange the figure"
            return f"{hero} becomes a zombie hero, health {health}: {turn}.{lost}{lies}"
        case course.Ended(outcome):
            return f"The game is over: {outcome.because}."
    return _tell_free(event)


def _tell_free(event: ZombiesEvent) -> str:
    match event:
        case acts.Traded(hero, partner, give, take, tiles):
            parts = [f"{hero} gives {listing(give)}"] * bool(give) + [f"{partner} gives {listing(take)}"] * bool(take)
            giver = hero if tiles > 0 else partner
            parts += [f"{giver} gives {count_of(abs(tiles), 'blocking tile')}"] * bool(tiles)
            return f"Traded: {', '.join(parts) or 'tile for tile'}."
        case acts.Declined(hero, partner):
            return f"{hero} declines; {partner} keeps what is there."
        case acts.TilePlaced(hero, at, left):
            return f"{hero} lays a blocking tile on {at}; {left} left."
        case acts.RoomOpened(hero, card, _, symbol):
            return f"{hero} uses {card} at {symbol}: take the locked room tile off."
        case acts.RopePlaced(hero, card, symbol, landing):
            return f"{hero} uses {card}: a rope leads from {symbol} to {landing}."
        case acts.StealthBegun(hero, card, turns):
            return f"{hero} uses {card}: undetected for {count_of(turns, 'turn')}, this one included."
        case acts.ThingsTaken(hero, at, tiles, taken):
            what = [*taken, *([count_of(tiles, "blocking tile")] if tiles else [])]
            return f"{hero} takes {listing(what)} from {at}."
        case acts.Healed(hero, card, health):
            return f"{hero} uses {card}: health {health}."
        case course.WalkedOn(hero):
            return f"{hero} leaves the token alone."
    return _tell_action(event)


def _tell_action(event: ZombiesEvent) -> str:
    match event:
        case acts.MoveRolled(hero, die, steps, fleeing):
            how = "breaks away" if fleeing else "moves"
            return f"{hero} {how}, {die}: up to {count_of(steps, 'square')}."
        case acts.Moved(hero, origin, to):
            return f"Move {hero} from {origin} to {to}." if origin != to else f"{hero} stays on {to}."
        case acts.Attacked(hero, at, target, weapon, faces, total, needed, hit):
            rolled = f"{faces[0]} {faces[1]}, {total} in all, {needed} or more hits"
            return f"{hero} attacks {target} on {at} with {weapon}: {rolled}. {'Hit!' if hit else 'No effect.'}"
        case acts.ShotFired(hero, card, left):
            return f"{card}: {count_of(left, 'shot')} left." if left else f"{card}: the last shot. {hero} discards it."
        case acts.ZombieKilled(at, level):
            return f"Take the level {level} zombie off {at}."
        case acts.Hurt(hero, damage, left):
            heart = "" if left else ", the red heart"
            return f"{hero} loses {damage} health: {left} left{heart}."
        case acts.ZombieHeroKilled(hero, at, left, killer):
            lie = f" {listing(left)} lie there{f' for {killer}' if killer else ''}." if left else ""
            return f"{hero} is killed: take the zombie hero off {at}.{lie}"
        case acts.GrenadeThrown(hero, card, reach):
            return f"{hero} throws {card}: up to {count_of(reach, 'square')}."
        case acts.Exploded(at):
            return f"The grenade falls on {at}."
        case acts.Smashed(hero, at, faces, broken):
            end = f"take the blocking tile off {at}" if broken else f"the tile on {at} holds"
            return f"{hero} smashes, {faces[0]} {faces[1]}, 8 or more breaks: {end}."
        case acts.RescueRolled(hero, faces, total, needed, survivors):
            with_ = f" with {count_of(survivors, 'survivor')}" if survivors else ""
            return f"{hero} calls for rescue{with_}: {faces[0]} {faces[1]}, {total} in all, {needed} or more is needed."
    return _tell_card(event)


def _tell_card(event: ZombiesEvent) -> str:
    match event:
        case acts.ExtraAttack(hero):
            return f"{hero} has one attack more in this turn."
        case acts.MutationEnded(card, level):
            return f"{card} ends in the {LEVELS[level]}: discard it."
        case cards.TileLaid(hero, token, tile, gains):
            got = {"": "", "hand": f" {hero} takes a blocking tile.", "loose": " A blocking tile lies there."}[gains]
            return f"Lay a {tile or 'marker'} tile on the token on {token}.{got}"
        case cards.CardDrawn(hero, deck, card, to):
            return f"{hero} draws from the {deck} deck: {card}; {GOES[to]}."
        case cards.StarOpened(_, star, drawn):
            return f"Lay face up at the star on {star}: {listing(drawn) or 'nothing'}."
        case cards.StarTaken(hero, _, card):
            return f"{hero} takes {card} from the star."
        case cards.Tested(hero, card, faces):
            end = "doubles!" if faces[0] == faces[1] else "no doubles."
            return f"{hero} rolls for {card}, {faces[0]} {faces[1]}: {end}"
        case cards.BurdenPassed(_, card, to):
            return f"{card} goes on to {to}."
        case cards.BurdenKept(hero, card):
            return f"{card} stays with {hero} and is rolled for next turn."
        case cards.BurdenDone(_, card):
            return f"Discard {card}."
        case cards.SurvivorsTurned(hero, turned):
            return f"{hero}'s survivors turn: discard {listing(turned)}."
        case cards.HordeCounted(hero, level, faces, _):
            return f"A horde, {faces[0]} {faces[1]}: {hero} places {sum(faces)} level {level} zombies."
        case cards.ZombiePlaced(_, level, at, left):
            return f"Put a level {level} zombie on {at}{f'; {left} more' if left else ''}."
        case cards.RestLost(_, level, count):
            return f"No room, or no figure: {count_of(count, f'level {level} zombie')} not placed."
    return _tell_dead(event)


def _tell_dead(event: ZombiesEvent) -> str:
    match event:
        case dead.Bitten(at, hero, faces, total, needed, hit):
            end = "A hit!" if hit else "A miss."
            return f"{at} attacks {hero}, {faces[0]} {faces[1]}: {total}, {needed} or more hits. {end}"
        case dead.ShieldRaised(hero, card):
            return f"{card} is {hero}'s shield: discard the card."
        case dead.Unshielded(hero):
            return f"{hero} gives up nobody."
        case dead.GroupRoused(hero, march):
            return f"{count_of(len(march.movers), 'zombie')} {'goes' if len(march.movers) == 1 else 'go'} for {hero}."
        case dead.Stepped(origin, to):
            return f"Move the zombie on {origin} to {to}."
        case dead.Stayed(at):
            return f"The zombie on {at} finds no way nearer."
        case dead.TakenBack(origin, to):
            return f"Move the zombie on {to} back to {origin}: the group stays whole."
        case dead.GroupDone():
            return "The group has moved."
    return _tell_horde(event)


def _tell_horde(event: ZombiesEvent) -> str:
    match event:
        case dead.Joined(hero, squares):
            return f"{' '.join(squares)} join{'s' if len(squares) == 1 else ''} {hero}'s horde."
        case dead.JoiningEnded(hero):
            return f"{hero}'s horde is full: the others stay free."
        case dead.Parted(hero, squares):
            return f"{' '.join(squares)} {'is' if len(squares) == 1 else 'are'} cut off from {hero} and free."
        case dead.Swapped(hero, origin, to):
            return f"{hero} on {origin} and the zombie on {to} change places."
        case dead.HordeMoved(hero, steps):
            return f"{hero}'s horde follows: {', '.join(f'{origin} to {to}' for origin, to in steps)}."
        case dead.HordeSettled(hero):
            return f"{hero}'s horde stands."
        case dead.Exchanged(_, taken, placed, level):
            return f"Exchange the zombies on {' '.join(taken)} for level {level} on {' '.join(placed)}."
        case dead.AttackBegun(hero):
            return f"{hero} and the horde attack."
        case dead.Aimed(at, hero):
            return f"{at} attacks {hero}."
    raise TypeError(f"{type(event).__name__} is told nowhere")


def status(state: State) -> str:
    """The state in one line: whose part it is, what is waited for, and how everybody stands."""
    if state.outcome:
        return f"the game is over: {state.outcome.because}"
    if state.phase in SETTING_UP:
        return NAMES[state.phase]
    what = f"{state.task.by} has to {asked(state.task)}" if state.task else f"{state.mover.hero}: {NAMES[state.phase]}"
    health = ", ".join(f"{player.hero} {_health(state, player.hero)}" for player in state.seated)
    return f"{what}; health {health}"


def _health(state: State, hero: str) -> str:
    player = state.players[hero]
    return "out" if player.is_out else f"{player.health}{' (zombie)' if player.is_zombie else ''}"
