$ILCUDA run bin/Programs.dll "v = Volume[2,2,3]" --set a=1000 --out v=v.npy --engine cpu --quiet || exit
python3 data/npy.py show v.npy
