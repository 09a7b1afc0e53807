"""SVG elements as values. They are written as XML for a file, or as plain data for a page that exchanges parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from referee.engine.text import make_printable

AttributeValue = str | float


class Element(NamedTuple):
    """An element that contains either elements or text. As JSON, it is a list of its three parts."""

    tag: str
    """The name of the element."""
    attributes: Mapping[str, str]
    """The attributes by name."""
    inside: tuple[Element | int, ...] | str = ()
    """The content. A number stands for an element that the page has already; XML never contains one."""

    def render_xml(self) -> str:
        """Returns the element as XML. Characters that cannot be shown are written as escapes."""
        elements = () if isinstance(self.inside, str) else (one for one in self.inside if isinstance(one, Element))
        inside = (
            escape_xml(self.inside) if isinstance(self.inside, str) else "".join(one.render_xml() for one in elements)
        )
        attributes = "".join(f' {name}="{escape(make_printable(value))}"' for name, value in self.attributes.items())
        return f"<{self.tag}{attributes}>{inside}</{self.tag}>" if inside else f"<{self.tag}{attributes}/>"


def escape_xml(text: str) -> str:
    """Returns text as it may stand in XML. Characters that cannot be shown are written as escapes."""
    return escape(make_printable(text), quote=False)


def make_element(tag: str, inside: Iterable[Element] | str = (), **attributes: AttributeValue | None) -> Element:
    """Makes an element.

    In names of attributes, `_` stands for a hyphen. Attributes that are None are left out. Numbers are in cell sides,
    rounded to a hundredth.
    """
    named = {
        name.strip("_").replace("_", "-"): format_length(value) if isinstance(value, float | int) else value
        for name, value in attributes.items()
        if value is not None
    }
    return Element(tag, named, inside if isinstance(inside, str) else tuple(inside))


def format_length(value: float) -> str:
    """Returns a length in as few characters as possible, to a hundredth of a cell side."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
