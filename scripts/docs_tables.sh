#!/bin/sh
# Makes the measured tables of README, docs/lab/paper.md and docs/lab/compare.md anew, with their commit.
#   scripts/docs_tables.sh DATA [readme|paper|comparison]
# DATA holds kitti/ and mnist/. All together take some minutes of two quiet cores.
set -eu
data=$1
what=${2:-all}
build=${ROADPLANE_BUILD:-build/release}
program=$build/apps/roadplane
sources='src include kitti viz apps bench'
# shellcheck disable=SC2086  # words
commit=$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- $sources || echo ', with changes')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Puts standard input between the marks "<!-- NAME -->" and "<!-- end of NAME -->" of a page.
replace() {
  cat > "$work/tables"
  awk -v tables="$work/tables" -v first="<!-- $2 -->" -v last="<!-- end of $2 -->" '
    $0 == last { skip = 0 }
    !skip { print }
    $0 == first { skip = 1; while ((getline line < tables) > 0) print line }
  ' "$1" > "$work/page"
  cat "$work/page" > "$1"
}

made_by() { printf '\nCommit %s, `scripts/docs_tables.sh DATA %s`.\n\n' "$commit" "$1"; }
wanted() { [ "$what" = all ] || [ "$what" = "$1" ]; }

# What a page measured, without its pictures.
measured() {
  sed -n '/^## What we measured/,/^## Does it agree/p' "$1" | grep -v '^## \|^!\[' || true
}

if wanted readme; then
  common='--solvers vrsgt,drsgd --baselines none --protocol paper --repeat 3 --save none --quiet'
  # shellcheck disable=SC2086  # words of options
  "$program" compare "$data/kitti/dpcp_annotations/09_29_071" $common --out "$work/annotated"
  # shellcheck disable=SC2086
  "$program" compare "$data/kitti/odometry" --frames 0,1,52,56,720,850 $common --out "$work/labelled"
  {
    made_by readme
    python3 scripts/frame_table.py "$work/annotated/compare.json" "$work/labelled/compare.json"
    printf '\n'
  } | replace README.md 'vrsgt against drsgd'
fi

if wanted paper; then
  for experiment in table2 heterogeneous; do
    "$program" reproduce "$experiment" --data "$data" --out "$work/$experiment" > /dev/null
  done
  {
    made_by paper
    printf '### Table 2\n'
    measured "$work/table2/table2/page.md"
    printf '\n### Beside the paper: `heterogeneous`\n'
    measured "$work/heterogeneous/heterogeneous/page.md" | sed '/^Every run/d'
  } | replace docs/lab/paper.md tables
fi

if wanted comparison; then
  solvers=vrsgt,vrsgt-no-penalty,destiny,drsgd,drgta,dprgt,rextra,gossip-irls,gossip-newton,all-reduce
  "$program" compare "$data/kitti/odometry" --frames 52,56,720,850 --solvers "$solvers" --tune \
    --budget messages=500 --tune-frames 0 --repeat 3 --jobs 2 --save none --quiet \
    --out "$work/comparison"
  {
    made_by comparison
    sed '1,2d; /^## 0*[0-9]* *\/ *[0-9]* (/,$d' "$work/comparison/summary.md" |
      awk '/^## .* points\)$/ { exit } { print }'
  } | replace docs/lab/compare.md tables
fi
