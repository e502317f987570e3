#!/usr/bin/env bash
# Breaks central lines one at a time and sees whether a test notices: scripts/mutate.sh [REGEX]
#   REGEX    the names of the mutations to try; all of them if it is left out
# What is broken and which test programs have to notice is in tests/mutation/mutations.txt. The last
# commit is mutated, in a copy of its own (ROADPLANE_MUTANTS, or build/mutants), which stays for the
# next time. Ends with an error where a mutation survives, its text is not found (once), or tests fail
# before anything is broken.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=${1:-.}
list=$PWD/tests/mutation/mutations.txt
copy=${ROADPLANE_MUTANTS:-$PWD/build/mutants}
log=$(mktemp)
trap 'rm -f "$log"; git -C "$copy" checkout -q -- . 2>/dev/null || true' EXIT

if [[ -e $copy/.git ]]; then
  git -C "$copy" checkout -q -f --detach "$(git rev-parse HEAD)"
else
  git worktree add -q --detach "$copy" HEAD
fi
build=$copy/build/release
cmake --preset release -S "$copy" -B "$build" -D ROADPLANE_BUILD_BENCH=OFF -D ROADPLANE_BUILD_PYTHON=OFF >"$log" 2>&1 ||
  { cat "$log" >&2; exit 1; }

build_target() { cmake --build "$build" --target "$1" >"$log" 2>&1; }

# A program with GoogleTest, or below mpirun one without (NAME_test); "base:Text.*" is a part of one.
program_of() { local word=${1%%:*}; [[ $word == *_test ]] && echo "$word" || echo "${word}_tests"; }
run_test() {
  local filter=${1#*:} program
  program=$(program_of "$1")
  [[ $filter == "$1" ]] && filter='*'
  if [[ $program == *_test ]]; then
    (cd "$build" && timeout 120 mpirun --oversubscribe -n 3 "tests/mpi/$program") >"$log" 2>&1
  else
    (cd "$build" && timeout 600 "tests/$program" --gtest_fail_fast --gtest_filter="$filter") >"$log" 2>&1
  fi
}

names=() files=() texts=() withs=() tests=()
while IFS= read -r line; do
  case $line in
    'name: '*) names+=("${line#name: }") ;;
    'file: '*) files+=("${line#file: }") ;;
    'text: '*) texts+=("${line#text: }") ;;
    'with: '* | 'with:') withs+=("${line#with:}") ;;
    'tests: '*) tests+=("${line#tests: }") ;;
    '' | '#'*) ;;
    *) echo "mutate.sh: $list: expected name, file, text, with or tests, found: $line" >&2; exit 1 ;;
  esac
done <"$list"

# Puts one text in place of another that is in the file once.
replace() {
  python3 - "$1" "$2" "$3" <<'PYTHON'
import sys
path, text, new = sys.argv[1:]
content = open(path, encoding="utf-8").read()
if content.count(text) != 1:
    sys.exit(f"expected once, found {content.count(text)} times")
open(path, "w", encoding="utf-8").write(content.replace(text, new))
PYTHON
}

# Before anything is broken all of them pass.
checked=' '
for k in "${!names[@]}"; do
  [[ ${names[k]} =~ $wanted ]] || continue
  for test in ${tests[k]}; do
    [[ $checked == *" $test "* ]] && continue
    checked+="$test "
    build_target "$(program_of "$test")" && run_test "$test" ||
      { tail -n 20 "$log" >&2; echo "mutate.sh: $test fails before anything is broken" >&2; exit 1; }
  done
done

printf '| %s | %s | %s |\n|---|---|---|\n' mutation file 'noticed by'
bad=0
for k in "${!names[@]}"; do
  [[ ${names[k]} =~ $wanted ]] || continue
  verdict='**nobody**'
  if ! why=$(replace "$copy/${files[k]}" "${texts[k]}" "${withs[k]# }" 2>&1); then
    verdict="**its text is not there: $why**"
  else
    for test in ${tests[k]}; do
      if ! build_target "$(program_of "$test")"; then verdict='**does not build**'; break; fi
      code=0
      run_test "$test" || code=$?
      [[ $code -eq 0 ]] && continue
      first=$(grep -m 1 -o -E 'FAILED  \] [A-Za-z]+[A-Za-z0-9_/.]*' "$log" | sed 's/.*\] //' || true)
      [[ $code -eq 124 ]] && first='out of time'
      verdict="${test%%:*}${first:+: $first}"
      break
    done
    git -C "$copy" checkout -q -- "${files[k]}"
  fi
  [[ $verdict == \*\** ]] && bad=$((bad + 1))
  printf '| %s | `%s` | %s |\n' "${names[k]}" "${files[k]}" "$verdict"
done
[[ $bad -eq 0 ]]
