$ILCUDA show bin/Tutorial.dll PearsonClamp --as cuda --lines --json
$ILCUDA show bin/TutorialNoPdb.dll PearsonClamp --lines --json
