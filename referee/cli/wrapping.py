"""Lines that are longer than the screen, wrapped where people would."""

from __future__ import annotations

import re
from textwrap import TextWrapper

AFTER_SLASH = re.compile("(?<=/)")


class _Wrapper(TextWrapper):
    """Breaks at spaces; what is too long for a row, as a list of things to choose from or a path, after a slash."""

    def _split(self, text: str) -> list[str]:
        room = self.width - len(self.subsequent_indent)
        words = super()._split(text)
        return [part for word in words for part in (AFTER_SLASH.split(word) if len(word) > room else [word]) if part]


def wrapped(text: str, width: int, first: int, rest: int) -> list[str]:
    """A text in rows of so many columns; `first` and `rest` are the columns that are left free before them."""
    wrapper = _Wrapper(width, initial_indent=" " * first, subsequent_indent=" " * rest, break_on_hyphens=False)
    return wrapper.wrap(text)
