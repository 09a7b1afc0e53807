"""All events of Zombie Mutation."""

from __future__ import annotations

from referee.games.zombies import card_events as cards
from referee.games.zombies import events as acts
from referee.games.zombies import turn_events as course
from referee.games.zombies import zombie_events as dead

SetUpEvent = (
    course.AreaFilled | course.ThrewOff | course.OrderSettled | course.Picked | course.PutDown | course.PenPassed
)
TurnEvent = course.TurnBegun | course.PhaseBegun | course.Due | course.StealthWore | course.TurnedZombie | course.Ended
FreeEvent = (
    acts.Traded
    | acts.Declined
    | acts.TilePlaced
    | acts.RoomOpened
    | acts.RopePlaced
    | acts.StealthBegun
    | acts.ThingsTaken
    | acts.Healed
)
ActEvent = (
    acts.MoveRolled
    | acts.Moved
    | course.WalkedOn
    | acts.Attacked
    | acts.ShotFired
    | acts.ZombieKilled
    | acts.Hurt
    | acts.ZombieHeroKilled
    | acts.GrenadeThrown
    | acts.Exploded
    | acts.Smashed
    | acts.RescueRolled
)
CardEvent = (
    acts.ExtraAttack
    | acts.MutationEnded
    | cards.TileLaid
    | cards.CardDrawn
    | cards.StarOpened
    | cards.StarTaken
    | cards.Tested
    | cards.BurdenPassed
    | cards.BurdenKept
    | cards.BurdenDone
    | cards.SurvivorsTurned
    | cards.HordeCounted
    | cards.ZombiePlaced
    | cards.RestLost
)
BiteEvent = dead.Bitten | dead.ShieldRaised | dead.Unshielded
StepEvent = dead.GroupRoused | dead.Stepped | dead.Stayed | dead.TakenBack | dead.GroupDone
HordeEvent = (
    dead.Joined
    | dead.JoiningEnded
    | dead.Parted
    | dead.Swapped
    | dead.HordeMoved
    | dead.HordeSettled
    | dead.Exchanged
    | dead.AttackBegun
    | dead.Aimed
)
ZombiesEvent = SetUpEvent | TurnEvent | FreeEvent | ActEvent | CardEvent | BiteEvent | StepEvent | HordeEvent
