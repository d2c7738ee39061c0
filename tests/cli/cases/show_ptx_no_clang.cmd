$ILCUDA show bin/Tutorial.dll RowSum --as ptx --arch sm_70 --cuda-compiler /no/clang
