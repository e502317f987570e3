#!/usr/bin/env bash
# `roadplane segment` on three hosts against one process: the same labels, byte for byte.
# multi_host_segment.sh ROADPLANE
set -euo pipefail
roadplane=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$roadplane" synth "$work/street" --frames 2 --points-per-frame 30000 --no-images >/dev/null
"$roadplane" segment "$work/street" --save label --quiet --out "$work/alone"
"$here/multi_host.sh" 3 5 "$roadplane" segment "$work/street" --save label --quiet --out "$work/hosts"
diff -r "$work/alone/sequences" "$work/hosts/sequences"
[[ $(wc -l <"$work/hosts/frames.jsonl") -eq 2 ]]
echo "2 frames, the same labels"
