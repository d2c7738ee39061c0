command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/RefusedMarkedVb.dll --marked --msbuild
cp bin/RefusedMarkedVb.dll alone.dll # no debug information
$ILCUDA list alone.dll --marked --msbuild --strict
