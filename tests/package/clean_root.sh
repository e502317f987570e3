#!/usr/bin/env bash
# clean_root.sh SOURCE BUILD WORK: installs the packages into a fresh Debian root by apt, uses them there,
# and removes them again without a trace. Takes minutes and the network, so it wants
# ROADPLANE_CLEAN_ROOT=1, root and mmdebstrap; exit code 77 without them.
set -euo pipefail
source=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
[[ ${ROADPLANE_CLEAN_ROOT:-} && $(id -u) -eq 0 ]] && command -v mmdebstrap >/dev/null ||
  { echo "skipped: needs ROADPLANE_CLEAN_ROOT=1, root and mmdebstrap"; exit 77; }
root=$work/root
leave() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  rm -rf --one-file-system "$root"
}
trap leave EXIT
leave
mkdir -p "$work"
log=$work/log
quietly() {  # addresses of package registries are nobody's business
  "$@" >"$log" 2>&1 || { sed -E 's#[a-z]+://[^ ]+#ADDRESS#g' "$log" | tail -n 20 >&2; echo "failed: $1" >&2; exit 1; }
}
echo "making a root"
quietly mmdebstrap --mode=root --variant=minbase --dpkgopt=force-unsafe-io bookworm "$root" \
  /etc/apt/sources.list.d/debian.sources
cp /etc/resolv.conf "$root/etc/"
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install() { quietly in_root apt-get -o Acquire::Check-Valid-Until=false install -y --no-install-recommends "$@"; }
mount -t proc proc "$root/proc"
quietly in_root apt-get -o Acquire::Check-Valid-Until=false update

mkdir -p "$root/made/use"
(cd "$build" && quietly cpack -G DEB -B "$root/made/packages")
sh "$here/examples.sh" "$source/README.md" "$root/made/examples/readme"
sh "$here/examples.sh" "$source/docs/install.md" "$root/made/examples/install"
cp "$here/use.sh" "$root/made/"
deb() { (cd "$root" && ls made/packages/"$1"_*.deb | sed 's#^#/#'); }
ours=(libroadplane-dev libroadplane-full-dev roadplane python3-roadplane)
installed() { in_root dpkg-query -W -f '${Package} ${Installed-Size}\n'; }

install g++ cmake make pkg-config
before=$(installed)
echo "installing the core"
install "$(deb libroadplane-dev)"
new=$(comm -13 <(sort <<<"$before") <(installed | sort))
echo "$new"
[[ $(cut -d ' ' -f 1 <<<"$new" | xargs) == "libeigen3-dev libroadplane-dev" ]] ||
  { echo "expected no more than libeigen3-dev with the core" >&2; exit 1; }
echo "installing the rest"
install man-db "$(deb roadplane)" "$(deb python3-roadplane)" "$(deb libroadplane-full-dev)"
for package in "${ours[@]}"; do in_root dpkg -L "$package"; done | sort -u >"$work/files"
echo "using them"
in_root sh -c 'cd /made/use && sh /made/use.sh /usr /made/examples'

echo "removing them"
quietly in_root dpkg --purge "${ours[@]}"
# Folders that others have, too, stay; nothing may carry the name.
traces=$(cd "$root" && find . -xdev -iname '*roadplane*' -not -path './made/*' -not -path './root/*' -not -path './proc/*')
[[ -z $traces ]] || { echo "expected no trace, found $traces" >&2; exit 1; }
while read -r file; do
  if [[ -f $root$file || -L $root$file ]]; then
    in_root dpkg -S "$file" >/dev/null 2>&1 || { echo "expected no trace, found $file" >&2; exit 1; }
  fi
done <"$work/files"
echo "no trace of them"
