$ILCUDA show bin/Tutorial.dll GramDot --mode fma
$ILCUDA show bin/Tutorial.dll CorrelationCell --mode fma --as cs
$ILCUDA show bin/PairsVb.dll Dot --mode fma --as cuda | sed -n '/fma/p'
$ILCUDA show bin/PairsVb.dll Dot --mode fma --as c | sed -n '/fma/p'
