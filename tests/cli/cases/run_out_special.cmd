python3 data/npy.py make x.npy f4 2x3 ramp
run() { $ILCUDA run bin/Tutorial.dll "s = RowSum[2]" --in x=x.npy --set cols=3 --out "s=$1" --engine ast --quiet || exit; }
mkfifo pipe; cat pipe > from_pipe.npy & run pipe; wait
[ -p pipe ] && python3 data/npy.py show from_pipe.npy
mkdir folder; echo old > folder/target; chmod 600 folder/target; ln -s folder/target link.npy; ln -s folder/new dangling.npy
run link.npy; run dangling.npy; run /dev/null
[ -h link.npy ] && [ -h dangling.npy ] && stat -c '%a %F' folder/target
python3 data/npy.py show folder/target; python3 data/npy.py show folder/new
[ -c /dev/null ] && ls folder
$ILCUDA run bin/Tutorial.dll "s = RowSum[2]" --in x=x.npy --set cols=3 --out s=folder --engine ast --quiet
