$ILCUDA show bin/TutorialDebug.dll RowSum --passes
$ILCUDA show bin/Tutorial.dll PearsonClamp --passes --as vb
