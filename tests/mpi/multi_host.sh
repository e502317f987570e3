#!/usr/bin/env bash
# Several hosts on one machine: network namespaces with an address, a name and a temporary folder each,
# joined by a bridge. Runs a command under mpirun on them, over TCP, and checks that the hosts really
# talked over the network: multi_host.sh HOSTS RANKS COMMAND [ARGUMENT ...]
# Exit code 77 (skipped) where the machine does not allow namespaces.
set -euo pipefail
hosts=$1
ranks=$2
shift 2

skip() {
  echo "SKIPPED: $1"
  exit 77
}
[[ $(id -u) -eq 0 ]] || skip "network namespaces need root"
command -v ip >/dev/null || skip "no \"ip\" (Debian: iproute2)"

# What a killed run could not remove.
for stale in $(ip netns list | grep -oE '^rp[0-9]+-[0-9]+' || true); do
  owner=${stale#rp}
  [[ -d /proc/${owner%-*} ]] || ip netns del "$stale"
done

id=rp$$
work=$(mktemp -d)
cleanup() {
  for ((h = 1; h <= hosts; ++h)); do ip netns del "$id-$h" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# Host 1 holds the bridge; the others hang on it.
ip netns add "$id-1" 2>"$work/why" || skip "no network namespaces here: $(cat "$work/why")"
for ((h = 2; h <= hosts; ++h)); do ip netns add "$id-$h"; done
ip -n "$id-1" link add eth0 type bridge 2>"$work/why" || skip "no bridges here: $(cat "$work/why")"
for ((h = 2; h <= hosts; ++h)); do
  ip -n "$id-1" link add "port$h" type veth peer name eth0 netns "$id-$h" 2>"$work/why" ||
    skip "no virtual links here: $(cat "$work/why")"
  ip -n "$id-1" link set "port$h" master eth0 up
done
for ((h = 1; h <= hosts; ++h)); do
  ip -n "$id-$h" link set lo up
  ip -n "$id-$h" addr add "10.77.0.$h/24" dev eth0
  ip -n "$id-$h" link set eth0 up
  mkdir "$work/$h"
  echo "10.77.0.$h slots=$(((ranks + hosts - 1) / hosts))" >>"$work/hosts"
done

# In place of ssh: rsh ADDRESS COMMAND ...
cat >"$work/rsh" <<RSH
#!/usr/bin/env bash
host=\${1##*.}
shift
export TMPDIR=$work/\$host
exec ip netns exec "$id-\$host" unshare --uts bash -c "hostname $id-\$host; \$*"
RSH
chmod +x "$work/rsh"

received() {
  ip netns exec "$id-$1" cat /sys/class/net/eth0/statistics/rx_bytes
}
before=$(received 2)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS=detect_leaks=0 # Open MPI itself leaks
"$work/rsh" 10.77.0.1 exec timeout 100 mpirun --hostfile "$work/hosts" -np "$ranks" --map-by node \
  --mca btl tcp,self --mca pml ob1 --mca plm_rsh_agent "$work/rsh" --mca plm_rsh_no_tree_spawn 1 \
  "$(printf '%q ' "$@")"
kilobytes=$((($(received 2) - before) / 1000))
echo "host 2 received $kilobytes kB"
[[ $kilobytes -ge 20 ]] || { echo "the hosts hardly talked: expected 20 kB and more" >&2; exit 1; }
