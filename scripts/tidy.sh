#!/usr/bin/env bash
# clang-tidy over the program's and the library's sources: scripts/tidy.sh [all | COMMIT]
#   COMMIT    those that changed since then (the default: since the commit before the last one)
# Warnings are errors. What it looks at is configured in build/tidy, where nothing is built.
set -euo pipefail
cd "$(dirname "$0")/.."
since=${1:-HEAD~1}
folders=(src kitti viz apps bench python)

if [[ $since == all ]]; then
  list() { git ls-files -- "${folders[@]}"; }
else
  list() { git diff --name-only --diff-filter=d "$since" -- "${folders[@]}"; }
fi
mapfile -t sources < <(list | grep '\.cpp$' || true)
[[ ${#sources[@]} -eq 0 ]] && exit 0

# Headers that GCC has precompiled are nothing that clang reads.
cmake --preset release -B build/tidy -D ROADPLANE_BUILD_TESTS=OFF -D CMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet --warnings-as-errors='*'
