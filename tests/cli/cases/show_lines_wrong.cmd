for form in il ir ptx; do $ILCUDA show bin/Tutorial.dll RowSum --as $form --lines; echo $?; done
