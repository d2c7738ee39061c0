$ILCUDA bench checks --engine cpu --size 16 --repeat 1 --plan | sed -n '/^RowSum$/,$p'
$ILCUDA bench checks --engine cpu --size 16 --repeat 1 --plan --json | grep -o '"plan":\[{"schedule":"guard"' | wc -l
$ILCUDA bench translate --plan; echo $?
