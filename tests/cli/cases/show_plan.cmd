$ILCUDA show bin/PairsVb.dll Manhattan --plan
$ILCUDA show bin/PairsVb.dll Cross --plan --mode fma
$ILCUDA show bin/VectorsCs.dll Covariance --rows first,second --plan
$ILCUDA show bin/VectorsVb.dll Canberra --rows a,b --plan
$ILCUDA show bin/VectorsVb.dll Range --rows x --plan
$ILCUDA show bin/Tutorial.dll CorrelationCell --plan
$ILCUDA show bin/Tutorial.dll PearsonClamp --plan --schedule plain
$ILCUDA show bin/Tutorial.dll RowSum --plan --json
$ILCUDA show bin/Tutorial.dll RowSum --plan --as cuda; echo $?
for m in 'ArraysVb Multiply' 'ArraysCs Blur' 'NaturalVb Imaging.Convolve3x3' 'NaturalVb Physics.LifeRule' 'RowsVb Running'; do
    echo "== $m"; $ILCUDA show bin/${m% *}.dll ${m#* } --plan | grep ' no \|loop'
done
