"""The orders that a player has laid down in a game by mail: a file with the player's settings, for them alone.

The file lies beside the player's key and not beside the log, so no shared folder and no mail ever holds it.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.mail import settings_folder
from referee.mail.orders import MAX_ORDERS_LENGTH
from referee.record.log.log_errors import KeyProblemError

ORDERS_FOLDER = "orders"


class StoredOrders(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's waiting orders, with the places in the log that show if the orders still count."""

    seat: Seat
    text: Annotated[str, Meta(max_length=2 * MAX_ORDERS_LENGTH)]
    """The orders that are left, as `format_orders` writes them."""
    given: int
    """The number of the last entry in force when the orders were given. Their conditions ask only about later rolls."""
    line: int
    """The number of the last entry in force when the orders were given or last carried out, whichever is later."""
    last: int
    """The number of the last entry of the log, in force or not, at the same time as `line`."""
    hash: str
    """The hash of entry `last`."""
    declared: int = 0
    """The number of moves that this seat had declared and not played yet, at the same time as `line`."""
    count: int = 0
    """The number of times that a part of the orders was carried out."""


def read_stored_orders(record_id: str) -> StoredOrders | None:
    """Returns the orders in a game or branch; None if there are none. Raises KeyProblemError if they are damaged."""
    path = _find_path(settings_folder.find_settings_folder(), record_id)
    data = settings_folder.read_small_file(path)
    if data is None:
        return None
    try:
        return read_json(data, StoredOrders)
    except UnreadableError as error:
        raise KeyProblemError(
            f"your orders in {path} are damaged; forget them: referee mail orders --withdraw"
        ) from error


def has_stored_orders(record_id: str) -> bool:
    """True if there are orders in a game or branch, readable or not."""
    return _find_path(settings_folder.find_settings_folder(), record_id).is_file()


def store_orders(record_id: str, orders: StoredOrders | None) -> None:
    """Writes orders in place of those that waited. With None, only removes the waiting orders. Raises
    KeyProblemError.
    """
    if orders is None and not has_stored_orders(record_id):
        return
    with settings_folder.lock_settings() as place:
        path = _find_path(place, record_id)
        if orders is None:
            with suppress(FileNotFoundError):
                settings_folder.remove_private_file(path)
            return
        with settings_folder.raise_as_key_problem(path):
            path.parent.mkdir(settings_folder.FOLDER_MODE, exist_ok=True)
        settings_folder.write_private_file(path, msgspec.json.encode(orders))


def _find_path(place: Path, record_id: str) -> Path:
    return place / ORDERS_FOLDER / sha256(f"referee/1 orders\n{record_id}\n".encode()).hexdigest()
