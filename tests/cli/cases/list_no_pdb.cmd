$ILCUDA list bin/TutorialNoPdb.dll
