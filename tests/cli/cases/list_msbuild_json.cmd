$ILCUDA list bin/RefusedVb.dll --msbuild --json
