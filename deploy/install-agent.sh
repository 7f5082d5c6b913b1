#!/bin/sh
# Installs the agent on this device from a .deb and enrols it:
#   sh install-agent.sh edgefleet-agent_0.3.0_amd64.deb https://fleet.example --token-file F --ca-sha256 HEX [--device ID]
# (what follows the package are the words after `enroll` in the line that `edgefleet token create --out F` prints)
# Without a server and a token it only installs. Safe to run again: an enrolled device stays who it is.
set -eu

fail() { echo "install-agent: $1" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "run this as root: sudo sh install-agent.sh ..."
[ $# -ge 1 ] || fail "name the .deb: sh install-agent.sh edgefleet-agent_VERSION_ARCH.deb [https://SERVER --token-file F --ca-sha256 HEX [--device ID]]"
deb=$1; shift
[ -f "$deb" ] || fail "no file $deb; build it with: python deploy/build_deb.py"
command -v dpkg >/dev/null || fail "this is not Debian or a relative of it; see docs/service.md for other systems"
for needed in systemctl systemd-sysusers; do
    command -v "$needed" >/dev/null || fail "$needed is missing: the agent is a systemd service"
done

# Only what the package itself names is looked up, and only where it is not there yet.
dpkg -i "$deb" || { apt-get install -y -f && dpkg -i "$deb"; } || fail "dpkg could not install $deb; the lines above say why"

if [ $# -gt 0 ]; then
    if [ -d /var/lib/edgefleet/identity ]; then
        echo "install-agent: this device is already enrolled; its identity is kept"
    else
        why=$(mktemp)
        if ! edgefleet-agent enroll "$@" 2>"$why"; then
            reason=$(tail -n 1 "$why" | sed 's/^edgefleet-agent: //'); rm -f "$why"
            fail "installed, but not enrolled: ${reason:-edgefleet-agent enroll failed without a message}; then run this again"
        fi
        cat "$why" >&2; rm -f "$why"
    fi
fi
if [ -f /etc/edgefleet/agent.toml ]; then
    systemctl enable --quiet edgefleet-agent.service
    systemctl restart edgefleet-agent.service
    echo "install-agent: this device is $(edgefleet-agent detect | head -n 1)"
    echo "install-agent: agent started; check it with: edgefleet-agent status, journalctl -u edgefleet-agent"
else
    echo "install-agent: installed. Next: edgefleet-agent enroll https://SERVER --token-file F --ca-sha256 HEX && systemctl enable --now edgefleet-agent"
fi
