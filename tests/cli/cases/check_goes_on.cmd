$ILCUDA check bin/Tutorial.dll --engine cpu --cpu-compiler "$PWD/data/failing-cc" --cache-dir "" 2> errors; code=$?
sed 's/.*did not compile.*/did not compile/' errors; exit $code
