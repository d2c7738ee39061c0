strip() { sed "s/$(printf '\033')\[[0-9;]*m//g"; }
same() { "$@" >plain && "$@" --color always | strip | cmp - plain || echo "$* differs"; }
for m in Tutorial.dll\ RowSum CasesVb.dll\ Case20_Select MemoryCs.dll\ Memory.Lent CallsCs.dll\ ThrowsByChoice; do
    for form in vb cs cuda c il ir; do same $ILCUDA show bin/$m --as $form; done
    same $ILCUDA show bin/$m --as cuda --checks=show --lines
    same $ILCUDA show bin/$m --as c --line-directives
    same $ILCUDA show bin/$m --passes
done
for form in vb cuda il ir; do $ILCUDA show bin/Tutorial.dll PearsonClamp --as $form --color always; done | sed "s/$(printf '\033')/ESC/g"
$ILCUDA show bin/Tutorial.dll PearsonClamp --passes --color always | sed "s/$(printf '\033')/ESC/g" | grep -v '^ ' | tail -5
$ILCUDA show bin/Tutorial.dll PearsonClamp --color always --json; echo $?
$ILCUDA show bin/Tutorial.dll PearsonClamp --color maybe; echo $?
