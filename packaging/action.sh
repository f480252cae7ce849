#!/usr/bin/env bash
# The step of action.yml: its inputs, in variables, as a command line. Written for the bash 3.2 of macOS too.
set -eu
arguments=(--output-format=github)

option() { # $1 = name, $2 = value: left out where it is empty
    if [ -n "$2" ]; then arguments+=("--$1=$2"); fi
}

lines() { # $1 = text: its lines, trimmed, each an argument
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        if [ -n "$line" ]; then arguments+=("$line"); fi
    done <<< "$1"
}

option fail-on "$SYNCL_FAIL_ON"
option profile "$SYNCL_PROFILE"
option fail-over "$SYNCL_FAIL_OVER"
option compare "$SYNCL_COMPARE"
option max-growth "$SYNCL_MAX_GROWTH"
option sarif "$SYNCL_SARIF"
lines "$SYNCL_ARGS"
arguments+=(--)
lines "$SYNCL_PATHS"
# Before the run, whose status ends the step: what comes after may want the report of a run that failed.
if [ -n "$SYNCL_SARIF" ]; then printf 'sarif=%s\n' "${SYNCL_SARIF%%$'\n'*}" >> "$GITHUB_OUTPUT"; fi
exec "$GITHUB_ACTION_PATH/build/syncl" "${arguments[@]}"
