for method in ShellSort ExtendedGcd Lfsr RunLength CountVowels; do
    $ILCUDA show bin/NaturalCs.dll $method --as cs
done
$ILCUDA show bin/NaturalCs.dll CountVowels --as cs --lines
