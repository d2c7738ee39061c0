$ILCUDA list bin/Memory2Cs.dll | grep -A1 'refused  \(TableRefused\|Branching\|Calling\|Rooted\)'
$ILCUDA list bin/Memory2VbDebug.dll | grep -A1 'refused  Tables'
$ILCUDA call bin/Memory2Cs.dll TableRefused.Store 1 --engine ast
