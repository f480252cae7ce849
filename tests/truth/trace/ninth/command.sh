#!/bin/bash
# A profile of the machine itself (alone), then loops on four GPUs side by side: for 168 seconds at most.
here=$(cd "$(dirname "$0")" && pwd); mkdir -p "$OUT/trace"
cd "$here" && (time timeout 40 ./syncl --calibrate --device=0 --with-torch=python3 --even-if-busy -o "$OUT/trace/machine.json") > "$OUT/trace/calibrate.txt" 2>&1
exec timeout -k 3 $((172 - SECONDS)) bash tree/tests/truth/trace_lanes.sh "$OUT/trace" $((166 - SECONDS)) lanes.txt 0
