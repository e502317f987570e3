#!/bin/bash
# The commands of a document, as its reader would type them: commands.sh DOCUMENT PROGRAM REPOSITORY WORK
#
# Those of a ```sh block are run in a scratch folder, where the words in capitals that a reader fills in
# (PATH, RUN_DIR, ...) are files of that name. A comment that says what a command "takes" (more than 10 s) or
# "needs" (other machines, real data) has it parsed only: typed where nothing is that it names, the program must
# complain of that (2) and not of the options (1). Exit code 77: something was skipped, nothing failed.
set -u
document=$1 program=$2 repository=$3 work=$4
failed=0 skipped=0 count=0

fail() { echo "FAILED: $1"; failed=1; }

# The program where the commands look for it: by its name, and in the build folder.
offer_program() {
  mkdir -p "$1/build/release/apps" "$1/bin"
  ln -sf "$program" "$1/build/release/apps/roadplane"
  ln -sf "$program" "$1/bin/roadplane"
}

make_scratch() {
  rm -rf "$work" && mkdir -p "$work/full" "$work/empty/DIR/kitti" "$work/empty/DIR/mnist"
  offer_program "$work/full" && offer_program "$work/empty"
  cd "$work/full" || exit 1
  "$program" synth made --frames 4 --points-per-frame 6000 > /dev/null || exit 1
  mv made/sequences/00 PATH && rm -r made
  for number in 000052 000056 000328 000720; do  # frames that the documents name
    for kind in velodyne:bin labels:label image_2:png; do
      ln -s "$PWD/PATH/${kind%:*}/000001.${kind#*:}" "PATH/${kind%:*}/$number.${kind#*:}"
    done
  done
  "$program" segment PATH --save label --quiet --out LABELS || exit 1
  cp -r LABELS RUN_DIR
  if [ -n "${ROADPLANE_DATA:-}" ]; then ln -s "$ROADPLANE_DATA" DATA; fi
}

# Where a document's command begins with the program, past mpirun and its options.
arguments_of() { sed -nE 's/^(mpirun .* )?(build\/release\/apps\/)?roadplane (.*)$/\3/p' <<< "$1"; }

parse() {
  local code=0 text
  if [ -z "$(arguments_of "$1")" ]; then  # another program or script
    local file=${1%% *}
    if [[ $file == *.sh ]]; then bash -n "$repository/$file" || fail "$1"; fi
    return
  fi
  text=$(cd "$work/empty" && PATH=$work/empty/bin:$PATH bash -c "roadplane $(arguments_of "$1")" 2>&1) || code=$?
  [ $code = 2 ] || fail "$1: exit code $code, $text"
}

run() {
  local code=0 text
  case $1 in  # nothing else is safe to run just because a document has it
    roadplane\ * | build/release/apps/roadplane\ * | mpirun\ * | awk\ * | printf\ * | "for s in "*) ;;
    *) fail "$1: not a command of the program, and not marked as one that takes long or needs something" && return ;;
  esac
  if [[ $1 == mpirun* ]] && ! command -v mpirun > /dev/null; then
    echo "SKIPPED (no mpirun): $1" && skipped=1 && return
  fi
  if [[ $1 == *" DATA"* && -z "${ROADPLANE_DATA:-}" ]]; then
    echo "SKIPPED (ROADPLANE_DATA is not set): $1" && skipped=1 && return
  fi
  local leaks=1
  [[ $1 != mpirun* ]] || leaks=0  # Open MPI itself leaks, which a sanitized build would count
  text=$(cd "$work/full" && PATH=$work/full/bin:$PATH ASAN_OPTIONS=detect_leaks=$leaks timeout 120 bash -c "$1" 2>&1) || code=$?
  [ $code = 0 ] || fail "$1: exit code $code, $text"
}

check() {
  count=$((count + 1))
  case $1 in
    *"# takes"* | *"# needs"*) echo "parsed: $1" && parse "${1%%#*}" ;;
    *) echo "run: $1" && run "$1" ;;
  esac
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
make_scratch
command=
while IFS= read -r line <&3; do
  command+=${command:+$'\n'}$line
  [[ -n $command && $command != *\\ ]] && bash -n -c "$command" 2> /dev/null || continue
  check "$command"
  command=
done 3< <(awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF' "$repository/$document")
[ -z "$command" ] || fail "$document: a command that does not end: $command"
[ $count -gt 0 ] || fail "$document: no command"
rm -rf "$work"
[ $failed = 0 ] || exit 1
[ $skipped = 0 ] || exit 77
