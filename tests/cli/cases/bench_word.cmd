$ILCUDA bench nothing
