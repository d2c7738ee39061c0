$ILCUDA check bin/ArraysVb.dll Transpose Stencil Choose Deep PutAndRead --engine cpu
