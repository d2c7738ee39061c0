command -v clang >/dev/null || exit 77
export XDG_CACHE_HOME=$PWD/carried
$ILCUDA demo --compile-only --cuda-compiler clang --arch sm_70 | sed "s,$PWD,.,; s/clang [0-9.]*/clang/"
$ILCUDA demo --compile-only --cuda-compiler clang --arch sm_70 --quiet | tail -n 1 | sed "s,$PWD,.,"
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 >/dev/null
$ILCUDA cache info | sed -n 's/ entries.*//p'
