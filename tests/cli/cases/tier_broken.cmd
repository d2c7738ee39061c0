# a first tier that does not work is said, and launches wait for the compiler
command -v gcc >/dev/null || exit 77
unset ILCUDA_TIER
mkdir broken
printf '#!/bin/sh\n[ "$1" = --version ] && echo "tcc version 0.0.1 (broken)" && exit\necho no linker; exit 1\n' > broken/tcc
chmod +x broken/tcc
export PATH=$PWD/broken:$PATH
python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA run bin/Tutorial.dll 's = RowSum[rows]' 'q = RowSumSq[rows]' --in x=x.npy --shape x=rows,cols --engine cpu --cache-dir cache --out s=s.npy 2>&1 | grep -v '^engine' | sed 's/[0-9.]* ms/T ms/'
$ILCUDA doctor --engine cpu --cache-dir cache | grep 'first tier'
python3 data/npy.py show s.npy
