#!/bin/sh
# Work out the dice of entry N of a game by mail with openssl, and without this program.
#
#     sh check_dice.sh LOG N
#
# It tells what each seat has given to the throw, that this was fixed before (its hash is what the seat gave last, or its
# tip), the key that comes of it, and for each roll in the entry the faces by that key beside those in the log. Dice that
# were thrown in secret stand in no log, and are not looked at. It ends with 1 where anything is not as it should be.
set -eu
log=$1 n=$2
entry() { sed -n "$(($1 + 1))p" "$log"; }
hash() { cut -c 10-73; }
text() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }
number() { sed 's/.*"'"$1"'":\([0-9]*\).*/\1/'; }
fail() { echo "$1" >&2 && exit 1; }

bytes() { # hex as bytes
    # shellcheck disable=SC2059  # what is printed is the format
    printf "$(echo "$1" | awk '{
        for (at = 1; at < length($0); at += 2)
            printf "\\%03o", 16 * (index(d, substr($0, at, 1)) - 1) + index(d, substr($0, at + 1, 1)) - 1
    }' d=0123456789abcdef)"
}
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
line() { printf '%s0a' "$(hex "$1")"; }
sha() { bytes "$1" | openssl dgst -sha256 -r | cut -c 1-64; }
mac() { bytes "$2" | openssl dgst -sha256 -r -mac HMAC -macopt "hexkey:$1" | cut -c 1-64; }

entry "$n" | grep -q '"origin":"pact"' || fail "entry $n holds no dice that all have thrown together"

# The throw: what was begun last before this entry, and by which entry
given=$(head -n "$n" "$log" | grep -n -e '"type":"answer"' -e '"type":"declare"' || true)
throw=$(echo "$given" | tail -n 1 | number cast)
shares=$(echo "$given" | grep "\"cast\":$throw,")
opener=$(($(echo "$shares" | head -n 1 | cut -d : -f 1) - 1))
opened=$(entry "$opener" | hash)
game=$(entry 0 | hash)
body=$(entry "$opener" | sed 's/^{"hash":"[0-9a-f]*","entry":\(.*\)}$/\1/')
[ "$(printf 'referee/1\n%s' "$body" | openssl dgst -sha256 -r | cut -c 1-64)" = "$opened" ] ||
    fail "the hash of entry $opener is not that of its text"
# Since the second derivation the throw hangs on what that entry says, and not on when and where
case $(entry 0) in
*'"dice":{"derivation":2,'*)
    record=$(head -n "$opener" "$log" | grep '"type":"branch"}}$' | tail -n 1 | hash)
    said=$(echo "$body" | sed 's/"at":"[^"]*",\("by":"[^"]*","cast":[0-9]*,\("count":[0-9]*,\)\{0,1\}\)"n":[0-9]*,"prev":"[0-9a-f]*",/\1/')
    opened=$(sha "$(line refdice/2/opening)${record:-$game}$(hex "$said")")
    ;;
esac
echo "throw $throw, begun by entry $opener, $opened"

# What each seat has given, in the order of the seats, and that it was fixed
seats=$(entry 0 | sed 's/.*"seats":\[\([^]]*\)\].*/\1/' | grep -o '"seat":"[^"]*"' | cut -d '"' -f 4)
count=0 values=
for seat in $seats; do
    share=$(echo "$shares" | grep "\"by\":\"$seat\"") || fail "$seat has given nothing to throw $throw"
    at=$(echo "$share" | cut -d : -f 1)
    value=$(echo "$share" | sed 's/.*"value":"\([0-9a-f]*\)".*/\1/')
    before=$(head -n $((at - 1)) "$log" | grep "\"by\":\"$seat\"" |
        grep -e '"type":"join"' -e '"type":"answer"' -e '"type":"declare"' | tail -n 1)
    case $before in
    *'"type":"join"'*) fixed=$(echo "$before" | text tip) ;;
    *) fixed=$(echo "$before" | sed 's/.*"value":"\([0-9a-f]*\)".*/\1/') ;;
    esac
    name=$(printf '%02x' ${#seat})$(hex "$seat")
    [ "$(sha "$(line refdice/1/chain)$game$name$value")" = "$fixed" ] || fail "$seat has given what was not fixed"
    echo "$seat gives $value"
    count=$((count + 1)) values=$values$value
done
seed=$(sha "$(line refdice/1/contrib)$(printf '%02x' "$count")$values")
key=$(mac "$seed" "$(line refdice/1/key)$opened")
echo "key $key"

# The dice: those thrown of it before this entry, then its own
faces() { # "SIDES FACES" of each open roll in a line
    grep -o '"faces":\[[0-9,]*\][^]]*\],"origin":"pact","purpose":"[^"]*","sides":[0-9]*,"to":null' |
        sed 's/"faces":\[\([0-9,]*\)\].*"sides":\([0-9]*\).*/\2 \1/'
}
die() { # die number $1 with $2 sides
    width=1 most=256
    while [ "$most" -lt "$2" ]; do width=$((width + 1)) most=$((most * 256)); done
    limit=$((most - most % $2)) block=0
    while :; do
        words=$(mac "$key" "$(line refdice/1/die)$(printf '%08x%08x' "$1" "$block")")
        at=1
        while [ $((at + 2 * width - 1)) -le 64 ]; do
            word=$(printf '%d' "0x$(echo "$words" | cut -c "$at-$((at + 2 * width - 1))")")
            [ "$word" -ge "$limit" ] || { echo $((1 + word % $2)) && return; }
            at=$((at + 2 * width))
        done
        block=$((block + 1))
    done
}
first=$(head -n "$n" "$log" | tail -n $((n - opener - 1)) | grep '"type":"play"' | faces |
    awk '{ dice += split($2, all, ",") } END { print dice + 0 }')
wrong=0
entry "$n" | faces >"${TMPDIR:-/tmp}/dice.$$"
trap 'rm -f "${TMPDIR:-/tmp}/dice.$$"' EXIT
while read -r sides recorded; do
    worked=
    for _ in $(echo "$recorded" | tr , ' '); do
        worked=$worked${worked:+,}$(die "$first" "$sides")
        first=$((first + 1))
    done
    echo "d$sides $worked in the log: $recorded"
    [ "$worked" = "$recorded" ] || wrong=1
done <"${TMPDIR:-/tmp}/dice.$$"
[ "$wrong" = 0 ] || fail "these are not the dice of this throw"
