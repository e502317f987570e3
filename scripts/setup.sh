#!/usr/bin/env bash
# Installs the Debian packages that roadplane needs and that are missing. Silent when there are none.
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config
  libeigen3-dev libopenmpi-dev openmpi-bin libpcl-dev libopencv-dev nlohmann-json3-dev
  libgtest-dev libcli11-dev libfmt-dev librandom123-dev libmatio-dev zlib1g-dev
  libbenchmark-dev clang libclang-rt-14-dev gnuplot-nox
  libjs-three libjs-chart.js chromium
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "setup.sh: root or sudo is needed to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "setup.sh: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
       apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup.sh: apt-get failed; see above" >&2
  exit 1
fi
