"""`referee` and `python -m referee`."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the command line, without collecting garbage: a command lives for moments, and loading makes none."""
    gc.disable()
    from referee.cli.main import run

    run()


if __name__ == "__main__":
    main()
