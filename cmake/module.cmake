# roadplane_module(name PUBLIC targets PRIVATE targets): the library roadplane::name from all sources
# of the calling folder but those WITHOUT (a regular expression) names. One folder, one target, one idea; tests/architecture holds who may use whom.
#
# Two sets of precompiled headers serve the whole build, since parsing them is most of what compiling
# takes: Eigen's core for everybody who uses it, and JSON with it from results up .
function(roadplane_module name)
  cmake_parse_arguments(arg "" "PRECOMPILED;WITHOUT" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  if(arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "${arg_WITHOUT}")
  endif()
  add_library(roadplane_${name} STATIC ${sources})
  add_library(roadplane::${name} ALIAS roadplane_${name})
  set_target_properties(roadplane_${name} PROPERTIES EXPORT_NAME ${name}
                        POSITION_INDEPENDENT_CODE ON)
  target_compile_features(roadplane_${name} PUBLIC cxx_std_20)
  target_include_directories(roadplane_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(roadplane_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  roadplane_warnings(roadplane_${name})
  if(arg_PRECOMPILED)
    target_precompile_headers(roadplane_${name} REUSE_FROM roadplane_${arg_PRECOMPILED})
  endif()
endfunction()
