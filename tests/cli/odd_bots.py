"""Bots as others might write them. Each test installs them as a distribution of its own."""

import os
import signal
import sys
import time
from pathlib import Path

from platformdirs import user_config_path, user_data_path

NEEDLE = "table/game"


class Raises:
    def choose(self, seen):
        raise RuntimeError("out of ideas")


class Illegal:
    def choose(self, seen):
        return seen.game.parse("done", seen.view, seen.seat)


class Nothing:
    def choose(self, seen):
        return None


class Words:
    def choose(self, seen):
        return "throw"


class Leaves:
    def choose(self, seen):
        sys.exit(3)


class Interrupts:
    def choose(self, seen):
        raise KeyboardInterrupt


class Quits:
    def choose(self, seen):
        raise GeneratorExit


class Ends:
    def choose(self, seen):
        os._exit(0)


class SpeechlessError(Exception):
    def __str__(self):
        raise SystemExit(0)


class Mute:
    """Its error cannot say what is wrong."""

    def choose(self, seen):
        raise SpeechlessError


class Wordy:
    def choose(self, seen):
        raise ValueError("a line\nand another")


class Shapeless:
    """What it chooses cannot be shown."""

    def choose(self, seen):
        return self

    def __repr__(self):
        raise KeyError("no shape")


class Unmade:
    def __init__(self):
        sys.exit(0)


class Spoils:
    """Changes the position that it is shown."""

    def choose(self, seen):
        seen.view.cells.clear()
        return next(iter(seen.legal))


class Chats:
    def choose(self, seen):
        print("I know!")
        return next(iter(seen.legal))


class Stopped:
    """Somebody presses Ctrl-C while it thinks."""

    def choose(self, seen):
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)


class Hurried:
    """The same, but it answers at once."""

    def choose(self, seen):
        try:
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(60)
        except KeyboardInterrupt:
            assert seen.hurries
        return next(iter(seen.legal))


class Deaf(Stopped):
    """It does not hear Ctrl-C."""

    def choose(self, seen):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().choose(seen)


class Seeks:
    """It looks for the logs, the settings and the vaults of the person who plays."""

    def choose(self, seen):
        home = Path.home()
        folders = {Path(), home, user_config_path("referee"), user_data_path("referee")}
        files = sorted(str(file) for folder in folders for file in folder.rglob("*"))
        told = [f"{len(files)} files", str(Path.cwd() == home), str(Path(".referee").exists())]
        told += sorted(name for name, value in os.environ.items() if NEEDLE in value)
        told += [path for path in sys.path if NEEDLE in path and not path.endswith("site")]
        told += [name for name in sys.argv if NEEDLE in name]
        raise ValueError(" ".join(told))


class Dicey:
    """It draws lots."""

    def choose(self, seen):
        return seen.legal.pick(seen.random)
