"""Play random games by seed and compare what they come to with what they came to before.

    python tests/scripts/same_games.py                 200 games of each form, beside same_games.toml
    python tests/scripts/same_games.py zombies 20      20 games of each form of one game: only their first digest
    python tests/scripts/same_games.py --write         make same_games.toml anew, after a change of rules that was meant

A form is a game with options. Of each play the entry counts (who, action, rolls, events) and the words in which it is
told. A digest stands for every tenth of the games, so that a few games can be compared with a part of many.
"""

from __future__ import annotations

import sys
import tomllib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.component import read_toml
from referee.engine.dice_source import DrawCounts, SeededSource
from referee.engine.game import AnyGame, view_for
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game

GAMES = 200
PART = 20
"""Games that one digest stands for."""
LONGEST = 20_000
KNOWN = Path(__file__).with_suffix(".toml")
ANYTHING: dict[str, str] = {"all": "random"}
"""The form whose games have each their own options, at random."""
SCENARIOS = ("basic", "learning", "advanced-a", "advanced-b", "city-eating")
FORMS: Mapping[str, tuple[dict[str, str], ...]] = {
    "manoover": ({}, {"edition": "crash"}, {"form": "plus"}, {"form": "three"}, {"order": "alternate"}, ANYTHING),
    "mutants": ({}, {"scenario": "alternate"}, {"hidden-movement": "yes"}, ANYTHING),
    "sheboygan": (*({"scenario": name} for name in SCENARIOS), ANYTHING),
    "zombies": ({}, {"players": "1"}, {"players": "4", "mode": "teams"}, {"players": "3"}, ANYTHING),
}


def played(game: AnyGame, options: Mapping[str, str], seed: str) -> Iterator[bytes]:
    """Every entry of a random game, and its words."""
    random = Random(seed)
    parts = {part.name: read_toml(part.shipped(options)) for part in game.components}
    state = game.setup(options, game.build_board(parts, options))
    seats = game.seats(options)
    seeds: dict[str | None, str] = {seat: f"{random.getrandbits(256):064x}" for seat in (None, *seats)}
    draws: DrawCounts = {}
    for _ in range(LONGEST):
        able = [seat for seat in (game.to_act(state), *game.list_other_actors(state)) if seat]
        offered = {seat: game.legal(view_for(game, state, seat), seat) for seat in able}
        able = [seat for seat in able if offered[seat]]
        if not able:
            break
        seat = random.choice(able)
        action, source = offered[seat].pick(random), SeededSource(seeds, draws)
        verdict = adjudicate(game, state, seat, action, source)
        assert isinstance(verdict, LegalVerdict), (
            f"{game.name} {options} {seed}: {seat} {game.format(action)}: {verdict}"
        )
        yield spelt((seat, action, verdict.rolls, verdict.events, verdict.open_events))
        yield "\n".join((game.format(action), *map(game.tell, verdict.events))).encode()
        state, draws = verdict.state, source.draws
    yield spelt(game.outcome(state))


def spelt(value: Any) -> bytes:
    """A value as JSON, secrets with what they hold."""
    return msgspec.json.encode(value, enc_hook=lambda secret: {"of": secret.owner, "value": secret.value})


def digest(game: str, options: dict[str, str], part: int) -> str:
    """What a few games come to."""
    found, said = find_game(game), sha256()
    for number in range(part * PART, part * PART + PART):
        seed = f"{game} {sorted(options.items())} {number}"
        for line in played(
            found, any_options(found, seed) if options == ANYTHING else fill_options(found, options), seed
        ):
            said.update(line)
    return said.hexdigest()[:16]


def any_options(game: AnyGame, seed: str) -> Mapping[str, str]:
    """Options at random that go together."""
    random = Random(seed)
    while True:
        settled = fill_options(
            game, {one.name: random.choice(one.values) for one in game.options if random.random() < 0.4}
        )
        if not any(game.check_options(settled)):
            return settled


def main() -> None:
    """Compare, or write; exit code 1 where something differs."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=FORMS, help="one game alone")
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help="how many of each form")
    parser.add_argument("--write", action="store_true", help="make same_games.toml anew")
    asked = parser.parse_args()
    names, games = [asked.game] if asked.game else list(FORMS), asked.games
    jobs = [(name, form, part) for name in names for form in FORMS[name] for part in range(-(-games // PART))]
    with ProcessPoolExecutor() as pool:
        digests = list(pool.map(digest, *zip(*jobs, strict=True)))
    found = {
        " ".join((name, *(f"{key}={value}" for key, value in form.items()))): [digest for _, digest in group]
        for (name, form), group in groupby(zip(jobs, digests, strict=True), key=lambda pair: pair[0][:2])
    }
    if asked.write:
        all_forms = tomllib.loads(KNOWN.read_text("utf-8")) | found
        text = "".join(f"{msgspec.json.encode(form).decode()} = {parts}\n" for form, parts in all_forms.items())
        KNOWN.write_text(text, "utf-8")
        return
    known = tomllib.loads(KNOWN.read_text())
    differ = [form for form, parts in found.items() if known[form][: len(parts)] != parts]
    for form, parts in found.items():
        print(f"{form}: {len(parts) * PART} games, {'another course' if form in differ else 'as before'}")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
