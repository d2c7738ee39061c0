$ILCUDA call bin/PointersCs.dll At '[1,2,3]' 3; $ILCUDA call bin/PointersCs.dll At '[1,2,3]' 3 --engine ast; $ILCUDA call bin/PointersCs.dll At '[1,2,3]' -1
