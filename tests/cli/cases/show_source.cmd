# embedded; beside; of another text; not to be had
$ILCUDA show bin/TutorialEmbedded.dll PearsonClamp --as il
$ILCUDA show bin/Tutorial.dll RowSum --as ir --source "$SOURCES/Tutorial" | sed -n '/^b0/,$p'
mkdir changed && sed 's/Single/Double/' "$SOURCES/Tutorial/Tutorial.vb" >changed/Tutorial.vb
$ILCUDA show bin/Tutorial.dll PearsonClamp --as il --source changed | grep //
$ILCUDA show bin/Tutorial.dll PearsonClamp --as il --source nowhere --source changed --source "$SOURCES/Tutorial" | grep '//.*If'
