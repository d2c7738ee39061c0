$ILCUDA check bin/SpansCs.dll RowSum RowSlice Axpy Shift CopyTo Literal StackPassed --engine cpu --json | grep -o '"same"' | wc -l
