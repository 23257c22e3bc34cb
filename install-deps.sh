#!/usr/bin/env bash
# Installs what the README's two commands need on Debian 12 and 13 and on Ubuntu 24.04; asks for sudo where it is not
# root. Safe to run again: what is there already is left alone, and nothing is downloaded when all of it is. CUDA is not
# installed.
set -euo pipefail

usage="usage: install-deps.sh [--developer] [--help]"
say() { echo "install-deps.sh: $*" >&2; }

developer=no
for argument in "$@"; do
  case "$argument" in
    --developer) developer=yes ;;
    --help)
      echo "$usage"
      echo "  installs what the README's two commands need, through apt"
      echo "  --developer  also for the presets tidy, clang, fuzz and bundle, the proofs, the test of other distributions"
      exit 0
      ;;
    *)
      say "unknown option '$argument' ($usage)"
      exit 2
      ;;
  esac
done

# The report: compiler, build tools, the libraries of the oracle and the harness, and the two libraries that the
# examples check.
packages=(
  cmake ninja-build g++
  libgmp-dev libmpfr-dev libflint-dev librapidcheck-dev libcli11-dev nlohmann-json3-dev libfmt-dev libsqlite3-dev
  libqd-dev libopenblas-dev gnuplot-nox
)
# The tests.
packages+=(libgtest-dev libgmock-dev libbenchmark-dev locales gawk python3 python3-jsonschema python3-yaml)
# Runs on many machines, and their tests.
packages+=(libopenmpi-dev openmpi-bin)
# The tests of the Python package, which install it with pip into a virtual environment.
packages+=(python3-numpy python3-pytest python3-hypothesis python3-venv python3-pip)
if [ "$developer" = yes ]; then
  packages+=(clang-16 clang-format-16 clang-tidy-16 libclang-rt-16-dev git patchelf binutils xz-utils mmdebstrap)
  # The proofs of tests/proofs.
  packages+=(gappa coq libcoq-flocq)
fi

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "needs root or sudo for: $*"
    exit 1
  fi
}
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
# The output is read whole before it is searched: grep -q ends at its first match, and with pipefail a program that is
# still writing then makes the pipe fail.
available() { grep -q '^  Candidate: [^(]' <<<"$(apt-cache policy "$1" 2>/dev/null)"; }
# The version of FLINT that is installed, or that would be.
flint_version() {
  if installed libflint-dev; then
    dpkg-query -W -f '${Version}' libflint-dev
  else
    apt-cache policy libflint-dev | sed -n 's/^  Candidate: //p'
  fi
}
install() { as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
updated=no
if [ ${#missing[@]} -gt 0 ]; then
  as_root apt-get update -qq
  updated=yes
fi
# Arb is a part of FLINT from version 3 on. Before, it is a library of its own.
if dpkg --compare-versions "$(flint_version)" lt 3 && ! installed libflint-arb-dev; then
  [ "$updated" = yes ] || as_root apt-get update -qq
  missing+=(libflint-arb-dev)
fi

# A release may have no version 16 of the tools for developers. Assay builds and tests without them.
wanted=()
for package in "${missing[@]}"; do
  case "$package" in
    clang*-16 | libclang-rt-16-dev)
      if ! available "$package"; then
        say "no $package in this release; left out"
        continue
      fi
      ;;
  esac
  wanted+=("$package")
done
if [ ${#wanted[@]} -gt 0 ]; then
  install "${wanted[@]}"
fi

# The tests run the program under a locale with a decimal comma.
if ! grep -qi '^de_DE\.utf-\?8$' <<<"$(locale -a 2>/dev/null)"; then
  as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
fi

# CMake from the distribution may be too old for the presets.
version=$(cmake --version | sed -n '1s/[^0-9]*//p')
if dpkg --compare-versions "$version" lt 3.25; then
  say "CMake $version is older than 3.25; install a newer one"
  exit 1
fi
echo "install-deps.sh: all there"
