"""`referee` and `python -m referee`."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the command line, without collecting garbage: a command lives for moments, and loading makes none. Nor is any
    looked for when Python ends, which would take as long as a fifth of a command.
    """
    gc.disable()
    from referee.cli.main import run

    try:
        run()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
