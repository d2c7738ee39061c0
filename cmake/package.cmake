# What ILCUDA_PACKAGE adds: nothing of this machine in the bytes, nothing but the C library at run time.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
add_link_options(-s -Wl,--exclude-libs,ALL)
if(WIN32)
  add_link_options(-static-libgcc -Wl,--no-insert-timestamp)
endif()
if(ILCUDA_GLIBC_FLOOR) # src/base/os_glibc_floor.c
  add_compile_definitions(ILCUDA_GLIBC_FLOOR)
  set(floor_libraries -Wl,--push-state,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -Wl,--pop-state)
endif()
