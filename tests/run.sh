#!/bin/sh
# Runs every test program it is given; prints what failed and the totals. A line that starts with "note: " is shown.
# LIMIT is in seconds, of each. A test program is a cmocka program; its counts are read from its closing lines.
set -u
passed=0 failed=0 skipped=0 broken=""
count() { # $1 = log, $2 = word
    sed -n "s/^\[ *$2 *\] \([0-9][0-9]*\) test.*/\1/p" "$1" | awk '{ n += $1 } END { print n + 0 }'
}
mkdir -p "$BUILD/logs"
# A profile saved on this machine must not price the tests.
export XDG_DATA_HOME=/nonexistent
# Nor may an earlier run answer for them; nobody can make a folder there.
export XDG_CACHE_HOME=/dev/null/none
# What the tests see of JSON, for the last of them (user/test_schema.py).
rm -rf "$BUILD/json" && mkdir "$BUILD/json"
SYNCL_KEEP_JSON=$(cd "$BUILD/json" && pwd)
export SYNCL_KEEP_JSON
for program in "$@"; do
    log=$BUILD/logs/$(basename "$program").log
    timeout "${LIMIT:-150}" "$program" >"$log" 2>&1
    code=$?
    good=$(count "$log" PASSED) bad=$(count "$log" FAILED) skip=$(count "$log" SKIPPED)
    [ "$code" != 0 ] && [ "$bad" = 0 ] && bad=1
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
    echo "$(basename "$program"): $good passed, $bad failed"
    grep '^note: ' "$log"
    if [ "$code" != 0 ]; then broken="$broken $program"; grep -v '^\[ *\(RUN\|OK\) *\]' "$log" | tail -n 60; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ -z "$broken" ] || { echo "failed:$broken"; exit 1; }
