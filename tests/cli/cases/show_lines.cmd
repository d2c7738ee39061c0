$ILCUDA show bin/TutorialDebug.dll RowSum --as vb --lines
$ILCUDA show bin/TutorialDebug.dll RowSum --as cuda --lines
$ILCUDA show bin/Tutorial.dll RowSum --as c --checks=show --lines | sed -n '/checked_scalar(/,$p'
$ILCUDA show bin/TutorialNoPdb.dll PearsonClamp --as cuda --lines
