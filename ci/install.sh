#!/usr/bin/env bash
# Installs the judge of this source tree: the program `assay`, the libraries for C++ and C, the Python package.
#
# install.sh PREFIX   installs into PREFIX; does nothing where PREFIX has a program that starts
# install.sh --key    prints a name for what would be installed, for a cache: it depends on the sources, the release of
#                     the system, the compilers and ASSAY_CUDA
#
# It takes some minutes without a cache. What it builds is in build/judge.
set -euo pipefail
usage="usage: install.sh PREFIX | install.sh --key"
say() { echo "install.sh: $*" >&2; }

[ $# -eq 1 ] || { say "$usage"; exit 2; }
prefix=$1
[ "$prefix" = --key ] || prefix=$(realpath --canonicalize-missing "$prefix")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

key() {
  {
    find CMakeLists.txt CMakePresets.json arith assay ci cmake corpora docs/bounds docs/sources.bib errorbounds exec \
      oracle properties python/assay -type f ! -path '*/__pycache__/*' -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum
    sed -n '/^\(ID\|VERSION_ID\)=/p' /etc/os-release
    uname -m
    "${CXX:-c++}" --version 2>&1 || true
    nvcc --version 2>&1 || true
    echo "CUDA ${ASSAY_CUDA:-AUTO}, device $([ -e /dev/nvidiactl ] && echo yes || echo no)"
  } | sha256sum | cut -c 1-16
}
starts() { [ -x "$prefix/bin/assay" ] && "$prefix/bin/assay" --version >/dev/null 2>&1; }

if [ "$1" = --key ]; then
  key
  exit 0
fi
if starts; then
  say "$prefix has it already"
  exit 0
fi
# A program from a cache may miss the libraries of the system that it needs.
./install-deps.sh
if starts; then
  say "$prefix has it already"
  exit 0
fi
cmake --workflow --preset judge
cmake --install build/judge --prefix "$prefix" >/dev/null
starts || { say "the program in $prefix does not start"; exit 3; }
say "installed in $prefix"
