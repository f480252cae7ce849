#!/bin/bash
# The seventh recording: bash tests/truth/trace/seventh/lanes.sh OUT SECONDS, on a machine with one, two or four GPUs.
# A lane a GPU, each with cores of its own; the loop with ranks before them, on the first two. OUT gets a tar a lane, in
# parts of 15 MB where it is larger, packed anew each minute: a lane that hangs takes nothing of the others with it.
out=$1 seconds=$2 began=$SECONDS
root=$(cd "$(dirname "$0")/../../../.." && pwd)
work=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1 NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1

# NAME=weight: seconds, before they are fitted to the time there is. What is done early leaves its time to those behind.
lane0="cache_clear=20 mlp_wide=45 graph=60 gpt_small=130 encoder=120 rollout=60"
lane1="prefetch_events=40 vit=55 resnet50=85 contrast=120 resnet18=90 mlp_small=50"
lane2="prefetch_class=45 wide=65 long=100 accumulate=100 amp_resnet=85 policy=60 vae=50 actor_critic=50"
lane3="even=65 diffusion=60 augmented=85 unet=65 short=100 lstm=45 cifar_cnn=75 qlearning=50 mlp_loader=40"

gpus=$(nvidia-smi -L | grep -c '^GPU')
lanes=1
[ "$gpus" -ge 2 ] && lanes=2
[ "$gpus" -ge 4 ] && lanes=4
[ "$lanes" -eq 2 ] && lane0="$lane0 $lane2" lane1="$lane1 $lane3"
[ "$lanes" -eq 1 ] && lane0="$lane0 $lane1 $lane2 $lane3"
cores=$(($(nproc) / lanes))

left() { echo $((seconds - (SECONDS - began))); }

record() { # LANE GPUS CORES SECONDS NAME=WEIGHT...
    local folder=$work/lane$1 gpus=$2 cores=$3 within=$4
    shift 4
    CUDA_VISIBLE_DEVICES=$gpus taskset -c "$cores" timeout -k 5 $((within + 15)) \
        python3 "$root/tests/truth/trace_loops.py" "$folder" --seconds "$within" --modes cuda --only "${@%=*}" --weights "$@" \
        >>"$folder/lane.log" 2>&1
}

lane() { # LANE: its loops in the time that is left; the last traces are cut in 25 seconds
    local loops=lane$1
    record "$1" "$1" $(($1 * cores))-$((($1 + 1) * cores - 1)) $(($(left) - 25)) ${!loops}
}

pack() { # no trace that is not cut yet
    for folder in "$work"/lane*; do
        tar -C "$folder" --exclude=./scratch --exclude='*.*.json' -cf "$out/${folder##*/}.new" . 2>/dev/null
        mv "$out/${folder##*/}.new" "$out/${folder##*/}.tar"
    done
}

mkdir -p "$out"
for number in $(seq 0 $((lanes - 1))); do mkdir -p "$work/lane$number"; done
{ nproc; lscpu; nvidia-smi; nvidia-smi topo -m; } >"$work/lane0/machine.txt" 2>&1
(
    [ "$lanes" -ge 2 ] && record 0 0,1 0-$((2 * cores - 1)) 100 ddp=1
    for number in 0 1; do [ "$number" -lt "$lanes" ] && lane "$number" & done
    wait
) &
running=$!
for number in $(seq 2 $((lanes - 1))); do
    lane "$number" &
    running="$running $!"
done
packed=$SECONDS
while [ "$(left)" -gt 6 ] && kill -0 $running 2>/dev/null; do
    sleep 1
    [ $((SECONDS - packed)) -ge 50 ] && pack && packed=$SECONDS
done
pack
for tar in "$out"/lane*.tar; do
    [ "$(stat -c %s "$tar")" -gt 15000000 ] && split -b 15m -d "$tar" "$tar." && rm "$tar"
done
tail -n 40 "$work"/lane*/lane.log
kill $running 2>/dev/null
exit 0
