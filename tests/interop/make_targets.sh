#!/usr/bin/env bash
# The frameworks that exports are for, each in a virtual environment of its own; one that is there already is left alone.
# usage: tests/interop/make_targets.sh [TARGET...]    all when none is named; under ~/.cache/openspade/interop
# What cannot be installed here is said, and its tests skip themselves.
set -uo pipefail
home="${XDG_CACHE_HOME:-$HOME/.cache}/openspade/interop"
export UV_PYTHON_DOWNLOADS=never

# TARGET  PYTHON  PACKAGES
targets='
gymnasium     3.11  gymnasium==1.4.0
verifiers     3.12  verifiers==0.4.0
verifiers-v0  3.11  verifiers==0.1.14
openenv       3.12  openenv==0.10.0
nemo-gym      3.12  nemo-gym==0.4.0
harbor        3.12  harbor==0.26.0
gem           3.11  gem-llm==0.1.0
'

python() {
    for found in "python$1" "$HOME"/.pyenv/versions/"$1".*/bin/python; do
        "$found" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null && command -v "$found" && return
    done
    echo "no Python $1 here" >&2
    return 1
}

install() {
    local target="$1" version="$2" folder="$home/$1" started=$SECONDS interpreter
    shift 2
    [ -e "$folder/installed" ] && { echo "$target: there already"; return; }
    interpreter=$(python "$version") || return
    rm -rf "$folder"
    "$uv" venv --quiet --python "$interpreter" "$folder" &&
        "$uv" pip install --quiet --python "$folder/bin/python" "$@" && touch "$folder/installed" &&
        echo "$target: installed in $((SECONDS - started)) s, $(du -sm "$folder" | cut -f1) MB"
}

uv="$home/tools/bin/uv"
if [ ! -x "$uv" ]; then
    mkdir -p "$home"
    "$(python 3.11 || command -v python3)" -m venv "$home/tools" &&
        "$home/tools/bin/python" -m pip install --quiet --disable-pip-version-check uv || exit 1
fi
failed=0
while read -r target version packages; do
    [ -z "$target" ] && continue
    [ $# -gt 0 ] && [[ " $* " != *" $target "* ]] && continue
    # shellcheck disable=SC2086 - a list of packages
    install "$target" "$version" $packages || { echo "$target: could not be installed"; failed=1; }
done <<<"$targets"
exit $failed
