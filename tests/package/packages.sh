#!/usr/bin/env bash
# packages.sh SOURCE BUILD WORK: makes the packages, looks at what they need, unpacks them below a prefix
# and uses them there. clean_root.sh does it in a root of its own.
set -euo pipefail
source=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/root" "$work/use"
(cd "$build" && cpack -G DEB -B "$work/packages") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log" >&2; exit 1; }
packages=("$work"/packages/*.deb)
[[ ${#packages[@]} -eq 4 ]] || { echo "expected 4 packages, found ${packages[*]}" >&2; exit 1; }

# Nobody who wants the core gets more than Eigen.
needs=$(dpkg-deb -f "$work"/packages/libroadplane-dev_*.deb Depends)
[[ $needs == libeigen3-dev ]] || { echo "the core: expected to need libeigen3-dev, found $needs" >&2; exit 1; }
for package in roadplane python3-roadplane; do
  dpkg-deb -f "$work"/packages/${package}_*.deb Depends | grep -q libpcl-io || { echo "$package: expected computed dependencies" >&2; exit 1; }
done
# No two packages have the same file.
for package in "${packages[@]}"; do dpkg-deb -c "$package" | awk '!/\/$/ { print $6 }'; done | sort | uniq -d >"$work/twice"
[[ ! -s $work/twice ]] || { echo "in two packages:"; cat "$work/twice"; exit 1; } >&2

for package in "${packages[@]}"; do dpkg-deb -x "$package" "$work/root"; done
if grep -rIl "$source" "$work/root"; then echo "expected no path of the build in what is installed" >&2; exit 1; fi
sh "$here/examples.sh" "$source/README.md" "$work/examples/readme"
sh "$here/examples.sh" "$source/docs/install.md" "$work/examples/install"
cd "$work/use"
sh "$here/use.sh" "$work/root/usr" "$work/examples"
