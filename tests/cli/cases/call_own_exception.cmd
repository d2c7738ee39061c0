for engine in il ast cpu; do
    for call in "ThrowsOwn 0" "ThrowsOwn 4" "ThrowsOwnOpen 3" "ChooseMode 3 1 1"; do
        $ILCUDA call bin/InlineCs.dll $call --engine $engine
    done
done
for method in OwnMessage OwnLogic OwnCause OwnText; do
    $ILCUDA show bin/InlineCs.dll Unclear.$method 2>&1
done
exit 0
