$ILCUDA show "bin/Programs.dll" "Total(Double[],Int32,Int32)"
