# The sanitizers need more address space than there is here.
[ -n "$SANITIZED" ] && exit 77
ulimit -v 200000; $ILCUDA demo --rows 46340 --cols 1000 --engine il
