"""What is read off our QR codes, by a decoder that is not ours."""

from __future__ import annotations

import re

import numpy
import zxingcpp

DOT = 3
"""Pixels of a module, as a camera might see it."""


def read_off(drawing):
    """What a decoder reads off a drawing, from top to bottom."""
    width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing).groups())
    picture = numpy.full((height, width), 255, dtype=numpy.uint8)
    for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", drawing):
        picture[int(y), int(x) : int(x) + int(run)] = 0
    picture = picture.repeat(DOT, axis=0).repeat(DOT, axis=1)
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    return [one.text for one in sorted(found, key=lambda one: one.position.top_left.y)]
