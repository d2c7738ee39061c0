for o in "--rows 0" "--cols 0" "--rows -1" "--cols x" "--rows 99999999999" "--threads 4294967296" "--device 99999999999999999999"; do $ILCUDA demo $o; echo $?; done
$ILCUDA check bin/Tutorial.dll --rounds 0; echo $?
$ILCUDA check bin/Tutorial.dll --rounds 4294967296; echo $?
$ILCUDA bench translate --repeat 0; echo $?
