#!/bin/sh
# Times a bare parse, parse + lower, and the whole run over the Python files below the given paths (default: corpus/
# and the standard library of the installed python3), interleaved, on one core; prints the medians and the ratios, and
# how long the whole run takes on all cores.
set -eu
RUNS=${RUNS:-7}
if [ $# = 0 ]; then
    set -- corpus
    library=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])' 2>/dev/null) && set -- "$@" "$library"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$@" -name '*.py' -size -4096k -not -path '*/site-packages/*' -not -path '*/test/*' | sort >"$work/files"
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
now() { date +%s%N; }
i=0
while [ $i -lt "$RUNS" ]; do
    xargs -s 1000000 "$BUILD/bench_parse" <"$work/files" | tee "$work/last" | awk '{ print $1 }' >>"$work/parse"
    xargs -s 1000000 "$BUILD/bench_lower" <"$work/files" | awk '{ print $1 }' >>"$work/lower"
    for threads in 1 0; do # 0: as many as there are cores
        option=$([ $threads = 1 ] && echo --threads=1 || true)
        start=$(now)
        xargs -s 1000000 "$BUILD/syncl" --no-cache --exit-zero $option <"$work/files" >/dev/null 2>&1 || true
        echo "$(now) $start" | awk '{ printf "%.3f\n", ($1 - $2) / 1e6 }' >>"$work/whole$threads"
    done
    i=$((i + 1))
done
parse=$(median "$work/parse") lower=$(median "$work/lower") one=$(median "$work/whole1") all=$(median "$work/whole0")
awk -v n="$(wc -l <"$work/files")" -v b="$(awk '{ print $4 }' "$work/last")" -v p="$parse" -v l="$lower" -v w="$one" -v a="$all" -v r="$RUNS" 'BEGIN {
    printf "%d files, %.1f MB, medians of %d runs\n", n, b / 1e6, r
    printf "bare parse       %9.1f ms   on one core\n", p
    printf "parse + lower    %9.1f ms   %.2fx of the bare parse (goal 1.25)\n", l, l / p
    printf "whole run        %9.1f ms   %.2fx of the bare parse (goal 1.6)\n", w, w / p
    printf "on all cores     %9.1f ms\n", a
}'
small=corpus/scripts/vae.py
if [ -f $small ]; then
    start=$(now); i=0
    while [ $i -lt 50 ]; do "$BUILD/syncl" --no-cache --exit-zero $small >/dev/null 2>&1 || true; i=$((i + 1)); done
    echo "$(now) $start" | awk '{ printf "one small file   %9.2f ms   start to end, mean of 50 (goal: start-up under 5)\n", ($1 - $2) / 5e7 }'
fi
