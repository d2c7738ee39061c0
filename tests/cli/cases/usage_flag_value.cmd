$ILCUDA list bin/Tutorial.dll --json=yes
