#!/bin/sh
# Format, layers, lengths, and no mutable state at file level. Compile warnings are errors of the build itself.
# Headers are laid out by hand: they are contracts, read as tables.
set -u
build=$1 failed=0

if command -v clang-format >/dev/null 2>&1; then
    for file in analyzer/*.c analyzer/*/*.c calib/*.c calib/recorder/*.c tests/unit/*.c tests/bench/*.c tests/fuzz/*.[ch] tests/faults/*.c tests/record/*.c; do
        clang-format --dry-run --Werror "$file" >/dev/null 2>&1 || { echo "$file: not formatted (make format)"; failed=1; }
    done
else
    echo "lint: no clang-format here, the format is not checked"
fi

for test in tests/user/test_*.py; do [ -x "$test" ] || { echo "$test: make test starts it, but it may not be executed"; failed=1; }; done
python3 tests/lint/layers.py || failed=1
python3 tests/lint/rules_index.py --check || failed=1
python3 tests/lint/manual.py --check || failed=1
python3 tests/lint/named.py || failed=1
python3 tests/lint/knowledge.py || failed=1
python3 tests/truth/count_conventions.py --check || failed=1
python3 tests/lint/sizes.py || failed=1
python3 tests/lint/vectors.py || failed=1
awk -f tests/lint/lengths.awk analyzer/*.[ch] analyzer/*/*.[ch] calib/*.[ch] calib/recorder/*.[ch] tests/unit/*.c tests/fuzz/*.[ch] tests/faults/*.c || failed=1

for object in "$build"/analyzer/*.o "$build"/analyzer/*/*.o; do
    source=${object#"$build"/}
    [ -f "${source%.o}.c" ] || continue
    size -A "$object" | awk -v object="$object" '
        ($1 == ".data" || $1 == ".bss" || $1 == ".tbss") && $2 > 0 { printf "%s: %d bytes of mutable state in %s\n", object, $2, $1; bad = 1 }
        END { exit bad }' || failed=1
done

[ $failed = 0 ] && echo "lint: format, layers, lengths and state are as they should be"
exit $failed
