# Installs the core of the build tree into a scratch folder, then configures, builds and runs the example
# of docs/install.md against it.
file(REMOVE_RECURSE ${work})
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix --component core)
run(sh ${source}/tests/package/examples.sh ${source}/docs/install.md ${work}/consumer)
if(sanitize)
  set(flags -fsanitize=${sanitize})
endif()
run(${CMAKE_COMMAND} -S ${work}/consumer -B ${work}/build -D CMAKE_PREFIX_PATH=${work}/prefix
    -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
