# roadplane_warnings(target): the warnings every target of the project is built with.
# -Wrestrict is wrong about std::string in GCC 12 (bug 105651). What GCC finds by following values is
# no error below a sanitizer, whose checks it mistakes for the program's.
function(roadplane_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast
    -Wcast-qual -Wnon-virtual-dtor -Woverloaded-virtual -Wunused -Wno-restrict
    $<$<BOOL:${ROADPLANE_WERROR}>:-Werror>)
  if(ROADPLANE_WERROR AND ROADPLANE_SANITIZE)
    foreach(kind maybe-uninitialized stringop-overflow stringop-overread stringop-truncation array-bounds
            nonnull free-nonheap-object use-after-free format-overflow format-truncation)
      target_compile_options(${target} PRIVATE -Wno-error=${kind})
    endforeach()
  endif()
endfunction()
