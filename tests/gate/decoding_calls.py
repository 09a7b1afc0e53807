"""Finds the places in a module that decode bytes or texts: with JSON, TOML, base64, zlib, dates and the like."""

import ast
import re
from collections.abc import Iterator

DECODERS = re.compile(
    r"json\.(loads?|JSONDecoder)"
    r"|(msgspec\.)?(json|msgpack|toml|yaml)\.(decode|Decoder)"
    r"|msgspec\.convert|msgspec\.(json|msgpack|toml|yaml)\.(decode|Decoder)"
    r"|tomllib\.\w+|tomlkit\.(loads?|parse)|configparser\.\w+|plistlib\.\w+|xml\.\S+|csv\.reader"
    r"|email\.(parser|message_from_\w+)\S*|email\.(message_from\w*)"
    r"|(pickle|marshal)\.(loads?|Unpickler)|ast\.literal_eval"
    r"|base64\.(\w*decode\w*)|binascii\.(a2b_\w+|unhexlify)"
    r"|zlib\.(decompress\w*)|(gzip|bz2|lzma)\.(open|decompress|\w*File)|zipfile\.ZipFile|tarfile\.\w+"
    r"|os\.(environb?|getenvb?)"
)
"""The full names of functions and classes that decode."""
METHODS = {"fromisoformat", "strptime", "raw_decode"}
"""The methods of dates and decoders."""


def calls_in(source: str) -> set[str]:
    """Returns the decoders that a module names, by their full names."""
    tree = ast.parse(source)
    names = dict(_imported(tree))
    found = {names[name] for name in names if DECODERS.fullmatch(names[name])}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            full = _full_name(node, names)
            if DECODERS.fullmatch(full) or node.attr in METHODS:
                found.add(full if DECODERS.fullmatch(full) else node.attr)
        elif isinstance(node, ast.Name) and node.id in ("eval", "exec"):
            found.add(node.id)
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields each imported name with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_full_name(node.value, names)}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""
