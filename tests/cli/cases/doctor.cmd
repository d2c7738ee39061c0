$ILCUDA doctor > /dev/null
