command -v dotnet >/dev/null || exit 77 # some reasons need the definitions of .NET
$ILCUDA list bin/Memory2Cs.dll | grep -A1 'refused  \(TableRefused\|Branching\|Calling\|Rooted\|Started\)'
$ILCUDA list bin/Memory2VbDebug.dll | grep -A1 'refused  Tables'
$ILCUDA list bin/NaturalCs.dll | grep -A1 'refused  Models.KeptProperty'
$ILCUDA call bin/Memory2Cs.dll TableRefused.Store 1 --engine ast
