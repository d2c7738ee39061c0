for m in Sc At Taken Both Many; do $ILCUDA check bin/NamesCs.dll $m --engine cpu | head -n 1; done
