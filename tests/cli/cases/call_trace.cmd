$ILCUDA call bin/Programs.dll Inner.Total 2 3 --trace
$ILCUDA call bin/MemoryVb.dll Memory.NestedFields 1.5 2 --trace --source "$SOURCES/MemoryVb"
$ILCUDA call bin/Tutorial.dll RowSum '[0.1,2,3]' 1 0 --trace --source "$SOURCES/Tutorial"
