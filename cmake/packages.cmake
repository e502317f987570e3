# `cpack` in the build folder makes a Debian package of each component.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The roadplane authors")
set(CPACK_PACKAGE_CONTACT "The roadplane authors <roadplane@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL program core full)

# roadplane_package(component name section DEPENDS ... [SHLIBS] DESCRIPTION one line): what ELF files
# need is computed (SHLIBS); what headers and static libraries need is named.
macro(roadplane_package component name section)
  cmake_parse_arguments(arg "SHLIBS" "DESCRIPTION" "DEPENDS" ${ARGN})
  string(TOUPPER ${component} upper)
  list(JOIN arg_DEPENDS ", " depends)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ${arg_SHLIBS})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${arg_DESCRIPTION}")
endmacro()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox, openmpi-bin")  # plots; several processes
roadplane_package(program roadplane science SHLIBS
  DESCRIPTION "finds the road in LiDAR scans by decentralised optimisation")
roadplane_package(core libroadplane-dev libdevel DEPENDS libeigen3-dev
  DESCRIPTION "road-plane segmentation of LiDAR scans, the core library")
roadplane_package(full libroadplane-full-dev libdevel
  DEPENDS "libroadplane-dev (= ${PROJECT_VERSION})" libpcl-dev libopencv-dev libopenmpi-dev
          libmatio-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libdeflate-dev libpng-dev
          libjpeg-dev libsqlite3-dev liblz4-dev libzstd-dev libbz2-dev
  DESCRIPTION "road-plane segmentation of LiDAR scans, data sets, pictures and MPI")
if(TARGET roadplane_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  get_directory_property(Python_VERSION_MINOR DIRECTORY ${PROJECT_SOURCE_DIR}/python
                         DEFINITION Python_VERSION_MINOR)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/python/postinst
      ${PROJECT_SOURCE_DIR}/packaging/python/prerm)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  roadplane_package(python python3-roadplane python SHLIBS
    DEPENDS python3-numpy "python3 (>= 3.${Python_VERSION_MINOR})" "python3 (<< 3.${next_minor})"
    DESCRIPTION "road-plane segmentation of LiDAR scans, Python module")
endif()
include(CPack)
