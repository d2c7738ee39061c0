# 1 + 2^-13 and 1 - 2^-13: what a product that rounds loses
for mode in exact fma; do
    for engine in ast cpu; do
        $ILCUDA call bin/PairsVb.dll Dot '["#bf800000","#3f800400","#3f800000","#3f7ff800"]' 2 0 1 --engine $engine --mode $mode | head -1
    done
done
$ILCUDA call bin/PairsVb.dll Dot '[1,2]' 2 0 0 --mode fma
echo $?
$ILCUDA call bin/PairsVb.dll Dot '[1,2]' 2 0 0 --mode fma --trace
echo $?
