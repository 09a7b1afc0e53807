"""The laws that every game must obey: on our games, on the example of another's, and on games that break them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from third_party import installed

from ambush import GAME as AMBUSH
from ambush import Ambush
from ambush.rules import Fight, Hide
from referee.engine.legal import Choice, Legal, OneOf
from referee.engine.options import Option
from referee.engine.registry import find_game
from referee.engine.ruling import Refusal
from referee.testing import laws, obey

GAMES = (find_game("manoover"), find_game("mutants"), find_game("sheboygan"), find_game("zombies"), AMBUSH)
