$ILCUDA show bin/CasesCs.dll Case08_Hash --as vb --unit
