$ILCUDA call bin/Tutorial.dll RowSum "[1,2,0.1]" 3 0
