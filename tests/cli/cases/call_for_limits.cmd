for e in il ast cpu; do
    $ILCUDA call bin/CasesFs.dll Case31_Range 2147483640 2147483647 --engine $e
    $ILCUDA call bin/CasesFs.dll Case31_Range 5 4 --engine $e
    $ILCUDA call bin/CasesVb.dll Case31_StepVariable 7 1 -3 --engine $e
    $ILCUDA call bin/CasesVb.dll Case31_StepVariable 7 7 0 --engine $e
    $ILCUDA call bin/CasesVb.dll Case31_StepVariable 10 2147483647 1000000000 --engine $e
done
