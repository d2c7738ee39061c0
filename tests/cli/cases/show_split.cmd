$ILCUDA show bin/RowsVb.dll Share --as tile | sed -n '/_part(/,$p'
$ILCUDA show bin/RowsVb.dll Largest --as tile --mode fast | grep -o 'il_[A-Za-z]*_split('
$ILCUDA show bin/RowsVb.dll Largest --as tile | grep -o 'il_[A-Za-z]*_rows('
