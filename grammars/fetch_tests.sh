#!/bin/sh
# Puts the public TOML test suite under $1/toml-test, out of the archive pinned in requirements-test.txt. Without a
# network, or that archive in $SYNCL_PINS, nothing is put there and the test that needs it says that it was skipped.
set -u
pins=$1 here=$(dirname "$0")
[ "$pins/toml-test/files-toml-1.0.0" -nt "$here/requirements-test.txt" ] && exit 0
mkdir -p "$pins/archives"
archive=${SYNCL_PINS:-$pins/archives}/tomlkit-0.15.2.tar.gz
[ -f "$archive" ] || python3 -m pip download --quiet --no-deps --no-binary :all: --require-hashes \
    -r "$here/requirements-test.txt" -d "$pins/archives" >"$pins/pip-test.log" 2>&1
[ -f "$archive" ] || exit 0
sum=$(sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive")
grep -q "sha256:${sum%% *}" "$here/requirements-test.txt" || { echo "$archive is not the pinned archive" >&2; exit 2; }
rm -rf "$pins/toml-test"
mkdir -p "$pins/toml-test"
tar xzf "$archive" -C "$pins/toml-test" --strip-components=4 tomlkit-0.15.2/tests/toml-test/tests
touch "$pins/toml-test/files-toml-1.0.0"
