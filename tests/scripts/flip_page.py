"""Flip every single bit of a short log inside its page; the browser must name the entry of each, or the next.

    python tests/scripts/flip_page.py           one log of each game, and one by mail, as far as 12 entries
    python tests/scripts/flip_page.py 30        as far as 30 entries

The page's own check is asked in one browser, flip by flip; no page is loaded for it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "page")]

from browsers import chromium
from shipped_pages import GAMES
from support import FIXTURES

from referee.page.data import script

ENTRIES = 12
FLIP = """
  const missed = [];
  let flips = 0, n = 0;
  for (let at = 0; at < log.length; n += log[at++] === "\\n") {
    for (let bit = 0; bit < 8; bit++) {
      const other = String.fromCharCode(log.charCodeAt(at) ^ (1 << bit));
      const { fault } = await proof(log.slice(0, at) + other + log.slice(at + 1));
      flips++;
      if (!fault || (fault.n !== n && fault.n !== n + 1)) missed.push([at, bit, n, fault && fault.n]);
    }
  }
  return { flips, missed };
"""


def flipped(tab: Any, log: str) -> Mapping[str, Any]:
    """How many bits were flipped, and where the page did not find it."""
    check = script("check.js").removesuffix("})();") + FLIP + "})()"
    found: Mapping[str, Any] = tab.evaluate(f"(log) => {check}", log)
    return found


def main() -> None:
    """All games."""
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    flips = missed = 0
    with chromium() as browser:
        tab = browser.new_page()
        tab.goto("file:///dev/null")  # where a browser has WebCrypto
        for name, shipped in GAMES.items():
            since = time.monotonic()
            lines = (FIXTURES / shipped).read_text("utf-8").splitlines(keepends=True)[:entries]
            found = flipped(tab, "".join(lines))
            flips, missed = flips + found["flips"], missed + len(found["missed"])
            print(f"{name}: {found['flips']} bits of {len(lines)} entries, {len(found['missed'])} not named", end="")
            print(f" ({time.monotonic() - since:.0f} s)", *found["missed"][:5], sep="\n  ", flush=True)
    print(f"{flips} bits, {missed} not named")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
