#!/bin/bash
# Records and measures on several GPUs side by side, a loop on each, each with cores of its own:
#
#     bash tests/truth/trace_lanes.sh OUT SECONDS LANES.txt [DDP_SECONDS]
#
# A line of LANES.txt is a lane, NAME=weight ...: seconds, before they are fitted to the time there is; what is done early
# leaves its time to those behind it. Where there are fewer GPUs than lines, a lane takes several. The loop with ranks
# comes before the others, on the first two. OUT gets a tar a lane, in parts of 15 MB where it is larger, packed anew each
# minute: a lane that hangs takes nothing of the others with it.
out=$1 seconds=$2 plan=$3 ranks=${4:-100} began=$SECONDS
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1 NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1

mapfile -t lines <"$plan"
lanes=$(nvidia-smi -L | grep -c '^GPU')
[ "$lanes" -ge 1 ] || lanes=1
[ "$lanes" -le ${#lines[@]} ] || lanes=${#lines[@]}
cores=$(($(nproc) / lanes))

left() { echo $((seconds - (SECONDS - began))); }

record() { # LANE GPUS CORES SECONDS NAME=WEIGHT...
    local folder=$work/lane$1 gpus=$2 cores=$3 within=$4
    shift 4
    CUDA_VISIBLE_DEVICES=$gpus taskset -c "$cores" timeout -k 5 $((within + 15)) \
        python3 "$here/trace_loops.py" "$folder" --seconds "$within" --modes cuda --only "${@%=*}" --weights "$@" \
        >>"$folder/lane.log" 2>&1
}

lane() { # LANE: its loops in the time that is left; the last traces are cut in 25 seconds
    local loops="" number
    for ((number = $1; number < ${#lines[@]}; number += lanes)); do loops="$loops ${lines[number]}"; done
    record "$1" "$1" $(($1 * cores))-$((($1 + 1) * cores - 1)) $(($(left) - 25)) $loops
}

pack() { # no trace that is not cut yet
    for folder in "$work"/lane*; do
        tar -C "$folder" --exclude=./scratch --exclude='./*.*.json' -cf "$out/${folder##*/}.new" . 2>/dev/null
        mv "$out/${folder##*/}.new" "$out/${folder##*/}.tar"
    done
}

mkdir -p "$out"
for ((number = 0; number < lanes; number++)); do mkdir -p "$work/lane$number"; done
{ nproc; lscpu; nvidia-smi; nvidia-smi topo -m; } >"$work/lane0/machine.txt" 2>&1
timeout 40 python3 "$here/trace_still.py" 4 --launches 8 2>&1 | tee "$work/lane0/still.tsv"
(
    [ "$lanes" -ge 2 ] && [ "$ranks" -gt 0 ] && record 0 0,1 0-$((2 * cores - 1)) "$ranks" ddp=1
    lane 0 &
    [ "$lanes" -ge 2 ] && lane 1 &
    wait
) &
running=$!
for ((number = 2; number < lanes; number++)); do
    lane "$number" &
    running="$running $!"
done
packed=$SECONDS
while [ "$(left)" -gt 10 ] && kill -0 $running 2>/dev/null; do
    sleep 1
    [ $((SECONDS - packed)) -ge 50 ] && pack && packed=$SECONDS
done
python3 "$here/trace_still.py" 2 >"$work/lane0/still-after.tsv" 2>&1
pack
if [ "$lanes" -gt 4 ]; then # few files, each of a size that comes back
    tar -C "$out" -cf - lane*.tar | split -b 15m -d - "$out/lanes.tar." && rm "$out"/lane[0-9]*.tar
else
    for tar in "$out"/lane*.tar; do
        [ "$(stat -c %s "$tar")" -gt 15000000 ] && split -b 15m -d "$tar" "$tar." && rm "$tar"
    done
fi
tail -n 40 "$work"/lane*/lane.log
kill $running 2>/dev/null
exit 0
