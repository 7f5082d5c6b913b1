#!/bin/sh
# Sets up a checkout: sh deploy/setup.sh VENV run|test|long|release
# run: what the demo needs. test: also what `make test` needs. long: also what the full-size tests of `make test-all` need.
# release: what `make release` needs beside that of test.
# Safe to run again: what is there stays, what changed is installed. Says in one line what is missing where it cannot install it.
set -eu

venv=$1
purpose=$2
python=${PYTHON:-python3}
long=
release=
if [ "$purpose" = long ]; then long=1; release=1; purpose=test; fi
if [ "$purpose" = release ]; then release=1; purpose=test; fi

fail() { echo "setup: $1" >&2; exit 1; }
is_root() { [ "$(id -u)" = 0 ]; }

# --- Debian packages -------------------------------------------------------------------------------------------------

apt_updated=
apt_install() {
    command -v apt-get >/dev/null 2>&1 && is_root || return 1
    if [ -z "$apt_updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; apt_updated=1; fi
    echo "setup: installing Debian package $1" >&2
    # A freshly installed broker must not grab its port: ours is a child of the server with a configuration of its own.
    policy=
    if [ ! -e /usr/sbin/policy-rc.d ]; then policy=1; printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; fi
    status=0
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null 2>&1 || status=1
    [ -z "$policy" ] || rm -f /usr/sbin/policy-rc.d
    return $status
}

need() { # program, Debian package, what it is for
    PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null 2>&1 && return 0
    apt_install "$2" && return 0
    echo "setup: $1 is missing ($3): apt-get install $2" >&2
    return 1
}

need mosquitto mosquitto "the MQTT broker that the server runs" || exit 1
[ "$purpose" != test ] || command -v chromium-headless-shell >/dev/null 2>&1 || apt_install chromium-headless-shell \
    || need chromium chromium "the dashboard's tests in a real browser; they will be skipped" || true

[ "$purpose" != test ] || need strace strace "what native libraries write and whom they call; that test will be skipped" || true
[ "$purpose" != test ] || need zsh zsh "completion in zsh; its test will be skipped" || true
[ "$purpose" != test ] || need fish fish "completion in fish; its test will be skipped" || true
if [ "$purpose" = test ] && ! command -v cc >/dev/null 2>&1; then
    { apt_install gcc && apt_install libc6-dev; } || echo "setup: a C compiler is missing (the stand-in for an Edge TPU's library; its tests will be skipped): apt-get install gcc libc6-dev" >&2
fi
if [ "$purpose" = test ] && [ -z "$(find /usr/lib/postgresql -name initdb 2>/dev/null)" ]; then
    need initdb postgresql "the server on PostgreSQL; its tests will be skipped" || true
fi
[ "$purpose" != test ] || need fusermount3 fuse3 "the disk of the power cuts; its tests will be skipped" || true
[ "$purpose" != test ] || need ffmpeg ffmpeg "the second decoder; its tests will be skipped" || true

# The RTSP camera of the tests is GStreamer's, which speaks to Debian's own Python only.
has_rtsp_server() {
    /usr/bin/python3 -c 'import gi; gi.require_version("GstRtspServer", "1.0")' 2>/dev/null && [ -n "$(find /usr/lib -name libgstx264.so 2>/dev/null)" ]
}
if [ "$purpose" = test ] && ! { has_rtsp_server && command -v gst-launch-1.0 >/dev/null 2>&1; }; then
    for package in python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly \
        gstreamer1.0-plugins-bad gstreamer1.0-libav gstreamer1.0-tools; do
        apt_install "$package" || { echo "setup: GStreamer's RTSP server is missing (cameras of the tests; they will be skipped): apt-get install $package" >&2; break; }
    done
fi

if [ -n "$long" ]; then
    # A booted Debian, one for another processor, and brokers of other makers. Their tests are skipped with the reason where these are missing.
    need systemd-nspawn systemd-container "a booted Debian" || true
    need debootstrap debootstrap "a booted Debian" || true
    need qemu-aarch64-static qemu-user-static "a Debian for arm64" || true
    need update-binfmts binfmt-support "a Debian for arm64" || true
    need nats-server nats-server "the broker NATS" || true
    need rabbitmq-server rabbitmq-server "the broker RabbitMQ" || true
fi

if [ -n "$release" ]; then
    need mmdebstrap mmdebstrap "container images; \`make release ARGS=--no-images\` builds the rest" || true
    need umoci umoci "container images; \`make release ARGS=--no-images\` builds the rest" || true
fi

# --- Python ----------------------------------------------------------------------------------------------------------

command -v "$python" >/dev/null 2>&1 || apt_install python3 || fail "$python is missing: apt-get install python3 python3-venv"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "$python is older than 3.10: set PYTHON to a newer one"
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    apt_install python3-venv || fail "Python's venv module is missing: apt-get install python3-venv"
fi
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv" || fail "cannot make a virtual environment in $venv"

tools= # tests also want what checks the dashboard: its types, its accessibility
[ "$purpose" != test ] || tools=--dev

stamp="$venv/edgefleet-setup"
wanted="$purpose $(cat pyproject.toml ./*/pyproject.toml fleet_server/hatch_build.py fleet_server/dashboard/package-lock.json 2>/dev/null | cksum)"
if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] || [ "$(cat "$stamp" 2>/dev/null)" = "test ${wanted#* }" ]; then
    # Packages are as wanted; the dashboard's sources may still have changed. The build stamps its own inputs.
    "$venv/bin/python" fleet_server/hatch_build.py $tools
    exit 0
fi
groups=
[ "$purpose" != test ] || groups="--group test"
echo "setup: installing Python packages and building the dashboard into $venv (a minute or two, once)" >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1" || fail "pip cannot reach its package index"
"$venv/bin/python" fleet_server/hatch_build.py $tools # pip then finds it built, and needs no Node of its own
# shellcheck disable=SC2086  # $groups is two words on purpose
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e ./contract -e ./client -e ./agent -e ./fleet_server -e '.[all]' $groups || fail "pip could not install; the lines above say what"
echo "$wanted" >"$stamp"
