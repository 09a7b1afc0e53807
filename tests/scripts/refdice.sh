#!/usr/bin/env bash
# Dice of a game by mail, worked out with openssl and nothing else, for who trusts no program of ours.
#
#   refdice.sh GAME RED_SEED BLUE_SEED LENGTH DECLARED DICE
#
# GAME and DECLARED are hashes, the seeds the ends of two chains, all as hex. Tells the tip of each chain, the key of
# the first throw, and so many d6 of it.
set -euo pipefail
game=$1 red_seed=$2 blue_seed=$3 length=$4 declared=$5 dice=$6

hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
bytes() { printf %b "$(printf %s "$1" | sed 's/../\\x&/g')"; }
hash() { bytes "$1" | openssl dgst -sha256 -r | cut -c1-64; }
mac() { bytes "$2" | openssl dgst -sha256 -r -mac HMAC -macopt "hexkey:$1" | cut -c1-64; }
with_newline() { printf %s0a "$(hex "$1")"; }

chain() { # its tip and its first value
    local name value=$2 first
    name="$(printf %02x ${#1})$(hex "$1")"
    for _ in $(seq "$length"); do
        first=$value
        value=$(hash "$(with_newline refdice/1/chain)$game$name$value")
    done
    echo "$value $first"
}

read -r red_tip red_value <<<"$(chain red "$red_seed")"
read -r blue_tip blue_value <<<"$(chain blue "$blue_seed")"
seed=$(hash "$(with_newline refdice/1/contrib)02$red_value$blue_value")
key=$(mac "$seed" "$(with_newline refdice/1/key)$declared")

faces=()
for ((number = 0; number < dice; number++)); do
    for ((block = 0; ; block++)); do
        words=$(mac "$key" "$(with_newline refdice/1/die)$(printf %08x%08x "$number" "$block")")
        for ((at = 0; at < 64; at += 2)); do
            word=$((16#${words:at:2}))
            if ((word < 252)); then # 252 is the most that six go into evenly
                faces+=($((1 + word % 6)))
                break 2
            fi
        done
    done
done
printf 'red %s\nblue %s\nkey %s\nd6 %s\n' "$red_tip" "$blue_tip" "$key" "${faces[*]}"
