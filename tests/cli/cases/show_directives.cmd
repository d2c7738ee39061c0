$ILCUDA show bin/Tutorial.dll RowSum --as cuda --line-directives
$ILCUDA show bin/Tutorial.dll RowSum --as c --line-directives --lines
$ILCUDA show bin/TutorialNoPdb.dll RowSum --as c --line-directives | grep -c '#line'
for form in vb il ir; do $ILCUDA show bin/Tutorial.dll RowSum --as $form --line-directives; echo $?; done
