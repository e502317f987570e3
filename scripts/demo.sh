#!/usr/bin/env bash
# From a fresh Debian 12 machine to the main job on an embedded default.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh demo
scripts/build.sh demo roadplane
exec build/release/apps/roadplane demo "$@"
