$ILCUDA show bin/Tutorial.dll CorrelationCell --mode fast --as cuda | grep sqrt
$ILCUDA show bin/LibraryIl.dll MathF_Exp_Single --mode fast --as cuda | grep return
$ILCUDA show bin/LibraryIl.dll MathF_Exp_Single --mode fast --as c | grep return
$ILCUDA show bin/LibraryIl.dll Math_Exp_Double --mode fast --as cuda | grep return
