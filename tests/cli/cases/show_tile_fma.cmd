# a square's half is enough of x * x', and not of fma(x, y', y * x')
for method in Dot Cross; do
    for mode in exact fma; do
        echo "$method, $mode: $($ILCUDA show bin/PairsVb.dll $method --mode $mode --as tile | grep -c 'il_half = ') half"
    done
done
$ILCUDA show bin/PairsVb.dll Dot --mode fma --as tile | grep 'ROWS =\|IL_FMA32(p_x'
