"""Wrapping of lines that are longer than the screen."""

from __future__ import annotations

import re
from textwrap import TextWrapper

AFTER_SLASH = re.compile("(?<=/)")


class _Wrapper(TextWrapper):
    """A wrapper that breaks at spaces. A word too long for a row, such as a path, breaks after a slash."""

    def _split(self, text: str) -> list[str]:
        room = self.width - len(self.subsequent_indent)
        words = super()._split(text)
        return [part for word in words for part in (AFTER_SLASH.split(word) if len(word) > room else [word]) if part]


def wrap_text(text: str, width: int, first: int, rest: int) -> list[str]:
    """Returns a text in rows of the given width.

    `first` is the number of columns left free at the start of the first row, `rest` at the start of each other row.
    """
    wrapper = _Wrapper(width, initial_indent=" " * first, subsequent_indent=" " * rest, break_on_hyphens=False)
    return wrapper.wrap(text)
