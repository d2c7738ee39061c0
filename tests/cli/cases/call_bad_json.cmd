$ILCUDA call bin/Tutorial.dll RowSum "[1,2" 1 0
