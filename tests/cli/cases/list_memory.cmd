command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/MemoryVb.dll --summary; $ILCUDA list bin/MemoryCs.dll --summary
