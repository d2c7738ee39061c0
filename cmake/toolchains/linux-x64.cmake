# This machine's own compiler; os_glibc_floor.c brings what it links down to glibc 2.27.
set(CMAKE_C_COMPILER gcc)
set(ILCUDA_GLIBC_FLOOR ON)
