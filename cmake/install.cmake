# Installs the program, and the core library so that `find_package(roadplane)` gives roadplane::core.
include(CMakePackageConfigHelpers)

foreach(module ${ROADPLANE_CORE_MODULES})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/roadplane/${module}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane)
  list(APPEND install_targets roadplane_${module})
endforeach()
install(TARGETS roadplane_core ${install_targets} EXPORT roadplane-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT roadplane-targets NAMESPACE roadplane::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)

configure_package_config_file(cmake/roadplane-config.cmake.in roadplane-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)
write_basic_package_version_file(roadplane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)
