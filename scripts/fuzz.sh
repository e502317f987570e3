#!/usr/bin/env bash
# Runs every fuzz program for its share of a time, and sums up: scripts/fuzz.sh MINUTES [JOBS [PROGRAM ...]]
#   MINUTES   of all of them together
#   JOBS      programs at a time (2)
#   PROGRAM   a name such as json; all of them if none is named
# Inputs that are new to a program go to build/release/tests/fuzz/found, from where the next run goes on;
# an input that ends a program is a finding and goes to build/release/tests/fuzz/findings.
# Ends with an error if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?fuzz.sh: expected the minutes to run}
jobs=${2:-2}
shift $(($# < 2 ? $# : 2))
scripts/setup.sh test
scripts/build.sh release fuzz_programs >/dev/null

programs=("$@")
if [[ ${#programs[@]} -eq 0 ]]; then
  for source in tests/fuzz/*_fuzz.cpp; do programs+=("$(basename "$source" _fuzz.cpp)"); done
fi
folder=build/release/tests/fuzz
seconds=$(awk -v m="$minutes" -v j="$jobs" -v n=${#programs[@]} \
  'BEGIN { s = int(60 * m * j / n); print s > 1 ? s : 1 }')
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

run_one() {
  local name=$1 folder=$2 seconds=$3 logs=$4
  mkdir -p "$folder/found/$name" "$folder/findings/$name"
  "$folder/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$folder/findings/$name/" "$folder/found/$name" \
    "tests/fuzz/corpus/$name" >"$logs/$name" 2>&1 || echo "ended with $?" >>"$logs/$name"
}
export -f run_one
printf '%s\n' "${programs[@]}" |
  xargs -P "$jobs" -I NAME bash -c 'run_one "$@"' _ NAME "$folder" "$seconds" "$logs"

printf '%-12s %14s %10s\n' program executions findings
total=0
bad=0
for name in "${programs[@]}"; do
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$name")
  ended=$(grep -c '^ended with' "$logs/$name" || true)
  total=$((total + ${runs:-0}))
  bad=$((bad + ended))
  printf '%-12s %14s %10s\n' "$name" "${runs:-0}" "$ended"
  [[ $ended -eq 0 ]] || grep -m 4 -E 'ERROR|SUMMARY|runtime error|Test unit written' "$logs/$name" || true
done
printf '%-12s %14s %10s\n' total "$total" "$bad"
[[ $bad -eq 0 ]]
