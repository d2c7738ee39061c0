command -v dotnet >/dev/null || exit 77 # the framework's methods are taken from its IL
for e in il ast cpu; do
    $ILCUDA call bin/FrameworkCs.dll ClampInt 7 5 1 --engine $e; echo $?
    $ILCUDA call bin/FrameworkCs.dll NullableValue 7 --engine $e; echo $?
done
$ILCUDA call bin/FrameworkCs.dll NullableValue 8
$ILCUDA show bin/FrameworkCs.dll NullableLoop --as cs
