"""Only the gate decodes what comes from outside. Every exception is named here, with its reason."""

import pytest
from decoding_calls import calls_in
from support import PACKAGE

OWN_PROCESS = "what comes back is from a process that this program has started, and no code of others runs there"
HANDED_ON = "the environment is handed on to a process of our own, not read"
OF_A_GAME = "a game imports the engine alone; the gate has decoded its file, and its error becomes a `BoardError`"
SHIPPED_GAMES = ("manoover", "mutants", "sheboygan", "zombies")
EXCEPTIONS = {
    ("bots/bot_child.py", "pickle.loads"): "a bot's process reads what the referee sends, never the other way",
    ("bots/bot_messages.py", "pickle.Unpickler"): "the same, for the view",
    ("bots/bot_process.py", "os.environ"): HANDED_ON,
    ("bots/bot_messages.py", "msgspec.convert"): "the inside of a secret, in the hook of a reader of the gate",
    ("chances/in_memory_game.py", "msgspec.convert"): "a seed that a caller in Python names",
    ("engine/action_fields.py", "msgspec.convert"): "one typed word; and a value of ours is held against its type",
    **{(f"games/{game}/board_building.py", "msgspec.convert"): OF_A_GAME for game in SHIPPED_GAMES},
    ("games/sheboygan/sight.py", "msgspec.msgpack.decode"): "lines of sight that this program has worked out itself",
    ("games/sheboygan/sight.py", "zlib.decompress"): "the same",
    ("record/archive/process_pool.py", "pickle.load"): OWN_PROCESS,
    ("testing/mutate.py", "exec"): "it runs our own code with one line changed",
    ("testing/mutate.py", "os.environ"): HANDED_ON,
    ("web/downloads.py", "tarfile.open"): "the file has the SHA-256 that stands beside its name",
    ("web/wheels.py", "zipfile.ZipFile"): "a wheel is written, not read",
}
"""The calls that may stand outside the gate, each with the reason."""


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("gate/"):
            yield name, path


def test_nobody_but_the_gate_decodes():
    found = {(name, call) for name, path in modules() for call in calls_in(path.read_text("utf-8"))}
    assert found == set(EXCEPTIONS)


@pytest.mark.parametrize(
    "source",
    [
        "import json\njson.loads('1')",
        "from json import load",
        "import msgspec\nmsgspec.json.Decoder(int)",
        "import msgspec as m\nm.convert([], int)",
        "from msgspec import convert",
        "from msgspec import json as j\nj.decode(b'1')",
        "from msgspec.json import decode",
        "def f():\n    import tomllib\n    return tomllib.loads('')",
        "import tomlkit as t\nt.parse('')",
        "from datetime import datetime as d\nd.fromisoformat('x')",
        "from base64 import b64decode as read",
        "import binascii\nbinascii.a2b_hex('')",
        "import zlib\nzlib.decompressobj()",
        "import os\nos.environ['HOME']",
        "from os import getenv",
        "from email import message_from_bytes",
        "import email.parser\nemail.parser.BytesParser()",
        "eval('1')",
    ],
)
def test_a_decoder_is_found_however_it_is_imported(source):
    assert calls_in(source)


@pytest.mark.parametrize(
    "source",
    ["import msgspec\nmsgspec.json.encode(1)", "from base64 import b64encode", "import json\njson.dumps(1)"],
)
def test_whoever_encodes_is_left_alone(source):
    assert not calls_in(source)
