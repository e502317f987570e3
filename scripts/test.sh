#!/usr/bin/env bash
# From a fresh Debian 12 machine to the whole test suite:
#   scripts/test.sh [dev|release|asan|tsan] [options of ctest ...]
# Tests on real data need ROADPLANE_DATA (a folder with kitti/ and mnist/); they skip without it.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
shift || true
scripts/setup.sh test
scripts/build.sh "$preset"
exec ctest --preset "$preset" -j "$(nproc)" "$@"
