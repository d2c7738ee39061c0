$ILCUDA show bin/Programs.dll Divided --as c --checks off
