#!/usr/bin/env bash
# Cross-compiles the core for 64-bit ARM and runs its tests below qemu-user: scripts/arm64.sh [options of ctest ...]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh arm64
scripts/build.sh arm64
exec ctest --preset arm64 -j "$(nproc)" "$@"
