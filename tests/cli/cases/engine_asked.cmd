nvidia-smi >/dev/null 2>&1 && exit 77
for o in "--cpu-compiler /bin/nope" "--threads 100000"; do
    $ILCUDA run bin/Programs.dll "v = Volume[1,1,1]" --set a=1 $o --quiet; echo $?
    $ILCUDA demo --quiet --rows 8 --cols 8 $o; echo $?
    $ILCUDA check bin/Tutorial.dll RowSum $o; echo $?
    $ILCUDA call bin/Tutorial.dll PearsonClamp 1 2 $o; echo $?
done
$ILCUDA doctor --threads 100000; echo $?
$ILCUDA doctor --cpu-compiler /bin/nope | grep -v -e NVIDIA -e "CUDA compiler" -e cache; echo ${PIPESTATUS[0]}
$ILCUDA doctor --cpu-compiler /bin/nope --json | grep -o '"engine":.*"cuda"'
