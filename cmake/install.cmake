# cmake --install: the program, the shared library, the headers, and how other builds find them (pkg-config, find_package). With cpack a
# package for Debian.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the tests need not be built
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS ilcuda RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ilcuda_shared EXPORT ilcuda
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT Development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/ilcuda DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(ilcuda_shared PROPERTIES EXPORT_NAME ilcuda)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ilcuda)
install(EXPORT ilcuda NAMESPACE ilcuda:: FILE ilcuda-config.cmake DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ilcuda-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ilcuda-config-version.cmake DESTINATION ${config_folder})
file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix) # wherever it is installed
configure_file(${CMAKE_SOURCE_DIR}/cmake/ilcuda.pc.in ${CMAKE_BINARY_DIR}/ilcuda.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/ilcuda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ilcuda)
set(CPACK_PACKAGE_CONTACT "The ilcuda authors <ilcuda@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ordinary .NET methods become CUDA kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS gcc)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
include(CPack)
