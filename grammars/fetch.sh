#!/bin/sh
# Puts the pinned sources under $1, unpacked as tree-sitter/, tree-sitter-python/,
# tree-sitter-toml/, yyjson/, xxhash/, zlib-ng/ and include/.
# Takes the archives from the folder $SYNCL_PINS where it is set, from grammars/archives where a source archive put them
# (no network either way), else from the package index.
set -eu
pins=$1
here=$(dirname "$0")
mkdir -p "$pins/archives"

fail() { echo "syncl: $*" >&2; exit 2; }

verify() { # $1 = archive: its sha256 must stand in requirements.txt
    if command -v sha256sum >/dev/null; then sum=$(sha256sum "$1"); else sum=$(shasum -a 256 "$1"); fi
    grep -q "sha256:${sum%% *}" "$here/requirements.txt" || fail "$1 is not the pinned archive (its hash differs)"
}

download() {
    pip=""
    for candidate in "python3 -m pip" pip3 pip; do
        $candidate --version >/dev/null 2>&1 && { pip=$candidate; break; }
    done
    [ -n "$pip" ] || fail "pip is needed to fetch the pinned sources; run 'make deps', or set SYNCL_PINS to a folder with them"
    # The second try lets pip use a ready-made setuptools to read the archives' metadata.
    $pip download --quiet --no-deps --no-binary :all: --require-hashes -r "$here/requirements.txt" \
        -d "$pins/archives" 2>"$pins/pip.log" && return
    $pip download --quiet --no-deps --no-binary tree-sitter,tree-sitter-python,tree-sitter-toml,yyjson,xxhash,zlib-ng --require-hashes \
        -r "$here/requirements.txt" -d "$pins/archives" 2>>"$pins/pip.log" && return
    cat "$pins/pip.log" >&2
    fail "could not fetch the pinned sources; set SYNCL_PINS to a folder that holds them for an offline build"
}

unpack() { # $1 = archive's name pattern, $2 = folder
    for archive in "$from"/$1; do
        [ -f "$archive" ] || fail "no $1 in $from"
        verify "$archive"
        rm -rf "${pins:?}/$2"
        mkdir -p "$pins/$2"
        tar xzof "$archive" -C "$pins/$2" --strip-components=1
        return
    done
}

if [ -n "${SYNCL_PINS:-}" ]; then from=$SYNCL_PINS
elif [ -d "$here/archives" ]; then from=$here/archives
else download; from=$pins/archives; fi
unpack 'tree[-_]sitter-0*.tar.gz' tree-sitter
unpack 'tree[-_]sitter[-_]python-*.tar.gz' tree-sitter-python
unpack 'tree[-_]sitter[-_]toml-*.tar.gz' tree-sitter-toml
unpack 'yyjson-*.tar.gz' yyjson
unpack 'xxhash-*.tar.gz' xxhash
unpack 'zlib[-_]ng-*.tar.gz' zlib-ng
# The grammar's archive lacks the headers that its generator wrote; the core carries the same ones.
mkdir -p "$pins/include/tree_sitter"
for header in parser.h array.h alloc.h ts_assert.h; do
    cp "$pins/tree-sitter/tree_sitter/core/lib/src/$header" "$pins/include/tree_sitter/"
done
# What its configure would write: names without a prefix.
for header in zlib-ng.h zconf-ng.h zlib_name_mangling-ng.h; do
    sed 's/@ZLIB_SYMBOL_PREFIX@//g' "$pins/zlib-ng/src/zlib_ng/zlib-ng/$header.in" > "$pins/include/$header"
done
touch "$pins/unpacked"
