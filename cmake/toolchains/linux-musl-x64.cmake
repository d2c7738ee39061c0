# Debian's musl-tools. This machine's headers and libraries are glibc's: only those under CMAKE_PREFIX_PATH are looked for.
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/lib/x86_64-linux-musl ${CMAKE_PREFIX_PATH})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
