command -v clang >/dev/null || exit 77
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 | grep -E '^\.target|\.entry|fma|ftz'
$ILCUDA show bin/Tutorial.dll RowSum --as ptx --cuda-compiler clang --arch sm_70 --json | python3 -c "import json,sys; print(json.load(sys.stdin)['as'])"
