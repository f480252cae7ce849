#!/bin/sh
# Checks a SARIF file against the published schema. Exit 0 valid, 1 not, 77 when check-jsonschema cannot be had.
set -u
here=$(dirname "$0")
venv=${BUILD:-build}/sarif-venv
checker=$venv/bin/check-jsonschema
if [ ! -x "$checker" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv" >/dev/null 2>&1 || exit 77
    "$venv/bin/pip" install --quiet check-jsonschema==0.39.0 >/dev/null 2>&1 || exit 77
fi
"$checker" --schemafile "$here/sarif-schema-2.1.0.json" "$1"
