# Sanitizers apply to the whole build: mixing instrumented and plain objects hides errors.
if(ROADPLANE_SANITIZE)
  add_compile_options(-fsanitize=${ROADPLANE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ROADPLANE_SANITIZE})
  # Under AddressSanitizer Eigen would bring an allocator of its own, and free with it what the
  # packaged PCL, built without, has allocated. The sanitizer's malloc is aligned well enough.
  add_compile_definitions(EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()
