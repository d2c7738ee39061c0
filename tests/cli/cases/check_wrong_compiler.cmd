$ILCUDA check bin/Tutorial.dll RowSum --engine cpu --cpu-compiler "$PWD/data/wrong-cc" --cache-dir ""
