command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA build bin/RefusedMarkedVb.dll --isa none; echo $?
$ILCUDA build bin/RefusedMarkedVb.dll Named Pair AllMarked.Half --isa none --json; echo $?
$ILCUDA list --bundle RefusedMarkedVb.ilcuda --marked | grep Grid
