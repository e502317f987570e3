# Builds the product alone (ROADPLANE_RESEARCH=OFF), without optimisation, and asks it for research.
function(run code)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE found OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT found EQUAL code)
    message(FATAL_ERROR "${ARGN}: expected exit code ${code}, found ${found}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()
# refused(code words arguments ...): one line that has the words.
function(refused code words)
  run(${code} ${work}/apps/roadplane ${ARGN})
  if(NOT out MATCHES "^roadplane: [^\n]*${words}[^\n]*\n$")
    message(FATAL_ERROR "${ARGN}: expected one line with \"${words}\", found:\n${out}")
  endif()
endfunction()

run(0 ${CMAKE_COMMAND} -G Ninja -S ${source} -B ${work} -D CMAKE_BUILD_TYPE=Debug -D ROADPLANE_RESEARCH=OFF
    -D ROADPLANE_BUILD_TESTS=OFF -D ROADPLANE_BUILD_BENCH=OFF -D CMAKE_CXX_FLAGS_DEBUG=-O0)
run(0 ${CMAKE_COMMAND} --build ${work} --target roadplane)
file(REMOVE_RECURSE ${work}/demo)
run(0 ${work}/apps/roadplane demo --frames 1 --out ${work}/demo)
refused(1 "--solver: expected vrsgt .built with ROADPLANE_RESEARCH=OFF[^\n]*found \"drsgd\""
        segment ${work}/demo/street --solver drsgd --out ${work}/never)
refused(2 "compare: expected a program that was built with ROADPLANE_RESEARCH=ON" compare ${work}/demo/street)
