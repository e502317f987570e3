# roadplane_mpi_test(name RANKS 1 2 ...): runs the program `name` under mpirun at several rank counts,
# also as root and with more ranks than cores; a hanging test is ended.
function(roadplane_mpi_test name)
  cmake_parse_arguments(arg "" "" "RANKS" ${ARGN})
  foreach(ranks IN LISTS arg_RANKS)
    set(label mpi)
    if(ranks GREATER_EQUAL 8)
      set(label mpi_slow)
    endif()
    add_test(NAME mpi.${name}.${ranks} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe
             ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${name}>)
    set_tests_properties(mpi.${name}.${ranks} PROPERTIES TIMEOUT ${test_timeout_s} PROCESSORS 2
      LABELS ${label}
      # Open MPI itself leaks, so leaks are not looked for here.
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0")
  endforeach()
endfunction()
