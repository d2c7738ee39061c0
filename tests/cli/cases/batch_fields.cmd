cat > requests.jsonl <<'END'
{"id":1,"method":"Options.At(Double)","fields":["Slope","<Offset>k__BackingField"],"args":[2,3,0.5]}
{"id":2,"method":"Options.At(Double)","args":[2,3,0.5]}
{"id":3,"method":"Options.At(Double)","fields":["<Offset>k__BackingField","Slope"],"args":[2,0.5,3]}
{"id":4,"method":"Options.At(Double)","fields":["Slope"],"args":[2,3]}
{"id":5,"method":"Options.At(Double)","fields":"Slope","args":[2,3]}
{"id":6,"method":"Options.At(Double)","fields":[1,2],"args":[2,3,4]}
{"id":7,"method":"<TwoLevels>b__0(Int32)","fields":["weight","CS$<>8__locals1.y","CS$<>8__locals1.x","CS$<>8__locals1.bias"],"args":[0,0.5,[1],[4],1]}
{"id":8,"method":"Refused+<>c__DisplayClass0_0.<Sum>b__0(Int32)","fields":[],"args":[0]}
END
for e in il ast cpu; do $ILCUDA call bin/ClosuresCs.dll --batch requests.jsonl --engine $e > $e.jsonl || exit; done
cat il.jsonl; cmp il.jsonl ast.jsonl; cmp il.jsonl cpu.jsonl
