"""Two people who play by mail at the command line: each has a home with their key, and a folder."""

from __future__ import annotations

import itertools
import os
import re
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.engine.dice_mode import LATEST_DERIVATION
from referee.mail.ascii_armor import read_mailed_packets
from referee.mail.packet import parse_packet

BASE64 = re.compile(r"(?<=<hash>\n)[A-Za-z0-9+/=\n]+(?=-----END)")
"""The base64 of a packet in a mail. Its length depends on the compressor of this computer."""

FIRST_TURN = "1 turn ne, done"
"""The first turn of red in Manoover, as it is typed."""


class Person:
    """One of the two players: `anna("do 3 go")` types that at her computer."""

    def __init__(self, name, root, call, patch, told, luck="", derivation=LATEST_DERIVATION):
        """`told` receives everything that is typed and answered.

        `luck` decides the key and all other chance on this computer, so the dice are the same each time. `derivation`
        is that of the joint rolls in games begun here: that of new games, or the first one for older games.
        """
        self.derivation = derivation
        self.told = told
        self.name, self.folder, self.home = name, root / name, root / f"home of {name}"
        self.folder.mkdir(parents=True)
        self._call, self._patch, self._luck, self._numbers = call, patch, f"{luck} {name}", itertools.count()

    def __call__(self, *words, **more):
        with self._patch.context() as patch:
            patch.chdir(self.folder)
            patch.setattr(os, "urandom", self._chance)
            patch.setattr("referee.cli.new_game.LATEST_DERIVATION", self.derivation)
            patch.setattr(
                Ed25519PrivateKey,
                "generate",
                lambda: Ed25519PrivateKey.from_private_bytes(self._chance(32)),
            )
            env = {"XDG_CONFIG_HOME": str(self.home), "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(self.home)}
            env |= more.pop("env", {})
            answer = self._call(*words, **more, env=env)
            self.told += [f"{self.name} {BASE64.sub('<packet>', answer.shown)}"]
            return answer

    def _chance(self, count):
        return sha256(f"{self._luck} {next(self._numbers)}".encode()).digest()[:count]

    def does(self, *said):
        """Types commands, one after the other. Each must succeed. Returns the last answer."""
        for words in said:
            answer = self(words)
            assert answer.code == 0, answer.shown
        return answer

    def mails(self, options=""):
        """Returns the text to paste into a mail."""
        answer = self(f"mail pack {options}")
        assert answer.code == 0, answer.shown
        return answer.out.encode()

    def gets(self, mail, options=""):
        """Saves a mail and opens it."""
        (self.folder / "mail.txt").write_bytes(mail)
        return self(f"mail open mail.txt {options}")

    @property
    def log(self):
        """The path of the log."""
        (path,) = (path for path in self.folder.glob("logs/*.jsonl") if ".aside-" not in path.name)
        return path


def seated(anna, bo, seats="red blue", game="manoover", options=""):
    """Seats both players. The first to join has the pen."""
    first, second = seats.split()
    anna.does(f"new {game} --mail {first} --seats Anna,Bo {options}")
    assert bo.gets(anna.mails()).code == 0
    bo.does(f"join {second}")
    assert anna.gets(bo.mails()).code == 0


def rested(human, mutant, options=""):
    """Seats two players of Mutants by mail. The human is ready, and it is the mutant's turn."""
    human.does(f"new mutants --mail human {options}")
    mutant.gets(human.mails())
    mutant.does("join mutant")
    human.gets(mutant.mails())
    human.does("rest", "ready")
    mutant.gets(human.mails())


def key_of(person):
    """Returns the public key of a person."""
    return person("--json key").facts["public"]


def read_words(answer):
    """Returns an answer as one line."""
    return " ".join(answer.shown.split())


def sent_to(writer, *others):
    """Sends a mail, which each of the others has to take in. Returns the mail."""
    mail = writer.mails()
    for other in others:
        answer = other.gets(mail)
        assert answer.code == 0, answer.shown
    return mail


def seated_three(anna, bo, carla):
    """Seats three players of Zombies. Carla, who joins last, has sent their mail."""
    anna.does("new zombies --option players=3 --mail red --seats Anna,Bo,Carla")
    sent_to(anna, bo, carla)
    bo.does("join Bo")
    sent_to(bo, anna, carla)
    carla.does("join Carla")
    sent_to(carla, anna, bo)


def seat_with_director(anna, bo, dee, options=""):
    """Seats Anna and Bo in a game that Dee directs. Dee gets every mail."""
    begun = anna(f"new manoover --mail red --seats Anna,Bo {options} --director 'Dee={key_of(dee)}'")
    assert begun.code == 0, begun.shown
    sent_to(anna, bo, dee)
    bo.does("join Bo")
    sent_to(bo, anna, dee)


def ask_for_blue(people, mail, name="thief"):
    """Returns a person who has come by a mail, and who asks with another key for Bo's seat, blue."""
    thief = people(name)
    thief.gets(mail)
    thief.does("join blue --lost-key")
    return thief


def packet_in(mail):
    """Returns the packet in a mail."""
    (letter,) = read_mailed_packets(mail).whole
    return parse_packet(letter)
