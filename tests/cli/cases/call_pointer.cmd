$ILCUDA call bin/PointersCs.dll Saxpy 2 '[1,2,3]' '[10,20,30]' 3
$ILCUDA call bin/PointersCs.dll Saxpy 2 '[1,2,3]' '{"same":1}' 3 --engine ast
$ILCUDA call bin/PointersCs.dll ReadDouble '[0,0,0,0,0,0,0,240,63]' 1 --engine ast
$ILCUDA call bin/PointersCs.dll Sum null 0
$ILCUDA call bin/PointersCs.dll Sum null 1
