[ -e /dev/full ] || exit 77; $ILCUDA list bin/Tutorial.dll > /dev/full
