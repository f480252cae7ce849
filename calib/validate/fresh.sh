#!/bin/sh
# The ten loops of a list of changes.py, a process each, from the repository's root on a machine with one or two GPUs:
# sh calib/validate/fresh.sh OUT [FRESH | FRESH2 [SECONDS]] leaves, in small letters, OUT/h200-LIST.json.gz and OUT/LIST.tgz (logs and the times of
# jobs), and where build/syncl-calibrate is there, OUT/before.json and OUT/after.json, what it measures on this host. 200 s on two GPUs,
# 380 s on one; SECONDS of each loop: 24 unless given.
out=${1:?usage: fresh.sh OUT [FRESH | FRESH2 [SECONDS]]}
list=${2:-FRESH}
seconds=${3:-24}
name=$(echo "$list" | tr '[:upper:]' '[:lower:]')
work=$(mktemp -d)
every_second() { # 0 or 1
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=calib/validate python3 -c \
        "import changes; print(*(f'priced.{loop}=$seconds' for loop in changes.$list[$1::2]))"
}
first=$(every_second 0)
second="$(every_second 1) copies"
calibrate() {
    [ ! -x build/syncl-calibrate ] || build/syncl-calibrate --with-torch python3 --even-if-busy -o "$out/$1.json" >"$work/$1.txt" 2>&1
}
calibrate before
run() { # GPU SECONDS JOB...
    gpu=$1 seconds=$2
    shift 2
    mkdir -p "$work/$gpu"
    CUDA_VISIBLE_DEVICES=$gpu python3 tests/truth/undisturbed.py "$work/$gpu" --no-calibration --seconds "$seconds" \
        --only "$@" >"$work/$gpu/said.txt" 2>&1
}
if [ "$(nvidia-smi -L | wc -l)" -gt 1 ]; then
    run 0 240 $first &
    run 1 240 $second
    wait
else
    run 0 480 $first $second
fi
calibrate after
python3 - "$out/h200-$name.json.gz" "$work"/*/priced.*.json <<'END'
import gzip, json, sys
parts = [json.load(open(path)) for path in sys.argv[2:]]
loops = sorted((loop for part in parts for loop in part["loops"]), key=lambda loop: loop["loop"])
with gzip.open(sys.argv[1], "wt") as file:
    json.dump({"machine": parts[0]["machine"], "settle": 0.25, "loops": loops}, file)
for loop in loops:
    print(loop["loop"], "rounds", loop["rounds"], "steps", loop["steps"], "us", sorted(loop["samples"]["plain"]), "gpu us", loop.get("gpu_us"))
END
tar -C "$work" -czf "$out/$name.tgz" --exclude='priced.*.json' .
cat "$work"/*/jobs.tsv
