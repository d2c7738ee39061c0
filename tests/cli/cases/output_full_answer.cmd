[ -e /dev/full ] || exit 77
$ILCUDA doctor > /dev/full; echo $?
$ILCUDA list bin/RefusedVb.dll --strict > /dev/full; echo $?
$ILCUDA call bin/Tutorial.dll RowSum '[1]' 1 5 > /dev/full; echo $?
