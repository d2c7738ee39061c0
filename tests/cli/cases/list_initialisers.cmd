$ILCUDA list bin/NamesCs.dll; $ILCUDA list bin/NamesCs.dll cctor --all
