$ILCUDA call bin/Tutorial.dll RowSum "[1,2]" 3.5 0
