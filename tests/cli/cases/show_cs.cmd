$ILCUDA show bin/TutorialCs.dll GramDot --as cs
