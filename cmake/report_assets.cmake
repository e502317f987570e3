# Puts the report's page and the packaged browser libraries into a target as object data.
enable_language(ASM)

function(roadplane_report_assets target)
  set(own ${CMAKE_CURRENT_SOURCE_DIR}/report)
  find_file(THREE_JS three.min.js PATHS /usr/share/javascript/three NO_DEFAULT_PATH REQUIRED)
  find_file(ORBIT_CONTROLS_JS OrbitControls.js
            PATHS /usr/share/javascript/three/examples/js/controls NO_DEFAULT_PATH REQUIRED)
  find_file(CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH REQUIRED)
  set(page ${own}/page.html)
  set(style ${own}/style.css)
  # In the order in which they use each other.
  set(script ${own}/page.js ${own}/table.js ${own}/pictures.js ${own}/cloud.js
             ${own}/cloud_controls.js ${own}/curves.js ${own}/main.js)
  set(three ${THREE_JS})
  set(orbit ${ORBIT_CONTROLS_JS})
  set(chart ${CHART_JS})

  set(assets "")
  set(files "")
  foreach(name page style script three orbit chart)
    list(JOIN ${name} ", " listed)
    string(APPEND assets "asset ${name}, ${listed}\n")
    list(APPEND files ${${name}})
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/report_assets.S)
  configure_file(report_assets.S.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  # A target of its own: the warnings are for C++.
  add_library(${target}_assets OBJECT ${source})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_assets>)
endfunction()
