"""The links of served games. They are kept on this computer, so that phones find a server that was started again."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.gate import UnreadableError, read_json
from referee.record.log.safe_files import OWNER_ONLY, make_name_part, read_user_file, replace_file

if TYPE_CHECKING:
    from referee.serve.links import Links

MAX_BYTES = 64 * 1024
FOLDER_MODE = 0o700
TABLE_LINK = "table"
"""The name of the table's link; no seat has it."""
Token = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{22}\Z")]


class SavedLinks(Struct, frozen=True, forbid_unknown_fields=True):
    """The links of a game when it was served last."""

    version: Literal[1]
    """The form of the file."""
    port: Annotated[int, Meta(ge=1, le=65535)]
    """The port of the server."""
    address: str
    """The address that the links named."""
    tokens: dict[str, Token]
    """The token of each seat's link, and the table's under TABLE."""

    def index_tokens_by_eyes(self) -> Mapping[str | None, str]:
        """Returns the tokens by the seat that they are for; the table's under None."""
        return {None if name == TABLE_LINK else name: token for name, token in self.tokens.items()}


def find_links_path(game_id: str) -> Path:
    """Returns the file for the links of a game, in the user's own folder."""
    from platformdirs import user_data_path

    return user_data_path("referee", appauthor=False) / "links" / f"{make_name_part(game_id)}.json"


def read_links(game_id: str) -> SavedLinks | None:
    """Returns the links with which a game was served last; None if there are none, or if they cannot be read."""
    with suppress(OSError, UnreadableError):
        return read_json(read_user_file(find_links_path(game_id), MAX_BYTES), SavedLinks)
    return None


def save_links(game_id: str, links: Links, address: str, port: int) -> bool:
    """Keeps the links of a game for the next server, and returns True.

    Returns False if the disk does not take the links, so that they end with this server. In this case, the links that
    were kept before are deleted, since one of them may have been withdrawn.
    """
    path = find_links_path(game_id)
    tokens = {TABLE_LINK if eyes is None else eyes: link.token for eyes, link in links.by_eyes.items()}
    try:
        path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        replace_file(path, msgspec.json.encode(SavedLinks(1, port, address, tokens)), OWNER_ONLY)
    except OSError:
        with suppress(OSError):
            path.unlink()
        return False
    return True
