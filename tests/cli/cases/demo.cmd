# Times, the engine's name and what the cache had are this machine's.
$ILCUDA demo --engine cpu > out; code=$?
sed -E 's/ +[0-9.]+ ms/ N ms/; s/^( *engine:? +).*/\1ENGINE/; s/(cells same) +[0-9.]+$/\1 N/; s/  \(compiled before: from the cache\)//' out
exit $code
