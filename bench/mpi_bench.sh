#!/usr/bin/env bash
# Agents over MPI ranks on this machine: VRSGT, the bare exchange and the neighbourhood collective
# (bench/mpi_bench.cpp) next to the same algorithm in numpy and mpi4py (bench/vrsgt_mpi4py.py), frames
# per second of one and two ranks that do a frame each, and a model of larger networks fitted to it (bench/scaling_model.cpp).
#
#   bench/mpi_bench.sh [--undisturbed] [--repetitions N]
#
# --undisturbed gives all of it real-time priority (root), so that other programs on a busy machine do
# not matter; they stand still meanwhile. Needs the release build; python3-numpy and python3-mpi4py are
# used if they are there.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
repetitions=20
first=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --undisturbed) first=(chrt --rr 1) ;;
    --repetitions) repetitions=$2; shift ;;
    *) echo "mpi_bench.sh: unknown argument \"$1\"" >&2; exit 1 ;;
  esac
  shift
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

on_ranks() {
  local ranks=$1
  shift
  "${first[@]}" mpirun --oversubscribe -np "$ranks" "$@"
}

python=/usr/bin/python3  # Debian's, which sees Debian's packages
if ! "$python" -c "import numpy, mpi4py" 2>/dev/null; then
  echo "no python3-numpy or python3-mpi4py: measuring without them"
  python=
fi
"$build/bench/mpi_bench" network >"$work/network"
for ranks in 1 2 4 8 16; do
  on_ranks "$ranks" "$build/bench/mpi_bench" "$repetitions" >>"$work/measured"
  if [[ -n $python && $ranks -gt 1 ]]; then
    on_ranks "$ranks" "$python" bench/vrsgt_mpi4py.py "$work/network" 5 >>"$work/measured"
  fi
done

# Frames per second of a sequence, reading and labelling included: what 200 frames take longer than 20,
# so that starting the ranks does not count.
"$build/apps/roadplane" synth "$work/street" --frames 200 --no-images >/dev/null
run_us() {  # RANKS FRAMES
  local begin
  begin=$(date +%s%N)
  on_ranks "$1" "$build/apps/roadplane" segment "$work/street" --frames "0:$2" --ranks-per-frame 1 \
    --save label --truth none --quiet --out "$work/run-$1-$2"
  echo $((($(date +%s%N) - begin) / 1000))
}
for ranks in 1 2; do
  long=$(run_us "$ranks" 199)
  short=$(run_us "$ranks" 19)
  echo "sequence $ranks frames_per_s=$((180 * 1000000 / (long - short)))" >>"$work/measured"
done

"$build/bench/scaling_model" "$work/measured"
