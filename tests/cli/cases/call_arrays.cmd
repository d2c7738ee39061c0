$ILCUDA call bin/ArraysVb.dll Transpose '[[1,2],[3,4]]' '[[0,0],[0,0]]' 0 1
$ILCUDA call bin/ArraysVb.dll RaggedSum '[[1,2],null,[3]]'
$ILCUDA call bin/ArraysVb.dll SumAll '{"shape":[0,5],"data":[]}'
$ILCUDA call bin/ArraysVb.dll Dimension '[[[1,2,3]]]' 2 --engine cpu
$ILCUDA call bin/ArraysVb.dll RowTotal "[[1,2],[3]]" 1
