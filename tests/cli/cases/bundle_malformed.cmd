$ILCUDA build bin/Tutorial.dll RowSum --isa none --out t.ilcuda >/dev/null
$ILCUDA list --bundle bin/Tutorial.dll; echo $?
head -c 200 t.ilcuda >cut.ilcuda
$ILCUDA list --bundle cut.ilcuda; echo $?
$ILCUDA list --bundle missing.ilcuda; echo $?
sed 's/RowSum/RowSun/' t.ilcuda >damaged.ilcuda
$ILCUDA call --bundle damaged.ilcuda RowSum '[1]' 1 0; echo $?
