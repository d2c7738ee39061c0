$ILCUDA show bin/Tutorial.dll GramDot --as cuda --schedule fastest
$ILCUDA show bin/Tutorial.dll GramDot --as cuda --schedule 128x128x7/8x8/2
