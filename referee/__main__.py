"""The entry point of `referee` and `python -m referee`."""

from __future__ import annotations

import gc


def main() -> None:
    """Runs the command line without garbage collection.

    A command lives for moments, and loading it makes no garbage. Freezing all objects at the end keeps Python from
    looking for garbage when it exits, which could take a fifth of a command's time.
    """
    gc.disable()
    from referee.cli.main import run

    try:
        run()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
