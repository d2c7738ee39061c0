#!/usr/bin/env bash
# ilgpu.sh publish FOLDER            bench/peers/ilgpu as one file that needs no .NET, to be carried to a machine with a GPU
# ilgpu.sh run GRAMDOT ILCUDA [N]    GramDot of N x N floats (4096) by that file and by `ilcuda bench checks` (mode exact), one after the other
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case ${1-} in
publish)
    objects=$(mktemp -d)
    trap 'rm -rf "$objects"' EXIT
    dotnet publish "$here/peers/ilgpu" -c Release -r linux-x64 -o "$2" -p:BaseIntermediateOutputPath="$objects/" -nologo -v:q
    du -h "$2/gramdot"
    ;;
run)
    n=${4:-4096}
    "$2" "$n" 7
    "$3" bench checks --size "$n" --engine cuda
    ;;
*) sed -n '2,3s/^# //p' "$0" >&2 && exit 2 ;;
esac
