#!/bin/sh
# A newcomer, who has nothing and reads only the README: how long it takes to the first verdict.
#
#     sh newcomer.sh SOURCE
#
# SOURCE is a checkout or what a clone is made from. It is cloned into an empty folder, and the first command of the
# README is typed there, without what pip has kept from earlier times. The seconds are
# told at the end; the command has to end with a verdict.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone -q "$1" "$place/referee"
cd "$place/referee"
typed=$(awk '$0 == "## Set up" {at = 1} at && /^```/ {if (open) exit; open = 1; next} open' README.md)
echo "+ $typed"
began=$(date +%s)
PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 sh -c "$typed" >"$place/told" 2>&1 || {
    cat "$place/told"
    exit 1
}
ended=$(date +%s)
grep CLEAN "$place/told"
echo "$((ended - began)) seconds to the first verdict"
