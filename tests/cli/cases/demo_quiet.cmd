$ILCUDA demo --quiet --engine cpu > out; code=$?; test $(wc -l < out) -le 24 || echo "too long"; tail -n 1 out; grep sha256 out; exit $code
