"""Reading our QR codes with a decoder that is not ours."""

from __future__ import annotations

import re

import numpy
import zxingcpp

DOT = 3
"""The pixels of a module, about as many as a camera sees."""


def read_off(drawing):
    """Returns the texts of the QR codes in a drawing, from top to bottom."""
    width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing).groups())
    picture = numpy.full((height, width), 255, dtype=numpy.uint8)
    for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", drawing):
        picture[int(y), int(x) : int(x) + int(run)] = 0
    return _read(picture)


def _read(picture):
    picture = picture.repeat(DOT, axis=0).repeat(DOT, axis=1)
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    return [one.text for one in sorted(found, key=lambda one: one.position.top_left.y)]


HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def read_off_terminal(rows):
    """Returns the texts of the QR codes in rows of a terminal with dark writing on a light ground."""
    pairs = [[HALVES[char] for char in row] for row in rows]
    dark = [[pair[half] for pair in row] for row in pairs for half in (0, 1)]
    return _read(255 * (1 - numpy.array(dark, dtype=numpy.uint8)))
