for e in il ast cpu; do
    $ILCUDA call bin/ClosuresCs.dll '<Axpy>b__0' 1 '[1,2,3]' 0.5 '[10,20,30]' --engine $e
    $ILCUDA call bin/ClosuresCs.dll 'Model.Adjusted' 2 100 '[1,2,3]' 10 0.5 2 --engine $e
done
$ILCUDA call bin/ClosuresCs.dll 'Options.At' 2 3 0.5 --trace
