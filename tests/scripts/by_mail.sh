#!/bin/sh
# Two people, each with a home and a folder of their own, begin a game by mail with the installed program. Every packet
# goes as a mail that Python's email package has written.
#
#     sh by_mail.sh FOLDER [TURNS]
#
# REFEREE and PYTHON name the programs, if they are not on the path.
set -eu
cd "$1"
turns=${2:-4}
at() { # somebody, and what is typed at that computer
    who=$1
    shift
    (cd "$who" && XDG_CONFIG_HOME=$PWD/home "${REFEREE:-referee}" "$@")
}
posted() { # a text comes in, a mail goes out
    "${PYTHON:-python3}" -c '
import sys
from email.message import EmailMessage
from email.policy import SMTP

mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "me@example.org", "you@example.org", "Our game"
mail.set_content("Hello!\n\n" + sys.stdin.read() + "\nBest wishes\n", cte=sys.argv[1])
sys.stdout.buffer.write(mail.as_bytes(policy=SMTP))
' "$1"
}
sends() { # from one to the other
    at "$1" pack | posted "$3" >"$2/mail.eml"
    at "$2" open mail.eml -o game.jsonl
}

mkdir anna bo
at anna new manoover --mail red --seats Anna,Bo -o game.jsonl
sends anna bo quoted-printable
at bo join blue
sends bo anna base64
turn=0
while [ "$turn" -lt "$turns" ]; do
    at anna done! || true # who goes first, the dice say
    sends anna bo base64
    at bo done!
    sends bo anna quoted-printable
    turn=$((turn + 2))
done
at anna audit
at bo audit
head -c "$(wc -c <bo/game.jsonl)" anna/game.jsonl | cmp - bo/game.jsonl
echo "$turn turns by mail; bo has what anna has"
