cat > requests.jsonl <<'END'
{"id":1,"method":"At(Single[,],Int32,Int32)","args":[[[1,2],[3,4]],1,0]}
{"id":2,"method":"At(Single[,],Int32,Int32)","args":[[[1,2],[3]],1,0]}
{"id":3,"method":"At(Single[,],Int32,Int32)","args":[[1,2],1,0]}
{"id":4,"method":"At(Single[,],Int32,Int32)","args":[null,1,0]}
{"id":5,"method":"SumAll(Int32[,])","args":[{"shape":[0,5],"data":[]}]}
{"id":6,"method":"SumAll(Int32[,])","args":[{"shape":[2,3],"data":[1,2,3,4,5,6]}]}
{"id":7,"method":"SumAll(Int32[,])","args":[{"shape":[2,3],"data":[1,2,3,4,5]}]}
{"id":8,"method":"SumAll(Int32[,])","args":[{"shape":[2,3,1],"data":[1,2,3,4,5,6]}]}
{"id":9,"method":"SumAll(Int32[,])","args":[{"shape":[-1,-6],"data":[1,2,3,4,5,6]}]}
{"id":10,"method":"SumAll(Int32[,])","args":[{"shape":[4294967296,4294967296],"data":[]}]}
{"id":11,"method":"SumAll(Int32[,])","args":[[[],[],[]]]}
{"id":12,"method":"Volume(Byte[,,])","args":[[[[1,2]],[[3,4]]]]}
{"id":13,"method":"Volume(Byte[,,])","args":[{"shape":[2,0,3],"data":[]}]}
{"id":14,"method":"Volume(Byte[,,])","args":[[[[1,2]],[[3,4],[5,6]]]]}
{"id":15,"method":"Alias2(Int32[,],Int32[,])","args":[[[1,2]],{"same":0}]}
{"id":16,"method":"Transpose(Double[,],Double[,],Int32,Int32)","args":[[[1,"NaN"]],[[0],[0]],0,1]}
{"id":17,"method":"RaggedSum(Int32[][])","args":[[[1,2],null,[],[3]]]}
{"id":18,"method":"RaggedSum(Int32[][])","args":[[[1,2],3]]}
{"id":19,"method":"RaggedSum(Int32[][])","args":[{"shape":[1,1],"data":[1]}]}
{"id":20,"method":"Deep(Double[][][],Int32,Int32,Int32)","args":[[[[1,2.5]],null],0,0,1]}
{"id":21,"method":"Deep(Double[][][],Int32,Int32,Int32)","args":[[[[1,2.5]],null],1,0,1]}
{"id":22,"method":"RowDot(Double[][],Double[][],Int32,Int32)","args":[[[1,2]],{"same":0},0,0]}
{"id":23,"method":"Put(Int32[,],Int32,Int32,Int32,Int32)","args":[[[0]],5,5,1,0]}
END
for e in il ast cpu; do $ILCUDA call bin/ArraysVb.dll --batch requests.jsonl --engine $e > $e.jsonl || exit; done
cat il.jsonl; cmp il.jsonl ast.jsonl; cmp il.jsonl cpu.jsonl
