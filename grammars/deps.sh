#!/bin/sh
# Installs what $1 (build, test or lint; each includes the ones before it; confidence: build and NumPy) needs and this machine lacks, with apt-get;
# says in one line what to install by hand where it cannot. Does nothing, and needs no rights, where all is there.
set -eu
missing=""
need() { # $1 = test, $2 = Debian package
    if ! sh -c "$1" >/dev/null 2>&1; then missing="$missing $2"; fi
}
compiles() { printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <%s>\n' "$1" | ${CC:-cc} -E -x c - ; }
# A compiler may be several words: CC="ccache cc".
compiler=0
command -v ${CC:-cc} >/dev/null 2>&1 || { missing="$missing gcc libc6-dev"; compiler=1; }
need 'command -v ar' binutils
need 'python3 -m pip --version || pip3 --version || pip --version || test -n "${SYNCL_PINS:-}" || test -d grammars/archives' 'python3-pip python3-setuptools'
case ${1:-build} in test|lint)
    if [ $compiler = 1 ] || ! compiles cmocka.h >/dev/null 2>&1; then missing="$missing libcmocka-dev"; fi
    need 'command -v python3' python3
esac
case ${1:-build} in lint) need 'command -v clang-format' clang-format ;; esac
case ${1:-build} in confidence) need 'python3 -c "import numpy"' python3-numpy ;; esac
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null 2>&1 || { echo "syncl: please install as root:$missing" >&2; exit 2; }
fi
command -v apt-get >/dev/null 2>&1 || { echo "syncl: please install (Debian's names):$missing" >&2; exit 2; }
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    { echo "syncl: apt-get could not install:$missing" >&2; exit 2; }
