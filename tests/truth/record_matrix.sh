#!/bin/bash
# All of record_matrix.tsv that one machine can do: the pairs measured, each loop recorded once, what recording costs.
#
#     bash tests/truth/record_matrix.sh OUT [SECONDS]     on a machine with one GPU: 410 s for seven loops and the cost
#     bash tests/truth/record_matrix.sh OUT [SECONDS]     on one with two: DistributedDataParallel, 110 s
#     bash tests/truth/record_matrix.sh OUT SECONDS NAME[=WEIGHT] ...     these loops alone, in this order, weighted by time
#
# OUT gets m/ (trace_loops.py), r/ (the recordings, packed), cost/ (record_cost.py) and machine.json, a profile; then
# record_table.py OUT/m OUT/r. What is cheap comes first, and each part is written as it is done.
out=$1 here=$(cd "$(dirname "$0")" && pwd) began=$SECONDS
gpus=$(nvidia-smi -L | grep -c '^GPU')
seconds=${2:-$([ "$gpus" -ge 2 ] && echo 110 || echo 410)}
export PYTHONDONTWRITEBYTECODE=1 TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-/tmp/inductor}
export NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1
mkdir -p "$out"/m "$out"/r "$out"/cost

left() { echo $((seconds - SECONDS + began)); }
within() { # LEAST COMMAND...: unless less time than that is left
    [ "$(left)" -gt "$1" ] && timeout "$(left)" "${@:2}" 2>&1 | tail -n 20
}

if [ $# -gt 2 ]; then
    names=("${@:3}")
    within 30 python3 "$here"/trace_loops.py "$out"/m --record "$out"/r --seconds "$(($(left) - 10))" \
        --only "${names[@]%%=*}" --weights $(printf '%s\n' "${names[@]}" | grep =)
elif [ "$gpus" -ge 2 ]; then # ranks wait for each other: recorded first, measured after it
    within 30 python3 "$here"/record_loops.py "$out"/r --only ddp
    within 30 python3 "$here"/trace_loops.py "$out"/m --measure-only --seconds "$(left)" --only ddp
else
    timeout $((seconds * 3 / 4)) python3 "$here"/trace_loops.py "$out"/m --record "$out"/r --seconds $((seconds * 2 / 3)) \
        --only gpt_deep graphed lightning_fit gpt_accum actor_critic dcgan compiled --weights gpt_deep=1.3 dcgan=1.5 compiled=1.6
    within 40 python3 "$here"/record_cost.py "$out"/cost --only actor_critic --each 4 --seconds 12
    within 40 python3 "$here"/trace_loops.py "$out"/m --record "$out"/r --seconds "$(left)" --only encoder_large prefetch_wide
    within 14 "$here"/../../build/syncl --calibrate -o "$out"/machine.json
fi
rm -rf "$out"/m/scratch "$out"/cost/scratch
find "$out"/cost -name '*.syncl' -delete
find "$out"/r -name '*.syncl' -exec gzip -f {} +
tail -qn 2 "$out"/m/*.log
