$ILCUDA build bin/Tutorial.dll; echo $?
$ILCUDA build bin/RefusedVb.dll Prints --isa none; echo $?
$ILCUDA build bin/Tutorial.dll RowSum --isa x87; echo $?
$ILCUDA build bin/Tutorial.dll RowSum --isa none --out no/such/folder.ilcuda; echo $?
$ILCUDA build bin/Tutorial.dll RowSum --out a --out b; echo $?
$ILCUDA build bin/Tutorial.dll RowSum --isa x86-64 --cpu-compiler data/failing-cc --cache-dir "" --out f.ilcuda; echo $?
ls | grep ilcuda
