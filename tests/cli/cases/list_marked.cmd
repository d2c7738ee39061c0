command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/RefusedMarkedVb.dll --marked
