cp bin/Tutorial.dll native.dll; chmod +w native.dll
# Data directory 14, the CLI header, of a PE32 image: 0x80 + 4 + 20 + 96 + 14 * 8.
printf "\0\0\0\0\0\0\0\0" | dd of=native.dll bs=1 seek=360 conv=notrunc status=none; $ILCUDA list native.dll
