command -v clang >/dev/null || exit 77
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 | grep -c '\.loc'
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 --line-directives >with.ptx
number=$(sed -n 's/.*\.file[^0-9]*\([0-9]*\) .*Tutorial\.vb".*/\1/p' with.ptx)
sed -n "s/.*\.loc[^0-9]*$number \([0-9]*\) .*/\1/p" with.ptx | sort -un | sed 's/^/Tutorial.vb /'
