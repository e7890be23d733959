#!/bin/sh
# The side-by-side run, from nothing to tables, some eight minutes on a quiet machine with 2 cores:
#   sh tests/bench/peers/run_all.sh [arguments of side.py]
# BEFORE=path/of/another/checkout adds that commit, with recordings of its own.
# Needs git, gcc, taskset, node with npm, and Python. Everything is written to $WORK.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
PROJECT=$(cd "$HERE/../../.." && pwd)
WORK=${WORK:-${TMPDIR:-/tmp}/sunglare-bench}
export WORK
mkdir -p "$WORK/compact" "$WORK/maps" "$WORK/before" "$WORK/node"
for program in replay wsload2 floor_rec; do gcc -O2 -w -o "$WORK/$program" "$HERE/$program.c"; done
if [ ! -d "$WORK/node/node_modules/express" ]; then
    (cd "$WORK/node" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent \
        @colyseus/core@0.17.51 @colyseus/schema@4.0.31 @colyseus/ws-transport@0.17.13 ws@8.23.0 \
        bufferutil @msgpack/msgpack@3.1.3 express@4)
fi
export NODE_PATH="$WORK/node/node_modules"
(cd "$PROJECT" && make .venv/.installed >/dev/null)
export PY="$PROJECT/.venv/bin/python"

record() { # PYTHON FOLDER SUBPROTOCOL
    "$1" "$HERE/record.py" "$WORK/$2/ceres.bin" shadow-of-ceres 20 40 "$3" &
    "$1" "$HERE/record.py" "$WORK/$2/crowded.bin" crowded-w 5 26 "$3"
    wait
    "$1" "$HERE/record.py" "$WORK/$2/redondo.bin" redondo 4 28 "$3"
}
record "$PY" compact sunglare.v1.compact
record "$PY" maps sunglare.v1
if [ -n "$BEFORE" ]; then
    rm -rf "$WORK/checkout"
    git clone -q "$BEFORE" "$WORK/checkout"
    (cd "$WORK/checkout" && make .venv/.installed >/dev/null)
    export BEFORE_PY="$WORK/checkout/.venv/bin/python"
    record "$BEFORE_PY" before sunglare.v1
fi
exec "$PY" "$HERE/side.py" "$@"
