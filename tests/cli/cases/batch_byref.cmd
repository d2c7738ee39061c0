cat > requests.jsonl <<'END'
{"id":1,"method":"DivMod(Int32,Int32,Int32&,Int32&)","args":[17,5,0,0]}
{"id":2,"method":"DivMod(Int32,Int32,Int32&,Int32&)","args":[17,0,0,0]}
{"id":3,"method":"Swap(Double&,Double&)","args":["#7ff8000000000123",-0.0]}
{"id":4,"method":"MinMax(Double[],Double&,Double&)","args":[[3,1,2],0,0]}
{"id":5,"method":"AddBoth(Int32&,Int32&)","args":[1,{"same":0}]}
{"id":6,"method":"AddBoth(Int32&,Int32&)","args":[1,{"same":1}]}
{"id":7,"method":"AddAll(Int32[],Int64&)","args":[[1],{"same":0}]}
{"id":8,"method":"Inc(Int32&)","args":[null]}
{"id":9,"method":"Inc(Int32&)","args":[[1]]}
{"id":10,"method":"Narrow(Int32,Char,Byte&,SByte&,UInt16&,Char&)","args":[70000,65,0,0,0,0]}
{"id":11,"method":"Turn(Vector2&)","args":[[1,2]]}
END
for e in il ast cpu; do $ILCUDA call bin/MemoryVb.dll --batch requests.jsonl --engine $e > $e.jsonl || exit; done
cat il.jsonl; cmp il.jsonl ast.jsonl; cmp il.jsonl cpu.jsonl
