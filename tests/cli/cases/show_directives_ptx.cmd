command -v clang >/dev/null || exit 77
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 | grep -c '\.loc'
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 --line-directives >with.ptx
grep -o '\.file.*Tutorial.vb"' with.ptx | sed 's/"[^"]*\/Tutorial/"...Tutorial/'
grep -o '\.loc[^0-9]*[0-9]* [0-9]*' with.ptx | awk '{print $3}' | sort -un | tr '\n' ' '
