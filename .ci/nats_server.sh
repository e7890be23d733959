#!/usr/bin/env bash
# Sees to a NATS server for the tests. Where none is there that is new enough, the package of a newer suite
# is fetched from this machine's own package source and unpacked into .nats; nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

OLDEST=2.10.23 # servers before it lose whole streams
SUITES=(sid trixie)
PLACE=$PWD/.nats
APT=$PLACE/apt

is_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null | sed -n 's/.*v\([0-9][0-9.]*\).*/\1/p') || return 1
    [[ -n $version && $(printf '%s\n' "$OLDEST" "$version" | sort -V | head -n 1) == "$OLDEST" ]]
}

# Prints the first server that will do: the one that is named, that on the path, that unpacked before.
found_server() {
    local candidate
    for candidate in "${SUNGLARE_NATS_SERVER:-}" "$(command -v nats-server || true)" "$PLACE/usr/sbin/nats-server"; do
        if [[ -n $candidate ]] && is_new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# Prints where this machine has its distribution from, as apt itself reads its sources in whatever form.
own_sources() {
    local codename
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    apt-get indextargets --no-release-info --format '$(RELEASE) $(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
        awk -v own="$codename" '
            $3 == "main" && ($1 == own || $1 ~ /^(oldstable|stable|testing|unstable|sid)$/) && !seen[$2]++ { print $2 }'
}

# apt with sources, lists and cache of its own; those of the machine are left alone. It does not change its user,
# as another one could not write into the checkout.
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$APT/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$APT/lists" -o Dir::Cache="$APT/cache" -o Acquire::Languages=none \
        -o Acquire::Retries=2 -o APT::Sandbox::User="$(id -un)" "$@"
}

# Unpacks the server of one suite of one source; fails if there is none or it does not run here.
unpack() {
    local suite=$1 source=$2 keys=/usr/share/keyrings/debian-archive-keyring.gpg options=""
    rm -rf "$PLACE"
    mkdir -p "$APT/lists/partial" "$APT/cache/archives/partial"
    if [[ -r $keys ]]; then options="[signed-by=$keys]"; fi
    echo "deb $options $source $suite main" >"$APT/sources.list"
    private_apt update && (cd "$APT" && private_apt download nats-server) || return 1
    dpkg-deb -x "$APT"/nats-server_*.deb "$PLACE" || return 1
    rm -rf "$APT"
    found_server >/dev/null
}

fetch_server() {
    local suite source
    for suite in "${SUITES[@]}"; do
        while read -r source; do
            if unpack "$suite" "$source"; then return; fi
        done < <(own_sources)
    done
    rm -rf "$PLACE"
    return 1
}

if ! server=$(found_server); then
    if ! fetch_server; then
        echo "There is no NATS server of at least $OLDEST here, and none could be fetched from" >&2
        echo "the suites ${SUITES[*]} of this machine's package source." >&2
        exit 1
    fi
    server=$(found_server)
fi
"$server" --version
