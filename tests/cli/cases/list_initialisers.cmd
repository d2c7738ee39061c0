command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/NamesCs.dll; $ILCUDA list bin/NamesCs.dll cctor --all
