command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/ClosuresCs.dll ">b__" --all | grep Refused
$ILCUDA list bin/ClosuresCs.dll Shape --all
$ILCUDA list bin/ClosuresCs.dll Box --all
