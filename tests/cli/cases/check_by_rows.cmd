$ILCUDA check bin/VectorsCs.dll Canberra Manhattan Chebyshev Covariance Cosine Hamming CheckedDot Shorter Tail Weighted --rows a,b,first,second --engine cpu --rounds 8 --json | grep -o '"same":true' | wc -l
$ILCUDA check bin/VectorsVb.dll --rows a,b,x --engine cpu --rounds 8
