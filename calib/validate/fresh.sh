#!/bin/sh
# The ten loops of changes.FRESH, a process each, from the repository's root on a machine with one or two GPUs:
# sh calib/validate/fresh.sh OUT leaves OUT/h200-fresh.json.gz and OUT/fresh.tgz (logs and the times of jobs). 200 s on two GPUs,
# 380 s on one.
out=${1:?usage: fresh.sh OUT}
work=$(mktemp -d)
first="priced.sentence_pairs priced.dit_latents priced.depth_maps priced.anchors_ssd priced.wgan_gp"
second="priced.phonemes priced.protein_mlm priced.cartography priced.papers_sage priced.wide_mixup copies"
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
    run 0 420 $first $second
fi
python3 - "$out/h200-fresh.json.gz" "$work"/*/priced.*.json <<'END'
import gzip, json, sys
parts = [json.load(open(path)) for path in sys.argv[2:]]
loops = sorted((loop for part in parts for loop in part["loops"]), key=lambda loop: loop["loop"])
with gzip.open(sys.argv[1], "wt") as file:
    json.dump({"machine": parts[0]["machine"], "settle": 0.25, "loops": loops}, file)
for loop in loops:
    print(loop["loop"], "rounds", loop["rounds"], "steps", loop["steps"], "us", sorted(loop["samples"]["plain"]), "gpu us", loop.get("gpu_us"))
END
tar -C "$work" -czf "$out/fresh.tgz" --exclude='priced.*.json' .
cat "$work"/*/jobs.tsv
