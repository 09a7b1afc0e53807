"""The messages between this program and a bot in a process of its own, as msgspec types.

Each message is its length in four bytes, followed by that many bytes of MessagePack. A view is sent to a bot's process
as a pickle of Python. States of games are objects of any kind, and the process trusts this program. Nothing that comes
back is unpickled. An answer is decoded to one of the types below, and its action to an action of the game.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Annotated, Any, get_args, get_origin

from msgspec import Meta, Raw, Struct, ValidationError, convert, msgpack

from referee.engine.event import Seat
from referee.engine.secret import Secret
from referee.gate import make_msgpack_decoder, read_msgpack

MAX_TEXT_LENGTH = 1000
"""The most characters of a text in an answer."""
END_OF_PRINTED_TEXT = b"\0"
"""The byte that ends the text printed by a bot for one action. The bot's answer follows, in the other pipe."""
BoundedText = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)]
StateWord = Annotated[int, Meta(ge=0, lt=2**32)]
RandomState = tuple[int, Annotated[tuple[StateWord, ...], Meta(min_length=625, max_length=625)], float | None]
"""The state of a `Random`, as `getstate` returns it."""


class LoadRequest(Struct, frozen=True, tag="load"):
    """The first message to a bot's process: the class to load, and the limits of the process."""

    bot: str
    """The entry point, as "package:Class"."""
    memory: int
    """The most bytes of address space."""
    file_size: int
    """The most bytes in a file that it writes."""
    limit: float
    """The most seconds for loading, as in a `ActionRequest`."""


class ActionRequest(Struct, frozen=True, tag="turn"):
    """A question for an action: an `Observation` as data."""

    game: str
    rules: int
    """The version of the game's rules."""
    board: bytes | None
    """The board as a pickle; None if it is the same as in the question before."""
    view: bytes
    """The view as a pickle, in which the board is only named."""
    seat: Seat
    random: RandomState
    seconds: float
    playouts: int
    has_helpers: bool
    """True if other processes may help."""
    hurries: bool
    limit: float
    """The most seconds for this action. A little later the system ends the process, even if nobody waits any more."""


class BotLoaded(Struct, frozen=True, tag="loaded"):
    """The answer that the bot is ready."""


class Progress(Struct, frozen=True, tag="progress"):
    """A message while the bot thinks: the share of the time that is over."""

    share: Annotated[float, Meta(ge=0, le=1)]


class ChosenAction(Struct, frozen=True, tag="chosen"):
    """The answer with an action, in the form of `encode_action`."""

    action: Raw
    random: RandomState | None
    """The state of the random numbers after the choice; None if the bot drew none."""


class BotBroken(Struct, frozen=True, tag="broken"):
    """The answer that the bot has failed: the place in its code, and the error in words."""

    place: BoundedText
    error: BoundedText


class GameBroken(Struct, frozen=True, tag="game-broken"):
    """The answer that a game has failed: the parts of a `GameError`."""

    name: BoundedText
    place: BoundedText
    error: BoundedText


class GameNotShown(Struct, frozen=True, tag="not-shown"):
    """The answer that the bot cannot be shown the game, for example because its process does not find the game."""

    error: BoundedText


class NoAction(Struct, frozen=True, tag="no-action"):
    """The answer that the bot has returned something else than an action."""

    said: BoundedText


class BotInterrupted(Struct, frozen=True, tag="interrupted"):
    """The answer that Ctrl-C has stopped the bot."""


BotRequest = LoadRequest | ActionRequest
BotAnswer = BotLoaded | Progress | ChosenAction | BotBroken | GameBroken | GameNotShown | NoAction | BotInterrupted
_encoder = msgpack.Encoder()
decode_request: Callable[[bytes], BotRequest] = make_msgpack_decoder(BotRequest)
decode_answer: Callable[[bytes], BotAnswer] = make_msgpack_decoder(BotAnswer)

LENGTH_SIZE = 4
"""The number of bytes that hold the length of a message."""


def frame_message(message: BotRequest | BotAnswer) -> bytes:
    """Returns a message as bytes, with its length in front."""
    body = _encoder.encode(message)
    return len(body).to_bytes(LENGTH_SIZE, "big") + body


def read_message(read: Callable[[int], bytes], most: int) -> bytes | None:
    """Returns the bytes of the next message from a pipe; None at its end.

    `read` takes a number, and reads at most that many bytes. Raises ValueError if the message is longer than `most`
    bytes.
    """
    head = _read_whole(read, LENGTH_SIZE)
    size = int.from_bytes(head or b"", "big")
    if size > most:
        raise ValueError(f"{size} bytes")
    return None if head is None else _read_whole(read, size)


def _read_whole(read: Callable[[int], bytes], size: int) -> bytes | None:
    """Returns exactly `size` bytes; None if the pipe ends too soon."""
    parts = []
    while size:
        part = read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# Views


class _ViewPickler(pickle.Pickler):
    """A pickler for a view, which leaves out the view's board."""

    board: Any = None

    def persistent_id(self, value: Any) -> str | None:
        """Returns a name for the board; None for everything else, which is pickled."""
        return "board" if value is self.board and value is not None else None


class _ViewUnpickler(pickle.Unpickler):
    board: Any = None

    def persistent_load(self, _name: str) -> Any:
        """Returns the board."""
        return self.board


def find_board(view: Any) -> Any:
    """Returns the board in a view; None if there is none.

    It is the same object as in the view, not a copy, because rules store computed results by the identity of the board.
    """
    fields = (getattr(view, name) for name in getattr(view, "__struct_fields__", ()))
    return next((value for value in fields if hasattr(type(value), "reconstruction")), None)


def pickle_view(view: Any, board: Any) -> bytes:
    """Returns a view as bytes, without this board."""
    with BytesIO() as file:
        pickler = _ViewPickler(file, pickle.HIGHEST_PROTOCOL)
        pickler.board = board
        pickler.dump(view)
        return file.getvalue()


def unpickle_view(data: bytes, board: Any) -> Any:
    """Returns the view that `pickle_view` has turned into bytes, with this board."""
    unpickler = _ViewUnpickler(BytesIO(data))
    unpickler.board = board
    return unpickler.load()


# Random numbers


def read_random_state(random: Random) -> RandomState:
    """Returns the state of a random generator, from which another one can go on."""
    state: RandomState = random.getstate()
    return state


# Actions


def encode_action(action: Any) -> Raw:
    """Returns an action as bytes. A `Secret` becomes a list: its owner, its leaf, and its value if that is known."""
    return Raw(msgpack.encode(action, enc_hook=_encode_secret))


def decode_action(data: Raw, kinds: Any) -> Any:
    """Returns the action that bytes describe. `kinds` is the union of the game's actions.

    Raises UnreadableError if the bytes describe none of them.
    """
    return read_msgpack(data, kinds, _decode_secret)


def _encode_secret(secret: Any) -> Any:
    if not isinstance(secret, Secret):
        raise TypeError(f"{type(secret).__name__} cannot be part of an action")
    return [secret.owner, secret.leaf, *([secret.value] if secret.known else [])]


def _decode_secret(kind: Any, plain: Any) -> Any:
    match plain if (get_origin(kind) or kind) is Secret else None:
        case [str(owner), str(leaf)]:
            return Secret(owner, leaf=leaf)
        case [str(owner), str(leaf), value]:
            return Secret(owner, convert(value, (get_args(kind) or (Any,))[0], dec_hook=_decode_secret), leaf)
    raise ValidationError("a secret needs an owner, a commitment and perhaps a value")
