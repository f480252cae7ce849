#!/bin/sh
# Writes the manual page and the completions that $1 (a syncl) prints below the folder $2, where man and the shells look.
set -eu
mkdir -p "$2/man/man1" "$2/bash-completion/completions" "$2/zsh/site-functions" "$2/fish/vendor_completions.d"
"$1" --man > "$2/man/man1/syncl.1"
"$1" --completions=bash > "$2/bash-completion/completions/syncl"
"$1" --completions=zsh > "$2/zsh/site-functions/_syncl"
"$1" --completions=fish > "$2/fish/vendor_completions.d/syncl.fish"
