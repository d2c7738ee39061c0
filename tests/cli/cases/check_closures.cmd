$ILCUDA check bin/ClosuresCs.dll '<Axpy>b__0' '<WithLocal>b__1' Model.Adjusted '<Along>b__0' '<Power>b__1' '<Ratio>b__0' '<Transpose>b__0' '<Blend>b__0'
$ILCUDA check bin/ClosuresVb.dll '_Closure$__6-0._Lambda$__0' 'Filter+_Closure$__7-0._Lambda$__0' 'Closures+_Closure$__7-0._Lambda$__0'
