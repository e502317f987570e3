#!/bin/sh
# Makes the tables of docs/paper.md and docs/comparison.md anew, with the commit that they are of.
#   scripts/docs_tables.sh DATA [paper|comparison]
# DATA holds kitti/ and mnist/. Both together take some ten minutes of two quiet cores.
set -eu
data=$1
what=${2:-all}
program=build/release/apps/roadplane
commit=$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD || echo ', with changes')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Puts standard input between the marks "<!-- tables -->" and "<!-- end of tables -->" of a page.
replace_tables() {
  cat > "$work/tables"
  awk -v tables="$work/tables" '
    /<!-- end of tables -->/ { skip = 0 }
    !skip { print }
    /<!-- tables -->/ { skip = 1; while ((getline line < tables) > 0) print line }
  ' "$1" > "$work/page"
  cat "$work/page" > "$1"
}

# What a page measured, without its pictures.
measured() {
  sed -n '/^## What we measured/,/^## Does it agree/p' "$1" | grep -v '^## \|^!\[' || true
}

if [ "$what" != comparison ]; then
  for experiment in table2 heterogeneous; do
    "$program" reproduce "$experiment" --data "$data" --out "$work/$experiment" > /dev/null
  done
  {
    printf '\nCommit %s, `scripts/docs_tables.sh DATA paper`.\n' "$commit"
    printf '\n### Table 2\n'
    measured "$work/table2/table2/page.md"
    printf '\n### Beside the paper: `heterogeneous`\n'
    measured "$work/heterogeneous/heterogeneous/page.md" | sed '/^Every run/d'
  } | replace_tables docs/paper.md
fi

if [ "$what" != paper ]; then
  solvers=vrsgt,vrsgt-no-penalty,destiny,drsgd,drgta,dprgt,rextra,gossip-irls,gossip-newton,all-reduce
  "$program" compare "$data/kitti/odometry" --frames 52,56,720,850 --solvers "$solvers" --tune \
    --budget messages=500 --tune-frames 0 --repeat 3 --jobs 2 --save none --quiet --out "$work/comparison"
  {
    printf '\nCommit %s, `scripts/docs_tables.sh DATA comparison`.\n\n' "$commit"
    sed '1,2d; /^## [0-9]* *\/* *[0-9]* (/,$d' "$work/comparison/summary.md" |
      awk '/^## .* points\)$/ { exit } { print }'
  } | replace_tables docs/comparison.md
fi
