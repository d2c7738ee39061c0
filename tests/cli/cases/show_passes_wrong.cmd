for form in cuda c il ptx; do $ILCUDA show bin/Tutorial.dll RowSum --passes --as $form; echo $?; done
$ILCUDA show bin/Tutorial.dll RowSum --passes --lines; echo $?
$ILCUDA show bin/Tutorial.dll RowSum --passes --checks show; echo $?
$ILCUDA show bin/RefusedVb.dll Prints --passes; echo $?
