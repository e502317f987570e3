#!/usr/bin/env bash
# Installs the Debian packages that are needed and missing: scripts/setup.sh [demo|release|test|arm64]
#   demo      to build and run the program
#   release   all that the release preset builds (the default): also tests, benchmarks, Python module
#   test      all that its tests use, too: fuzzing, a browser, plots
#   arm64     to cross-compile the core for 64-bit ARM and to run its tests
# Silent when there are none.
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config
  libeigen3-dev libopenmpi-dev libpcl-dev libopencv-dev nlohmann-json3-dev
  libcli11-dev libfmt-dev librandom123-dev libmatio-dev libyaml-cpp-dev zlib1g-dev libdeflate-dev libpng-dev libjpeg-dev
  libsqlite3-dev liblz4-dev libzstd-dev libbz2-dev
  libjs-three libjs-chart.js
)
release=(openmpi-bin libgtest-dev libbenchmark-dev pybind11-dev python3-dev python3-numpy python3-pytest)
test=(clang libclang-rt-14-dev librapidcheck-dev gnuplot-nox chromium)
arm64=(cmake ninja-build g++-aarch64-linux-gnu qemu-user-static libeigen3-dev librandom123-dev googletest)
case ${1:-release} in
  demo) ;;
  release) packages+=("${release[@]}") ;;
  test) packages+=("${release[@]}" "${test[@]}") ;;
  arm64) packages=("${arm64[@]}") ;;
  *) echo "setup.sh: expected demo, release, test or arm64, found $1" >&2; exit 1 ;;
esac

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
