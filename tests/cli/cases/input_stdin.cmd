$ILCUDA list - < bin/TutorialEmbedded.dll
