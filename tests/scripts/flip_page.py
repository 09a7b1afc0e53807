"""Flip every single bit of a log inside its page; the browser must name the entry of each, or the next.

    python tests/scripts/flip_page.py           one whole log of each game, and one by mail
    python tests/scripts/flip_page.py 30        as far as 30 entries

The page's own check is asked in one browser, flip by flip; no page is loaded for it. What comes before the entry of a
flipped bit is checked once: the check goes on from there, and stops where it names an entry.
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

from referee.page.page_assets import load_script

FLIP = """
  const missed = [], lines = log.split("\\n").slice(0, -1), found = new Proof([]);
  const copied = () => Object.assign(Object.create(Proof.prototype), found, {
    dice: { ...found.dice }, cast: { ...found.cast, given: new Map(found.cast.given) },
    keys: new Map(found.keys), values: new Map(found.values), tips: found.tips && new Map(found.tips),
  });
  const named = async (rest, before) => {
    const proof = copied();
    try {
      for (const line of rest) {
        before = await proof.line(line, before);
        proof.n++;
      }
    } catch (error) {
      return proof.n;
    }
    return null;
  };
  let flips = 0, before = "0".repeat(64);
  for (const [n, line] of lines.entries()) {
    const whole = line + "\\n", next = lines[n + 1] === undefined ? [] : [lines[n + 1]];
    for (let at = 0; at < whole.length; at++) {
      const tries = [0, 1, 2, 3, 4, 5, 6, 7].map(async (bit) => {
        const other = whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ (1 << bit)) + whole.slice(at + 1);
        const fault = await named((other + next.join("")).split("\\n").filter((one) => one !== ""), before);
        if (fault !== n && fault !== n + 1) missed.push([at, bit, n, fault]);
      });
      flips += tries.length;
      await Promise.all(tries);
    }
    before = await found.line(line, before);
    found.n++;
  }
  return { flips, missed };
"""


def flipped(tab: Any, log: str) -> Mapping[str, Any]:
    """How many bits were flipped, and where the page did not find it."""
    check = load_script("check.js").removesuffix("})();") + FLIP + "})()"
    found: Mapping[str, Any] = tab.evaluate(f"(log) => {check}", log)
    return found


def main() -> None:
    """All games."""
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else None
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
