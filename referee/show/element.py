"""What SVG is made of, as values: written as XML for a file, as plain data for a page that exchanges parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from referee.engine.text import printable

Attribute = str | float


class Element(NamedTuple):
    """An element with either elements or text in it. As JSON: a list of its three parts."""

    tag: str
    attributes: Mapping[str, str]
    inside: tuple[Element | int, ...] | str = ()
    """A number stands for an element that is told elsewhere; XML has none."""

    def xml(self) -> str:
        """As XML; what cannot be shown is spelt out."""
        elements = () if isinstance(self.inside, str) else (one for one in self.inside if isinstance(one, Element))
        inside = shown(self.inside) if isinstance(self.inside, str) else "".join(one.xml() for one in elements)
        attributes = "".join(f' {name}="{escape(printable(value))}"' for name, value in self.attributes.items())
        return f"<{self.tag}{attributes}>{inside}</{self.tag}>" if inside else f"<{self.tag}{attributes}/>"


def shown(text: str) -> str:
    """Text as it may stand in XML, with what cannot be shown spelt out."""
    return escape(printable(text), quote=False)


def element(tag: str, inside: Iterable[Element] | str = (), **attributes: Attribute | None) -> Element:
    """An element; `_` in names of attributes stands for a hyphen, attributes that are None are left out, and numbers
    are in cells, rounded to a hundredth.
    """
    named = {
        name.strip("_").replace("_", "-"): number(value) if isinstance(value, float | int) else value
        for name, value in attributes.items()
        if value is not None
    }
    return Element(tag, named, inside if isinstance(inside, str) else tuple(inside))


def number(value: float) -> str:
    """A length as short as it can be written, to a hundredth of a cell."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
