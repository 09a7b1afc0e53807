#!/bin/sh
# Check the signature in entry N of a game by mail with ssh-keygen, and without this program.
#
#     sh check_seal.sh LOG N
#
# It signs six lines: what it is, the game, the number and the hash of the entry before it, who gets the pen, and when.
# The game is told by the hash of its first entry, or on a branch by that of the `branch` entry. The key is the one with
# which the seat has joined: whose it is, the words of `referee key` tell.
set -eu
log=$1 n=$2
there=$(mktemp -d)
trap 'rm -r "$there"' EXIT
entry() { sed -n "$(($1 + 1))p" "$log"; }
field() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }
before() { head -n "$n" "$log" | grep "\"type\":\"$1\"" | tail -n 1; }

seat=$(entry "$n" | field by)
begun=$(before branch || true)
key=$(head -n "$n" "$log" | grep '"type":"join"' | grep "\"by\":\"$seat\"" | tail -n 1 | field key)
{
    echo 'referee/1 seal'
    { [ -n "$begun" ] && echo "$begun" || entry 0; } | cut -c 10-73
    echo $((n - 1))
    entry $((n - 1)) | cut -c 10-73
    entry "$n" | field to
    entry "$n" | field at
} >"$there/text"
{
    echo '-----BEGIN SSH SIGNATURE-----'
    entry "$n" | field signature | fold -w 70
    echo '-----END SSH SIGNATURE-----'
} >"$there/text.sig"
echo "$seat namespaces=\"referee\" $key" >"$there/allowed_signers"
ssh-keygen -Y verify -n referee -I "$seat" -f "$there/allowed_signers" -s "$there/text.sig" <"$there/text"
