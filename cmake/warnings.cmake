# roadplane_warnings(target): the warnings every target of the project is built with.
# -Wrestrict is wrong about std::string in GCC 12 (bug 105651).
function(roadplane_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast
    -Wcast-qual -Wnon-virtual-dtor -Woverloaded-virtual -Wunused -Wno-restrict
    $<$<BOOL:${ROADPLANE_WERROR}>:-Werror>)
endfunction()
