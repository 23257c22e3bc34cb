#!/usr/bin/env bash
# Installs the judge of this source tree where it is not yet, and judges: all arguments go to check.py, whose --help
# tells them. JUDGE_PREFIX names the folder of the installation, which a cache may keep; by default it is in ~/.cache.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=${JUDGE_PREFIX:-$HOME/.cache/assay/$("$here/install.sh" --key)}
"$here/install.sh" "$prefix"
package=$(echo "$prefix"/lib*/assay/python)
export PATH="$prefix/bin:$PATH" CMAKE_PREFIX_PATH="$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
export PYTHONPATH="$package${PYTHONPATH:+:$PYTHONPATH}"
exec "${PYTHON:-python3}" "$here/check.py" --assay "$prefix/bin/assay" "$@"
