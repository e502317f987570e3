# Installs in four components, a Debian package each (cmake/packages.cmake): program, core (needs Eigen
# only), full (all other modules) and python. `find_package(roadplane)` and pkg-config find core and full.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roadplane)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ROADPLANE_PC_PREFIX /${pkgconfig_dir} /)  # wherever it is installed

# roadplane_install_modules(component modules...): headers, libraries, exported targets, pkg-config file.
function(roadplane_install_modules component)
  foreach(module ${ARGN})
    # Random123 is needed to build the library, not to use it: its header stays at home.
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/roadplane/${module} COMPONENT ${component}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane
            PATTERN counter_random.hpp EXCLUDE)
    list(APPEND targets roadplane_${module})
    list(PREPEND libraries -lroadplane_${module})  # who uses others comes before them
  endforeach()
  install(TARGETS roadplane_${component} ${targets} EXPORT roadplane-${component}-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT roadplane-${component}-targets NAMESPACE roadplane:: DESTINATION ${config_dir}
          COMPONENT ${component})
  list(JOIN libraries " " ROADPLANE_LIBRARIES)
  configure_file(cmake/roadplane-${component}.pc.in roadplane-${component}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roadplane-${component}.pc DESTINATION ${pkgconfig_dir}
          COMPONENT ${component})
endfunction()

# roadplane_install_licence(component package)
function(roadplane_install_licence component package)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endfunction()

if(NOT ROADPLANE_RESEARCH)
  set(ROADPLANE_PC_FLAGS " -DROADPLANE_WITHOUT_RESEARCH")
endif()
roadplane_install_modules(core ${ROADPLANE_CORE_MODULES})
install(FILES include/roadplane/core.hpp COMPONENT core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane)
roadplane_install_licence(core libroadplane-dev)
configure_package_config_file(cmake/roadplane-config.cmake.in roadplane-config.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(roadplane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/roadplane-config-version.cmake
        DESTINATION ${config_dir} COMPONENT core)
if(ROADPLANE_CORE_ONLY)
  return()
endif()

# roadplane::full: the core and all the rest.
add_library(roadplane_full INTERFACE)
add_library(roadplane::full ALIAS roadplane_full)
set_target_properties(roadplane_full PROPERTIES EXPORT_NAME full)
list(TRANSFORM ROADPLANE_FULL_MODULES PREPEND roadplane:: OUTPUT_VARIABLE full_targets)
target_link_libraries(roadplane_full INTERFACE roadplane::core ${full_targets})
roadplane_install_modules(full ${ROADPLANE_FULL_MODULES})
install(FILES include/roadplane/roadplane.hpp COMPONENT full DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/roadplane)
roadplane_install_licence(full libroadplane-full-dev)

install(TARGETS roadplane DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS roadplane_pcl_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/roadplane
        COMPONENT program)
roadplane_install_licence(program roadplane)
if(TARGET roadplane_python)
  roadplane_install_licence(python python3-roadplane)
endif()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# Made of the program's own table of options, see apps/CMakeLists.txt.
set(made ${PROJECT_BINARY_DIR}/apps/made)
install(FILES ${made}/roadplane.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${made}/roadplane.bash RENAME roadplane COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/roadplane.zsh RENAME _roadplane COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/roadplane.fish COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
include(cmake/packages.cmake)
