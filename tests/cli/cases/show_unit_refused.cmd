$ILCUDA show bin/PointersCs.dll First --as vb --unit
