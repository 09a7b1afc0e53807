"""Ed25519 signatures checked in plain Python (RFC 8032, 5.1), for places without a compiled library, such as a browser.

The results are the same as OpenSSL's, also for damaged signatures. A check takes some milliseconds, a hundred times as
long as a compiled one. It handles no secret, so its duration reveals nothing.
"""

from __future__ import annotations

from hashlib import sha512
from typing import TypeAlias

P = 2**255 - 19
"""The prime of the curve's field."""
D = -121665 * pow(121666, -1, P) % P
"""The constant of the curve y^2 - x^2 = 1 + D x^2 y^2."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
BITS = 255
TOP = 1 << BITS
"""The highest bit of a point's 32 bytes: it says whether x is odd. The other bits are y."""

Point: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z and T, where x = X / Z, y = Y / Z and x y = T / Z (RFC 8032, 5.1.4)."""


def is_valid_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """True if a signature of 64 bytes fits a message and a public key of 32 bytes (5.1.7).

    The signature is R and S, 32 bytes each. It fits if S < ORDER, and if R is the encoding of S B - k A.
    """
    point = decode_point(key)
    start, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER:
        return False
    x, y, z, t = point
    hashed = int.from_bytes(sha512(start + key + message).digest(), "little") % ORDER
    return _encode_point(_multiply_both(scalar, BASE, hashed, (P - x, y, z, P - t))) == start


def decode_point(data: bytes) -> Point | None:
    """Returns the point that 32 bytes encode (5.1.3); None if no point of the curve has this y."""
    number = int.from_bytes(data, "little")
    y = number % TOP % P
    over, under = y * y - 1, D * y * y + 1
    x = over * pow(under, 3, P) * pow(over * pow(under, 7, P), (P - 5) // 8, P) % P
    if (under * x * x - over) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (under * x * x - over) % P:
        return None
    if x % 2 != number // TOP:
        x = -x % P
    return x, y, 1, x * y % P


def _add_points(one: Point, other: Point) -> Point:
    """Returns the sum of two points, which may be equal (5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _multiply_both(times: int, one: Point, more: int, other: Point) -> Point:
    """Returns times * one + more * other. Doubles both at once, bit by bit from the highest."""
    added = {(1, 0): one, (0, 1): other, (1, 1): _add_points(one, other)}
    found: Point = (0, 1, 1, 0)
    for bit in reversed(range(BITS)):
        found = _add_points(found, found)
        which = (times >> bit & 1, more >> bit & 1)
        if which in added:
            found = _add_points(found, added[which])
    return found


def _encode_point(point: Point) -> bytes:
    """Returns a point as 32 bytes (5.1.2)."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (x % 2 * TOP + y).to_bytes(32, "little")


def _make_base_point() -> Point:
    found = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert found is not None, "the base point is on the curve"
    return found


BASE = _make_base_point()
"""The base point B, with y = 4 / 5 and an even x."""
