$ILCUDA check bin/PointersCs.dll Saxpy SumWalking Checksum Blur SaxpyAt IncrementAt WriteInts --engine cpu --json | grep -c '"same"'
