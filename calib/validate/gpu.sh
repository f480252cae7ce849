#!/bin/sh
# All that prices still want of a GPU, in one call of about six minutes from the repository's root: sh calib/validate/gpu.sh OUT
# hosts.jsonl: where the host's time goes behind a wait, by parameter tensors; rates.jsonl: GPU time of operations by size and
# precision; scripts.jsonl: step and GPU time of whole scripts; h200-sized.json.gz: the eight loops of changes.SIZED.
out=${1:?usage: gpu.sh OUT}
here=$(dirname "$0")
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$out"
timeout 80 python3 "$here/hosts.py" "$out/hosts.jsonl" >"$out/hosts.log" 2>&1
timeout 100 python3 "$here/rates.py" "$out/rates.jsonl" >"$out/rates.log" 2>&1
timeout 100 python3 "$here/scripts.py" "$out/scripts.jsonl" 12 corpus/scripts/*.py >"$out/scripts.log" 2>&1
timeout 170 python3 "$here/measure.py" "$out/h200-sized.json" --seconds 140 --loops bert_masked boxes feature_bank gpt_wide \
    pooled_graphs restore translate vit_bfloat 2>"$out/loops.log"
gzip -9f "$out/h200-sized.json"
wc -l "$out"/*.jsonl
tail -n 8 "$out/loops.log"
