# Installs the program, and the core library so that `find_package(roadplane)` gives roadplane::core.
include(CMakePackageConfigHelpers)

set(headers ${PROJECT_SOURCE_DIR}/include/roadplane)
install(FILES ${headers}/input_error.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane)
install(DIRECTORY ${headers}/io ${headers}/random ${headers}/geometry ${headers}/objective
                  ${headers}/network ${headers}/solver ${headers}/baseline ${headers}/evaluation
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane
        PATTERN mpi_*.hpp EXCLUDE PATTERN *_json.hpp EXCLUDE PATTERN ransac.hpp EXCLUDE
        REGEX baseline/registry.hpp EXCLUDE)
install(TARGETS ${ROADPLANE_INSTALL_TARGETS} EXPORT roadplane-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT roadplane-targets NAMESPACE roadplane::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)

configure_package_config_file(cmake/roadplane-config.cmake.in roadplane-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)
write_basic_package_version_file(roadplane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)
