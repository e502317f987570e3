#!/bin/sh
# use.sh PREFIX EXAMPLES: uses what the packages have put below PREFIX (/usr in a root of its own), with
# the examples of the README (EXAMPLES/readme) and of docs/install.md (EXAMPLES/install) as printed.
# Works in the current folder, which is empty.
set -eu
prefix=$1
examples=$2
fail() { echo "$0: $*" >&2; exit 1; }
log=$PWD/log
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "$*"; }; }
PATH=$prefix/bin:$PATH
if [ "$prefix" != /usr ]; then
  lib=$(echo "$prefix"/lib/*-linux-gnu)
  export CMAKE_PREFIX_PATH="$prefix" PKG_CONFIG_PATH="$lib/pkgconfig"
  export PYTHONPATH="$prefix/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1
fi

echo "program"
quietly roadplane demo --frames 1 --out demo
[ -s demo/result/sequences/00/predictions/000000.label ] || fail "expected a label of the demo"
[ -s demo/result/report.html ] || fail "expected a report of the demo"
quietly roadplane synth street --frames 1
# PCL's readers are in a module that the program opens.
quietly roadplane segment street --save pcd --out clouds
cloud=$(find clouds/pcd -name '*.pcd')
quietly roadplane info "$cloud"
if grep 'bad scan' "$log"; then fail "expected a cloud that can be read"; fi

echo "man page and completion"
# shellcheck disable=SC2002
zcat "$prefix/share/man/man1/roadplane.1.gz" | grep -q 'max\\-tilt\\-deg' || fail "expected options in the man page"
if command -v man >/dev/null; then
  problems=$(zcat "$prefix/share/man/man1/roadplane.1.gz" | man --warnings -l - 2>&1 >/dev/null)
  [ -z "$problems" ] || fail "man: $problems"
fi
completed=$(bash -c '
  source "$1"/share/bash-completion/completions/roadplane
  COMP_WORDS=(roadplane segment street --max-t) COMP_CWORD=3
  _roadplane
  echo "${COMPREPLY[@]}"' - "$prefix")
[ "$completed" = --max-tilt-deg ] || fail "expected --max-tilt-deg from bash's completion, found \"$completed\""
if command -v zsh >/dev/null; then zsh -n "$prefix/share/zsh/vendor-completions/_roadplane"; fi
if command -v fish >/dev/null; then fish -n "$prefix/share/fish/vendor_completions.d/roadplane.fish"; fi

echo "python"
quietly /usr/bin/python3 -c "$(cat "$examples/readme/example.py")"
grep -q '^ok 1\.' "$log" || fail "expected a plane of the README's example, found \"$(cat "$log")\""

quietly /usr/bin/python3 -c "import roadplane; print(len(roadplane.open_dataset('$cloud')[0].points), 'points')"

echo "core: CMake, pkg-config"
quietly cmake -S "$examples/install" -B core
quietly cmake --build core
quietly core/consumer
grep -q 'sensor height 1\.7' "$log" || fail "expected 1.7 m of the core's example, found \"$(cat "$log")\""
# shellcheck disable=SC2046
quietly g++ -std=c++20 "$examples/install/main.cpp" -o core_by_pkg_config \
  $(pkg-config --cflags --libs roadplane-core)
quietly ./core_by_pkg_config

[ "${ROADPLANE_CORE_EXAMPLES_ONLY:-}" ] && exit 0
echo "full: CMake, pkg-config"
quietly cmake -S "$examples/readme" -B full
quietly cmake --build full
quietly full/road_height street
grep -q 'm above the road' "$log" || fail "expected a height of the README's example, found \"$(cat "$log")\""
# shellcheck disable=SC2046
quietly g++ -std=c++20 "$examples/readme/main.cpp" -o full_by_pkg_config \
  $(pkg-config --cflags --libs roadplane-full)
quietly ./full_by_pkg_config street
