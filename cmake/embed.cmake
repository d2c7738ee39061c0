# Writes a file's bytes as C: cmake -D INPUT=... -D OUTPUT=... -D NAME=tutorial_dll -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
  "#include \"tutorial.h\"\nconst unsigned char ${NAME}[] = {\n${bytes}};\nconst size_t ${NAME}_size = ${size};\n")
