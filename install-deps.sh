#!/usr/bin/env bash
# Installs what Assay needs on Debian (12 or newer) and Ubuntu (22.04 or newer), as root or through sudo. Safe to run again: what
# is there already is left alone, and nothing is downloaded when all of it is. CUDA is not installed; it is used where nvcc is in PATH.
set -euo pipefail

packages=(
  cmake ninja-build g++ git make
  libgmp-dev libmpfr-dev libflint-dev
  librapidcheck-dev libgtest-dev libgmock-dev libbenchmark-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev gnuplot-nox libqd-dev libopenblas-dev
  locales patchelf binutils xz-utils python3 python3-jsonschema
)

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps.sh: neither root nor sudo" >&2
    exit 1
  fi
  as_root=(sudo)
fi

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
available() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
# Arb is a part of FLINT from version 3 on; before, it is a library of its own.
arb_missing() {
  local flint
  flint=$(dpkg-query -W -f '${Version}' libflint-dev 2>/dev/null) || return 0
  dpkg --compare-versions "$flint" lt 3 && ! installed libflint-arb-dev
}
tools_missing() { ! installed clang-format-16 || ! installed clang-tidy-16; }
# Asked for version 16, which a distribution may lack; the newest is then installed for reading, and the preset `tidy` needs 16.
tools_noted=/var/lib/assay-no-clang-16

if [ ${#missing[@]} -gt 0 ] || arb_missing || { tools_missing && [ ! -e "$tools_noted" ]; }; then
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq
  if installed libflint-dev; then
    ! arb_missing || missing+=(libflint-arb-dev)
  elif available libflint-arb-dev && dpkg --compare-versions "$(apt-cache policy libflint-dev | sed -n 's/.*Candidate: //p')" lt 3; then
    missing+=(libflint-arb-dev)
  fi
  for tool in clang-format clang-tidy; do
    if available "$tool-16"; then
      installed "$tool-16" || missing+=("$tool-16")
    else
      "${as_root[@]}" touch "$tools_noted"
      echo "install-deps.sh: no $tool-16 here; installing $tool (the preset tidy needs version 16)" >&2
      installed "$tool" || missing+=("$tool")
    fi
  done
  if [ ${#missing[@]} -gt 0 ]; then
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  fi
fi

# The tests run the program under a locale with a decimal comma.
if ! locale -a 2>/dev/null | grep -qi '^de_DE\.utf-\?8$'; then
  "${as_root[@]}" localedef -i de_DE -f UTF-8 de_DE.UTF-8
fi

# CMake from the distribution may be too old for the presets.
version=$(cmake --version | sed -n '1s/[^0-9]*//p')
if dpkg --compare-versions "$version" lt 3.25; then
  echo "install-deps.sh: CMake $version is older than 3.25; install a newer one" >&2
  exit 1
fi
echo "install-deps.sh: all there"
