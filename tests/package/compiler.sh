#!/usr/bin/env bash
# compiler.sh BASE   started by compiler.c: the arguments are lines of BASE.args. Windows' drives are folders of this system.
here() {
    local path=${1//\\//}
    case $path in
    [A-Za-z]:/*) local drive=${path%%:*} && echo "$WINEPREFIX/dosdevices/${drive,,}:${path#*:}" ;;
    *) echo "$path" ;;
    esac
}
base=$(here "$1")
args=()
while IFS= read -r line; do args+=("$(here "$line")"); done <"$base.args"
x86_64-w64-mingw32-gcc "${args[@]}" >"$base.out" 2>&1
echo $? >"$base.part"
mv "$base.part" "$base.code"
